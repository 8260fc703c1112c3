// Opens the shared store of a sandbox that several processes serve. Its modules are loaded only if the options name
// one.
import { builtInRows } from '../fixtures/built-in-rows.ts'
import { join, resolve } from 'node:path'
import type { Settings } from '../options/index.ts'
import { packageRoot, systemHost } from '../runtime/host.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { BaselineInputs } from '../storage/redis/shared-baseline.ts'
import type { OpenStore, StoreTestHooks } from '../storage/redis/open-store.ts'
import { inMemory } from '../input/store-address.ts'
import type { Assumptions } from '../contract/assumptions.ts'
import type { SandboxEvents } from './events.ts'

/** Test hooks for the shared store. */
export interface StoreTestOptions {
  store?: StoreTestHooks
}

/** @throws {StoreError} for an engine that cannot be used. */
export async function openStoreOf(
  settings: Settings,
  events: SandboxEvents & StoreTestOptions,
): Promise<OpenStore | undefined> {
  const { store, storePrefix } = settings
  if (store === inMemory) return undefined
  const { openStore } = await import('../storage/redis/open-store.ts')
  return openStore({
    address: store,
    prefix: storePrefix,
    onProblem: (line) => events.onProblem?.(line),
    ...(events.store ? { testHooks: events.store } : {}),
    ...(events.signal ? { signal: events.signal } : {}),
  })
}

/** Collects all inputs that determine the baseline of a sandbox. */
export async function baselineInputsOf(
  settings: Settings,
  assumptions: Assumptions,
  library: ScenarioLibrary,
): Promise<BaselineInputs> {
  const { cwd } = systemHost()
  const defaultFixture = join(packageRoot(), 'fixtures', 'default.json')
  await library.load()
  const { activeNames, catalogue } = library
  const hasScenarios = settings.scenarios.length + settings.scenarioLibrary.length > 0
  return {
    fixtures: [
      defaultFixture,
      ...settings.fixtures.map((input) =>
        typeof input === 'string' && input !== builtInRows ? resolve(cwd, input) : input,
      ),
    ],
    generate: settings.generate,
    seed: settings.seed,
    environment: settings.environment,
    scenarios: hasScenarios
      ? [activeNames, [...(catalogue?.values() ?? [])].map(({ name, document }) => [name, document])]
      : [],
    clock: { at: settings.clock, frozen: settings.frozen },
    assumptions,
    'allow-any-pan': settings.allowAnyPan,
    // Omitted without partner isolation, so that the digest is the one of replicas of earlier versions.
    ...(settings.isolation === 'partner' && { isolation: { secret: settings.isolationSecret } }),
  }
}
