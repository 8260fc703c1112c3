// The scenarios of a workspace: list, register, activate, switch, restart.
import { z } from 'zod'
import { plainCopy } from '../json/copy.ts'
import { readInput } from '../input/read-input.ts'
import { NotFoundError } from '../input/refusals.ts'
import { sourceFromObject, type Source } from '../input/source-file.ts'
import type { RuleUse } from '../scenarios/engine.ts'
import { readScenario, type ScenarioLibrary } from '../scenarios/library.ts'
import type { ScenarioName } from '../scenarios/scenario-name.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'
import type { RecordAction } from './timeline.ts'

/** A scenario in a list. */
export interface ScenarioView {
  name: string
  description: string
  active: boolean
  /** It was registered in this workspace, and can be removed. */
  registered?: true
  /** How often each rule matched a call, and how often it acted. */
  rules: (RuleUse & { id: string })[]
}

/** The scenarios of a workspace, for tests that activate and inspect them. */
export interface SandboxScenarios {
  /** Returns every scenario of this workspace, with its state and the counters of its rules. */
  list(): Promise<ScenarioView[]>
  /** Returns one scenario with its document, or undefined. */
  get(name: ScenarioName): Promise<(ScenarioView & { document: unknown }) | undefined>
  /**
   * Adds a scenario to this workspace, until it is reset. It is not active yet.
   * @throws {DocumentError} for an invalid scenario, with every problem in it.
   */
  register(scenario: object): Promise<ScenarioView>
  /** Removes a scenario that was registered here; false if there is none of this name. */
  unregister(name: string): Promise<boolean>
  /** Returns the names of the active scenarios, in the order in which they decide. */
  active(): Promise<string[]>
  /**
   * Replaces the list of active scenarios. @throws {UnknownScenarioError} for an unknown name.
   * @throws {UnusableScenarioError} for a scenario that needs `latest`, in production.
   */
  activate(...names: ScenarioName[]): Promise<string[]>
  /**
   * Switches scenarios on, after those that are active, and others off, in one step, so that concurrent callers both
   * get their change.
   * @throws {UnknownScenarioError} for an unknown name. @throws {UnusableScenarioError} like `activate`.
   * @throws {DocumentError} for a name in both lists. Then nothing changes.
   * @example await sandbox.scenarios.switch({ on: ['slow'], off: ['reward-vanishes'] })   // ['slow']
   */
  switch(names: { on?: readonly ScenarioName[]; off?: readonly ScenarioName[] }): Promise<string[]>
  /** Switches all scenarios off. */
  deactivate(): Promise<void>
  /**
   * Sets all counters of a scenario to zero, as if it had just been switched on.
   * @throws {UnknownScenarioError} for an unknown name. @throws {UnusableScenarioError} like `activate`.
   * @example await sandbox.scenarios.restart('reward-vanishes')
   */
  restart(name: ScenarioName): Promise<ScenarioView>
}

const scenarioName = z.string(
  'must be the name of a scenario; register(scenario) adds one of your own, which you then activate by its name',
)
const scenarioNames = z.array(scenarioName, 'must be a list of names, such as ["slow"]')
const nameList = scenarioNames.default([])

