// The verbs requests, requests clear and requests verify: the journal of a running sandbox, as it is or as it grows.
import { z } from 'zod'
import { workspaceOfRequestId } from '../../journal/request-id.ts'
import type { NearMiss } from '../../journal/verify.ts'
import { stringify } from '../../json/stringify.ts'
import { missLines } from '../../journal/miss-lines.ts'
import { DocumentError } from '../../reading/problems.ts'
import { connect, connectToRead } from './connect.ts'
import { NoSandboxError, nothing, shownText, type ControlClient } from './control-client.ts'
import { requestFilters, textsOf } from './fields.ts'
import { jsonOf, readInput } from './input.ts'
import { bodyText, jsonSafe } from './show.ts'
import { CliError, exitCodes, type Io, type CommandIo } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'
import { realTiming, type Timing } from '../timing.ts'

const entry = z.looseObject({
  id: z.string(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string().default(''),
  status: z.number(),
  outcome: z.string(),
  error_type: z.string().nullish(),
})
type Entry = z.output<typeof entry>

const journal = z.object({ requests: z.array(entry), dropped: z.number() })

/** How long after one look at the journal the next one follows. */
const pauseMs = 1_000

export async function requests(flags: FlagValues, io: Io, timing: Timing = realTiming): Promise<number> {
  const { format, follow } = flags
  if (follow === true && format === 'har') {
    throw new CliError('error: --follow: a HAR is one document: leave --follow out, or take --format json')
  }
  if (follow === true && flags['before'] !== undefined) {
    throw new CliError('error: --before: no call to come is before another: leave it or --follow out')
  }
  const filter = textsOf(flags, Object.keys(requestFilters))
  const ofId = workspaceOfRequestId(filter['before'] ?? '')
  const client = await connectToRead(ofId === undefined ? flags : { workspace: ofId, ...flags }, io)
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  try {
    if (follow === true) await followJournal(client, filter, { format, io, timing, signal: stopping.signal })
    else await printJournal(client, filter, { format, io, signal: stopping.signal })
    return exitCodes.fine
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    return follow === true ? exitCodes.fine : exitCodes.interrupted
  }
}

interface Printing {
  format: unknown
  io: Pick<Io, 'stdout'>
  signal: AbortSignal
}

async function printJournal(
  client: ControlClient,
  filter: Record<string, string>,
  { format, io, signal }: Printing,
): Promise<void> {
  if (format === 'har') {
    const query = { ...filter, format: 'har' }
    io.stdout(bodyText(await client.read('GET', '/requests', { query, signal })))
    return
  }
  const { data, text } = await client.askWhole('GET', '/requests', journal, { query: filter, signal })
  if (format === 'json') io.stdout(bodyText(text))
  else for (const one of data.requests.toReversed()) io.stdout(entryLine(one))
}

/** Prints what the journal holds, then each call that comes, as a line of its own; ends with the signal. */
async function followJournal(
  client: ControlClient,
  { limit, ...filter }: Record<string, string>,
  { format, io, timing, signal }: Printing & { timing: Timing },
): Promise<void> {
  let query = limit === undefined ? filter : { ...filter, limit }
  let hasAnswered = false
  do {
    const { requests: found } = await client
      .ask('GET', '/requests', journal, { query, signal })
      .catch((error: unknown) => {
        if (!(error instanceof NoSandboxError) || !hasAnswered) throw error
        throw new CliError(`error: the sandbox at ${client.url} has stopped (${error.why})`, error.exitCode)
      })
    hasAnswered = true
    for (const one of found.toReversed()) io.stdout(format === 'json' ? entryJson(one) : entryLine(one))
    const [newest] = found
    if (newest) query = { ...filter, after: newest.id }
  } while (await timing.wait(pauseMs, signal))
}

function entryJson(one: Entry): string {
  return `${jsonSafe(stringify(one))}\n`
}

/** One call as people read it, oldest first as in a log. */
function entryLine({ at, id, status, method, path, query, outcome, error_type: why }: Entry): string {
  const target = query === '' ? path : `${path}?${query}`
  const line = `${at}  ${id}  ${status} ${method} ${target}  ${outcome}${why ? ` (${why})` : ''}`
  return `${terminalSafe(line).replaceAll('\n', '?')}\n`
}

export async function clearRequests(flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  await client.ask('DELETE', '/requests', nothing)
  io.stderr(`Cleared the journal of workspace '${client.workspace}'\n`)
}

const holds = z.object({ count: z.number() })
const fails = z.object({
  error: z.object({ message: shownText }),
  nearest: z.array(
    z.object({
      id: z.string(),
      method: z.string(),
      path: z.string(),
      operation: z.string().nullable(),
      status: z.number(),
      differs: z.array(
        z.object({ at: z.string(), expected: z.unknown(), actual: z.unknown().exactOptional() }),
      ),
    }),
  ) satisfies z.ZodType<NearMiss[]>,
})

/** @param word what is to hold: JSON, @FILE or -. */
export async function verifyRequests(
  word: string | undefined,
  flags: FlagValues,
  io: CommandIo,
): Promise<number> {
  const client = await connectToRead(flags, io)
  const body = jsonOf(await readInput(word, io).catch(asUsage))
  const answer = await client.fetch('POST', '/requests/verify', { body })
  const missed = answer.status === 409 ? fails.safeParse(valueOfJson(answer.text)) : undefined
  if (!missed?.success) {
    const { count } = client.readAnswer('POST', '/requests/verify', holds, answer)
    const found = `It holds: ${count} ${count === 1 ? 'request' : 'requests'} matched.\n`
    io.stdout(flags['format'] === 'json' ? bodyText(answer.text) : found)
    return exitCodes.fine
  }
  const { error, nearest } = missed.data
  const near = nearest.length === 0 ? [] : ['nearest:', ...nearest.flatMap(missLines)]
  const text = [`It does not hold: ${error.message}`, ...near].join('\n')
  io.stdout(flags['format'] === 'json' ? bodyText(answer.text) : `${terminalSafe(text)}\n`)
  return exitCodes.gateFailed
}

/** It is a question, and no document that is kept. */
function asUsage(error: unknown): never {
  throw error instanceof DocumentError ? new CliError(error.message) : error
}
