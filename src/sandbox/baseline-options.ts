import { join, resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { packageRoot, shownPath } from '../runtime/host.ts'
import type { BaselineOptions } from '../documents/load.ts'

/** What the settings say of the state that a sandbox starts with. */
export function baselineOptions(settings: Settings, assumptions: Assumptions, cwd: string): BaselineOptions {
  return {
    fixtures: settings.fixtures.map((given) => (typeof given === 'string' ? resolve(cwd, given) : given)),
    defaultFixture: join(packageRoot(), 'fixtures', 'default.json'),
    seed: settings.seed ?? defaultSeed,
    assumptions,
    allowAnyPan: settings.allowAnyPan,
    displayPath: (path) => shownPath(path, cwd),
  }
}
