// The options of a new workspace: its own fixtures, scenarios and clock, validated and loaded.
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import type { Clock, ClockReading } from '../runtime/clock.ts'
import { catalogueOf, unknownTo } from '../scenarios/catalogue.ts'
import type { ScenarioStart } from '../scenarios/engine.ts'
import { readScenario } from '../scenarios/library.ts'
import type { Baseline } from '../fixtures/load.ts'
import { ProblemList } from '../input/problem-list.ts'
import { readInput } from '../input/read-input.ts'
import { shortList } from '../input/short-list.ts'
import type { Source } from '../input/source-file.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { isName } from '../workspaces/names.ts'
import { findReadyKey, noReadyKey } from '../workspaces/ready-key.ts'
import { collect } from '../input/collect-problems.ts'
import type { FixtureDocument } from '../fixtures/document-shape.ts'
import type { ScenarioName } from '../scenarios/scenario-name.ts'
import type { VerbContext } from './sandbox-workspace.ts'
import { clockSetting, type ClockSetting } from './clock.ts'
import type { Beginning } from '../workspaces/workspace.ts'

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** The initial state of a workspace, which a reset restores. Every option may be omitted. */
export interface WorkspaceOptions {
  /** 1 to 64 of A-Z, a-z, 0-9, _ and -; generated if omitted. */
  name?: string
  /**
   * The workspace to copy in its current state: rows, ids, clock and scenarios with their counters, but not its
   * snapshots, journal and coverage. The cost does not depend on the number of rows. Excludes `fixtures` and `clock`.
   */
  from?: string
  /** State documents in place of the fixtures that the sandbox was started with. */
  fixtures?: FixtureDocument | readonly FixtureDocument[]
  /** Its initially active scenarios in place of the common ones: names, or scenarios as objects. */
  scenarios?: ScenarioName | Json | readonly (ScenarioName | Json)[]
  /** The start of its clock (RFC 3339), and whether it is frozen; like that of the sandbox if omitted. */
  clock?: string | ClockSetting
  /** The test that it is for: its calls carry the name in the journal. */
  test?: { name: string; file?: string | null }
}

const json = z.custom<Json>(isJsonObject, 'must be an object').meta({ type: 'object' })

const oneOrMore = <S extends z.ZodType>(item: S) =>
  z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    shortList(item).optional(),
  )

// No paths, neither of fixtures nor of scenarios: a client must not make the sandbox read files.
const options = z.strictObject({
  name: z
    .string()
    .refine(isName, 'must be 1 to 64 of A-Z, a-z, 0-9, _ and -')
    .optional()
    .describe('1 to 64 of A-Z, a-z, 0-9, _ and -'),
  from: z
    .string('must be the name of a workspace')
    .optional()
    .describe('copy this workspace in its current state'),
  fixtures: oneOrMore(json),
  scenarios: oneOrMore(z.union([z.string(), json], 'must be the name of a scenario, or a scenario')),
  clock: z.preprocess(
    (value) => (typeof value === 'string' ? { now: value } : value),
    clockSetting.optional(),
  ),
  test: z
    .strictObject({ name: z.string().min(1).max(1000), file: z.string().max(1000).nullable().default(null) })
    .optional(),
})

export const newWorkspace = options.superRefine((input, context) => {
  if (input.from === undefined) return
  for (const other of ['fixtures', 'clock'] as const) {
    if (input[other] === undefined) continue
    context.addIssue({
      code: 'custom',
      path: [other],
      message: 'must be omitted with from, which brings its own',
    })
  }
})

/** Validates the options. @throws {DocumentError} with every problem. */
export function readOptions(input: unknown): z.output<typeof newWorkspace> {
  return readInput(newWorkspace, input, 'workspace')
}

/** The dependencies of loading. */
export interface NewWorkspaceContext extends VerbContext {
  /** Converts an object to a document: a copy, unless no other code can change it. */
  sourceFrom(object: Json, name: string): Source
}

