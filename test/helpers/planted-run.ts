// Plants values of assumptions in targets, has calibrate look for them, and judges what it found and what it did.
import {
  assumptionCatalogue,
  assumptionIds,
  type AssumptionId,
  settableValuesOf,
} from '../../src/contract/assumptions.ts'
import type { AssumptionEntry } from '../../src/contract/assumptions/assumption-entry.ts'
import type { EntryChange } from '../../src/index.ts'
import { assumptionProbes } from '../../src/probe/assumptions/index.ts'
import { calibrate, calibrationPlan, type Calibration } from '../../src/probe/calibrate.ts'
import type { MadeLine } from '../../src/probe/created-objects.ts'
import type { Observation } from '../../src/probe/observation.ts'
import type { ProbeOptions } from '../../src/probe/start-run.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { fitting } from './fitting.ts'
import { probedSandbox, randomAssumptions, richTarget, type Rewrite } from './probed-sandbox.ts'
import { testMachine } from './probing.ts'

/** The assumptions that have a probe. */
export const observableIds = Object.keys(assumptionProbes) as AssumptionId[]

export const everything: NonNullable<ProbeOptions['allow']> = ['write', 'irreversible']

/** The findings of a run, and its changes to the target. */
export interface PlantedRun {
  planted: UnvalidatedSettings
  allow: ProbeOptions['allow']
  observations: Calibration['observations']
  requests: Calibration['requests']
  /** The rows that the target's journal says were changed. */
  changes: EntryChange[]
  /** Whether the whole state of the target is as it was, to the byte; looked at where nothing is allowed. */
  untouched: boolean
  made: MadeLine[]
  /** The paths of all that was sent. */
  paths: string[]
}

/** Calibrates a target that assumes these values. */
export async function plantedRun(
  planted: UnvalidatedSettings,
  options: Pick<ProbeOptions, 'allow' | 'only'> = {},
  rewrite?: Rewrite,
): Promise<PlantedRun> {
  const { sandbox, target, calls } = await probedSandbox(planted, rewrite)
  try {
    // A dump of a thousand rows takes its time, so it is for runs that may change none of them.
    const dump = (): string => (options.allow?.length ? '' : JSON.stringify(sandbox.state.document()))
    const before = dump()
    const machine = testMachine()
    const { observations, requests } = await calibrate(target, options, machine)
    const plan = calibrationPlan(target, options, machine)
    if (plan.requests.length !== requests.planned) throw new Error('the plan beforehand is another one')
    return {
      planted,
      allow: options.allow,
      observations,
      requests: { ...requests, sent: calls.length },
      changes: sandbox.requests.list().flatMap(({ changes }) => changes),
      untouched: dump() === before,
      made: machine.made.lines,
      paths: calls.map(({ path }) => path),
    }
  } finally {
    await sandbox.close()
  }
}

type Hiding = (planted: Planted) => boolean
type Planted = { readonly [Id in AssumptionId]: string | number }

/** The assumptions that some values of others hide, so that no answer shows them. */
const hidden: Partial<Record<AssumptionId, Hiding>> = {
  // The type beside 403 is that of a missing scope.
  unauthenticated_type: ({ unauthenticated_status: status }) => status === 403,
}

for (const id of [
  'customers_page_size_cap',
  'customers_order',
  'intent_foreign_payment_method',
  'intent_closed_customer',
  'reward_description_language',
] as const) {
  // They show in a list of all customers only.
  hidden[id] = ({ customers_without_filter: unfiltered }) => unfiltered === 'bad_request'
}
for (const id of ['intent_payment_method_status', 'intent_inactive_method'] as const) {
  // Calibrate finds such a payment method in the list.
  hidden[id] = ({ payment_methods_listed: listed }) => listed === 'active_only'
}

const isHidden = (id: AssumptionId, planted: UnvalidatedSettings): boolean =>
  hidden[id]?.(planted as Planted) ?? false

export type PlantedResult = 'observed' | 'not observable' | 'wrong'

