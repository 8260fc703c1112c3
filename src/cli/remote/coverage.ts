// The verb coverage: prints which contract points a running sandbox saw exercised, and gates on them.
import { z } from 'zod'
import { formats, isReportFormat } from '../../coverage/reports/index.ts'
import { connect } from './connect.ts'
import { openCoverageGates } from '../coverage-gates.ts'
import { exitCodes, type Io } from '../io.ts'
import { writeResult } from '../output.ts'
import { readSettings, type FlagValues } from '../settings.ts'

/** What a sandbox answers; another version of it may answer otherwise. */
const reported = z.object({
  total: z.number(),
  covered: z.number(),
  percent: z.number(),
  left_out: z
    .object({
      points: z.number(),
      only: z.array(z.string()).exactOptional(),
      skip: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
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
  const client = await connect(flags, io)
  const { coverageOnly, coverageSkip, ...options } = await readSettings(flags, io)
  const query = {
    ...(coverageOnly.length > 0 && { only: coverageOnly.join(',') }),
    ...(coverageSkip.length > 0 && { skip: coverageSkip.join(',') }),
  }
  const report = await client.ask('GET', '/coverage', reported, { query, shared: true })
  // The sandbox left out what does not count.
  const asked = { ...options, coverageOnly: [], coverageSkip: [] }
  const gates = await openCoverageGates(asked, report.points, io.cwd)
  const format = String(flags['format'])
  const write = await formats[isReportFormat(format) ? format : 'text'].load()
  await writeResult([write(report)], flags['output'], io)
  const failed = await gates.check(report)
  for (const gate of failed) io.stderr(`error: ${gate}\n`)
  return failed.length > 0 ? exitCodes.gateFailed : exitCodes.fine
}
