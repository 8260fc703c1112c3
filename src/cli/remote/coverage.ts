// The verb coverage: prints the contract points that the calls to a running sandbox exercised, and applies gates to
// them.
import * as answers from '../../control/answers.ts'
import { isReportFormat } from '../../coverage/reports/index.ts'
import { coverageWriter } from '../../inspector/reports/coverage-writers.ts'
import { openCoverageGates } from '../coverage-gates.ts'
import { exitCodes } from '../io.ts'
import { writeResult } from '../output.ts'
import { readSettings } from '../settings.ts'
import type { Call } from '../verb.ts'
import type { RemoteWork } from './remote-call.ts'

/** Ends with 6 if a gate failed. */
export function coverage({ flags, io }: Call): RemoteWork {
  return {
    perform: async (client, request) => {
      const options = await readSettings(flags, io)
      const { data: whole } = await client.ask(request, answers.coverage)
      const gates = await openCoverageGates(options, whole.points, io.cwd)
      const report = gates.narrow(whole)
      const format = String(flags['format'])
      const write = await coverageWriter(isReportFormat(format) ? format : 'text')
      await writeResult([write(report)], flags['output'], io, 'the coverage report')
      const failed = await gates.check(report)
      for (const gate of failed) io.stderr(`error: ${gate}\n`)
      return failed.length > 0 ? exitCodes.gateFailed : exitCodes.fine
    },
  }
}
