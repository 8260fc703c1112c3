// The workspace that the id of a request names.
import { workspaceOfRequestId } from '../../journal/request-id.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'

/** @throws {CliError} for what is no id of a request. */
export function workspaceOfRequest(id: string): string {
  const name = workspaceOfRequestId(id)
  if (name !== undefined) return name
  throw new CliError(
    `error: '${terminalSafe(id)}' is no request id: it is the x-sandbox-request-id of an answer, such as req_default_1`,
  )
}
