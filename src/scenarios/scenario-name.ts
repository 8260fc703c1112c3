// The name of a scenario, as an editor completes it.
import type { BuiltInScenario } from '../contract/declared.generated.ts'

/** A built-in scenario; and any other text, as files and objects give scenarios names of their own. */
export type ScenarioName = BuiltInScenario | (string & {})
