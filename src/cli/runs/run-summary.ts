// What a run exercised, for people, and why it does not pass: --coverage-min, --strict.
import { missedMinimums } from '../../coverage/gates.ts'
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { gridsOf, percentText } from '../../coverage/reports/grid.ts'
import type { UnmatchedCall } from '../../findings/unmatched-calls.ts'
import type { CommandSettings } from '../../options/index.ts'
import type { UnfiredRule } from '../../findings/sandbox-findings.ts'

/** What is known of a run when it is over. */
export interface RunResults {
  coverage: CoverageReport
  unfired: readonly UnfiredRule[]
  unmatched: { total: number; kinds: readonly UnmatchedCall[] }
}

/** As many lines of a list as anybody reads. */
const mostLines = 20

/** Why a run does not pass, in sentences that name the option; none when it does. */
export function failedGates(
  { coverage, unfired, unmatched }: RunResults,
  { coverageMin, strict }: Pick<CommandSettings, 'coverageMin' | 'strict'>,
): string[] {
  const failed = missedMinimums(coverage, coverageMin)
  if (strict && unmatched.total > 0) {
    failed.push(`--strict: ${counted(unmatched.total, 'call')} met no endpoint`)
  }
  if (strict && unfired.length > 0) {
    failed.push(`--strict: ${counted(unfired.length, 'rule')} of active scenarios never fired`)
  }
  return failed
}

/** What a person reads of a run: coverage by operation, rules that never fired, calls that met no endpoint. */
export function summaryText({ coverage, unfired, unmatched }: RunResults): string {
  const { total, covered, percent } = coverage
  const grids = gridsOf(coverage)
  const width = Math.max(...grids.map(({ operation }) => operation.length))
  const missing = total - covered
  const rules = unfired.map(({ id, reason }) => `${id}: ${reason}`)
  return [
    `Contract coverage: ${percentText(percent)}, ${covered} of ${total} points`,
    ...grids.map((grid) => `  ${grid.operation.padEnd(width)}  ${grid.covered} of ${grid.total}`),
    ...(missing > 0
      ? [`  ${missing} are missing; --report coverage.html shows each with a request that exercises it`]
      : []),
    ...section('Rules that never fired:', rules),
    ...section('Calls that met no endpoint:', unmatched.kinds.map(callLine)),
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const rest = lines.length - mostLines
  return [
    title,
    ...lines.slice(0, mostLines).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ]
}

function callLine({ method, path, count, nearest, differs }: UnmatchedCall): string {
  const how = differs.length > 0 ? `: ${differs.join('; ')}` : ''
  const like = nearest === null ? 'none is like it' : `the nearest is ${nearest}${how}`
  return `${method} ${path}${count > 1 ? ` and ${count - 1} more like it` : ''}; ${like}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
