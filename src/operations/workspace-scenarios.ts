// The scenarios of a workspace: list, register, activate.
import { z } from 'zod'
import { plainCopy } from '../json/copy.ts'
import { readInput } from '../input/read-input.ts'
import { sourceFromObject, type Source } from '../input/source-file.ts'
import type { RuleUse } from '../scenarios/engine.ts'
import { readScenario, type ScenarioLibrary } from '../scenarios/library.ts'
import type { ScenarioName } from '../scenarios/scenario-name.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { RecordAction } from './workspace-timeline.ts'

/** A scenario as listings show it. */
export interface ScenarioView {
  name: string
  description: string
  active: boolean
  /** It was registered in this workspace, and can be forgotten. */
  registered?: true
  /** How often each rule matched a call, and how often it acted. */
  rules: (RuleUse & { id: string })[]
}

/** The scenarios of a workspace, for tests that arm and look. */
export interface SandboxScenarios {
  /** Every scenario this workspace knows, with what is active and each rule's use. */
  list(): Promise<ScenarioView[]>
  /** One scenario with its document, or undefined. */
  get(name: ScenarioName): Promise<(ScenarioView & { document: unknown }) | undefined>
  /**
   * Adds a scenario to this workspace, until it is reset. It is not active yet.
   * @throws {DocumentError} for a scenario that cannot be used, with every problem in it.
   */
  register(scenario: object): Promise<ScenarioView>
  /** Forgets a scenario that was registered here; false when there is none of this name. */
  unregister(name: string): Promise<boolean>
  /** The names of the active list, in the order in which they decide. */
  active(): Promise<string[]>
  /**
   * Replaces the active list. @throws {UnknownScenarioError} for a name nobody knows.
   * @throws {UnusableScenarioError} for a scenario that needs `latest`, in production.
   */
  activate(...names: ScenarioName[]): Promise<string[]>
  /**
   * Switches scenarios on, after those that act, and others off, in one step: two who do it at once both get what they
   * asked for.
   * @throws {UnknownScenarioError} for a name nobody knows. @throws {UnusableScenarioError} as `activate` does.
   * @throws {DocumentError} for a name that is to be both. Then nothing changes.
   * @example await sandbox.scenarios.switch({ on: ['slow'], off: ['reward-vanishes'] })   // ['slow']
   */
  switch(names: { on?: readonly ScenarioName[]; off?: readonly ScenarioName[] }): Promise<string[]>
  /** Empties the active list. */
  deactivate(): Promise<void>
  /**
   * Sets all counters of a scenario to zero, so that it acts as if it had been switched on just now.
   * @throws {UnknownScenarioError} for a name that no scenario has. @throws {UnusableScenarioError} as `activate` does.
   * @example await sandbox.scenarios.restart('reward-vanishes')
   */
  restart(name: ScenarioName): Promise<ScenarioView>
}

const nameList = z.array(z.string(), 'must be a list of names, such as ["slow"]').default([])

const switching = z.strictObject({ on: nameList, off: nameList }).superRefine(({ on, off }, context) => {
  for (const [place, name] of off.entries()) {
    if (!on.includes(name)) continue
    context.addIssue({ code: 'custom', path: ['off', place], message: 'must not stand in on as well' })
  }
})

const always = (): void => undefined

export function workspaceScenarios(workspace: Workspace, library: ScenarioLibrary, record: RecordAction) {
  const { scenarios } = workspace
  const viewOf = ({ name, description, rules }: Scenario): ScenarioView => ({
    name,
    description,
    active: scenarios.active.includes(name),
    ...(scenarios.isOwn(name) && { registered: true as const }),
    rules: rules.map((rule) => ({ id: rule.id, ...scenarios.useOf(rule) })),
  })
  /** @param requireHeld throws where who asks may not any more: asked once nothing is waited for any more. */
  const ready = async (requireHeld: () => void): Promise<void> => {
    await library.load()
    requireHeld()
  }
  const active = async (): Promise<string[]> => [...scenarios.active]
  /** As `activate`, with as many names as anybody sends: a call takes only so many arguments. */
  const activateAll = async (names: readonly string[], requireHeld = always): Promise<string[]> => {
    await ready(requireHeld)
    workspace.changeSettings(() => scenarios.activate(names))
    record('scenario', activeSummary(scenarios.active))
    return active()
  }
  /** As `register`, with a scenario that was read from a text: problems are shown at their lines. */
  const registerBy = async (source: Source, requireHeld = always): Promise<ScenarioView> => {
    await library.load()
    const scenario = await readScenario(source)
    requireHeld()
    workspace.changeSettings(() => scenarios.register(scenario))
    record('scenario', `Registered ${scenario.name}`)
    return viewOf(scenario)
  }
  /** As `get`, with the document as it was read, for writing it out. */
  const getOwn = async (name: string): Promise<(ScenarioView & { document: unknown }) | undefined> => {
    await library.load()
    const found = scenarios.find(name)
    return found && { ...viewOf(found), document: found.document }
  }
  return {
    getOwn,
    async list() {
      await library.load()
      return scenarios.list().map(viewOf)
    },
    get: async (name) => plainCopy(await getOwn(name)),
    register: async (scenario) => registerBy(sourceFromObject(scenario, 'scenario')),
    registerBy,
    async unregister(name, requireHeld: () => void = always) {
      await ready(requireHeld)
      const isGone = workspace.changeSettings(() => scenarios.unregister(name))
      if (isGone) record('scenario', `Removed ${name}`)
      return isGone
    },
    active,
    activate: async (...names) => activateAll(readInput(nameList, names, 'activate')),
    activateAll,
    async switch(names: unknown, requireHeld: () => void = always) {
      const { on, off } = readInput(switching, names, 'switch')
      await ready(requireHeld)
      workspace.changeSettings(() => scenarios.switch(on, off))
      record('scenario', switchSummary(on, off))
      return active()
    },
    async deactivate() {
      await activateAll([])
    },
    async restart(name: string, requireHeld: () => void = always) {
      await ready(requireHeld)
      const restarted = workspace.changeSettings(() => scenarios.restart(name))
      record('scenario', `Restarted ${name}`)
      return viewOf(restarted)
    },
  } satisfies SandboxScenarios & Record<string, unknown>
}

const activeSummary = (names: readonly string[]): string =>
  names.length === 0 ? 'Switched all scenarios off' : `Switched on only ${names.join(', ')}`

/** @example switchSummary(['slow'], [])   // 'Switched on slow' */
function switchSummary(on: readonly string[], off: readonly string[]): string {
  const parts = [
    on.length > 0 ? `on ${on.join(', ')}` : '',
    off.length > 0 ? `off ${off.join(', ')}` : '',
  ].filter((part) => part !== '')
  return `Switched ${parts.join(' and ') || 'nothing'}`
}
