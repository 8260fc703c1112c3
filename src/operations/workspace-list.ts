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
import { requireName } from '../workspaces/names.ts'
import {
  pinnedVerbs,
  viewOf,
  workspaceVerbs,
  type SandboxWorkspace,
  type WorkspaceVerbs,
  type VerbContext,
  type WorkspaceView,
} from './sandbox-workspace.ts'
import { credentialsOf, type WorkspaceCredentials } from './workspace-credentials.ts'
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
  /**
   * Opens the workspace of this name, like `sandbox.workspace(name)`. With a folder of data it may be closed, as the
   * rows of an idle workspace are only in its file; it is loaded then, and stays open.
   * @throws {UnusableError} if its file cannot be used.
   * @example const partner = await sandbox.workspaces.open('partner-a')
   */
  open(name: string): Promise<SandboxWorkspace>
  /** Returns every workspace, in the order of first use; `default` comes first. */
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
   * @throws {ConflictError} for `default`, which always exists.
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
    const { storage } = context
    await storage.refreshNames(name)
    if (name !== undefined && workspaces.policy.copiesBelongToOriginal && isNameOfCopy(name)) {
      throw new InvalidError(
        `name: '${name}' is reserved for copies that a replay creates: choose another one`,
      )
    }
    // Checked before loading, and again by `add`: another process may be faster.
    if (name !== undefined) workspaces.requireFree(name)
    workspaces.requireRoom()
    if (options.from !== undefined) {
      await (storage.refresh(options.from) ?? storage.open(options.from))
    }
    const { clock } = workspaces.beginning
    // The original must not be evicted for its copy.
    const copied = options.from === undefined ? undefined : workspaces.find(options.from)
    const end = copied && useOf(copied)
    try {
      const { own, scenarios } = await loadNewWorkspace(options, clock, { ...context, sourceFrom })
      for (;;) {
        // Another process may have listed a name meanwhile that has no workspace.
        if (name !== undefined) await storage.refreshNames(name)
        const made = workspaces.add(name ?? workspaces.newName(), own, scenarios)
        made.ownTest = options.test
        // Not the keys of the fixtures: without public keys they open nothing, and need no hiding in other workspaces.
        if (options.fixtures) made.journal.secrets.note(made.state.secretRows())
        if (await storage.created(made)) {
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
      context.storage.hold(made.name)
      return made
    },
    /** Like `create`, with a document that was read from a text: no other code can change it, so it is not copied. */
    createBy: (input: unknown = {}) => createFrom(input, (object, name) => sourceOfValue(object, name)),
    async open(name) {
      requireName('workspace', name)
      await context.storage.open(name, true)
      return pinnedVerbs(workspaces.open(name), context)
    },
    list: () =>
      workspaces.all().map((workspace) => ({
        ...viewOf(workspace, context),
        ...(context.storage.isDamaged(workspace.name) && { damaged: true as const }),
      })),
    get(name) {
      const workspace = workspaces.find(name) ?? workspaces.closed(name)
      return workspace && viewOf(workspace, context)
    },
    delete: (name) => workspaces.delete(name),
    /** Returns the error for an unknown name. */
    missing: (name: string) => workspaces.notThere(name),
    /** Settles when the deleted data is in no file any more. */
    removed: (name: string) => context.storage.dropped(name),
    /**
     * @param requireHeld throws if the caller is no longer authorized: called synchronously, as other clients rotate
     * keys meanwhile.
     */
    async rotate(name, requireHeld: () => void = () => undefined) {
      const { storage } = context
      await storage.open(name)
      // Including copies that other processes created.
      await storage.refreshCopies(name)
      workspaces.require(name)
      const rotate = (found: Workspace): WorkspaceCredentials => {
        requireHeld()
        touch(found)
        return credentialsOf(found, workspaces.rotate(found), environment)
      }
      const { result } = await storage.run(name, rotate)
      // And those that other processes created meanwhile.
      await storage.refreshCopies(name)
      workspaces.deleteRevokedCopies(name)
      // The log reports copies that could not be removed, which no key opens any more; the keys are shown only here.
      await storage.dropped(name).catch(() => undefined)
      return result
    },
    policy: workspaces.policy,
    watchersOfOwner: (name: string) => workspaces.owners.watchersOfOwner(workspaces.require(name)),
  } satisfies SandboxWorkspaces & Record<string, unknown>
}
