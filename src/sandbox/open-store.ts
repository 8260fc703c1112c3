// Opens the store of a sandbox (`--store`), and describes the baseline that all of its processes must have.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { builtInRows } from '../fixtures/built-in-rows.ts'
import { documentText, dumpLazily } from '../fixtures/dump.ts'
import { documentFiles } from '../input/document-files.ts'
import { readStoreAddress } from '../input/store-address.ts'
import { stringify } from '../json/stringify.ts'
import type { Settings } from '../options/index.ts'
import { hostName, packageRoot, systemHost } from '../runtime/host.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import { openEngine } from '../storage/redis/index.ts'
import type { State } from '../store/state.ts'
import { NotSavedError } from '../workspaces/saver.ts'
import { DamagedError, isElsewhere, type BaselineId } from '../workspaces/storage.ts'
import type { OpenedStorage, StorageOptions } from './opened-storage.ts'

/** A log is replaced by a checkpoint when it is larger, and larger than the checkpoint (bytes). */
const minLogBytes = 256 * 1024

/** @throws {StoreError} for an engine that cannot be used. */
export async function openStore(
  store: string,
  prefix: string,
  { isolation }: Pick<Settings, 'isolation'>,
  { events, listener, testHooks }: StorageOptions,
): Promise<OpenedStorage> {
  const address = readStoreAddress(store)
  const { pid } = systemHost()
  const storage = await openEngine({
    address,
    prefix,
    // Partners must not learn about the machines.
    who: isolation === 'partner' ? 'another process' : `process ${pid} on ${hostName()}`,
    events: listener,
    ...(events.signal && { signal: events.signal }),
    ...(testHooks?.engine && { testHooks: testHooks.engine }),
  })
  return {
    storage,
    name: `--store ${address.shown}`,
    home: undefined,
    isShared: true,
    persists: () => true,
    shown: (workspace) => `{${prefix}:${workspace}}`,
    minLogBytes: testHooks?.minLogBytes ?? minLogBytes,
    reasonOf: (error) => (isElsewhere(error) || error instanceof DamagedError ? error.message : undefined),
    isFinal: () => false,
    explain: (error) => error,
    lost: ({ message }) => new NotSavedError(message, 'not made'),
  }
}

/** Describes the baseline of a sandbox: its rows, and all inputs by which people see what differs. */
export async function baselineIdOf(
  settings: Settings,
  assumptions: Assumptions,
  library: ScenarioLibrary,
  state: State,
): Promise<BaselineId> {
  const { cwd } = systemHost()
  await library.load()
  const { activeNames, catalogue } = library
  const hasScenarios = settings.scenarios.length + settings.scenarioLibrary.length > 0
  const fixtures = [
    join(packageRoot(), 'fixtures', 'default.json'),
    ...settings.fixtures.map((input) =>
      typeof input === 'string' && input !== builtInRows ? resolve(cwd, input) : input,
    ),
  ]
  const inputs = {
    fixtures: await Promise.all(fixtures.map(fixtureText)),
    generate: settings.generate,
    seed: settings.seed,
    environment: settings.environment,
    scenarios: hasScenarios
      ? [activeNames, [...(catalogue?.values() ?? [])].map(({ name, document }) => [name, document])]
      : [],
    clock: { at: settings.clock, frozen: settings.frozen },
    assumptions,
    'allow-any-pan': settings.allowAnyPan,
    isolation: settings.isolation === 'partner' ? { secret: settings.isolationSecret } : undefined,
    rows: [...documentText(dumpLazily(state, { seed: 0 }))].join(''),
  }
  const digests = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value === undefined ? undefined : digest(value)]),
  )
  return { digest: digest(digests), inputs: JSON.stringify(digests) }
}

function digest(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('hex').slice(0, 16)
}

async function fixtureText(given: string | object): Promise<unknown> {
  if (typeof given !== 'string' || !given.startsWith('/')) return given
  const { files } = await documentFiles(given, given)
  // A file that cannot be read is reported when the fixtures are loaded.
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
}
