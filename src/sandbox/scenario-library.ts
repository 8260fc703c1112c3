import { join, resolve } from 'node:path'
import type { Settings } from '../options/index.ts'
import { OptionsError } from '../options/read-options.ts'
import { packageRoot, shownPath } from '../runtime/host.ts'
import { isScenarioPath, unknownTo } from '../scenarios/catalogue.ts'
import { ScenarioLibrary } from '../scenarios/library.ts'

/** Nothing is read before somebody asks for a scenario: reading YAML would take longer than all the rest. */
export function libraryOf(settings: Settings, cwd: string): ScenarioLibrary {
  const given = settings.scenarios.map((input) =>
    typeof input === 'string' && isScenarioPath(input) ? resolve(cwd, input) : input,
  )
  const known = settings.scenarioLibrary.map((path) => resolve(cwd, path))
  return new ScenarioLibrary(join(packageRoot(), 'scenarios'), given, (path) => shownPath(path, cwd), known)
}

/** What is active from the start must be known. */
export async function requireActive(library: ScenarioLibrary): Promise<void> {
  const ruleOf = await scenarioRuleOf(library)
  for (const name of library.activeNames) {
    const unknown = ruleOf(name)
    if (unknown !== undefined) throw new OptionsError(unknown)
  }
}

/**
 * Why a name is no scenario that every workspace knows, or undefined when it is one.
 * @param isKnown whether it is known nevertheless.
 */
export async function scenarioRuleOf(
  library: ScenarioLibrary,
  isKnown: (name: string) => boolean = () => false,
): Promise<(name: string) => string | undefined> {
  const unknown = unknownTo(await library.load())
  return (name) => (isKnown(name) ? undefined : unknown(name))
}
