// Reads `--assume` settings: validates assumption ids and values, and determines the current values.
import {
  assumptionCatalogue,
  assumptionIds,
  type AssumptionId,
  type AssumptionValue,
  type Assumptions,
} from '../contract/assumptions.ts'
import type { AssumptionEntry } from '../contract/assumptions/assumption-entry.ts'
import { tieOf } from '../contract/tied-assumptions.ts'
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
  /** The assumption that determined the value, if it is tied to one: `provenance` is then that of the other. */
  follows?: AssumptionId
}

/** The service at which values were observed, and when (RFC 3339). */
export interface ObservedAt {
  host: string
  at: string
}

/** The source of a value: a setting, or an observation. */
export interface ValueSource {
  observed?: ObservedAt
  /** The tied assumption that has the source, if this one itself has none. */
  follows?: AssumptionId
}

/** The sources of the current values; a value that is not in it is the default. */
export type Provenance = ReadonlyMap<AssumptionId, ValueSource>

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
 * Returns the current values: every default, overridden by a user's settings. If only one of two tied assumptions is
 * set, the other one gets the first of its values that fits.
 *
 * @throws {AssumptionError} for an unknown id or value, listing the valid ones, and for two values that do not fit.
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
  for (const id of assumptionIds) {
    const tie = Object.hasOwn(settings, id) ? tieOf(id) : undefined
    if (!tie) continue
    const { other, because } = tie
    const fitting = tie.fitting(values[id] ?? '')
    const [first] = fitting
    if (!Object.hasOwn(settings, other) && first !== undefined) values[other] = first
    if (fitting.some((value) => value === values[other])) continue
    throw new AssumptionError(
      `assumption '${id}': '${values[id]}' does not fit ${other}=${values[other]}, as ${because}: omit one of the two, or set ${other} to one of: ${fitting.join(', ')}`,
    )
  }
  return values as Assumptions
}

/** Returns settings with others over them. A setting that does not fit one of the others is omitted. */
export function overridden(settings: UnvalidatedSettings, by: UnvalidatedSettings): UnvalidatedSettings {
  const fitting = Object.entries(settings).filter(([id, value]) => {
    const tie = tieOf(id)
    const winner = tie && by[tie.other]
    return winner === undefined || tie?.fitting(value).includes(winner)
  })
  return { ...Object.fromEntries(fitting), ...by }
}

/**
 * Returns the current values if some were observed at a service: each setting of a user overrides them, also an observed
 * value that does not fit it.
 * @throws {AssumptionError} like `resolveAssumptions`.
 */
export function assumptionsWith(
  settings: UnvalidatedSettings,
  observed?: ObservedValues,
): AssumptionsInForce {
  const { host = '', at = '', assume = {} } = observed ?? {}
  const provenance = new Map<AssumptionId, ValueSource>()
  const chosen = overridden(assume, settings)
  for (const name of Object.keys(chosen)) {
    const source = Object.hasOwn(settings, name) ? {} : { observed: { host, at } }
    provenance.set(requireAssumptionId(name), source)
  }
  for (const [id, source] of provenance) {
    const { other } = tieOf(id) ?? {}
    if (other && !provenance.has(other)) provenance.set(other, { ...source, follows: id })
  }
  return { values: resolveAssumptions(chosen), provenance }
}

/** Returns the catalogue with the current values, for users. */
export function describeAssumptions(
  values: Assumptions,
  provenance: Provenance = new Map(),
): AssumptionView[] {
  return assumptionIds.map((id) => {
    const { unobservable, describedBy, documented, fits: _fits, ...declared } = readEntry(id)
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
  source: ValueSource | undefined,
): Pick<AssumptionView, 'provenance' | 'calibrated' | 'follows'> {
  if (!source) return { provenance: 'default' }
  const { observed, ...tied } = source
  return observed
    ? { provenance: 'calibrated', calibrated: observed, ...tied }
    : { provenance: 'set', ...tied }
}
