// Reads `--assume` settings: validates assumption ids and values, and determines the current values.
import {
  assumptionCatalogue,
  assumptionIds,
  type AssumptionId,
  type AssumptionValue,
  type Assumptions,
} from '../contract/assumptions.ts'
import type { AssumptionEntry } from '../contract/assumptions/assumption-entry.ts'
import { didYouMean } from './did-you-mean.ts'

/** One assumption as `GET /_sandbox/assumptions` shows it; written out, as users can import this type only. */
export interface AssumptionView {
  id: AssumptionId
  question: string
  section: string
  default: string | number
  alternatives: readonly (string | number)[]
  range?: readonly [number, number]
  /** Values that only another option can set, each with that option. */
  described_by?: Readonly<Partial<Record<string, string>>>
  value: string | number
  effect: string
  /** Whether `calibrate` can find the value of a service. */
  observable: boolean
  /** Why it cannot. */
  observable_reason?: string
  /** Whether public documentation of a service of this family shows the default. */
  evidence: 'documented' | 'none'
  /** The source of the value: the default, `assume`, or `calibrate`, which observed a service. */
  provenance: 'default' | 'set' | 'calibrated'
  /** Where it was observed, and when. */
  calibrated?: ObservedAt
}

/** The service at which values were observed, and when (RFC 3339). */
export interface ObservedAt {
  host: string
  at: string
}

/** The sources of the current values; a value that is not in it is the default. */
export type Provenance = ReadonlyMap<AssumptionId, 'set' | ObservedAt>

/** The current values with their sources. */
export interface AssumptionsInForce {
  values: Assumptions
  provenance: Provenance
}

/** Values that were observed at a service. */
export interface ObservedValues extends ObservedAt {
  assume: UnvalidatedSettings
}

/** Settings of a user: values by id, as text or in their own type. */
export type AssumptionSettings = {
  readonly [Id in AssumptionId]?: AssumptionValue<Id> | `${AssumptionValue<Id>}`
}

/** Settings before their ids and values are validated. */
export type UnvalidatedSettings = Readonly<Record<string, string | number>>

/** Thrown for an unknown id or value; the message lists the valid ones. */
export class AssumptionError extends Error {
  override name = 'AssumptionError'
}

function readEntry(id: AssumptionId): AssumptionEntry {
  return assumptionCatalogue[id]
}

/** Returns the value that a setting means, or throws the message that lists the possible ones. */
function chosenValue(id: AssumptionId, setting: string | number): string | number {
  const declared = readEntry(id)
  const allowed = [declared.default, ...declared.alternatives]
  const exact = allowed.find((value) => String(value) === String(setting))
  if (exact !== undefined) return exact
  if (declared.range) {
    const [least, most] = declared.range
    const number = /^\d{1,15}$/.test(String(setting)) ? Number(setting) : Number.NaN
    if (number >= least && number <= most) return number
    const words = allowed.filter((value) => typeof value === 'string').map((word) => `${word} or `)
    throw new AssumptionError(
      `assumption '${id}': '${setting}' is not ${words.join('')}an integer from ${least} to ${most}`,
    )
  }
  const rest = declared.alternatives.length === 0 ? ' (it has no alternatives)' : ''
  // A near number is another value, not a misspelt one.
  const isWord = Number.isNaN(Number(setting))
  const hint = isWord ? didYouMean(String(setting), allowed.map(String), '') : ''
  throw new AssumptionError(
    `assumption '${id}': unknown value '${setting}', expected one of: ${allowed.join(', ')}${rest}${hint}`,
  )
}

function isAssumptionId(id: string): id is AssumptionId {
  return Object.hasOwn(assumptionCatalogue, id)
}

/** @throws {AssumptionError} for an unknown id, listing the valid ones. */
export function requireAssumptionId(id: string): AssumptionId {
  if (isAssumptionId(id)) return id
  const hint = didYouMean(id, assumptionIds, '.')
  throw new AssumptionError(`unknown assumption '${id}'${hint} Valid ids: ${assumptionIds.join(', ')}`)
}

/**
 * Returns the current values: every default, overridden by a user's settings.
 *
 * @throws {AssumptionError} for an unknown id or value, listing the valid ones.
 * @example
 * resolveAssumptions({ not_found_status: 400 }).not_found_status   // 400
 */
export function resolveAssumptions(settings: UnvalidatedSettings = {}): Assumptions {
  const values: Record<string, string | number> = {}
  for (const id of assumptionIds) values[id] = readEntry(id).default
  for (const [name, setting] of Object.entries(settings)) {
    const id = requireAssumptionId(name)
    values[id] = chosenValue(id, setting)
  }
  return values as Assumptions
}

/**
 * Returns the current values if some were observed at a service: each setting of a user overrides them.
 * @throws {AssumptionError} like `resolveAssumptions`.
 */
export function assumptionsWith(
  settings: UnvalidatedSettings,
  observed?: ObservedValues,
): AssumptionsInForce {
  const { host = '', at = '', assume = {} } = observed ?? {}
  const provenance = new Map<AssumptionId, 'set' | ObservedAt>()
  for (const id of Object.keys(assume)) provenance.set(requireAssumptionId(id), { host, at })
  for (const id of Object.keys(settings)) provenance.set(requireAssumptionId(id), 'set')
  return { values: resolveAssumptions({ ...assume, ...settings }), provenance }
}

/** Returns the catalogue with the current values, for users. */
export function describeAssumptions(
  values: Assumptions,
  provenance: Provenance = new Map(),
): AssumptionView[] {
  return assumptionIds.map((id) => {
    const { unobservable, describedBy, documented, ...declared } = readEntry(id)
    return {
      id,
      ...declared,
      ...(describedBy && { described_by: describedBy }),
      value: values[id],
      observable: unobservable === undefined,
      ...(unobservable === undefined ? {} : { observable_reason: unobservable }),
      evidence: documented ? 'documented' : 'none',
      ...provenanceView(provenance.get(id)),
    }
  })
}

function provenanceView(
  chosen: 'set' | ObservedAt | undefined,
): Pick<AssumptionView, 'provenance' | 'calibrated'> {
  if (chosen === undefined || chosen === 'set') return { provenance: chosen ?? 'default' }
  return { provenance: 'calibrated', calibrated: chosen }
}
