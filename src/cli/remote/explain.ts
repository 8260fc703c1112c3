// The verb explain: says why a running sandbox answered a request as it did.
import * as answers from '../../control/answers.ts'
import { explanationText } from '../../explain/explanation-text.ts'
import { workspaceOfRequestId } from '../../journal/request-id.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { calls, type RemoteWork } from './remote-call.ts'

export function explain(call: Call): RemoteWork {
  const [id = ''] = call.args
  const { workspace: named } = call.flags
  const ofId = workspaceOfRequest(id)
  const text = (answer: { explanation: Parameters<typeof explanationText>[0] }): string =>
    `${explanationText(answer.explanation)}\n`
  return calls(call, { answer: answers.explained, text }, typeof named === 'string' ? named : ofId)
}

/** The workspace that the id of a request names. @throws {CliError} for a text that is no such id. */
export function workspaceOfRequest(id: string): string {
  const name = workspaceOfRequestId(id)
  if (name !== undefined) return name
  throw new CliError(
    `error: '${terminalSafe(id)}' is no request id: it is the x-sandbox-request-id of an answer, such as req_default_1`,
  )
}
