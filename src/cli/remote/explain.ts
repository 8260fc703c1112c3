// The verb explain: says why a running sandbox answered a request as it did.
import { z } from 'zod'
import { sectionNames } from '../../explain/explanation.ts'
import { explanationText } from '../../explain/explanation-text.ts'
import { connectToRead } from './connect.ts'
import { workspaceOfRequest } from './workspace-of-request.ts'
import type { Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import type { FlagValues } from '../settings.ts'

/** What a sandbox answers; another version of it may answer otherwise. */
const explained = z.object({
  explanation: z.object({
    id: z.string(),
    summary: z.string(),
    sections: z.array(
      z.object({
        about: z.enum(sectionNames),
        facts: z.array(
          z.object({
            name: z.string(),
            value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
            note: z.string().optional(),
          }),
        ),
      }),
    ),
  }),
})

export async function explain(id: string, flags: FlagValues, io: Io): Promise<void> {
  const ofId = workspaceOfRequest(id)
  const workspace = typeof flags['workspace'] === 'string' ? flags['workspace'] : ofId
  const client = await connectToRead({ ...flags, workspace }, io)
  const { explanation } = await client.ask('GET', `/requests/${encodeURIComponent(id)}`, explained)
  io.stdout(flags['format'] === 'json' ? jsonLines(explanation) : `${explanationText(explanation)}\n`)
}