/** The result of a run for a planted value: any other value is wrong, unless no answer shows it. */
export function foundIn({ planted, observations }: PlantedRun, id: AssumptionId): PlantedResult {
  const { verdict, value }: Partial<Observation> = observations[id] ?? {}
  if (verdict === 'observed') return value === planted[id] ? 'observed' : 'wrong'
  return verdict === 'not_observable' && isHidden(id, planted) ? 'not observable' : 'wrong'
}

/** The mistakes of a run, one per line. */
export function wrongsOf(run: PlantedRun): string[] {
  // No answer of ours breaks the contract, whatever we assume.
  const breaks = observableIds.flatMap(
    (id) => run.observations[id]?.breaks?.map((one) => `${id}: ${one}`) ?? [],
  )
  const wrong = observableIds
    .filter((id) => foundIn(run, id) === 'wrong')
    .map((id) => {
      const { evidence: _, at: _at, ...found } = run.observations[id] ?? { evidence: [], at: '' }
      return `${id}=${run.planted[id]} is ${JSON.stringify(found)}`
    })
  return [...wrong, ...breaks]
}

/** The forbidden actions of a run, one per line. */
export function harmsOf({ allow = [], changes, untouched, made, paths, requests }: PlantedRun): string[] {
  const harms: string[] = []
  if (paths.some((path) => /_sandbox/i.test(path))) harms.push('it asked the control plane')
  if (requests.sent > requests.planned) harms.push(`it sent ${requests.sent} of ${requests.planned} requests`)
  if (!untouched) harms.push('the state is not what it was')
  const expendable = new Set(Object.values(richTarget.expendable ?? {}).flat())
  const named = new Set(made.map(({ id }) => id))
  // A key without an id is named by its end, which the journal hides.
  const keys = made.filter(({ id }) => id?.startsWith('key ending in ')).length
  const isNamed = (collection: string, id: string): boolean =>
    named.has(id) || (collection === 'api_keys' && keys > 0)
  for (const { collection, id, before } of changes) {
    const isMade = before === undefined && allow.includes('write') && isNamed(collection, id)
    // A link has the id of its customer.
    const isUsedUp =
      (before !== undefined || collection === 'links') && allow.includes('irreversible') && expendable.has(id)
    if (!isMade && !isUsedUp) harms.push(`it changed ${id} of ${collection}`)
  }
  return harms
}

/** The values of an assumption that are planted: of a number, those of the catalogue and one between. */
export function valuesToPlant(id: AssumptionId): readonly (string | number)[] {
  const { range }: AssumptionEntry = assumptionCatalogue[id]
  const values: readonly (string | number)[] = settableValuesOf(id)
  if (!range || values.length > 2) return values
  const [least, most] = range
  return [...values, Math.floor(Math.sqrt(least * most)) + 1]
}

/**
 * As few targets as random drawing finds in which each value of each assumption is planted at least once, where it can
 * be seen.
 */
export function fewTargets(): UnvalidatedSettings[] {
  const open = new Map(observableIds.map((id) => [id, new Set(valuesToPlant(id))]))
  const targets: UnvalidatedSettings[] = []
  for (let seed = 1; [...open.values()].some(({ size }) => size > 0);) {
    if (targets.length > 20) throw new Error('some values cannot be seen in any target')
    let best: { settings: UnvalidatedSettings; shown: AssumptionId[] } | undefined
    for (let tries = 0; tries < 200; tries++, seed++) {
      const settings = anyOpen(seed, open)
      const shown = observableIds.filter(
        (id) => open.get(id)?.has(settings[id] ?? '') && !isHidden(id, settings),
      )
      if (!best || shown.length > best.shown.length) best = { settings, shown }
    }
    if (!best) break
    for (const id of best.shown) open.get(id)?.delete(best.settings[id] ?? '')
    targets.push(best.settings)
  }
  return targets
}

/** Random values, of those that are open where some are. */
function anyOpen(
  seed: number,
  open: ReadonlyMap<AssumptionId, ReadonlySet<string | number>>,
): UnvalidatedSettings {
  const drawn = randomAssumptions(seed)
  return fitting(
    Object.fromEntries(
      assumptionIds.flatMap((id, place) => {
        const values = [...(open.get(id) ?? [])]
        const value = values[(seed * 7 + place) % values.length] ?? drawn[id]
        return value === undefined ? [] : [[id, value]]
      }),
    ),
  )
}
