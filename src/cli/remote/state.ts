// The verbs state get, put, patch, delete and dump: the rows of a workspace of a running sandbox.
import * as answers from '../../control/answers.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { rowPages, textsOf } from './fields.ts'
import { readInput } from './input.ts'
import { calls, downloads, type RemoteWork } from './remote-call.ts'

/** The account is one row and stubs are one list: neither needs an id. */
const withoutIds = ['account', 'stubs']

function pathOf(collection: string, id: string | undefined): string {
  const parts = id === undefined ? [collection] : [collection, id]
  return `/state/${parts.map(encodeURIComponent).join('/')}`
}

export function get(call: Call): RemoteWork {
  const [collection = '', id] = call.args
  const query = textsOf(call.flags, Object.keys(rowPages))
  return calls(call, { path: pathOf(collection, id), query, answer: answers.anyJson })
}

/** Prints the row after the write, with missing fields filled in. */
export function write(call: Call): RemoteWork {
  const { path, input } = targetOf(call.args)
  const [row = ''] = call.args
  const document = { read: () => readInput(input, call.io), row }
  return calls(call, { path, document, answer: answers.anyJson })
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

export function remove(call: Call): RemoteWork {
  const [collection, id] = call.args
  return calls(call, {
    answer: answers.noContent,
    note: (_, { workspace }) => `Deleted ${collection} '${id}' of workspace '${workspace}'`,
  })
}

export const dump = (call: Call): RemoteWork => downloads(call, 'the state')
