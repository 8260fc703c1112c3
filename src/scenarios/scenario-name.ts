// The type of scenario names, for completion in editors.
import type { BuiltInScenario } from '../contract/declared.generated.ts'

/** A built-in scenario, or any other text, as files and objects have their own names. */
export type ScenarioName = BuiltInScenario | (string & {})
