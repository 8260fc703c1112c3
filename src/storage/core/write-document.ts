// Writes a workspace as a state document, which is its checkpoint, and its description in lists.
import { z } from 'zod'
import { environments } from '../../contract/versions.ts'
import { documentText, dumpLazily } from '../../fixtures/dump.ts'
import { stringify } from '../../json/stringify.ts'
import { allEvents } from '../../store/indexes.ts'
import type { State } from '../../store/state.ts'
import type { Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { checkOf, readyKeysOf, workspacePartOf } from './workspace-part.ts'
import { stateText } from './state-text.ts'

/** How documents are written. */
export interface DocumentOptions {
  seed: number
  /** The baseline, if documents have the changes from it in place of the rows: each process of a store has it. */
  base: State | undefined
}

/** The text of a document in chunks; its last member is `sandbox`. */
export function* documentOf(
  workspace: Workspace,
  checkpoint: Checkpoint,
  nextRequest: number,
  { seed, base }: DocumentOptions,
): Iterable<string> {
  const { state, clock } = checkpoint
  const part = workspacePartOf(workspace, checkpoint, nextRequest)
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
    ...(hasWaiting(state) ? { waiting: true } : {}),
  })
}

/** Whether attempts to deliver events wait. */
export const hasWaiting = (state: State): boolean => state.find('events', 'waiting', allEvents) !== undefined

const aboutForm = z.object({
  created_at: z.string().optional(),
  ready_keys: z.partialRecord(z.enum(environments), z.string()).default({}),
  isolation: z
    .object({ of: z.string(), lineage: z.string(), generation: z.int(), check: z.string() })
    .optional(),
  waiting: z.boolean().default(false),
})

/** Reads a description; one of a damaged or unfinished workspace shows less. */
export function readAbout(about = '{}'): z.output<typeof aboutForm> {
  return aboutForm.parse(JSON.parse(about))
}
