// Scenarios by name, how names differ from paths, and the error for an unknown name.
import { didYouMean } from '../input/did-you-mean.ts'
import { latestVersion, supportedVersions, type Environment } from '../contract/versions.ts'
import type { Scenario } from './scenario.ts'

/** Thrown for an unknown scenario; the message suggests one. */
export class UnknownScenarioError extends RangeError {
  constructor(name: string, known: readonly string[]) {
    const hint = didYouMean(name, known, `, ${whereToLook(name)}`)
    super(`unknown scenario '${name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64)}'${hint}`)
  }
}

/** Thrown for a scenario that can never act in an environment, as it needs a version that the environment lacks. */
export class UnusableScenarioError extends RangeError {
  constructor(name: string, environment: Environment) {
    super(
      `scenario '${name}' needs version ${latestVersion}, which ${environment} does not have: omit it, or start with --environment sandbox`,
    )
  }
}

/** Returns why a scenario is useless in an environment (contract: Versioning 3, 8); undefined if it can act. */
export function whyUnusable(
  { name, needsLatest }: Scenario,
  environment: Environment,
): UnusableScenarioError | undefined {
  if (!needsLatest || supportedVersions(environment).includes(latestVersion)) return undefined
  return new UnusableScenarioError(name, environment)
}

/** Whether a word names a file rather than a scenario. */
export function isScenarioPath(word: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/i.test(word)
}

function whereToLook(name: string): string {
  return isScenarioPath(name)
    ? 'expected the name of a scenario: load its file by --scenario-library, or to scenarioLibrary of createSandbox'
    : "'npx partner-rewards-sandbox scenarios' and GET /_sandbox/scenarios list them"
}

/** The scenarios of every workspace: the built-in ones and those of the command line. */
export type Catalogue = ReadonlyMap<string, Scenario>

/** Scenarios by name; a later one of the same name replaces an earlier one. */
export function catalogueOf(scenarios: readonly Scenario[]): Catalogue {
  return new Map(scenarios.map((scenario) => [scenario.name, scenario]))
}

/**
 * Returns a check of names. The check returns undefined for a scenario that the environment can use, and otherwise the
 * reason why it cannot.
 */
export function unknownTo(
  catalogue: Catalogue,
  environment: Environment,
): (name: string) => string | undefined {
  return (name) => {
    const scenario = catalogue.get(name)
    const why = scenario
      ? whyUnusable(scenario, environment)
      : new UnknownScenarioError(name, [...catalogue.keys()])
    return why?.message
  }
}
