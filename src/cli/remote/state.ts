// The verbs state get, put, patch, delete and dump: the rows of a workspace of a running sandbox.
import { z } from 'zod'
import { listRows, stateOperations } from '../../operations/state.ts'
import { collectionNames } from '../../store/rows.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call, Verb } from '../verb.ts'
import { readInput, sentJson } from './input.ts'
import { sentBy } from './operation-call.ts'
import { optionsOf, verbsOf } from './operation-verbs.ts'
import { calls, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

const collectionArgument = ['<collection>', 'such as customers, or account or stubs'] as const
/** The message if no collection was named. */
const hint = `Collections: ${[...collectionNames, 'account', 'stubs'].join(', ')}.`

export const stateVerb: Verb = {
  name: 'state',
  about: 'read and write the rows of a running sandbox',
  help: `
A write is validated like a fixture, and missing fields are filled in. account is one row and stubs are one list: neither
takes an id. apply replaces the whole state by a document.`,
  verbs: [
    remote({
      name: 'get',
      about: 'print a row, or all rows of a collection',
      hint,
      args: [collectionArgument, ['[id]']],
      own: optionsOf(listRows, { name: 'state get' }),
      routes: [
        'GET /_sandbox/state/:collection',
        'GET /_sandbox/state/:collection/:id',
        'GET /_sandbox/state/account',
        'GET /_sandbox/state/stubs',
      ],
      work: get,
    }),
    remote({
      name: 'put',
      about: 'add a row, or replace the one with this id, and print it',
      hint,
      args: [collectionArgument, ['[id]'], sentJson],
      routes: [
        'PUT /_sandbox/state/:collection/:id',
        'PUT /_sandbox/state/account',
        'PUT /_sandbox/state/stubs',
      ],
      work: write,
    }),
    remote({
      name: 'patch',
      about: 'change some fields of a row (JSON Merge Patch: null removes a field), and print it',
      hint,
      args: [collectionArgument, ['[id]'], sentJson],
      routes: ['PATCH /_sandbox/state/:collection/:id', 'PATCH /_sandbox/state/account'],
      work: write,
    }),
    ...verbsOf('state', stateOperations).nested,
  ],
}

/** The account is one row and stubs are one list: neither needs an id. */
const withoutIds = ['account', 'stubs']

function pathOf(collection: string, id: string | undefined): string {
  const parts = id === undefined ? [collection] : [collection, id]
  return `/state/${parts.map(encodeURIComponent).join('/')}`
}

async function get(call: Call): Promise<RemoteWork> {
  const [collection = '', id] = call.args
  const { query, refused } = await sentBy(listRows, { name: 'state get' }, call)
  return calls(call, { path: pathOf(collection, id), query, answer: z.unknown(), refused })
}

/** Prints the row after the write, with missing fields filled in. */
async function write(call: Call): Promise<RemoteWork> {
  const { path, input } = targetOf(call.args)
  const [row = ''] = call.args
  const document = { read: () => readInput(input, call.io), row }
  return calls(call, { path, document, answer: z.unknown() })
}

/**
 * @throws {CliError} if the id is missing: otherwise the next argument would be used as the id, and stdin as the row.
 */
function targetOf([collection = '', ...rest]: readonly string[]): {
  path: string
  input: string | undefined
} {
  const isWhole = withoutIds.includes(collection) && rest[0] !== collection
  const [id, input] = isWhole ? [undefined, ...rest] : rest
  if (isWhole && rest.length > 1) throw new CliError(`error: ${collection} takes no id`)
  if (!isWhole && (id === undefined || /^[{[@]|^-$/.test(id))) {
    throw new CliError(`error: ${terminalSafe(collection)}: expected an id, then the row`)
  }
  return { path: pathOf(collection, id), input }
}
