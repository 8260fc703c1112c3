import { loadNewWorkspace, readOptions, type NewWorkspaceContext } from './new-workspace.ts'
import { findReadyKey } from '../workspaces/ready-key.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** A workspace, as listings show it. */
export interface WorkspaceView {
  name: string
  /** A ready API key of it; null where no key is for the environment. */
  api_key: string | null
  /** When it came into being, on its own clock. */
  created_at: string
}

/** The workspaces of a sandbox, for tests that create and delete some. */
export class WorkspaceList {
  readonly #workspaces: Workspaces
  readonly #context: NewWorkspaceContext

  constructor(workspaces: Workspaces, context: NewWorkspaceContext) {
    this.#workspaces = workspaces
    this.#context = context
  }

  /** Every workspace, in the order of first use; `default` comes first. */
  list(): WorkspaceView[] {
    return this.#workspaces.list().map((workspace) => this.view(workspace))
  }

  /** One workspace, or undefined; asking makes none. */
  get(name: string): WorkspaceView | undefined {
    const workspace = this.#workspaces.find(name)
    return workspace && this.view(workspace)
  }

  /** Forgets a workspace; see `Workspaces.delete`. */
  delete(name: string): boolean {
    return this.#workspaces.delete(name)
  }

  /**
   * Creates a workspace that begins with things of its own.
   * @throws {DocumentError} with every problem of what was given; then there is no workspace.
   * @throws {ConflictError} when there is one of this name, or as many as allowed.
   */
  async create(input: unknown = {}): Promise<Workspace> {
    const options = readOptions(input)
    const { name } = options
    // Asked before anything is loaded, and by `add` once more: others may be faster.
    if (name !== undefined) this.#workspaces.requireFree(name)
    this.#workspaces.requireRoom()
    const { clock } = this.#workspaces.beginning
    const { own, scenarios } = await loadNewWorkspace(options, clock, this.#context)
    return this.#workspaces.add(name ?? this.#workspaces.newName(), own, scenarios)
  }

  view(workspace: Workspace): WorkspaceView {
    const key = findReadyKey(workspace.state, this.#context.environment)
    return {
      name: workspace.name,
      api_key: key ? key.api_key + workspace.keySuffix : null,
      created_at: workspace.createdAt,
    }
  }
}
