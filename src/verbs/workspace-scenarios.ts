import { sourceFromObject, type Source } from '../reading/source-file.ts'
import type { RuleUse } from '../scenarios/engine.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import { readScenario } from '../scenarios/read-scenario.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** A scenario as listings show it. */
export interface ScenarioView {
  name: string
  description: string
  active: boolean
  /** How often each rule matched a call, and how often it acted. */
  rules: (RuleUse & { id: string })[]
}

/** The scenarios of a workspace, for tests that arm and look. */
export interface SandboxScenarios {
  /** Every scenario this workspace knows, with what is active and each rule's use. */
  list(): Promise<ScenarioView[]>
  /** One scenario with its document, or undefined. */
  get(name: string): Promise<(ScenarioView & { document: unknown }) | undefined>
  /**
   * Adds a scenario to this workspace, until it is reset. It is not active yet.
   * @throws {DocumentError} for a scenario that cannot be used, with every problem in it.
   */
  register(scenario: object): Promise<ScenarioView>
  /** Forgets a scenario that was registered here; false when there is none of this name. */
  unregister(name: string): Promise<boolean>
  /** The names of the active list, in the order in which they decide. */
  active(): Promise<string[]>
  /** Replaces the active list. @throws {UnknownScenarioError} for a name nobody knows. */
  activate(...names: string[]): Promise<string[]>
  /** Empties the active list. */
  deactivate(): Promise<void>
}

export class WorkspaceScenarios implements SandboxScenarios {
  readonly #workspace: Workspace
  readonly #library: ScenarioLibrary

  constructor(workspace: Workspace, library: ScenarioLibrary) {
    this.#workspace = workspace
    this.#library = library
  }

  async list(): Promise<ScenarioView[]> {
    await this.#library.load()
    return this.#workspace.scenarios.list().map((scenario) => this.#view(scenario))
  }

  async get(name: string): Promise<(ScenarioView & { document: unknown }) | undefined> {
    await this.#library.load()
    const found = this.#workspace.scenarios.find(name)
    return found && { ...this.#view(found), document: found.document }
  }

  async register(input: object): Promise<ScenarioView> {
    return this.registerBy(sourceFromObject(input, 'scenario'))
  }

  /** As `register`, with a scenario that was read from a text: problems are shown at their lines. */
  async registerBy(source: Source): Promise<ScenarioView> {
    await this.#library.load()
    const scenario = readScenario(source)
    this.#workspace.scenarios.register(scenario)
    return this.#view(scenario)
  }

  async unregister(name: string): Promise<boolean> {
    await this.#library.load()
    return this.#workspace.scenarios.unregister(name)
  }

  async active(): Promise<string[]> {
    return [...this.#workspace.scenarios.active]
  }

  async activate(...names: string[]): Promise<string[]> {
    await this.#library.load()
    this.#workspace.scenarios.activate(names)
    return this.active()
  }

  async deactivate(): Promise<void> {
    await this.activate()
  }

  #view({ name, description, rules }: Scenario): ScenarioView {
    const { scenarios } = this.#workspace
    return {
      name,
      description,
      active: scenarios.active.includes(name),
      rules: rules.map((rule) => ({ id: rule.id, ...scenarios.useOf(rule) })),
    }
  }
}
