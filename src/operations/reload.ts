// Reloads fixtures and scenarios of a running sandbox, all at once or not at all.
import { unknownTo } from '../scenarios/catalogue.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Baseline } from '../fixtures/load.ts'
import { ProblemList } from '../input/problem-list.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { collect } from '../input/collect-problems.ts'

/** What is read again, and what then changes. */
export interface ReloadParts {
  library: ScenarioLibrary
  workspaces: Workspaces
  /** Reads the fixtures; API keys in them may name the scenarios that the rule knows. */
  readBaseline(scenarioRule: (name: string) => string | undefined): Promise<Baseline>
}

/** A function that does one `reload` after the other, so that what was read last is what stays. */
export function reloader(parts: ReloadParts): () => Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  return () => {
    const turn = before.then(() => reload(parts))
    before = turn.catch(() => undefined)
    return turn
  }
}

/** Seed and clock stay those of the start. @throws {DocumentError} with every problem; then nothing has changed. */
async function reload({ library, workspaces, readBaseline }: ReloadParts): Promise<void> {
  const problems = new ProblemList()
  const scenarios = await collect(problems, () => library.read())
  const unknown = scenarios ? unknownTo(scenarios.catalogue, library.environment) : () => undefined
  for (const name of scenarios?.activeNames ?? []) {
    const message = unknown(name)
    if (message !== undefined) problems.add({ source: 'scenarios', path: '', message })
  }
  const baseline = await collect(problems, () => readBaseline(unknown))
  if (!scenarios || !baseline || problems.size > 0) throw problems.error()
  // Scenarios first: a workspace that is reset takes its active list from them.
  library.use(scenarios)
  workspaces.rebase(baseline)
}
