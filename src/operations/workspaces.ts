// The workspaces of a sandbox: create, open, list, rotate, delete.
import { touch, useOf } from '../workspaces/open-uses.ts'
import { sourceFromObject, sourceOfValue } from '../input/source-file.ts'
import {
  loadNewWorkspace,
  readOptions,
  type NewWorkspaceContext,
  type WorkspaceOptions,
} from './new-workspace.ts'
import { InvalidError } from '../input/refusals.ts'
import { isNameOfCopy } from '../workspaces/isolation.ts'
import { ClosedError } from '../workspaces/closed.ts'
import {
  viewOf,
  workspaceVerbs,
  type SandboxWorkspace,
  type WorkspaceVerbs,
  type VerbContext,
  type WorkspaceView,
} from './sandbox-workspace.ts'
import { credentialsOf, type WorkspaceCredentials } from './credentials.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The workspaces of a sandbox, for tests that create and delete some. */
export interface SandboxWorkspaces {
  /**
   * Creates a workspace with its own initial state, which a reset restores.
   * @throws {DocumentError} with every problem of the options; then no workspace was created.
   * @throws {ConflictError} if the name is taken, or at the limit of `maxWorkspaces`.
   * @returns with `isolation: 'partner'` its `credentials`, too.
   * @example
   * const empty = await sandbox.workspaces.create({ fixtures: { customers: [] }, clock: '2026-01-01T00:00:00Z' })
   */
  create(options?: WorkspaceOptions): Promise<SandboxWorkspace & { credentials?: WorkspaceCredentials }>
  /** Returns every workspace, in the order of first use; `default` comes first. With a store: as last read from it. */
  list(): WorkspaceView[]
  /** Returns one workspace, or undefined; creates none. */
  get(name: string): WorkspaceView | undefined
  /**
   * Revokes every key and the token of a workspace, and deletes the copies that replays created of it: its initial keys
   * are replaced, and later ones are removed. Only with `isolation: 'partner'`.
   * @throws {NotFoundError} for an unknown name. @throws {ConflictError} if it has no keys of its own.
   * @example const { admin_token, api_key } = await sandbox.workspaces.rotate('acme')
   */
  rotate(name: string): Promise<WorkspaceCredentials>
  /**
   * Deletes a workspace with everything in it; false if it does not exist. Its name is free again immediately. An
   * object that refers to it, such as the result of `create`, still shows the deleted data.
   * @throws {ConflictError} for `default`, which always exists, and with a store for one that this process does not own.
   */
  delete(name: string): boolean
}

export function workspaceList(context: VerbContext) {
  const { workspaces, environment } = context
  const createFrom = async (
    input: unknown,
    sourceFrom: NewWorkspaceContext['sourceFrom'],
  ): Promise<WorkspaceVerbs & { credentials?: WorkspaceCredentials }> => {
    const options = readOptions(input)
    const { name } = options
    const { ownership } = workspaces
    if (name !== undefined && workspaces.policy.copiesBelongToOriginal && isNameOfCopy(name)) {
      throw new InvalidError(
        `name: '${name}' is reserved for copies that a replay creates: choose another one`,
      )
    }
    await workspaces.makeRoom()
    // Checked before loading, and again by `add`: another process may be faster.
    if (name !== undefined) workspaces.requireFree(name)
    workspaces.requireRoom()
    if (options.from !== undefined) await workspaces.open(options.from)
    const { clock } = workspaces.beginning
    // The original must not be evicted for its copy.
    const copied = options.from === undefined ? undefined : workspaces.find(options.from)
    const end = copied && useOf(copied)
    try {
      const { own, scenarios } = await loadNewWorkspace(options, clock, { ...context, sourceFrom })
      for (;;) {
        const made = workspaces.add(name ?? workspaces.newName(), own, scenarios)
        made.ownTest = options.test
        // Not the keys of the fixtures: without public keys they open nothing, and need no hiding in other workspaces.
        if (options.fixtures) made.journal.secrets.note(made.state.secretRows())
        if ((await ownership?.persist(made)) ?? true) {
          const credentials = made.keys && credentialsOf(made, made.keys, environment)
          return Object.assign(workspaceVerbs(made, context), credentials && { credentials })
        }
        // Another process took the name concurrently: if the name was generated, the next one is tried.
        if (name !== undefined) workspaces.requireFree(name)
      }
    } finally {
      end?.()
    }
  }
  return {
    async create(input: unknown = {}) {
      const made = await createFrom(input, sourceFromObject)
      workspaces.ownership?.hold(made.name)
      return made
    },
    /** Like `create`, with a document that was read from a text: no other code can change it, so it is not copied. */
    createBy: (input: unknown = {}) => createFrom(input, (object, name) => sourceOfValue(object, name)),
    list: () => workspaces.all().map((workspace) => viewOf(workspace, context)),
    get(name) {
      const workspace = workspaces.find(name) ?? workspaces.closed(name)
      return workspace && viewOf(workspace, context)
    },
    delete(name) {
      if (workspaces.ownership?.isShared && workspaces.closed(name)) throw new ClosedError(name)
      return workspaces.delete(name)
    },
    /** Like `delete`, for any workspace: it settles when the deleted data is in no file and no store any more. */
    async remove(name: string): Promise<boolean> {
      await workspaces.exists(name)
      const isRemoved = await workspaces.deleteAnywhere(name)
      await workspaces.ownership?.dropped(name)
      return isRemoved
    },
    /** Reads which workspaces other processes have created and deleted. */
    refresh: async () => {
      if (workspaces.ownership?.isShared) await workspaces.ownership.refreshNames()
    },
    exists: (name: string) => workspaces.exists(name),
    /** Returns the error for an unknown name. */
    missing: (name: string) => workspaces.notThere(name),
    /**
     * @param requireHeld throws if the caller is no longer authorized: called synchronously, as other clients rotate
     * keys meanwhile.
     */
    async rotate(name, requireHeld: () => void = () => undefined) {
      if (!(await workspaces.exists(name))) throw workspaces.notThere(name)
      const rotate = (found: Workspace): WorkspaceCredentials => {
        requireHeld()
        touch(found)
        return credentialsOf(found, workspaces.rotate(found), environment)
      }
      const result = await workspaces.use(name, rotate)
      if (workspaces.ownership?.isShared) await workspaces.ownership.refreshNames()
      workspaces.deleteRevokedCopies(name)
      // The log reports copies that could not be removed, which no key opens any more; the keys are shown only here.
      await workspaces.ownership?.dropped().catch(() => undefined)
      return result
    },
    policy: workspaces.policy,
    watchersOfOwner: (name: string) => workspaces.owners.watchersOfOwner(workspaces.require(name)),
  } satisfies SandboxWorkspaces & Record<string, unknown>
}
