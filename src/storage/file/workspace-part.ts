// What the file of a workspace says beside its rows, in a folder of data: when it came into being, what it begins with.
import { z } from 'zod'
import { environments } from '../../contract/versions.ts'
import { DocumentError } from '../../reading/problems.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ScenarioStart } from '../../scenarios/engine.ts'
import { readScenarios, scenariosText } from '../../scenarios/scenarios-text.ts'
import { derived } from '../../runtime/random.ts'
import { collectionNames } from '../../store/rows.ts'
import type { State } from '../../store/state.ts'
import type { PartnerKeys } from '../../workspaces/partner-keys.ts'
import type { ReadyKeys } from '../../workspaces/closed.ts'
import { findReadyKey } from '../../workspaces/ready-key.ts'
import type { Beginning, Workspace } from '../../workspaces/workspace.ts'
import { writtenRow } from './journal-lines.ts'
import type { Kept } from './state-file.ts'
import { settingsForm, wholeSettings } from './workspace-settings.ts'

const workspacePart = z.strictObject({
  created_at: z.string(),
  /** A key to start with, for listings while the workspace is closed. */
  ready_keys: z.partialRecord(z.enum(environments), z.string()),
  isolation: z
    .strictObject({ of: z.string(), lineage: z.string(), generation: z.int(), check: z.string() })
    .optional(),
  /** Its scenarios and named snapshots, where they are not those that it begins with. */
  settings: settingsForm.optional(),
  /** What it begins with in place of what all others do. */
  own: z
    .strictObject({
      /** What makes its first rows of those that the document holds. */
      rows: z.strictObject({ ids: z.int(), ops: z.array(writtenRow) }).optional(),
      first_product: z.string().optional(),
      clock: z.strictObject({ at: z.number().optional(), frozen: z.boolean().optional() }).optional(),
    })
    .optional(),
  /** Its scenarios, where they are not those of all others. */
  start: z
    .strictObject({
      own: z.array(z.unknown()).optional(),
      active: z.array(z.string()),
      uses: z.array(z.tuple([z.string(), z.int(), z.int()])),
      draws: z.int(),
      round: z.int(),
    })
    .optional(),
})

/** What a document says of its workspace. */
export type WorkspacePart = z.output<typeof workspacePart>

/** @throws {DocumentError} for what is none. @param name how messages name the file. */
export function readWorkspacePart(value: unknown, name: string): WorkspacePart {
  const read = workspacePart.safeParse(value)
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, message }) => ({
    source: name,
    path: ['sandbox', 'workspace', ...path].join('.'),
    message,
  }))
  throw new DocumentError(problems)
}

/** @param kept what the document will hold. */
export function workspacePartOf(
  workspace: Workspace,
  { state, keys, settings: now }: Pick<Kept, 'state' | 'keys' | 'settings'>,
): WorkspacePart {
  const { createdAt, own, scenarios } = workspace
  const { start } = scenarios
  const isOwn = own.state !== undefined || own.clock !== undefined
  return {
    created_at: createdAt,
    ready_keys: readyKeysOf(state),
    ...(keys ? { isolation: { ...keys.isolation, check: checkOf(keys) } } : {}),
    ...settingsPart(now, state),
    ...(isOwn ? { own: ownText(own, state) } : {}),
    ...(start
      ? { start: copied(scenariosText({ uses: new Map(), draws: 0, round: 0, ...start }, true)) }
      : {}),
  }
}

/**
 * What a document goes on to say of its workspace while its file is used alone, for the folder that it comes from.
 * @param part what it said when it was found. @param beginning the rows that the workspace begins with, where they are
 * its own: by what makes them of others, others go into the document each time.
 */
export function partKeptAlone(
  { own, settings: _read, ...part }: Partial<WorkspacePart> & Pick<WorkspacePart, 'created_at'>,
  beginning: State | undefined,
): (kept: Kept) => WorkspacePart {
  return ({ state, settings: now }) => ({
    ...part,
    ready_keys: readyKeysOf(state),
    ...settingsPart(now, state),
    ...(own ? { own: { ...own, ...(beginning ? { rows: rowsBetween(state, beginning) } : {}) } } : {}),
  })
}

function settingsPart(settings: Kept['settings'], state: State): Pick<WorkspacePart, 'settings'> {
  const text = wholeSettings(settings, state)
  return text ? { settings: text } : {}
}

/** Tells whether keys are those that derive from an isolation here, and nothing of them. */
export function checkOf({ adminToken }: PartnerKeys): string {
  return derived(adminToken, 'check').toString('hex').slice(0, 16)
}

/** The same lists, for a type that does not say that nobody changes them. */
function copied({ own, active, uses, ...rest }: ReturnType<typeof scenariosText>): WorkspacePart['start'] {
  return {
    ...(own ? { own: [...own] } : {}),
    active: [...active],
    uses: uses.map(([id, calls, hits]) => [id, calls, hits]),
    ...rest,
  }
}

function ownText(
  { state: first, clock, firstProduct }: Partial<Beginning>,
  state: State,
): WorkspacePart['own'] {
  return {
    ...(first ? { rows: rowsBetween(state, first) } : {}),
    ...(firstProduct === undefined ? {} : { first_product: firstProduct }),
    ...(clock ? { clock: clock.start } : {}),
  }
}

/** The cost is that of what was written since one was forked from the other. */
function rowsBetween(from: State, to: State): NonNullable<NonNullable<WorkspacePart['own']>['rows']> {
  const rows = collectionNames.flatMap((collection) =>
    from
      .diff(collection, to)
      .map(({ id, after }) => ({ collection, id, ...(after === undefined ? {} : { row: after }) })),
  )
  const { account, stubs } = to
  return {
    ids: to.ids,
    ops: [
      ...(account === from.account ? [] : [{ collection: 'account' as const, id: 'account', row: account }]),
      ...(stubs === from.stubs ? [] : [{ collection: 'stubs' as const, id: 'stubs', row: [...stubs] }]),
      ...rows,
    ],
  }
}

/** A key to start with in each environment. */
export function readyKeysOf(state: State): ReadyKeys {
  const keys: Partial<Record<(typeof environments)[number], string>> = {}
  for (const environment of environments) {
    const key = findReadyKey(state, environment)
    if (key) keys[environment] = key.api_key
  }
  return keys
}

function clockOf(
  { at, frozen }: { at?: number | undefined; frozen?: boolean | undefined },
  of: Clock,
): Clock {
  return of.another({ ...(at === undefined ? {} : { at }), ...(frozen === undefined ? {} : { frozen }) })
}

/** What a workspace begins with in place of what all others do. */
export async function beginningOf(
  { own, start }: Pick<WorkspacePart, 'own' | 'start'>,
  rows: State | undefined,
  clock: Clock,
): Promise<{ own: Partial<Beginning>; start: ScenarioStart | undefined }> {
  return {
    own: {
      ...(rows ? { state: rows, firstProduct: own?.first_product } : {}),
      ...(own?.clock ? { clock: clockOf(own.clock, clock) } : {}),
    },
    start: start && (await readScenarios(start, { own: [], active: [] })),
  }
}
