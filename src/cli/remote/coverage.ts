// The verb coverage: prints which contract points a running sandbox saw exercised, and gates on them.
import { z } from 'zod'
import { formats, isReportFormat } from '../../coverage/reports/index.ts'
import { connectToRead } from './connect.ts'
import { shownText } from './control-client.ts'
import { openCoverageGates } from '../coverage-gates.ts'
import { exitCodes, type Io } from '../io.ts'
import { writeResult } from '../output.ts'
import { readSettings, type FlagValues } from '../settings.ts'

/** What a sandbox answers; another version of it may answer otherwise. */
const reported = z.object({
  total: z.number(),
  covered: z.number(),
  percent: z.number(),
  calibrated: z.object({ host: shownText, at: shownText, assumptions: z.number() }).exactOptional(),
  points: z.array(
    z.object({
      id: z.string(),
      operation: z.string(),
      sentence: z.string(),
      section: z.string(),
      covered: z.boolean(),
      hits: z.number(),
      exercise: z.string().exactOptional(),
    }),
  ),
})

/** @returns 6 when a gate failed. */
export async function coverage(flags: FlagValues, io: Io): Promise<number> {
  const client = await connectToRead(flags, io)
  const options = await readSettings(flags, io)
  const whole = await client.ask('GET', '/coverage', reported, { shared: true })
  const gates = await openCoverageGates(options, whole.points, io.cwd)
  const report = gates.narrow(whole)
  const format = String(flags['format'])
  const write = await formats[isReportFormat(format) ? format : 'text'].load()
  await writeResult([write(report)], flags['output'], io, 'the coverage report')
  const failed = await gates.check(report)
  for (const gate of failed) io.stderr(`error: ${gate}\n`)
  return failed.length > 0 ? exitCodes.gateFailed : exitCodes.fine
}
