// The workspaces of a sandbox: create one, list them, delete one.
import { sourceFromObject, sourceOfValue } from '../reading/source-file.ts'
import {
  loadNewWorkspace,
  readOptions,
  type NewWorkspaceContext,
  type WorkspaceOptions,
} from './new-workspace.ts'
import {
  viewOf,
  workspaceVerbs,
  type SandboxWorkspace,
  type VerbContext,
  type WorkspaceVerbs,
  type WorkspaceView,
} from './sandbox-workspace.ts'

/** The workspaces of a sandbox, for tests that make and delete some. */
export interface SandboxWorkspaces {
  /**
   * Makes a workspace that begins with things of its own, and goes back to them when it is reset.
   * @throws {DocumentError} with every problem of what was given; then there is no workspace.
   * @throws {ConflictError} when there is one of this name, or as many as `maxWorkspaces` allows.
   * @example
   * const empty = await sandbox.workspaces.create({ fixtures: { customers: [] }, clock: '2026-01-01T00:00:00Z' })
   */
  create(options?: WorkspaceOptions): Promise<SandboxWorkspace>
  /** Every workspace, in the order of first use; `default` comes first. */
  list(): WorkspaceView[]
  /** One workspace, or undefined; asking makes none. */
  get(name: string): WorkspaceView | undefined
  /**
   * Forgets a workspace with all that is in it; false when there is none of this name. Its name is free again at once.
   * What was got hold of before, such as the result of `create`, goes on showing what was forgotten.
   * @throws {ConflictError} for `default`, which always exists.
   */
  delete(name: string): boolean
}

export function workspaceList(context: VerbContext) {
  const { workspaces, environment } = context
  const createFrom = async (
    input: unknown,
    sourceFrom: NewWorkspaceContext['sourceFrom'],
  ): Promise<WorkspaceVerbs> => {
    const options = readOptions(input)
    const { name } = options
    const { shared } = context
    await shared?.store.readNames()
    // Asked before anything is loaded, and by `add` once more: others may be faster.
    if (name !== undefined) workspaces.requireFree(name)
    workspaces.requireRoom()
    if (options.from !== undefined) await shared?.store.follow([options.from])
    const { clock } = workspaces.beginning
    const { own, scenarios } = await loadNewWorkspace(options, clock, { ...context, sourceFrom })
    for (;;) {
      const made = workspaces.add(name ?? workspaces.newName(), own, scenarios)
      if (!shared || (await shared.store.isOpened(made))) return workspaceVerbs(made, context)
      // Another process took the name at the same moment: of one that was made up there is another.
      if (name !== undefined) workspaces.requireFree(name)
    }
  }
  return {
    create: (input: unknown = {}) => createFrom(input, sourceFromObject),
    /** As `create`, with what was read from a text: nobody else can change it, so it is not copied. */
    createBy: (input: unknown = {}) => createFrom(input, (object, name) => sourceOfValue(object, name)),
    list: () => workspaces.list().map((workspace) => viewOf(workspace, environment)),
    get(name) {
      const workspace = workspaces.find(name)
      return workspace && viewOf(workspace, environment)
    },
    delete: (name) => workspaces.delete(name),
    get watching() {
      return workspaces.watching
    },
  } satisfies SandboxWorkspaces & Record<string, unknown>
}
