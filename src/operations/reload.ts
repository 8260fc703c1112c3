// Reloads fixtures and scenarios of a running sandbox, all of them or none.
import { unknownTo } from '../scenarios/catalogue.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Baseline } from '../fixtures/load.ts'
import { ProblemList } from '../input/problem-list.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { collect } from '../input/collect-problems.ts'
import { ConflictError } from '../input/refusals.ts'

/** The inputs of a reload, and its effects. */
export interface ReloadParts {
  library: ScenarioLibrary
  workspaces: Workspaces
  /** Reads the fixtures; API keys in them may name the scenarios that the rule knows. */
  readBaseline(scenarioRule: (name: string) => string | undefined): Promise<Baseline>
}

/** Returns a function that runs one `reload` after the other, so that the last one read is the one that stays. */
export function reloader(parts: ReloadParts): () => Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  return async () => {
    await openAll(parts.workspaces)
    const turn = before.then(() => reload(parts))
    before = turn.catch(() => undefined)
    return turn
  }
}

/** Opens the workspaces that are closed, as a reload resets all of them. @throws {ConflictError} with a store. */
async function openAll(workspaces: Workspaces): Promise<void> {
  const { ownership } = workspaces
  if (ownership?.isShared) {
    throw new ConflictError('With a store the baseline stays as it is, as other processes would not notice.')
  }
  for (const { name } of ownership ? workspaces.all() : [])
    if (workspaces.closed(name)?.damage === undefined) await workspaces.open(name)
}

/** Seed and clock stay. @throws {DocumentError} with every problem; then nothing has changed. */
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
  // Scenarios first: a reset workspace takes its active scenarios from them.
  library.use(scenarios)
  workspaces.rebase(baseline)
}
