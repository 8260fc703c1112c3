/** One embedded sandbox as the machine whose answers all others are held against. */
import { createSandbox, type Sandbox, type SandboxWorkspace } from '../../src/index.ts'
import { testNow } from '../helpers/sandbox.ts'
import type { Model, Step } from './history.ts'
import { comparable, headersOf, type SandboxRequest } from './requests.ts'

/** A state is how one comes to it: the calls that led there, the last first. */
export interface SandboxState {
  readonly last: SandboxRequest | undefined
  readonly before: SandboxState | undefined
}

const beginning: SandboxState = { last: undefined, before: undefined }

/** What the sandboxes of a proof begin with; clocks stand still, so that two machines can tell the same time. */
export const worldOptions = { clock: testNow, frozen: true, maxWorkspaces: 10_000 } as const

/** The embedded sandbox, which the models of all workspaces share. */
export class Reference {
  readonly #sandbox: Sandbox
  /** How many rows the call under way has changed. */
  readonly #seen: { rows: number }

  private constructor(sandbox: Sandbox, seen: { rows: number }) {
    this.#sandbox = sandbox
    this.#seen = seen
  }

  static async create(): Promise<Reference> {
    const seen = { rows: 0 }
    const onAnswer = ({ changes }: { changes: readonly unknown[] }): void =>
      void (seen.rows += changes.length)
    const sandbox = await createSandbox({ ...worldOptions, journalSize: 0 }, { onAnswer })
    return new Reference(sandbox, seen)
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
      apply: async (state, request): Promise<Step<SandboxState>> => {
        await come(state)
        this.#seen.rows = 0
        const before = await this.#standing(workspace)
        const { status, answer } = await this.#send(workspace, request)
        const changed = this.#seen.rows > 0 || before !== (await this.#standing(workspace))
        // What may have changed what nobody looks at here is on the way, too.
        if (!changed && (status >= 400 || request.method === 'GET')) return { state, answer, changed }
        live = { last: request, before: state }
        return { state: live, answer, changed }
      },
      mayWrite: ({ method }) => method !== 'GET',
      show: ({ method, path, json }) =>
        `${method} ${path}${json === undefined ? '' : ` ${JSON.stringify(json)}`}`,
    }
  }

  /** Forgets a workspace, which begins anew when it is asked next. */
  forget(workspace: string): void {
    this.#sandbox.workspaces.delete(workspace)
  }

  async close(): Promise<void> {
    await this.#sandbox.close()
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

  /** Where a workspace stands beside its rows: clock, snapshots, what is active, and how often rules were used. */
  async #standing(name: string): Promise<string> {
    const workspace: SandboxWorkspace = this.#sandbox.workspace(name)
    const active = await workspace.scenarios.active()
    const uses = await Promise.all(active.map(async (one) => (await workspace.scenarios.get(one))?.rules))
    const snapshots = workspace.snapshots.list().map((one) => [one.name, one.created_at, one.rows])
    return JSON.stringify([workspace.clock.now(), active, uses, snapshots])
  }
}
