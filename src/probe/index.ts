// The entry point `partner-rewards-sandbox/probe`: conform and calibrate, for a service or a sandbox.
import { calibrate as calibrateTarget, type CalibrateOptions, type Calibration } from './calibrate.ts'
import { conform as conformTarget, type Conformance } from './conform.ts'
import type { GivenTarget } from './target-type.ts'
import type { ProbeOptions } from './start-run.ts'

export type { Conformance, JudgedPoint, PointVerdict } from './conform.ts'
export type { CalibrateOptions, Calibration } from './calibrate.ts'
export type { Observation, Observed } from './observation.ts'
export { CannotBeAsked } from './request-sender.ts'
export type { Comparison, Move, NoLongerObserved } from './compare.ts'
export type { RowList, RowsRead } from './rows-read.ts'
export type { AssumptionSettings } from '../input/resolve-assumptions.ts'
export type { Evidence } from './evidence.ts'
export type { AllowedClass, Verdict } from './probe.ts'
export type { Progress } from './run.ts'
export type { ProbeOptions, ProbeReport } from './start-run.ts'
export { targetJsonSchema } from './target.ts'
export type { GivenTarget } from './target-type.ts'
export type { Scope } from '../contract/scopes.ts'
export type { AssumptionId, AssumptionValue } from '../contract/assumptions.ts'
export type { ContractPoint } from '../coverage/points/point.ts'
export { OptionsError } from '../options/read-options.ts'
export { DocumentError, type Problem } from '../input/problems.ts'

/**
 * Checks whether a service keeps the contract. Only `read` and `refusal` requests are sent, unless `allow` permits
 * more.
 *
 * @throws {CannotBeAsked} if it is production, does not answer, or refuses the key: then nothing more was sent.
 * @throws {DocumentError} for an invalid target; nothing was sent.
 * @throws {DocumentError} also if the service lacks a key or row that the target names; then only reads were sent.
 * @throws {OptionsError} for an unknown point in `only`.
 * @example
 * const { summary } = await conform({ fetch: sandbox.fetch, keys: { full: 'sk_sandbox_full' } })
 * expect(summary.broken).toBe(0)
 */
export function conform(target: GivenTarget, options: ProbeOptions = {}): Promise<Conformance> {
  return conformTarget(target, options)
}

/**
 * Finds out which value of each assumption a service has. Only `read` and `refusal` requests are sent, unless `allow`
 * permits more.
 *
 * @throws {CannotBeAsked} if it is production, does not answer, or refuses the key: then nothing more was sent.
 * @throws {DocumentError} for an invalid target; nothing was sent.
 * @throws {DocumentError} also if the service lacks a key or row that the target names; then only reads were sent.
 * @throws {OptionsError} for an unknown assumption in `only`.
 * @example
 * const { assume } = await calibrate({ fetch: sandbox.fetch, keys: { full: 'sk_sandbox_full' } })
 */
export function calibrate(target: GivenTarget, options: CalibrateOptions = {}): Promise<Calibration> {
  return calibrateTarget(target, options)
}
