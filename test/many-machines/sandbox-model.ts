/** One embedded sandbox as the machine whose answers all others are held against. */
import { createSandbox, type JournalEntry, type Sandbox, type SandboxWorkspace } from '../../src/index.ts'
import { testNow } from '../helpers/sandbox.ts'
import type { Model, Step } from './history.ts'
import { comparable, headersOf, type SandboxRequest } from './requests.ts'

/** A state is how one comes to it: the calls that led there, the last first. */
export interface SandboxState {
  readonly last: SandboxRequest | undefined
  readonly before: SandboxState | undefined
}

const beginning: SandboxState = { last: undefined, before: undefined }

/** The options of the sandboxes of a proof; clocks are frozen, so that two machines show the same time. */
export const worldOptions = { clock: testNow, frozen: true, maxWorkspaces: 10_000 } as const

/** The embedded sandbox, which the models of all workspaces share. */
export class Reference {
  readonly #sandbox: Sandbox
  /** How many rows were changed in each workspace. */
  readonly #rows: ReadonlyMap<string, number>

  private constructor(sandbox: Sandbox, rows: ReadonlyMap<string, number>) {
    this.#sandbox = sandbox
    this.#rows = rows
  }

  static async create(): Promise<Reference> {
    const rows = new Map<string, number>()
    const onAnswer = ({ workspace, changes }: Pick<JournalEntry, 'workspace' | 'changes'>): void =>
      void rows.set(workspace, (rows.get(workspace) ?? 0) + changes.length)
    const sandbox = await createSandbox({ ...worldOptions, journalSize: 0 }, { onAnswer })
    return new Reference(sandbox, rows)
  }

  /** The machine of one workspace. It asks one call after the other, as a search does. */
  model(workspace: string): Model<SandboxRequest, SandboxState> {
    let live: SandboxState | undefined
    const come = async (state: SandboxState): Promise<void> => {
      if (state === live) return
      const way: SandboxRequest[] = []
      let at: SandboxState | undefined = state
      for (; at && at !== live; at = at.before) if (at.last) way.push(at.last)
      if (at === undefined) this.forget(workspace)
      live = undefined
      for (const request of way.toReversed()) await this.#send(workspace, request)
      live = state
    }
    return {
      beginning,
      // A workspace comes into being as an entry of its own.
      firstVersion: 1,
      apply: async (state, request): Promise<Step<SandboxState>> => {
        await come(state)
        const rows = this.#rowsOf(workspace)
        const isWhole = request.method !== 'GET' && request.path.startsWith('/_sandbox')
        const before = await this.#standing(workspace, isWhole, request.scenario)
        const { status, answer } = await this.#send(workspace, request)
        const changed =
          rows !== this.#rowsOf(workspace) ||
          before !== (await this.#standing(workspace, isWhole, request.scenario))
        // Changes that nobody reads here may be in transit, too.
        if (!changed && (status >= 400 || request.method === 'GET')) return { state, answer, changed }
        live = { last: request, before: state }
        return { state: live, answer, changed }
      },
      mayWrite: ({ method, path }, answer) =>
        method !== 'GET' &&
        path !== '/v2/payment_methods' &&
        (answer === undefined || answer.startsWith('2')),
      show: ({ method, path, json, scenario = '' }) =>
        `${method} ${path}${json === undefined ? '' : ` ${JSON.stringify(json)}`}${scenario}`,
    }
  }

  /** Evicts a workspace, which the next call creates again. */
  forget(workspace: string): void {
    this.#sandbox.workspaces.delete(workspace)
  }

  async close(): Promise<void> {
    await this.#sandbox.close()
  }

  #rowsOf(workspace: string): number {
    return this.#rows.get(workspace) ?? 0
  }

  async #send(workspace: string, request: SandboxRequest): Promise<{ status: number; answer: string }> {
    const { method, path, json } = request
    const response = await this.#sandbox.fetch(path, {
      method,
      headers: headersOf(request, workspace),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const { status, headers } = response
    return { status, answer: comparable(status, headers, await response.text()) }
  }

  /**
   * Where a workspace stands: clock, snapshots, what is active, and how often rules were used; and all rows where those
   * that a call changes are not told.
   */
  async #standing(name: string, withRows: boolean, scenario?: string): Promise<string> {
    const workspace: SandboxWorkspace = this.#sandbox.workspace(name)
    const active = await workspace.scenarios.active()
    const counted = scenario === undefined ? active : [...active, scenario]
    const uses = await Promise.all(counted.map(async (one) => (await workspace.scenarios.get(one))?.rules))
    const snapshots = workspace.snapshots.list().map((one) => [one.name, one.created_at, one.rows])
    return JSON.stringify([
      workspace.clock.now(),
      active,
      uses,
      snapshots,
      withRows && workspace.state.document(),
    ])
  }
}
