// Scenarios by name, what tells names from paths of files, and the refusal of a name that nobody knows.
import { didYouMean } from '../reading/did-you-mean.ts'
import type { Scenario } from './scenario.ts'

/** Thrown for a scenario that nobody knows; the message suggests one. */
export class UnknownScenarioError extends RangeError {
  constructor(name: string, known: readonly string[]) {
    const hint = didYouMean(name, known, `, ${whereToLook(name)}`)
    super(`unknown scenario '${name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64)}'${hint}`)
  }
}

/** Whether a word names a file rather than a scenario. */
export function isScenarioPath(word: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/i.test(word)
}

function whereToLook(name: string): string {
  return isScenarioPath(name)
    ? 'here a scenario goes by its name: give its file to --scenario-library, or to scenarioLibrary of createSandbox'
    : "'npx partner-rewards-sandbox scenarios' and GET /_sandbox/scenarios list them"
}

/** The scenarios that every workspace knows: the built-in ones and those of the command line. */
export type Catalogue = ReadonlyMap<string, Scenario>

/** Scenarios by name; a later one of the same name replaces an earlier one. */
export function catalogueOf(scenarios: readonly Scenario[]): Catalogue {
  return new Map(scenarios.map((scenario) => [scenario.name, scenario]))
}

/** Tells of a name why it is none of the catalogue's; undefined when it is one. */
export function unknownTo(catalogue: Catalogue): (name: string) => string | undefined {
  return (name) =>
    catalogue.has(name) ? undefined : new UnknownScenarioError(name, [...catalogue.keys()]).message
}
