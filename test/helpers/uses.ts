import { vi } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { Workspace } from '../../src/workspaces/workspace.ts'
import { Workspaces } from '../../src/workspaces/workspaces.ts'

/** The workspaces of a sandbox, which does not reveal how many uses of them are open. */
export function workspacesBehind(sandbox: Pick<Sandbox, 'workspaces'>): readonly Workspace[] {
  const spy = vi.spyOn(Workspaces.prototype, 'all')
  sandbox.workspaces.list()
  const result = spy.mock.results.at(-1)
  spy.mockRestore()
  if (result?.type !== 'return') throw new Error('it does not list them')
  return result.value.filter((one) => one instanceof Workspace)
}

/** How many uses are open in each workspace that has some. */
export function openUses(sandbox: Pick<Sandbox, 'workspaces'>): Record<string, number> {
  const used = workspacesBehind(sandbox).filter(({ uses }) => uses !== 0)
  return Object.fromEntries(used.map(({ name, uses }) => [name, uses]))
}
