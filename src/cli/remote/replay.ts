// The verb replay: sends a request of a running sandbox once more, as it was or edited.
import { z } from 'zod'
import { checkName, connectToRead } from './connect.ts'
import { shownText } from './control-client.ts'
import { jsonOf, readInput } from './input.ts'
import { bodyText, jsonSafe } from './show.ts'
import { workspaceOfRequest } from './workspace-of-request.ts'
import { CliError, type CommandIo } from '../io.ts'
import { jsonLines } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

const replayed = z.object({
  workspace: shownText,
  request_id: shownText,
  status: z.number().nullable(),
  body: z.unknown(),
})

export async function replay(id: string, flags: FlagValues, io: CommandIo): Promise<void> {
  const of = workspaceOfRequest(id)
  const { workspace, method, path, body } = flags
  if (typeof workspace === 'string') checkName('workspace', workspace)
  const client = await connectToRead({ ...flags, workspace: of }, io)
  const edits = {
    ...(workspace === undefined ? {} : { workspace }),
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(Array.isArray(flags['header']) ? { headers: headersOf(flags['header']) } : {}),
    ...(typeof body === 'string' ? { body: await bodyOf(body, io) } : {}),
  }
  const asked = ['POST', `/requests/${encodeURIComponent(id)}/replay`] as const
  const { data, text } = await client.askWhole(...asked, replayed, { body: edits })
  if (flags['format'] === 'json') return io.stdout(bodyText(text))
  const { status } = data
  const what = status === null ? 'the answer was lost or spoiled on its way' : `answered ${status}`
  io.stderr(`${data.request_id} in workspace '${data.workspace}': ${what}\n`)
  if (data.body === null) return
  io.stdout(typeof data.body === 'string' ? `${terminalSafe(data.body)}\n` : jsonSafe(jsonLines(data.body)))
}

/** What is written as a word is sent as it is. */
async function bodyOf(word: string, io: CommandIo): Promise<string> {
  return word === '-' || word.startsWith('@') ? jsonOf(await readInput(word, io)) : word
}

/** @throws {CliError} for a line that is no header. */
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
