// The workspace part of a state document: what it has in addition to its rows.
import { z } from 'zod'
import { environments } from '../../contract/versions.ts'
import { DocumentError } from '../../input/problems.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ScenarioStart } from '../../scenarios/engine.ts'
import { noCounts, readScenarios, scenariosForm, scenariosText } from '../../scenarios/scenarios-text.ts'
import { derived } from '../../runtime/random.ts'
import type { State } from '../../store/state.ts'
import type { PartnerKeys } from '../../workspaces/partner-keys.ts'
import type { ReadyKeys } from '../../workspaces/closed.ts'
import { findReadyKey } from '../../workspaces/ready-key.ts'
import type { Beginning, Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { snapshotsForm, snapshotTexts } from './snapshot-text.ts'
import { stateText, stateTextForm } from './state-text.ts'

const workspacePart = z.strictObject({
  created_at: z.string(),
  /** The last persisted instant on its clock (ms). */
  at: z.number().optional(),
  /** The number at which the request numbers of the next owner begin. */
  next_request: z.int().min(1).optional(),
  isolation: z
    .strictObject({ of: z.string(), lineage: z.string(), generation: z.int(), check: z.string() })
    .optional(),
  /** Its scenarios, if they differ from its initial ones. */
  scenarios: scenariosForm.optional(),
  /** Its named snapshots. */
  snapshots: snapshotsForm.optional(),
  /** Its own initial state, in place of the common one. */
  own: z
    .strictObject({
      /** The changes that turn the rows of the document into its initial rows. */
      rows: stateTextForm.optional(),
      first_product: z.string().optional(),
      ids_of: z.string().exactOptional(),
      clock: z
        .strictObject({ at: z.number().exactOptional(), frozen: z.boolean().exactOptional() })
        .optional(),
    })
    .optional(),
  /** Its initial scenarios, if they differ from the common ones. */
  start: scenariosForm.optional(),
  /** In a store: the changes that turn the baseline into its rows, in place of the rows. */
  changes: stateTextForm.optional(),
})

/** The workspace part of a document. */
export type WorkspacePart = z.output<typeof workspacePart>

/** @throws {DocumentError} if it is invalid. @param name the name of the file in messages. */
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

export function workspacePartOf(
  workspace: Workspace,
  checkpoint: Checkpoint,
  nextRequest: number,
): WorkspacePart {
  const { createdAt, own, scenarios, keys } = workspace
  const { state, snapshots, clock } = checkpoint
  const { start } = scenarios
  const isOwn = own.state !== undefined || own.clock !== undefined
  return {
    created_at: createdAt,
    at: clock.now(),
    next_request: nextRequest,
    ...(keys ? { isolation: { ...keys.isolation, check: checkOf(keys) } } : {}),
    // Without counters: nothing persists them.
    ...(scenarios.isAtStart
      ? {}
      : { scenarios: scenariosText({ ...checkpoint.scenarios, ...noCounts }, true) }),
    ...(snapshots.size > 0 && { snapshots: snapshotTexts(state, snapshots) }),
    ...(isOwn ? { own: ownText(own, state) } : {}),
    ...(start ? { start: scenariosText({ ...noCounts, ...start }, true) } : {}),
  }
}

/** Returns a function that tells whether keys derive from this isolation, without revealing it. */
export function checkOf({ adminToken }: PartnerKeys): string {
  return derived(adminToken, 'check').toString('hex').slice(0, 16)
}

function ownText(
  { state: first, clock, firstProduct, idsOf }: Partial<Beginning>,
  state: State,
): WorkspacePart['own'] {
  return {
    ...(first ? { rows: stateText(state, first) } : {}),
    ...(firstProduct === undefined ? {} : { first_product: firstProduct }),
    ...(idsOf === undefined ? {} : { ids_of: idsOf }),
    ...(clock ? { clock: clock.start } : {}),
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

/** The initial state of a workspace that differs from the common one. */
export async function beginningOf(
  { own, start }: Pick<WorkspacePart, 'own' | 'start'>,
  rows: State | undefined,
  clock: Clock,
): Promise<{ own: Partial<Beginning>; start: ScenarioStart | undefined }> {
  return {
    own: {
      ...(rows ? { state: rows, firstProduct: own?.first_product } : {}),
      ...(own?.clock ? { clock: clock.another(own.clock) } : {}),
      ...(own?.ids_of === undefined ? {} : { idsOf: own.ids_of }),
    },
    start: start && (await readScenarios(start, { own: [], active: [] })),
  }
}
