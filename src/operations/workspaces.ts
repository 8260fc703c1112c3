// The workspaces of a sandbox: create, open, list, rotate, delete.
import { z } from 'zod'
import { touch, useOf } from '../workspaces/open-uses.ts'
import { sourceFromObject, sourceOfValue } from '../input/source-file.ts'
import {
  loadNewWorkspace,
  newWorkspace,
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
import { operation } from './declare.ts'

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

/** Maximum size of a body with fixtures in it. */
const maxBody = 64 * 2 ** 20

export const workspaceView = z.looseObject({
  name: z.string(),
  api_key: z.string().nullable(),
  created_at: z.string(),
  damaged: z.boolean().exactOptional(),
})
const apiKey = z.object({
  id: z.string(),
  api_key: z.string(),
  secret: z.string(),
  scopes: z.array(z.string()),
  products: z.array(z.string()),
})
/** With `--isolation partner`: everything that opens a workspace. */
const credentials = z.looseObject({
  name: z.string(),
  created_at: z.string(),
  api_keys: z.array(apiKey),
  admin_token: z.string(),
})
/** With `--isolation test` all workspaces share the keys of the fixtures. */
const created = z.union([credentials, workspaceView])
type Created = z.output<typeof created>

const hasToken = (answer: Created): answer is z.output<typeof credentials> => 'admin_token' in answer

const line = ({ name, api_key: key, created_at: at, damaged }: z.output<typeof workspaceView>, width = 0) =>
  `${name.padEnd(width)}  ${at}  ${damaged === true ? 'damaged' : (key ?? 'no API key to show')}\n`

const printed = {
  text(answer: Created) {
    if (!hasToken(answer)) return line(answer)
    const keys = answer.api_keys.map(({ id, api_key: key, secret, scopes, products }) =>
      [
        `${id}  ${key}`,
        `  secret ${secret}  products ${products.join(', ') || 'none'}`,
        `  ${scopes.join(', ') || 'no scopes'}`,
      ].join('\n'),
    )
    return `${[`${answer.name}  ${answer.created_at}`, `token ${answer.admin_token}`, ...keys].join('\n')}\n`
  },
  /** On stderr, so that it is not redirected into a file. */
  advice: (answer: Created) =>
    hasToken(answer)
      ? `These are shown only once: copy them now; \`workspaces rotate ${answer.name}\` replaces them.`
      : undefined,
}

interface WorkspacesTarget {
  sandbox: { workspaces: ReturnType<typeof workspaceList> }
}

export const workspaceOperations = [
  operation({
    id: 'workspaces.list',
    route: 'GET /_sandbox/workspaces',
    verb: 'workspaces',
    about: 'list the workspaces, each with a key',
    of: 'sandbox',
    partners: true,
    result: z.object({ workspaces: z.array(workspaceView) }),
    printed: {
      text({ workspaces }) {
        const width = Math.max(...workspaces.map(({ name }) => name.length))
        return workspaces.map((one) => line(one, width)).join('')
      },
    },
    async run({ sandbox: { workspaces } }: WorkspacesTarget, _input, { sees }) {
      await workspaces.refresh()
      return { workspaces: workspaces.list().filter(({ name }) => sees(name)) }
    },
  }),
  operation({
    id: 'workspaces.create',
    route: 'POST /_sandbox/workspaces',
    verb: {
      name: 'workspaces create',
      about: 'create a workspace; fails if it exists',
      args: ['name'],
      names: { name: 'workspace', from: 'workspace' },
      without: ['fixtures', 'scenarios', 'clock', 'test'],
    },
    about: 'create a workspace: with its own rows, scenarios and clock, or as a copy of another one',
    of: 'sandbox',
    body: newWorkspace.optional(),
    maxBody,
    status: 201,
    result: created,
    printed,
    async run({ sandbox }: WorkspacesTarget, { body }) {
      const made = await sandbox.workspaces.createBy(body)
      return made.credentials ?? made.view()
    },
  }),
  operation({
    id: 'workspaces.get',
    route: 'GET /_sandbox/workspaces/:name',
    about: 'show one workspace',
    of: 'sandbox',
    partners: true,
    result: workspaceView,
    async run({ sandbox: { workspaces } }: WorkspacesTarget, { path: { name } }) {
      await workspaces.exists(name)
      const found = workspaces.get(name)
      if (!found) throw workspaces.missing(name)
      return found
    },
  }),
  operation({
    id: 'workspaces.delete',
    route: 'DELETE /_sandbox/workspaces/:name',
    verb: 'workspaces delete',
    about: 'delete a workspace with everything in it',
    of: 'sandbox',
    printed: { note: (_, { args: [name] }) => `Deleted workspace '${name}'` },
    async run({ sandbox: { workspaces } }: WorkspacesTarget, { path: { name } }) {
      if (!(await workspaces.remove(name))) throw workspaces.missing(name)
    },
  }),
  operation({
    id: 'workspaces.rotate',
    route: 'POST /_sandbox/workspaces/:name/rotate',
    verb: 'workspaces rotate',
    about: 'revoke all keys and the token of a workspace (with --isolation partner), and print the new ones',
    of: 'sandbox',
    partners: true,
    result: credentials,
    printed,
    run: ({ sandbox: { workspaces } }: WorkspacesTarget, { path }, { requireHeld }) =>
      workspaces.rotate(path.name, requireHeld),
  }),
]
