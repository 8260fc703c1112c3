// Compares two calibrations: the changes, and whether the service, the account or the contract changed.
import { z } from 'zod'
import { assumptionIds, type AssumptionId } from '../contract/assumptions.ts'
import { calibratedFrom, otherVersion, type CalibratedFile } from '../input/calibrated-file.ts'
import { ProblemList } from '../input/problem-list.ts'
import { readSource } from '../input/source-file.ts'
import { describeSchemaIssues, readBySchema } from '../input/schema-issues.ts'
import type { Observed as ObservedNow } from './observation.ts'
import { verdicts, type Verdict } from './probe.ts'
import { areOther, rowsRead } from './rows-read.ts'

/** An assumption that has changed. */
export interface Move {
  id: AssumptionId
  /**
   * The cause: the service, as an answer that decides now breaks the `contract`; the `account`, as other rows were
   * read; or the service, where the contract is silent: the `assumption`.
   */
  who: 'contract' | 'assumption' | 'account'
  /** The value, or the observation if there is no value. */
  before: string | number
  /** The same now; for an unchanged one, how it breaks the contract. */
  after: string | number
}

/** An assumption that was observed before, and is not now; this does not count as a change. */
export interface NoLongerObserved {
  id: AssumptionId
  before: string | number
  verdict: Verdict
  why?: string
  takes?: string
}

/** The result of a comparison. */
export interface Comparison {
  moved: Move[]
  no_longer_observed: NoLongerObserved[]
  /** Reasons why the comparison is less reliable: the age of the file, another host, another version. */
  warnings: string[]
}

/** The parts of an observation that a comparison needs; all are optional, as users shorten files by hand. */
const observed = z.looseObject({
  verdict: z.enum(verdicts),
  value: z.union([z.string(), z.number()]).exactOptional(),
  seen: z.string().exactOptional(),
  why: z.string().exactOptional(),
  takes: z.string().exactOptional(),
  breaks: z.array(z.string()).exactOptional(),
  rows: rowsRead.exactOptional(),
})
const observations = z.looseObject({ observations: z.record(z.string(), observed).default({}) })
type Observed = z.output<typeof observed>

/** A file of an earlier calibration, for `--check`. */
export interface EarlierCalibration extends Omit<CalibratedFile, 'observations'> {
  observations: Readonly<Record<string, Observed>>
}

/** @throws {DocumentError} with every problem at its line and column; a file without a value is one. */
export async function readEarlier(path: string, name: string): Promise<EarlierCalibration> {
  const source = await readSource(path, name)
  const file = calibratedFrom(source)
  const { data, issues } = readBySchema(observations, source.value)
  const problems = new ProblemList({ byLine: true })
  for (const issue of describeSchemaIssues(issues ?? [], observations)) problems.add({ source, ...issue })
  problems.throwIfAny()
  if (!data) throw problems.error()
  return { ...file, observations: data.observations }
}

/** Number of days after which a file is reported as old. */
const maxDays = 31
const day = 86_400_000

/**
 * Returns the changes since an earlier calibration. Assumptions that were not observed then, or not probed now, are not
 * compared.
 *
 * @example compareCalibrations(before, now).moved   // [{ id: 'not_found_status', who: 'assumption', before: 404, after: 410 }]
 */
export function compareCalibrations(before: EarlierCalibration, now: ObservedNow): Comparison {
  const moved: Move[] = []
  const lost: NoLongerObserved[] = []
  for (const id of assumptionIds) {
    const [then, found] = [observedBefore(before, id), now.observations[id]]
    const was = then && shown(then)
    if (then === undefined || found === undefined || was === undefined) continue
    const is = shown(found)
    const broken = (found.breaks ?? []).filter((what) => !then.breaks?.includes(what))
    const hasMoved = is !== undefined && String(is) !== String(was)
    if (broken.length > 0) {
      const after = hasMoved ? is : `breaks the contract: ${broken.join('; ')}`
      moved.push({ id, who: 'contract', before: was, after })
    } else if (hasMoved) {
      const isAccount = then.rows !== undefined && found.rows !== undefined && areOther(then.rows, found.rows)
      moved.push({ id, who: isAccount ? 'account' : 'assumption', before: was, after: is })
    } else if (is === undefined) {
      const { verdict, why, takes } = found
      lost.push({ id, before: was, verdict, ...(why && { why }), ...(takes && { takes }) })
    }
  }
  return { moved, no_longer_observed: lost, warnings: warningsOf(before, now.calibrated) }
}

/** A file may have been shortened to its values. */
function observedBefore(
  { assume, observations: all }: EarlierCalibration,
  id: AssumptionId,
): Observed | undefined {
  const value = assume[id]
  return all[id] ?? (value === undefined ? undefined : { verdict: 'observed', value })
}

/** The observed value; undefined if none was observed. */
function shown({
  verdict,
  value,
  seen,
}: Pick<Observed, 'verdict' | 'value' | 'seen'>): string | number | undefined {
  if (verdict === 'observed') return value
  return verdict === 'observed_other' ? `observed_other: ${seen ?? ''}` : undefined
}

function warningsOf(
  before: EarlierCalibration,
  { target, at, version }: ObservedNow['calibrated'],
): string[] {
  const days = Math.floor((Date.parse(at) - Date.parse(before.at)) / day)
  const { name } = before.source
  const version_ = otherVersion(before, version)
  return [
    ...(days > maxDays ? [`${name} is ${days} days old: a change may have happened long ago`] : []),
    ...(before.host === target ? [] : [`${name} is of ${before.host}, and this is ${target}`]),
    ...(version_ ? [`${name}: ${version_.message}`] : []),
  ]
}
