// What a sandbox starts from, as its options name it: fixtures and seed, the scenario library, the clock.
import { join, resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { builtInRows } from '../fixtures/built-in-rows.ts'
import type { FixtureOptions } from '../fixtures/load.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { Clock, type ClockReading } from '../runtime/clock.ts'
import { packageRoot, shownPath } from '../runtime/host.ts'
import { isScenarioPath, unknownTo } from '../scenarios/catalogue.ts'
import { ScenarioLibrary } from '../scenarios/library.ts'

/** What the settings say of the state that a sandbox starts with. */
export function baselineOptions(settings: Settings, assumptions: Assumptions, cwd: string): FixtureOptions {
  return {
    fixtures: settings.fixtures.map((given) =>
      typeof given === 'string' && given !== builtInRows ? resolve(cwd, given) : given,
    ),
    defaultFixture: join(packageRoot(), 'fixtures', 'default.json'),
    seed: settings.seed ?? defaultSeed,
    assumptions,
    allowAnyPan: settings.allowAnyPan,
    displayPath: (path) => shownPath(path, cwd),
  }
}

/** Nothing is read before somebody asks for a scenario: reading YAML would take longer than all the rest. */
export function libraryOf(settings: Settings, cwd: string): ScenarioLibrary {
  const given = settings.scenarios.map((input) =>
    typeof input === 'string' && isScenarioPath(input) ? resolve(cwd, input) : input,
  )
  const known = settings.scenarioLibrary.map((path) => resolve(cwd, path))
  return new ScenarioLibrary(
    join(packageRoot(), 'scenarios'),
    given,
    (path) => shownPath(path, cwd),
    known,
    settings.environment,
  )
}

/**
 * Why a name is no scenario that every workspace knows and can use, or undefined when it is one.
 * @param isKnown whether it is known nevertheless.
 */
export async function scenarioRuleOf(
  library: ScenarioLibrary,
  isKnown: (name: string) => boolean = () => false,
): Promise<(name: string) => string | undefined> {
  const unknown = unknownTo(await library.load(), library.environment)
  return (name) => (isKnown(name) ? undefined : unknown(name))
}

/** The clock of the options, else that of the fixtures, else the machine's. */
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
