// The verbs state get, put, patch, delete and dump: the rows of a workspace of a running sandbox.
import { z } from 'zod'
import { connect, connectToRead } from './connect.ts'
import { nothing } from './control-client.ts'
import { rowPages, textsOf } from './fields.ts'
import { readInput } from './input.ts'
import { sendDocument } from './send-document.ts'
import { bodyText, jsonSafe, showJson } from './show.ts'
import { CliError, type Io, type CommandIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe, writeResult } from '../output.ts'
import type { FlagValues } from '../settings.ts'

/** The account is one row and stubs are one list: neither needs an id. */
const withoutIds = ['account', 'stubs']

function pathOf(collection: string, id: string | undefined): string {
  const parts = id === undefined ? [collection] : [collection, id]
  return `/state/${parts.map(encodeURIComponent).join('/')}`
}

export async function get(
  collection: string,
  id: string | undefined,
  flags: FlagValues,
  io: Io,
): Promise<void> {
  const query = textsOf(flags, Object.keys(rowPages))
  const client = await connectToRead(flags, io)
  await showJson({ client, flags, io }, 'GET', pathOf(collection, id), { query })
}

/** Prints the row as it is then, gaps filled. */
export async function write(
  method: 'PUT' | 'PATCH',
  words: readonly string[],
  flags: FlagValues,
  io: CommandIo,
): Promise<void> {
  const { path, input } = targetOf(words)
  const client = await connect(flags, io)
  const source = await readInput(input, io)
  const { text, data } = await sendDocument(client, [method, path], z.unknown(), source, words[0])
  io.stdout(flags['format'] === 'json' ? bodyText(text) : jsonSafe(jsonLines(data)))
}

/** @throws {CliError} where the id was left out: what follows would be taken for it, and stdin for the row. */
function targetOf([collection = '', ...rest]: readonly string[]): {
  path: string
  input: string | undefined
} {
  const isWhole = withoutIds.includes(collection) && rest[0] !== collection
  const [id, input] = isWhole ? [undefined, ...rest] : rest
  if (isWhole && rest.length > 1) throw new CliError(`error: ${collection} takes no id`)
  if (!isWhole && (id === undefined || /^[{[@]|^-$/.test(id))) {
    throw new CliError(`error: ${terminalSafe(collection)}: an id is needed, then what the row is to be`)
  }
  return { path: pathOf(collection, id), input }
}

export async function remove(collection: string, id: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  await client.ask('DELETE', pathOf(collection, id), nothing)
  io.stderr(terminalSafe(`Deleted ${collection} '${id}' of workspace '${client.workspace}'\n`))
}

/** A state of many rows takes its time. */
const patienceMs = 600_000

/** @param path of what answers with a state document. @param what that is, with the workspace behind it. */
export async function dump(path: string, what: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connectToRead(flags, io)
  await writeResult(
    safe(client.download(path, { patienceMs })),
    flags['output'],
    io,
    `${what} of workspace '${client.workspace}'`,
  )
}

async function* safe(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield jsonSafe(piece)
}
