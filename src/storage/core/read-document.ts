// Reads the state document of a workspace, and applies the deltas since.
import { isJsonObject } from '../../contract/formats.ts'
import type { ClockReading } from '../../runtime/clock.ts'
import type { ScenarioState } from '../../scenarios/engine.ts'
import { readScenarios, type ScenariosText } from '../../scenarios/scenarios-text.ts'
import type { SnapshotMoment } from '../../workspaces/snapshot.ts'
import { DamagedError, type OpenedWorkspace } from '../../workspaces/storage.ts'
import { assemble, type Assembled, type AssembleOptions } from '../../fixtures/assemble.ts'
import { sandboxPart, schemaVersion } from '../../fixtures/state-document.ts'
import { Gathered } from '../../fixtures/gather.ts'
import { DocumentError } from '../../input/problems.ts'
import { problemAt, sourceFromText, type Source } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import { parseExact } from '../../json/parse-exact.ts'
import type { State } from '../../store/state.ts'
import { deltaSchema, type Delta } from './delta.ts'
import { snapshotMoment, type SnapshotText } from './snapshot-text.ts'
import { applyState, readState } from './state-text.ts'
import { readWorkspacePart, type WorkspacePart } from './workspace-part.ts'

/** A workspace as it was persisted. */
export interface PersistedWorkspace extends Assembled {
  /** Undefined if a person wrote the document. */
  part: WorkspacePart | undefined
  /** The initial rows of the workspace, if they differ from the common ones. */
  beginning: State | undefined
  /** Undefined for the initial ones of the workspace. */
  scenarios: ScenarioState | undefined
  snapshots: ReadonlyMap<string, SnapshotMoment>
  /** The last persisted instant on its clock (ms); undefined if a person wrote the document. */
  at: number | undefined
  /** The number at which its request numbers go on. */
  nextRequest: number
}

/** The options for reading a document. */
export interface ReadOptions extends Pick<AssembleOptions, 'assumptions' | 'signal'> {
  /** Fills missing fields of rows that a person wrote. */
  seed: number
  /** The rows that a document without rows was compared with. */
  base?: State | undefined
}

/**
 * The document must declare itself as one, and is validated like fixtures, except for limits that an earlier run may not
 * have had, as acknowledged rows must come back: other card numbers.
 *
 * @param name of the file or of the key, in messages.
 * @throws {DocumentError} for anything else, with every problem. @throws {DamagedError} for a delta that no sandbox
 * wrote. @throws {Stopped} if the signal is aborted.
 */
export async function readDocument(
  { checkpoint, deltas }: OpenedWorkspace & { checkpoint: Buffer },
  name: string,
  options: ReadOptions,
): Promise<PersistedWorkspace> {
  const source = await sourceOf(checkpoint, name)
  const read = sandboxPart.safeParse(isJsonObject(source.value) ? (source.value['sandbox'] ?? {}) : {})
  const sandbox = read.data ?? {}
  const part = sandbox.workspace === undefined ? undefined : readWorkspacePart(sandbox.workspace, name)
  const assembled =
    part?.changes && options.base
      ? { state: readState(options.base, part.changes), sandbox, firstProduct: undefined }
      : await assembleRows(source, { ...options, seed: sandbox.seed ?? options.seed })
  const { state } = assembled
  const first = part?.own?.rows
  const beginning = first && readState(state, first)
  const later = new Later(state, assembled.sandbox.clock, part)
  for (const [index, text] of deltas.entries()) later.apply(readDelta(text, index + 1, name))
  const { clock: _clock, ...rest } = assembled.sandbox
  const { clock, snapshots, scenarios, at, nextRequest } = later
  return {
    ...assembled,
    sandbox: { ...rest, ...(clock ? { clock } : {}) },
    part,
    beginning,
    snapshots,
    scenarios: scenarios && (await readScenarios(scenarios, { own: [], active: [] })),
    at,
    nextRequest,
  }
}

function assembleRows(source: Source, options: ReadOptions): Promise<Assembled> {
  const gathered = new Gathered()
  gathered.add(source)
  return assemble(gathered, { ...options, allowAnyPan: true })
}

function readDelta(text: string, number: number, name: string): Delta {
  try {
    return deltaSchema.parse(parseExact(text))
  } catch (cause) {
    throw new DamagedError(`${name} is damaged: change ${number} since its checkpoint cannot be read`, {
      cause,
    })
  }
}

/** The parts of a document, after deltas were applied to them. */
class Later {
  readonly #state: State
  clock: ClockReading | undefined
  scenarios: ScenariosText | undefined
  at: number | undefined
  nextRequest: number
  readonly snapshots = new Map<string, SnapshotMoment>()

  constructor(state: State, clock: ClockReading | undefined, part: WorkspacePart | undefined) {
    this.#state = state
    this.clock = clock
    this.scenarios = part?.scenarios
    this.at = part?.at
    this.nextRequest = part?.next_request ?? 1
    this.#put(part?.snapshots)
  }

  /** The sandbox that wrote the delta had validated each row. */
  apply({ at, state, clock, scenarios, snapshots, next_request: nextRequest }: Delta): void {
    if (state) applyState(this.#state, state)
    this.scenarios = scenarios ?? this.scenarios
    for (const name of snapshots?.gone ?? []) this.snapshots.delete(name)
    this.#put(snapshots?.put)
    const isChanged = clock ? clock.set === true || clock.frozenAt !== undefined : this.clock !== undefined
    const frozen = clock ? clock.frozenAt !== undefined : this.clock?.frozen === true
    this.clock = isChanged ? { now: new Date(at).toISOString(), frozen } : undefined
    this.at = at
    this.nextRequest = nextRequest ?? this.nextRequest
  }

  #put(snapshots: Readonly<Record<string, SnapshotText>> = {}): void {
    for (const [name, text] of Object.entries(snapshots)) {
      this.snapshots.set(name, snapshotMoment(this.#state, text))
    }
  }
}

/** A document that declares itself as a persisted one. */
async function sourceOf(bytes: Buffer, name: string): Promise<Source> {
  const refuse = (message: string): DocumentError => new DocumentError([{ source: name, path: '', message }])
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw refuse('begins at byte 0 with a byte order mark, which no sandbox writes')
  }
  const source = await sourceFromText(textOf(bytes, name), name, '.json')
  const { value } = source
  if (!isJsonObject(value)) throw new DocumentError([problemAt(source, [], 'must be a state document')])
  const version = value['schema_version']
  const refuseVersion = (message: string): DocumentError =>
    new DocumentError([problemAt(source, ['schema_version'], message)])
  if (version === undefined) throw refuseVersion('is required in a data file')
  if (typeof version === 'number' && version > schemaVersion) {
    throw refuseVersion(
      `is ${version}, and this sandbox reads ${schemaVersion}: use the one that wrote it, or a newer one`,
    )
  }
  return source
}
