// Runs tests against two sandboxes in turn, without the tests that cannot.
import { relative } from 'node:path'
import { beforeEach, vi, type RunnerTestCase } from 'vitest'
import type * as LibraryModule from '../../src/scenarios/library.ts'
import type { LibraryReading } from '../../src/scenarios/library.ts'
import { testsOfOneProcess, testsOfOneTurn } from './round-robin-list.ts'

beforeEach(({ task, skip }) => {
  const why = testsOfOneTurn[task.name]
  if (why !== undefined) skip(why)
  if (nameOf(task) in testsOfOneProcess) Object.assign(task, { fails: true })
})

function nameOf(task: RunnerTestCase): string {
  const names = [task.name]
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name)
  return [relative(process.cwd(), task.file.filepath), ...names].join(' > ')
}

type Library = typeof LibraryModule

// Two sandboxes a test would read all built-in scenarios twice, which is most of what their start takes.
vi.mock('../../src/scenarios/library.ts', async (load) => {
  const all = await load<Library>()
  let builtIn: Promise<LibraryReading> | undefined
  class SharedLibrary extends all.ScenarioLibrary {
    readonly #isBuiltIn: boolean

    constructor(...args: ConstructorParameters<Library['ScenarioLibrary']>) {
      super(...args)
      const [, active, , known = []] = args
      this.#isBuiltIn = active.length + known.length === 0
    }

    override async read(): Promise<LibraryReading> {
      if (!this.#isBuiltIn) return super.read()
      builtIn ??= super.read()
      return builtIn
    }
  }
  return { ...all, ScenarioLibrary: SharedLibrary }
})
