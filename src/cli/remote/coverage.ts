// The verb coverage: prints the contract points that the calls to a running sandbox exercised, and applies gates to
// them.
import { Option } from 'commander'
import { isReportFormat, reportFormats } from '../../coverage/reports/index.ts'
import { coverageWriter } from '../../inspector/reports/coverage-writers.ts'
import { openCoverageGates } from '../coverage-gates.ts'
import { exitCodes } from '../io.ts'
import { writeResult } from '../output.ts'
import { readSettings } from '../settings.ts'
import { outputFile, type Call } from '../verb.ts'
import { coverageReport } from '../../operations/coverage.ts'
import { optionNames, optionOf } from '../../options/index.ts'
import type { RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

export const coverageVerb = remote({
  name: 'coverage',
  about: 'print the contract points that calls to a running sandbox exercised',
  workspace: 'only the calls in this workspace (default: those in all workspaces)',
  options: optionNames.filter((name) => optionOf(name).verbs?.includes('coverage')),
  own: [
    new Option('--format <format>', 'the output format').choices(reportFormats).default('text'),
    outputFile,
  ],
  isAboutAll: true,
  reads: true,
  routes: ['GET /_sandbox/coverage'],
  work: async (call) => coverage(call),
})

/** Ends with 6 if a gate failed. */
function coverage({ flags, io }: Call): RemoteWork {
  return {
    perform: async (client, request) => {
      const options = await readSettings(flags, io)
      const { data: whole } = await client.ask(request, coverageReport)
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
