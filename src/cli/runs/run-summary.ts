// The summary of a run for people: its verdict, its coverage, and its problems.
import type { CoverageReport } from '../../coverage/reports/coverage-report.ts'
import { gridsOf } from '../../coverage/reports/grid.ts'
import { remarksText, percentText } from '../../coverage/reports/report-texts.ts'
import type { UnmatchedCall } from '../../explain/unmatched-calls.ts'
import type { Refusal, RunTally } from '../../sandbox/runs/run-tally.ts'

/** The data of a finished run. */
export interface RunResults {
  /** Of the points that count. */
  coverage: CoverageReport
  tally: RunTally
  /** The report file with the missing points, if there is one. */
  page?: string | undefined
}

/** The result of a run, in one word. */
export type RunVerdict = 'covered' | 'no_calls' | 'gate_failed' | 'child_failed'

/** @param code that of the command. @param failed the failed gates. */
export function verdictOf({ calls }: RunTally, code: number, failed: readonly string[]): RunVerdict {
  if (code !== 0) return 'child_failed'
  if (calls === 0) return 'no_calls'
  return failed.length > 0 ? 'gate_failed' : 'covered'
}

/** Maximum number of lines of a list. */
const maxLines = 20

/** Returns why a run fails under --strict, in sentences; none if it passes. */
export function strictGates(tally: RunTally): string[] {
  const [unmatched, unfired] = [tally.unmatched.total, tally.unfiredRules().length]
  return [
    ...(unmatched > 0 ? [`--strict: ${counted(unmatched, 'call')} met no endpoint`] : []),
    ...(unfired > 0 ? [`--strict: ${counted(unfired, 'rule')} of active scenarios never fired`] : []),
  ]
}

/**
 * Returns the summary of a run: coverage by operation, refusals, rules that never fired, calls that matched no
 * endpoint.
 */
export function summaryText({ coverage, tally, page }: RunResults): string {
  const rules = tally.unfiredRules().map(({ id, reason }) => `${id}: ${reason}`)
  return [
    ...(tally.calls === 0 ? noCallsText(tally) : []),
    ...coverageText(coverage, tally, page),
    ...section('Refused, though no scenario caused it:', tally.refusals().map(refusalLine)),
    ...section('Rules that never fired:', rules),
    ...section('Calls that met no endpoint:', tally.unmatched.list().map(callLine)),
    '',
  ].join('\n')
}

/** Returns why a run may have made no call, if known. */
export function noCallsText({ joined, others }: RunTally): string[] {
  const reasons = [
    ...[...others].map(
      (verb) =>
        `  The command started another sandbox (${verb}), whose calls do not belong to this run: let it call SANDBOX_URL instead.`,
    ),
    ...(joined > 0
      ? [`  It created ${counted(joined, 'sandbox')} by createSandbox, and called none of them.`]
      : []),
  ]
  return [
    'The run saw no call of the API, so nothing was exercised.',
    ...(reasons.length > 0
      ? reasons
      : [`  The command did not call SANDBOX_URL, and created no sandbox by a test kit or createSandbox.`]),
  ]
}

function coverageText(
  coverage: CoverageReport,
  { calls, http, inProcess }: RunTally,
  page: string | undefined,
): string[] {
  const { total, covered, percent } = coverage
  const grids = gridsOf(coverage)
  const width = Math.max(...grids.map(({ operation }) => operation.length))
  const missing = total - covered
  const remarks = remarksText(coverage)
  return [
    `Contract coverage: ${percentText(percent)}, ${covered} of ${total} points, by ${counted(calls, 'call')}: ${http} over HTTP, ${inProcess} in process`,
    ...(calls === 0 ? [] : grids).map(
      (grid) => `  ${grid.operation.padEnd(width)}  ${grid.covered} of ${grid.total}`,
    ),
    ...(remarks === undefined ? [] : [`  ${remarks}`]),
    ...(missing > 0 && calls > 0
      ? [
          `  ${missing} are missing; ${page ?? '--report coverage.html'} shows each with a request that exercises it`,
        ]
      : []),
  ]
}

function refusalLine({ count, method, path, operation, status, why }: Refusal): string {
  return `${count} × ${status ?? 'lost'} ${operation ?? `${method} ${path}`}: ${why}`
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const rest = lines.length - maxLines
  return [
    title,
    ...lines.slice(0, maxLines).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ]
}

function callLine({ method, path, count, nearest, differs }: UnmatchedCall): string {
  const how = differs.length > 0 ? `: ${differs.join('; ')}` : ''
  const like = nearest === null ? 'no similar one' : `the nearest is ${nearest}${how}`
  return `${method} ${path}${count > 1 ? ` and ${count - 1} more like it` : ''}; ${like}`
}

function counted(count: number, what: string): string {
  if (count === 1) return `1 ${what}`
  return `${count} ${what}${what.endsWith('x') ? 'es' : 's'}`
}
