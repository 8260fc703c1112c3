// A workspace as a state document, which is its checkpoint, and back with the deltas since.
import { z } from 'zod'
import { environments } from '../../contract/versions.ts'
import { documentText, dumpLazily } from '../../fixtures/dump.ts'
import { stringify } from '../../json/stringify.ts'
import type { State } from '../../store/state.ts'
import type { ClosedWorkspace } from '../../workspaces/closed.ts'
import type { Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { deltaSchema, type Delta } from '../delta.ts'
import { loadPersisted, type LoadOptions, type PersistedState } from '../file/load-persisted.ts'
import { checkOf, readyKeysOf, workspacePartOf } from '../file/workspace-part.ts'
import { stateText } from '../state-text.ts'
import type { OpenedWorkspace } from './driver.ts'

/** How documents are written. */
export interface DocumentOptions {
  seed: number
  /** The baseline, if documents have the changes from it in place of the rows: a store keeps the baseline once. */
  base?: State
}

/** The text of a document in chunks; its last member is `sandbox`. */
export function* documentOf(
  workspace: Workspace,
  checkpoint: Checkpoint,
  { seed, base }: DocumentOptions,
): Iterable<string> {
  const { state, clock } = checkpoint
  const { keys, scenarios } = workspace
  const part = workspacePartOf(workspace, {
    ...checkpoint,
    keys,
    hasStartScenarios: scenarios.isAtStart,
    seq: 0,
  })
  const about = {
    seed,
    workspace: base ? { ...part, changes: stateText(base, state) } : part,
    ...(clock.changed ? { clock: clock.read() } : {}),
  }
  if (!base) yield* documentText(dumpLazily(state, about))
  else yield stringify({ schema_version: 1, sandbox: about })
}

/** The description of a workspace in lists, as JSON; it is read without opening the workspace. */
export function aboutOf({ createdAt, keys, state }: Workspace): string {
  return JSON.stringify({
    created_at: createdAt,
    ready_keys: readyKeysOf(state),
    ...(keys ? { isolation: { ...keys.isolation, check: checkOf(keys) } } : {}),
  })
}

const aboutForm = z.object({
  created_at: z.string().optional(),
  ready_keys: z.partialRecord(z.enum(environments), z.string()).default({}),
  isolation: z.object({ of: z.string(), lineage: z.string(), generation: z.int() }).optional(),
})

/** Reads a description; one of a damaged or unfinished workspace shows less. */
export function readAbout(
  about = '{}',
): Pick<ClosedWorkspace, 'readyKeys' | 'isolation'> & { createdAt?: string } {
  const { created_at: createdAt, ready_keys: readyKeys, isolation } = aboutForm.parse(JSON.parse(about))
  return { readyKeys, isolation, ...(createdAt === undefined ? {} : { createdAt }) }
}

/**
 * Reads a document and the deltas since.
 * @param name of the file or of the key, in messages.
 * @throws {DocumentError} with every problem.
 */
export function readDocument(
  { checkpoint, deltas }: OpenedWorkspace & { checkpoint: Buffer },
  name: string,
  options: LoadOptions,
): Promise<PersistedState> {
  const later = (): { entry: { seq: number; delta: Delta } }[] =>
    deltas.map((text, place) => ({ entry: { seq: place + 1, delta: deltaSchema.parse(JSON.parse(text)) } }))
  return loadPersisted({ bytes: checkpoint, name, journalName: name, later }, options)
}
