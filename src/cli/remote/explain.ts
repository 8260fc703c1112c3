// The verb explain: explains why a running sandbox gave an answer.
import { event, eventLine, workspaceOfEvent } from '../../operations/events.ts'
import { explained } from '../../operations/requests.ts'
import { storyOf } from '../../explain/explain-events.ts'
import { explanationText } from '../../explain/explanation-text.ts'
import { workspaceOfRequestId } from '../../journal/request-id.ts'
import { workspaceOfEventId } from '../../store/sequences.ts'
import { CliError, exitCodes } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { NoSandboxError } from './control-client.ts'
import { calls, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'
import { traceFolderOf, tracesOf } from './traces-of-request.ts'

export const explainVerb = remote({
  name: 'explain',
  about: 'explain why a running sandbox gave an answer',
  workspace: 'the workspace of the request or event (default: the one that its id names)',
  args: [['<request-id>', 'the x-sandbox-request-id of its answer, or a webhook event such as evt_1']],
  routes: ['GET /_sandbox/requests/:id', 'GET /_sandbox/events/:id'],
  work: async (call) => explain(call),
})

function explain(call: Call): RemoteWork {
  const [id = ''] = call.args
  if (workspaceOfEventId(id) !== undefined) return explainEvent(call, id)
  const { workspace: named } = call.flags
  const ofId = workspaceOfRequest(id, ', or an event such as evt_1')
  const text = (answer: { explanation: Parameters<typeof explanationText>[0] }): string =>
    `${explanationText(answer.explanation)}\n`
  const work = calls(call, { answer: explained, text }, typeof named === 'string' ? named : ofId)
  return { ...work, failed: (error) => withTraces(error, id, call) }
}

/** Adds to the error that a request or an event is gone the traces that have it: the workspace of a test is deleted with its test. */
async function withTraces(error: CliError, id: string, { io, flags }: Call): Promise<CliError> {
  const isGone = error instanceof NoSandboxError || error.exitCode === exitCodes.notFound
  if (!isGone) return error
  const traces = await tracesOf(id, io)
  // A named workspace may be mistyped, which the error says.
  if (traces.length === 0 && flags['workspace'] !== undefined) return error
  const next =
    traces.length > 0
      ? `a trace has ${id} and explains it: open ${traces.join(' or ')}`
      : `if a test caused it, it is only in the trace that the failed test names: no trace in ${traceFolderOf(io)} has ${id}`
  return new CliError(`${error.message}\n${terminalSafe(next)}`, error.exitCode)
}

/** Explains why an event was delivered or not. */
function explainEvent(call: Call, id: string): RemoteWork {
  const text = (one: Parameters<typeof eventLine>[0]): string =>
    `${[eventLine(one), storyOf(one)].join('\n')}\n`
  const route = { method: 'GET', path: `/events/${id}` }
  const work = calls(
    call,
    { ...route, answer: event, text },
    workspaceOfEvent(call.args, call.flags['workspace']),
  )
  return { ...work, failed: (error) => withTraces(error, id, call) }
}

/** Returns the workspace of a request id. @param or the other ids that the verb takes. @throws {CliError} for an invalid id. */
export function workspaceOfRequest(id: string, or = ''): string {
  const name = workspaceOfRequestId(id)
  if (name !== undefined) return name
  throw new CliError(
    `error: '${terminalSafe(id)}' is not a request id: expected the x-sandbox-request-id of an answer, such as req_default_1${or}`,
  )
}
