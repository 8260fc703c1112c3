// calibrate: asks a service which value of each assumption it has.
import type { AssumptionId } from '../contract/assumptions.ts'
import { assumptionProbes } from './assumptions/index.ts'
import { chosen } from './only.ts'
import type { Evidence } from './evidence.ts'
import { planOf, type Plan } from './planning.ts'
import type { Probe, Verdict } from './probe.ts'
import {
  asTarget,
  startRun,
  thisMachine,
  type Machine,
  type ProbeOptions,
  type ProbeReport,
} from './start-run.ts'
import type { GivenTarget } from './given-target.ts'
import type { Target } from './target.ts'

/** An assumption as it was observed. */
export interface Observation {
  verdict: Verdict
  /** For `observed`. */
  value?: string | number
  /** For `observed_other`: what was there instead of every value that we know. */
  seen?: string
  /** For every other verdict: why, and what would make it `observed`. */
  why?: string
  takes?: string
  at: string
  /** What was asked and answered, with a token in the place of what is secret or somebody's. */
  evidence: Evidence[]
}

/** What a service was found to do; `calibrated`, `assume` and `observations` are what a calibrated file holds. */
export interface Calibration extends Pick<ProbeReport, 'partial' | 'requests'> {
  calibrated: { target: string; at: string; version: string; package: string }
  /** The values that were observed. */
  assume: Partial<Record<AssumptionId, string | number>>
  observations: Partial<Record<AssumptionId, Observation>>
}

/** Every probe, in the order of the catalogue. */
const probes: readonly Probe[] = Object.values(assumptionProbes) as Probe[]

/**
 * Asks a service which value of each assumption it has.
 *
 * @throws {CannotBeAsked} when it is production, does not answer, or refuses the key: then nothing more was sent.
 * @throws {DocumentError} for a target that cannot be used.
 * @throws {OptionsError} for an unknown assumption in `only`.
 * @throws {SecretInEvidence} when a secret is found in the evidence.
 * @example
 * const { assume } = await calibrate({ fetch: sandbox.fetch, keys: { full: 'sk_sandbox_full' } })
 */
export async function calibrate(
  given: GivenTarget | Target,
  options: ProbeOptions = {},
  machine: Machine = thisMachine(),
): Promise<Calibration> {
  const asked = chosen(probes, options.only, 'assumption')
  const { results, report } = await startRun('calibrate', asked, asTarget(given, machine), options, machine)
  const { at, partial, requests, target, version, package: name } = report
  const observations: Calibration['observations'] = {}
  const assume: Calibration['assume'] = {}
  for (const { probe, evidence, value, ...found } of results) {
    const id = probe.id as AssumptionId
    const read = value as string | number | undefined
    if (read !== undefined) assume[id] = read
    observations[id] = {
      ...found,
      ...(read === undefined ? {} : { value: read }),
      at,
      evidence,
    }
  }
  return {
    calibrated: { target: target.host, at, version, package: name },
    assume,
    observations,
    partial,
    requests,
  }
}

/** What `calibrate` would send. */
export function calibrationPlan(
  given: GivenTarget | Target,
  { only, allow }: ProbeOptions = {},
  machine: Machine = thisMachine(),
): Plan {
  const asked = chosen(probes, only, 'assumption')
  return planOf(asked, asTarget(given, machine), { run: 'calibrate-<run>', ...(allow ? { allow } : {}) })
}
