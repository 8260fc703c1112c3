// The verbs requests, requests clear and requests verify: lists or follows the journal of a running sandbox.
import type { z } from 'zod'
import * as answers from '../../control/answers.ts'
import { missLines } from '../../journal/miss-lines.ts'
import { workspaceOfRequestId } from '../../journal/request-id.ts'
import { stringify } from '../../json/stringify.ts'
import { DocumentError } from '../../input/problems.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import { realTiming, type Timing } from '../timing.ts'
import type { Call } from '../verb.ts'
import { NoSandboxError, type ControlClient, type Request } from './control-client.ts'
import { requestFilters, textsOf } from './fields.ts'
import { jsonOf, readInput } from './input.ts'
import { bodyText, calls, isJson, type Options, type RemoteWork } from './remote-call.ts'

type Entry = z.output<typeof answers.journalEntry>

/** Poll interval of the journal. */
const pauseMs = 1_000

export function requests(call: Options, timing: Timing = realTiming): RemoteWork {
  const { flags, io } = call
  const { format, follow, before } = flags
  if (follow === true && format === 'har') {
    throw new CliError(
      'error: --follow cannot write a HAR, which is one document: omit --follow, or use --format json',
    )
  }
  if (follow === true && before !== undefined) {
    throw new CliError('error: --before and --follow exclude each other: use one of them')
  }
  const query = textsOf(flags, Object.keys(requestFilters))
  const { workspace: named } = flags
  return {
    workspace: typeof named === 'string' ? named : workspaceOfRequestId(query['before'] ?? ''),
    perform: async (client, route) => {
      const stopping = new AbortController()
      void io.stopped.then(() => stopping.abort())
      const request = { ...route, query, signal: stopping.signal }
      try {
        if (follow === true) await followJournal(client, request, call, timing)
        else await printJournal(client, request, call)
        return exitCodes.fine
      } catch (error) {
        if (!stopping.signal.aborted) throw error
        return follow === true ? exitCodes.fine : exitCodes.interrupted
      }
    },
  }
}

async function printJournal(client: ControlClient, request: Request, { io, flags }: Options): Promise<void> {
  if (flags['format'] === 'har') {
    const har = { ...request, query: { ...request.query, format: 'har' } }
    io.stdout(bodyText((await client.ask(har, answers.anyJson)).text))
    return
  }
  const { data, text } = await client.ask(request, answers.journal)
  if (isJson({ flags })) io.stdout(bodyText(text))
  else for (const one of data.requests.toReversed()) io.stdout(entryLine(one))
}

/** Prints the journal, then a line for each further call; stops on the signal. */
async function followJournal(
  client: ControlClient,
  request: Request & { signal: AbortSignal },
  { io, flags }: Options,
  timing: Timing,
): Promise<void> {
  const { limit: _limit, ...filter } = request.query ?? {}
  let { query } = request
  let hasAnswered = false
  do {
    const { data } = await client
      .ask({ ...request, ...(query && { query }) }, answers.journal)
      .catch((error: unknown) => {
        if (!(error instanceof NoSandboxError) || !hasAnswered) throw error
        throw new CliError(`error: the sandbox at ${client.url} has stopped (${error.why})`, error.exitCode)
      })
    hasAnswered = true
    for (const one of data.requests.toReversed())
      io.stdout(isJson({ flags }) ? bodyText(stringify(one)) : entryLine(one))
    const [newest] = data.requests
    if (newest) query = { ...filter, after: newest.id }
  } while (await timing.wait(pauseMs, request.signal))
}

/** One call as a line, oldest first as in a log. */
function entryLine({ at, id, status, method, path, query, outcome, error_type: why }: Entry): string {
  const target = query === '' ? path : `${path}?${query}`
  const line = `${at}  ${id}  ${status ?? 'lost'} ${method} ${target}  ${outcome}${why ? ` (${why})` : ''}`
  return `${terminalSafe(line).replaceAll('\n', '?')}\n`
}

export function clearRequests(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.noContent,
    note: (_, { workspace }) => `Cleared the journal of workspace '${workspace}'`,
  })
}

/** Ends with 6 if the expectation does not hold. */
export function verifyRequests(call: Call): RemoteWork {
  const { args, io } = call
  return {
    perform: async (client, route) => {
      const request = { ...route, body: jsonOf(await readInput(args[0], io).catch(throwAsUsage)) }
      const answer = await client.fetch(request)
      const missed =
        answer.status === 409 ? answers.notVerified.safeParse(valueOfJson(answer.text)).data : undefined
      if (!missed) {
        const { count } = client.read(request, answer, answers.verified)
        const found = `It holds: ${count} ${count === 1 ? 'request' : 'requests'} matched.\n`
        io.stdout(isJson(call) ? bodyText(answer.text) : found)
        return exitCodes.fine
      }
      const { error, nearest } = missed
      const near = nearest.length === 0 ? [] : ['nearest:', ...nearest.flatMap(missLines)]
      const text = [`It does not hold: ${error.message}`, ...near].join('\n')
      io.stdout(isJson(call) ? bodyText(answer.text) : `${terminalSafe(text)}\n`)
      return exitCodes.gateFailed
    },
  }
}

/** The expectation is not a file of the user's project, so invalid JSON is wrong usage. */
function throwAsUsage(error: unknown): never {
  throw error instanceof DocumentError ? new CliError(error.message) : error
}