/**
 * Loads the options as the initial state in place of the common one.
 * @throws {DocumentError} with every problem of every document and scenario. @throws {NotFoundError} for an unknown
 * workspace to copy.
 */
export async function loadNewWorkspace(
  { from, fixtures, scenarios, clock }: z.output<typeof newWorkspace>,
  beginning: Clock,
  context: NewWorkspaceContext,
): Promise<{ own: Partial<Beginning>; scenarios: ScenarioStart | undefined }> {
  const problems = new ProblemList()
  const copied = from === undefined ? undefined : context.workspaces.require(from)
  const start = scenarios && (await readScenarios(scenarios, context, problems, copied?.scenarios.copy()))
  if (copied) {
    problems.throwIfAny()
    return { own: copied.copy(), scenarios: start ?? copied.scenarios.copy() }
  }
  const loaded = fixtures && (await loadFixtures(fixtures, context, start, problems))
  problems.throwIfAny()
  const ownClock = clockOf(beginning, loaded?.clock, clock)
  return {
    own: {
      ...(loaded ? { state: loaded.state, firstProduct: loaded.firstProduct } : {}),
      ...(ownClock ? { clock: ownClock } : {}),
    },
    scenarios: start,
  }
}

async function readScenarios(
  inputs: readonly (string | Json)[],
  { scenarioLibrary, environment, sourceFrom }: NewWorkspaceContext,
  problems: ProblemList,
  copied: ScenarioStart = { own: [], active: [] },
): Promise<ScenarioStart> {
  const catalogue = await scenarioLibrary.load()
  const read: (string | Scenario | undefined)[] = []
  // In sequence, so that documents whose problems would not be reported are not read.
  for (const [place, item] of inputs.entries()) {
    const name = `scenarios[${place}]`
    read.push(
      typeof item === 'string' ? item : await collect(problems, () => readScenario(sourceFrom(item, name))),
    )
  }
  const own = [...copied.own, ...read.filter((item) => typeof item === 'object')]
  const whyNot = unknownTo(catalogueOf([...catalogue.values(), ...own]), environment)
  for (const [place, item] of read.entries()) {
    const message = item && whyNot(typeof item === 'string' ? item : item.name)
    if (message !== undefined) problems.add({ source: 'workspace', path: `scenarios[${place}]`, message })
  }
  const names = read.flatMap((item) => (typeof item === 'string' ? [item] : item ? [item.name] : []))
  return { ...copied, own, active: [...new Set(names)] }
}

async function loadFixtures(
  documents: readonly Json[],
  { environment, scenarioLibrary, loadDocuments, sourceFrom }: NewWorkspaceContext,
  start: ScenarioStart | undefined,
  problems: ProblemList,
): Promise<Baseline | undefined> {
  const readable: Source[] = []
  for (const [place, document] of documents.entries()) {
    const name = place === 0 ? 'fixtures' : `fixtures[${place}]`
    const source = await collect(problems, () => sourceFrom(document, name))
    if (source) readable.push(source)
  }
  if (readable.length < documents.length) return undefined
  const isKnown = (name: string): boolean =>
    scenarioLibrary.names.includes(name) || start?.own.some((scenario) => scenario.name === name) === true
  const loaded = await collect(problems, () => loadDocuments(readable, isKnown))
  if (loaded && !findReadyKey(loaded.state, environment)) {
    problems.add({ source: 'fixtures', path: 'api_keys', message: noReadyKey(environment) })
  }
  return loaded
}

/** Returns the start of the clock: as requested, or as in the fixtures; undefined for the common one. */
function clockOf(
  beginning: Clock,
  ofFixtures: ClockReading | undefined,
  requested: ClockSetting = {},
): Clock | undefined {
  const now = requested.now ?? ofFixtures?.now
  const frozen = requested.frozen ?? ofFixtures?.frozen
  if (now !== undefined) return beginning.another({ at: Date.parse(now), frozen: frozen ?? beginning.frozen })
  return frozen === undefined ? undefined : beginning.again(frozen)
}
