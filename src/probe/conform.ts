// conform: checks whether a service keeps the contract, point by point.
import type { ContractPoint } from '../coverage/points/point.ts'
import { checks } from './checks/index.ts'
import type { Check } from './checks/check.ts'
import { chosen } from './only.ts'
import type { Evidence } from './evidence.ts'
import { planOf, type Plan } from './planning.ts'
import {
  asTarget,
  startRun,
  thisMachine,
  type Machine,
  type ProbeOptions,
  type ProbeReport,
  type ShownResult,
} from './start-run.ts'
import type { GivenTarget } from './target-type.ts'
import type { Target } from './target.ts'

/** The verdict on a point. */
export const pointVerdicts = ['holds', 'broken', 'not_observable', 'not_called', 'unstable'] as const
export type PointVerdict = (typeof pointVerdicts)[number]

/** A contract point with its verdict. */
export interface JudgedPoint extends ContractPoint {
  verdict: PointVerdict
  /** For all but `holds`: the observation, or why there is none. */
  why?: string
  /** For `broken`: what the contract requires. */
  expected?: string
  /** For `broken` and `unstable`. */
  exchanges?: Evidence[]
  /** Why `exchanges` is empty, if redaction left a secret in it. */
  exchanges_withheld?: string
}

/** The findings of conform. */
export interface Conformance extends ProbeReport {
  points: JudgedPoint[]
  summary: Record<PointVerdict, number>
}

/**
 * Checks whether a service keeps the contract.
 *
 * @throws {CannotBeAsked} if it is production, does not answer, or refuses the key: then nothing more was sent.
 * @throws {DocumentError} for an invalid target.
 * @throws {DocumentError} also if the service lacks a key or row that the target names; then only reads were sent.
 * @throws {OptionsError} for an unknown point in `only`.
 * @example
 * const { summary } = await conform({ fetch: sandbox.fetch, keys: { full: 'sk_sandbox_full' } })
 * expect(summary.broken).toBe(0)
 */
export async function conform(
  target: GivenTarget | Target,
  options: ProbeOptions = {},
  machine: Machine = thisMachine(),
): Promise<Conformance> {
  const selected = chosen(checks, options.only, 'point')
  const { results, report } = await startRun(
    'conform',
    selected,
    asTarget(target, machine),
    options,
    machine,
    ({ verdict }) => verdict === 'observed_other' || verdict === 'unstable',
  )
  const points = results.map((result, place) => judged(selected[place], result))
  const counts = pointVerdicts.map(
    (verdict) => [verdict, points.filter((point) => point.verdict === verdict).length] as const,
  )
  return { ...report, points, summary: Object.fromEntries(counts) as Conformance['summary'] }
}

/** Returns the requests that `conform` would send. */
export function conformPlan(
  target: GivenTarget | Target,
  { only, allow }: ProbeOptions = {},
  machine: Machine = thisMachine(),
): Plan {
  const selected = chosen(checks, only, 'point')
  return planOf(selected, asTarget(target, machine), { run: 'conform-<run>', ...(allow ? { allow } : {}) })
}

function judged(
  check: Check | undefined,
  { verdict, seen, expected, why, takes, evidence, withheld }: ShownResult,
): JudgedPoint {
  if (!check) throw new Error('a result has no check')
  const { id, operation, sentence, section } = check
  const point = { id, operation, sentence, section }
  const exchanges = {
    exchanges: evidence,
    ...(withheld === undefined ? {} : { exchanges_withheld: withheld }),
  }
  switch (verdict) {
    case 'observed':
      return { ...point, verdict: 'holds' }
    case 'observed_other':
      return {
        ...point,
        verdict: 'broken',
        ...(seen === undefined ? {} : { why: seen }),
        ...(expected === undefined ? {} : { expected }),
        ...exchanges,
      }
    default: {
      const reported = [why, takes].filter((text) => text !== undefined).join('; ')
      return {
        ...point,
        verdict: verdict === 'not_allowed' ? 'not_observable' : verdict,
        ...(reported === '' ? {} : { why: reported }),
        ...(verdict === 'unstable' ? exchanges : {}),
      }
    }
  }
}
