// The verb replay: sends an earlier request again, unchanged or edited.
import * as answers from '../../control/answers.ts'
import { CliError, type CommandIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { checkName } from './connect.ts'
import { workspaceOfRequest } from './explain.ts'
import { jsonOf, readInput } from './input.ts'
import { calls, jsonSafe, type RemoteWork } from './remote-call.ts'

export async function replay(call: Call): Promise<RemoteWork> {
  const [id = ''] = call.args
  const of = workspaceOfRequest(id)
  const { workspace, method, path, header, body } = call.flags
  if (typeof workspace === 'string') checkName('workspace', workspace)
  const edits = {
    workspace,
    method,
    path,
    headers: Array.isArray(header) ? headersOf(header) : undefined,
    body: typeof body === 'string' ? await bodyOf(body, call.io) : undefined,
  }
  return calls(
    call,
    {
      body: edits,
      answer: answers.replayed,
      note: ({ request_id, workspace: into, status }) =>
        `${request_id} in workspace '${into}': ${status === null ? 'the answer was lost or corrupted on its way' : `answered ${status}`}`,
      text: ({ body: answered }) => {
        if (answered === null) return ''
        return typeof answered === 'string' ? `${answered}\n` : jsonSafe(jsonLines(answered))
      },
    },
    of,
  )
}

/** Reads `-` and `@FILE`; any other text is the body itself. */
async function bodyOf(word: string, io: CommandIo): Promise<string> {
  return word === '-' || word.startsWith('@') ? jsonOf(await readInput(word, io)) : word
}

/** @throws {CliError} for an invalid header line. */
function headersOf(lines: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value = ''] = /^([^:\s]+):(.*)$/.exec(line) ?? []
      if (name !== undefined) return [name, value.trim() === '' ? null : value.trim()]
      throw new CliError(
        `error: --header '${terminalSafe(line)}': must be a header such as 'x-service-version: latest'`,
      )
    }),
  )
}
