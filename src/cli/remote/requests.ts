// The verbs requests, requests clear and requests verify: lists or follows the journal of a running sandbox.
import { Option } from 'commander'
import { z } from 'zod'
import {
  journal,
  type journalEntry,
  listRequests,
  notVerified,
  requestsOperations,
  verified,
} from '../../operations/requests.ts'
import { missLines } from '../../journal/miss-lines.ts'
import { workspaceOfRequestId } from '../../journal/request-id.ts'
import { stringify } from '../../json/stringify.ts'
import { DocumentError } from '../../input/problems.ts'
import { CliError, exitCodes, type CommandIo, type Io } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import { realTiming, type Timing } from '../timing.ts'
import type { Call } from '../verb.ts'
import { NoSandboxError, RefusedError, type ControlClient, type Request } from './control-client.ts'
import { jsonOf, readInput, sentJson } from './input.ts'
import { sentBy } from './operation-call.ts'
import { optionsOf, verbsOf } from './operation-verbs.ts'
import { bodyText, isJson, type Options, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

type Entry = z.output<typeof journalEntry>

/** Poll interval of the journal. */
const pauseMs = 1_000

/** Its options are the filters of the journal. */
const listing = { name: 'requests', without: ['after', 'format'] }

export const requestsVerb = remote({
  name: 'requests',
  about: 'list or follow the calls to a running sandbox, oldest first',
  workspace: "the workspace (default: that of the id of --before, that of a partner's token, or default)",
  own: [
    ...optionsOf(listRequests, listing),
    new Option('--follow', 'then print each new call, until Ctrl-C'),
    new Option('--format <format>', 'the output format').choices(['text', 'json', 'har']).default('text'),
  ],
  endsItself: true,
  routes: ['GET /_sandbox/requests'],
  work: (call) => requests(call),
  help: `
--format json prints the answer of the control plane; with --follow, one line of JSON for each call.`,
  verbs: [
    remote({
      name: 'verify',
      about: 'check that matching calls were made; if not, print the nearest calls and exit with code 6',
      args: [sentJson],
      reads: true,
      routes: ['POST /_sandbox/requests/verify'],
      work: async (call) => verifyRequests(call),
      help: `
Matches operation, status, params, query, headers and body, with count, at_least or at_most; or takes matchers
in_order, as in '{"operation": "updateReward", "body": {"status": "AVAILABLE"}, "count": 1}'.`,
    }),
    ...verbsOf('requests', requestsOperations).nested,
  ],
})

export async function requests(
  call: Pick<Call, 'args' | 'flags'> & { io: Io & Pick<CommandIo, 'readStdin'> },
  timing: Timing = realTiming,
): Promise<RemoteWork> {
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
  const { query, refused } = await sentBy(listRequests, listing, call)
  const { workspace: named } = flags
  return {
    workspace: typeof named === 'string' ? named : workspaceOfRequestId(query['before'] ?? ''),
    failed: async (error) => (error instanceof RefusedError ? refused(error) : error),
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
    io.stdout(bodyText((await client.ask(har, z.unknown())).text))
    return
  }
  const { data, text } = await client.ask(request, journal)
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
      .ask({ ...request, ...(query && { query }) }, journal)
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

/** Ends with 6 if the expectation does not hold. */
function verifyRequests(call: Call): RemoteWork {
  const { args, io } = call
  return {
    perform: async (client, route) => {
      const request = { ...route, body: jsonOf(await readInput(args[0], io).catch(throwAsUsage)) }
      const answer = await client.fetch(request)
      const missed = answer.status === 409 ? notVerified.safeParse(valueOfJson(answer.text)).data : undefined
      if (!missed) {
        const { count } = client.read(request, answer, verified)
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
