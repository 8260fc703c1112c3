// The verb replay: sends an earlier request again, unchanged or edited.
import { Option } from 'commander'
import { replayed } from '../../operations/requests.ts'
import { CliError, type CommandIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { checkName } from './connect.ts'
import { workspaceOfRequest } from './explain.ts'
import { jsonOf, readInput } from './input.ts'
import { calls, jsonSafe, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

export const replayVerb = remote({
  name: 'replay',
  about: 'send an earlier request again, unchanged or edited, and print the answer',
  workspace:
    'the workspace to send it to, created as a copy if it does not exist (default: a new copy, replay-N)',
  args: [['<request-id>', 'the x-sandbox-request-id of its answer']],
  own: [
    new Option('--method <method>', 'the method in place of the original'),
    new Option('--path <path>', 'the path, with its query, in place of the original'),
    new Option(
      '--header <line>',
      "a header such as 'x-service-version: latest', repeatable; a header without a value is removed",
    ).argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]),
    new Option(
      '--body <body>',
      'the body in place of the original; @FILE to read it from a file, or - for stdin',
    ),
  ],
  reads: true,
  routes: ['POST /_sandbox/requests/:id/replay'],
  work: replay,
})

async function replay(call: Call): Promise<RemoteWork> {
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
      answer: replayed,
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
