// The workspaces of a sandbox: create one, list them, delete one.
import { noteUse, useOf } from '../workspaces/uses.ts'
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
  held,
  viewOf,
  workspaceVerbs,
  type SandboxWorkspace,
  type WorkspaceVerbs,
  type VerbContext,
  type WorkspaceView,
} from './sandbox-workspace.ts'
import { credentialsOf, type WorkspaceCredentials } from './workspace-credentials.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The workspaces of a sandbox, for tests that make and delete some. */
export interface SandboxWorkspaces {
  /**
   * Makes a workspace that begins with things of its own, and goes back to them when it is reset.
   * @throws {DocumentError} with every problem of what was given; then there is no workspace.
   * @throws {ConflictError} when there is one of this name, or as many as `maxWorkspaces` allows.
   * @returns with `isolation: 'partner'` its `credentials`, too.
   * @example
   * const empty = await sandbox.workspaces.create({ fixtures: { customers: [] }, clock: '2026-01-01T00:00:00Z' })
   */
  create(options?: WorkspaceOptions): Promise<SandboxWorkspace & { credentials?: WorkspaceCredentials }>
  /**
   * The workspace of this name, as `sandbox.workspace(name)`. With a folder of data it may be closed, as its rows are in
   * its file alone while nobody uses it; it is read then, and stays open.
   * @throws {UnusableError} for one whose file cannot be used.
   * @example const partner = await sandbox.workspaces.open('partner-a')
   */
  open(name: string): Promise<SandboxWorkspace>
  /** Every workspace, in the order of first use; `default` comes first. */
  list(): WorkspaceView[]
  /** One workspace, or undefined; asking makes none. */
  get(name: string): WorkspaceView | undefined
  /**
   * Ends every key and the token of a workspace, and deletes the copies that replays made of it: those keys that it began
   * with get others, and those that were made later go. Only with `isolation: 'partner'`.
   * @throws {NotFoundError} when there is none of this name. @throws {ConflictError} where it has no keys of its own.
   * @example const { admin_token, api_key } = await sandbox.workspaces.rotate('acme')
   */
  rotate(name: string): Promise<WorkspaceCredentials>
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
  ): Promise<WorkspaceVerbs & { credentials?: WorkspaceCredentials }> => {
    const options = readOptions(input)
    const { name } = options
    const { storage } = context
    await storage.refreshNames(name)
    if (name !== undefined && workspaces.policy.copiesBelongToOriginal && isNameOfCopy(name)) {
      throw new InvalidError(`name: '${name}' is what a copy is called that a replay makes: take another one`)
    }
    // Asked before anything is loaded, and by `add` once more: others may be faster.
    if (name !== undefined) workspaces.requireFree(name)
    workspaces.requireRoom()
    if (options.from !== undefined) {
      await (storage.refresh(options.from) ?? storage.open(options.from))
    }
    const { clock } = workspaces.beginning
    // The one that is copied is not to go for its copy.
    const copied = options.from === undefined ? undefined : workspaces.find(options.from)
    const end = copied && useOf(copied)
    try {
      const { own, scenarios } = await loadNewWorkspace(options, clock, { ...context, sourceFrom })
      for (;;) {
        // Others may have listed a name meanwhile that has no workspace.
        if (name !== undefined) await storage.refreshNames(name)
        const made = workspaces.add(name ?? workspaces.newName(), own, scenarios)
        made.test = options.test
        // Not the keys of the fixtures: without public keys they open nothing, and hide nothing of others.
        if (options.fixtures) made.journal.secrets.note(made.state.all('api_keys'))
        if (await storage.created(made)) {
          const credentials = made.keys && credentialsOf(made, made.keys, environment)
          return Object.assign(workspaceVerbs(made, context), credentials && { credentials })
        }
        // Another process took the name at the same moment: of one that was made up there is another.
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
    /** As `create`, with what was read from a text: nobody else can change it, so it is not copied. */
    createBy: (input: unknown = {}) => createFrom(input, (object, name) => sourceOfValue(object, name)),
    async open(name) {
      requireName('workspace', name)
      await context.storage.open(name, true)
      return held(workspaces.open(name), context)
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
    /** The refusal of a name that no workspace has. */
    missing: (name: string) => workspaces.notThere(name),
    /** Settles once what was deleted is in no file any more. */
    removed: (name: string) => context.storage.dropped(name),
    /** @param requireHeld throws where who asks may not any more: asked in the same turn, as others rotate meanwhile. */
    async rotate(name, requireHeld: () => void = () => undefined) {
      const { storage } = context
      await storage.open(name)
      // Its copies, too, which other processes may have created.
      await storage.refreshCopies(name)
      workspaces.require(name)
      const rotate = (found: Workspace): WorkspaceCredentials => {
        requireHeld()
        noteUse(found)
        return credentialsOf(found, workspaces.rotate(found), environment)
      }
      const { result } = await storage.run(name, rotate)
      // And those that others created meanwhile.
      await storage.refreshCopies(name)
      workspaces.deleteEndedCopies(name)
      // The log reports those that could not be removed, which no key opens any more; the keys are shown here alone.
      await storage.dropped(name).catch(() => undefined)
      return result
    },
    policy: workspaces.policy,
    watchingBeside: (name: string) => workspaces.owners.watchingBeside(workspaces.require(name)),
  } satisfies SandboxWorkspaces & Record<string, unknown>
}
