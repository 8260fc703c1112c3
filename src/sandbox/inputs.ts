// Reads the inputs of a sandbox from its options: fixtures and seed, the scenario library, the clock.
import { join, resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { builtInRows } from '../fixtures/built-in-rows.ts'
import type { FixtureOptions } from '../fixtures/load.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { Clock, type ClockReading } from '../runtime/clock.ts'
import { packageRoot, shownPath } from '../runtime/host.ts'
import { isScenarioPath, unknownTo } from '../scenarios/catalogue.ts'
import { ScenarioLibrary } from '../scenarios/library.ts'

/** Returns the settings that determine the initial state of a sandbox. */
export function baselineOptions(settings: Settings, assumptions: Assumptions, cwd: string): FixtureOptions {
  return {
    fixtures: settings.fixtures.map((input) =>
      typeof input === 'string' && input !== builtInRows ? resolve(cwd, input) : input,
    ),
    defaultFixture: join(packageRoot(), 'fixtures', 'default.json'),
    seed: settings.seed ?? defaultSeed,
    assumptions,
    allowAnyPan: settings.allowAnyPan,
    displayPath: (path) => shownPath(path, cwd),
  }
}

/**
 * Creates the library of scenarios. It reads no file before the first scenario is needed, as reading YAML would take
 * longer than the rest of a start.
 */
export function libraryOf(settings: Settings, cwd: string): ScenarioLibrary {
  const scenarios = settings.scenarios.map((input) =>
    typeof input === 'string' && isScenarioPath(input) ? resolve(cwd, input) : input,
  )
  const known = settings.scenarioLibrary.map((path) => resolve(cwd, path))
  return new ScenarioLibrary(
    join(packageRoot(), 'scenarios'),
    scenarios,
    (path) => shownPath(path, cwd),
    known,
    settings.environment,
  )
}

/**
 * Returns a function that says why a name is no scenario which every workspace knows and can use, or undefined if it is
 * one.
 * @param isKnown returns true for other names that are known.
 */
export async function scenarioRuleOf(
  library: ScenarioLibrary,
  isKnown: (name: string) => boolean = () => false,
): Promise<(name: string) => string | undefined> {
  const unknown = unknownTo(await library.load(), library.environment)
  return (name) => (isKnown(name) ? undefined : unknown(name))
}

/** Creates the clock from the options, or from the fixtures, or from the machine's clock. */
export function startClock(
  now: () => number,
  settings: Pick<Settings, 'clock' | 'frozen'>,
  fromFixtures: ClockReading | undefined,
): Clock {
  const at = settings.clock ?? fromFixtures?.now
  return new Clock(now, {
    ...(at === undefined ? {} : { at: Date.parse(at) }),
    frozen: settings.frozen || (settings.clock === undefined && fromFixtures?.frozen === true),
  })
}