const switching = z.strictObject({ on: nameList, off: nameList }).superRefine(({ on, off }, context) => {
  for (const [place, name] of off.entries()) {
    if (!on.includes(name)) continue
    context.addIssue({ code: 'custom', path: ['off', place], message: 'must not be in on as well' })
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
  /** @param requireHeld throws if the caller is no longer authorized: called after the last wait. */
  const ready = async (requireHeld: () => void): Promise<void> => {
    await library.load()
    requireHeld()
  }
  const active = async (): Promise<string[]> => [...scenarios.active]
  /** Like `activate`, with any number of names: a function call accepts only so many arguments. */
  const activateAll = async (names: readonly string[], requireHeld = always): Promise<string[]> => {
    await ready(requireHeld)
    workspace.changeSettings(() => scenarios.activate(names))
    record('scenario', activeSummary(scenarios.active))
    return active()
  }
  /** Like `register`, with a scenario that was read from a text: problems are shown at their lines. */
  const registerBy = async (source: Source, requireHeld = always): Promise<ScenarioView> => {
    await library.load()
    const scenario = await readScenario(source)
    requireHeld()
    workspace.changeSettings(() => scenarios.register(scenario))
    record('scenario', `Registered ${scenario.name}`)
    return viewOf(scenario)
  }
  /** Like `get`, with the document as it was read, for writing it out. */
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

export const scenario = z.looseObject({ name: z.string(), description: z.string() })
export const activeNames = z.object({ active: z.array(z.string()) })

interface ScenariosTarget {
  workspace: { scenarios: ReturnType<typeof workspaceScenarios> }
}

const noScenario = (name: string): NotFoundError =>
  new NotFoundError(`No scenario is called '${name}': GET /_sandbox/scenarios lists them.`)

const printed = {
  note({ active }: z.output<typeof activeNames>, { workspace }: { workspace: string }) {
    const now = active.length === 0 ? 'no scenario is active' : `active: ${active.join(', ')}`
    return `In workspace '${workspace}' ${now}`
  },
}

export const scenarioOperations = [
  operation({
    id: 'scenarios.list',
    route: 'GET /_sandbox/scenarios',
    about: 'list the scenarios, with those that are active',
    result: z.object({ scenarios: z.array(scenario) }),
    run: async ({ workspace }: ScenariosTarget) => ({ scenarios: await workspace.scenarios.list() }),
  }),
  operation({
    id: 'scenarios.active',
    route: 'GET /_sandbox/scenarios/active',
    verb: 'scenarios active',
    about: 'list the active scenarios of a running sandbox',
    result: activeNames,
    printed: { text: ({ active }) => active.map((name) => `${name}\n`).join('') },
    run: async ({ workspace }: ScenariosTarget) => ({ active: await workspace.scenarios.active() }),
  }),
  operation({
    id: 'scenarios.activate',
    route: 'PUT /_sandbox/scenarios/active',
    about: 'replace the list of active scenarios by a list of names, such as ["slow"]',
    body: scenarioNames,
    result: activeNames,
    run: async ({ workspace }: ScenariosTarget, { body }, { requireHeld }) => ({
      active: await workspace.scenarios.activateAll(readInput(nameList, body, 'activate'), requireHeld),
    }),
  }),
  operation({
    id: 'scenarios.switch',
    route: 'PATCH /_sandbox/scenarios/active',
    verb: [
      {
        name: 'scenarios on',
        about: 'switch a scenario on in a running sandbox, after those that are on',
        args: ['on'],
        without: ['off'],
        options: { on: 'name' },
      },
      {
        name: 'scenarios off',
        about: 'switch a scenario off',
        args: ['off'],
        without: ['on'],
        options: { off: 'name' },
      },
    ],
    about: 'switch scenarios on and off in one step',
    body: switching,
    result: activeNames,
    printed,
    run: async ({ workspace }: ScenariosTarget, { body }, { requireHeld }) => ({
      active: await workspace.scenarios.switch(body, requireHeld),
    }),
  }),
  operation({
    id: 'scenarios.deactivate',
    route: 'DELETE /_sandbox/scenarios/active',
    about: 'switch all scenarios off',
    async run({ workspace }: ScenariosTarget, _input, { requireHeld }) {
      await workspace.scenarios.activateAll([], requireHeld)
    },
  }),
  operation({
    id: 'scenarios.get',
    route: 'GET /_sandbox/scenarios/:name',
    about: 'show one scenario, with its document and the counters of its rules',
    result: scenario,
    async run({ workspace }: ScenariosTarget, { path }) {
      const found = await workspace.scenarios.getOwn(path.name)
      if (!found) throw noScenario(path.name)
      return found
    },
  }),
  operation({
    id: 'scenarios.unregister',
    route: 'DELETE /_sandbox/scenarios/:name',
    about: 'remove a scenario that was registered',
    async run({ workspace }: ScenariosTarget, { path }, { requireHeld }) {
      if (!(await workspace.scenarios.unregister(path.name, requireHeld))) throw noScenario(path.name)
    },
  }),
  operation({
    id: 'scenarios.restart',
    route: 'POST /_sandbox/scenarios/:name/restart',
    verb: 'scenarios restart',
    about: 'restart a scenario: its counters begin at zero',
    result: scenario,
    printed: {
      note: (_, { args: [name], workspace }) => `Restarted scenario '${name}' in workspace '${workspace}'`,
    },
    async run({ workspace }: ScenariosTarget, { path }, { requireHeld }) {
      if (!(await workspace.scenarios.getOwn(path.name))) throw noScenario(path.name)
      return workspace.scenarios.restart(path.name, requireHeld)
    },
  }),
]
