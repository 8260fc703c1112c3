// calibrate: finds out which value of each assumption a service has.
import { resolve } from 'node:path'
import { assumptionCatalogue, assumptionIds } from '../contract/assumptions.ts'
import type { AssumptionEntry } from '../contract/assumptions/assumption-entry.ts'
import type { AssumptionSettings } from '../input/resolve-assumptions.ts'
import { assumptionProbes } from './assumptions/index.ts'
import type { Exchange } from './request-sender.ts'
import { compareCalibrations, readEarlier, type Comparison } from './compare.ts'
import type { Redaction } from './evidence.ts'
import { violationsOf } from './contract-violations.ts'
import type { Observation, Observed } from './observation.ts'
import { chosen } from './only.ts'
import { planOf, type Plan } from './planning.ts'
import type { Probe } from './probe.ts'
import { rowsOf } from './rows-read.ts'
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

/** The results for a service; `calibrated`, `assume` and `observations` are the contents of a calibrated file. */
export interface Calibration
  extends Observed, Pick<ProbeReport, 'partial' | 'requests' | 'made' | 'lost'>, Partial<Comparison> {
  /** The values that were observed. */
  assume: AssumptionSettings
}

/** The options of calibrate. */
export interface CalibrateOptions extends ProbeOptions {
  /** The file of an earlier calibration: `moved` lists the changes since. */
  readonly check?: string
}

const probes = new Map((Object.values(assumptionProbes) as Probe[]).map((probe) => [probe.id, probe]))

/** Every assumption, with the probe that decides it, or why none can. */
const questions = assumptionIds.map((id) => {
  const { unobservable }: AssumptionEntry = assumptionCatalogue[id]
  return { id, probe: probes.get(id), unobservable }
})

const probesOf = (selected: typeof questions): Probe[] => selected.flatMap(({ probe }) => probe ?? [])

/**
 * Finds out which value of each assumption a service has.
 *
 * @throws {CannotBeAsked} if it is production, does not answer, or refuses the key: then nothing more was sent.
 * @throws {DocumentError} for an invalid target, and a file to check without values; nothing was sent.
 * @throws {DocumentError} also if the service lacks a key or row that the target names; then only reads were sent.
 * @throws {OptionsError} for an unknown assumption in `only`.
 * @example
 * const { assume } = await calibrate({ fetch: sandbox.fetch, keys: { full: 'sk_sandbox_full' } })
 */
export async function calibrate(
  serviceTarget: GivenTarget | Target,
  { check, ...options }: CalibrateOptions = {},
  machine: Machine = thisMachine(),
): Promise<Calibration> {
  const selected = chosen(questions, options.only, 'assumption')
  const service = asTarget(serviceTarget, machine)
  const before = check === undefined ? undefined : await readEarlier(resolve(machine.host.cwd, check), check)
  const { results, report, redaction } = await startRun(
    'calibrate',
    probesOf(selected),
    service,
    options,
    machine,
  )
  const { at, partial, requests, made, lost, target, version, package: name } = report
  const observations: Calibration['observations'] = {}
  const assume: Record<string, string | number> = {}
  const found = new Map(results.map((result) => [result.probe.id, result]))
  for (const { id, unobservable = 'no probe can decide it' } of selected) {
    const result = found.get(id)
    const observation: Observation = result
      ? observationOf(result, at, service, redaction)
      : { verdict: 'not_observable', why: unobservable, at, evidence: [] }
    observations[id] = observation
    if (observation.value !== undefined) assume[id] = observation.value
  }
  const calibrated = { target: target.host, at, version, package: name }
  return {
    calibrated,
    // A probe reads a value of its assumption; its type ensures that.
    assume: assume as AssumptionSettings,
    observations,
    partial,
    requests,
    ...(made === undefined ? {} : { made }),
    ...(lost === undefined ? {} : { lost }),
    ...(before && compareCalibrations(before, { calibrated, observations })),
  }
}

function observationOf(
  { probe, verdict, value, seen, why, takes, evidence, withheld, exchanges }: ShownResult,
  at: string,
  target: Target,
  redaction: Redaction,
): Observation {
  const breaks = breaksOf(probe, exchanges)
  const rows = rowsOf(exchanges, target)
  return {
    verdict,
    ...(typeof value === 'string' || typeof value === 'number' ? { value } : {}),
    ...(seen === undefined ? {} : { seen }),
    ...(why === undefined ? {} : { why }),
    ...(takes === undefined ? {} : { takes }),
    at,
    ...(breaks.length === 0 ? {} : { breaks: breaks.map((text) => redaction.words(text)) }),
    ...(rows && { rows }),
    evidence,
    ...(withheld === undefined ? {} : { evidence_withheld: withheld }),
  }
}

/** Each once: the second pass gets the same answers, and so does every item of a list. */
function breaksOf({ violations = () => [] }: Probe, exchanges: readonly Exchange[]): string[] {
  const broken = exchanges
    .flatMap((exchange) => [...violationsOf(exchange), ...violations(exchange)])
    .map(({ what, expected }) => `${what.replaceAll(/\[\d+\]/g, '[]')} (expected ${expected})`)
  return [...new Set(broken)]
}

/** Returns the requests that `calibrate` would send. */
export function calibrationPlan(
  target: GivenTarget | Target,
  { only, allow }: ProbeOptions = {},
  machine: Machine = thisMachine(),
): Plan {
  const selected = chosen(questions, only, 'assumption')
  return planOf(probesOf(selected), asTarget(target, machine), {
    run: 'calibrate-<run>',
    ...(allow ? { allow } : {}),
  })
}
