// Loads a persisted state: checks the snapshot and replays the commits of its journal.
import { isJsonObject } from '../../contract/formats.ts'
import type { ClockReading } from '../../runtime/clock.ts'
import type { ScenarioState } from '../../scenarios/engine.ts'
import { readScenarios, type ScenariosText } from '../../scenarios/scenarios-text.ts'
import type { SnapshotMoment } from '../../workspaces/snapshot.ts'
import { snapshotMoment, type SnapshotText } from '../checkpoint-text.ts'
import type { Delta } from '../delta.ts'
import { assemble, type Assembled, type AssembleOptions } from '../../fixtures/assemble.ts'
import { sandboxPart, schemaVersion, type SandboxPart } from '../../fixtures/state-document.ts'
import { Gathered } from '../../fixtures/gather.ts'
import { DocumentError } from '../../input/problems.ts'
import { problemAt, sourceFromText, type Source } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import type { State } from '../../store/state.ts'
import { checksum, sealOf } from './checksum.ts'
import { applyState, readState } from '../state-text.ts'
import { readWorkspacePart, type WorkspacePart } from './workspace-part.ts'

/** A state document that a sandbox persisted, as it was found. */
interface PersistedDocument {
  bytes: Uint8Array
  /** The name of the file in messages. */
  name: string
  /** The name of the journal in messages. */
  journalName: string
  /** Returns the commits that the document does not contain yet. */
  later(part: SandboxPart): readonly { readonly entry: { readonly seq: number; readonly delta: Delta } }[]
  /** Whether to load it although its checksum is wrong. */
  isDoubtful?: boolean
}

/** The state as it was persisted. */
export interface PersistedState extends Assembled {
  /** The number of the last commit. */
  seq: number
  /** The workspace part of the document, in a data folder. */
  workspace: WorkspacePart | undefined
  /** The initial rows of the workspace, if they differ from the common ones. */
  beginning: State | undefined
  /** Undefined for the initial ones of the workspace. */
  scenarios: ScenarioState | undefined
  snapshots: ReadonlyMap<string, SnapshotMoment>
}

/** The options for loading a persisted document. */
export interface LoadOptions extends Pick<AssembleOptions, 'assumptions' | 'signal'> {
  /** Fills missing fields of rows that a person wrote; without it, the seed of the document is used. */
  seed: number | undefined
  /** The seed if neither is known. */
  defaultSeed: number
  /** The rows that a document without rows was compared with. */
  base?: State
}

/**
 * Loads a persisted state document with the commits that came after it. The document must declare itself as one, and is
 * validated like fixtures, except for limits that an earlier run may not have had, as acknowledged rows must come back:
 * other card numbers.
 *
 * @throws {DocumentError} for anything else, with every problem. @throws {Stopped} if the signal is aborted.
 */
export async function loadPersisted(
  document: PersistedDocument,
  options: LoadOptions,
): Promise<PersistedState> {
  const source = await sourceOf(document)
  const part = sandboxPart.safeParse(isJsonObject(source.value) ? (source.value['sandbox'] ?? {}) : {})
  const { seq = 0, seed, checksum: said } = part.data ?? {}
  if (said !== undefined && !document.isDoubtful) requireChecksum(source, document.bytes)
  const later = document.later(part.data ?? {})
  const workspace =
    part.data?.workspace === undefined ? undefined : readWorkspacePart(part.data.workspace, document.name)
  const changes = workspace?.changes
  const assembled =
    changes && options.base && part.data
      ? { state: readState(options.base, changes), sandbox: part.data, firstProduct: undefined }
      : await assembleRows(source, { ...options, seed: options.seed ?? seed ?? options.defaultSeed })
  const { state } = assembled
  const first = workspace?.own?.rows
  const beginning = first && readState(state, first)
  const log = new Replay(state, assembled.sandbox.clock, workspace)
  for (const { entry } of later) log.apply(entry.delta)
  const { clock: _clock, ...rest } = assembled.sandbox
  const { clock, snapshots, scenarios } = log
  return {
    ...assembled,
    sandbox: { ...rest, ...(clock ? { clock } : {}) },
    seq: later.at(-1)?.entry.seq ?? seq,
    workspace,
    beginning,
    snapshots,
    scenarios: scenarios && (await readScenarios(scenarios, { own: [], active: [] })),
  }
}

function assembleRows(source: Source, options: LoadOptions & { seed: number }): Promise<Assembled> {
  const gathered = new Gathered()
  gathered.add(source)
  return assemble(gathered, { ...options, allowAnyPan: true })
}

/** The parts of a document, after the deltas of the journal were applied to them. */
class Replay {
  readonly #state: State
  clock: ClockReading | undefined
  scenarios: ScenariosText | undefined
  readonly snapshots = new Map<string, SnapshotMoment>()

  constructor(state: State, clock: ClockReading | undefined, part: WorkspacePart | undefined) {
    this.#state = state
    this.clock = clock
    this.scenarios = part?.scenarios
    this.#put(part?.snapshots)
  }

  /** The sandbox that wrote the delta had validated each row. */
  apply({ at, state, clock, scenarios, snapshots }: Delta): void {
    if (state) applyState(this.#state, state)
    this.scenarios = scenarios ?? this.scenarios
    for (const name of snapshots?.gone ?? []) this.snapshots.delete(name)
    this.#put(snapshots?.put)
    const isChanged = clock ? clock.set === true || clock.frozenAt !== undefined : this.clock !== undefined
    const frozen = clock ? clock.frozenAt !== undefined : this.clock?.frozen === true
    this.clock = isChanged ? { now: new Date(at).toISOString(), frozen } : undefined
  }

  #put(snapshots: Readonly<Record<string, SnapshotText>> = {}): void {
    for (const [name, text] of Object.entries(snapshots)) {
      this.snapshots.set(name, snapshotMoment(this.#state, text))
    }
  }
}

/** A document that declares itself as a persisted one. */
async function sourceOf({ bytes, name }: PersistedDocument): Promise<Source> {
  const refuse = (message: string): DocumentError => new DocumentError([{ source: name, path: '', message }])
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw refuse('begins at byte 0 with a byte order mark, which no sandbox writes')
  }
  const text = textOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name)
  const source = await sourceFromText(text, name, '.json')
  const { value } = source
  if (!isJsonObject(value)) throw new DocumentError([problemAt(source, [], 'must be a state document')])
  const version = value['schema_version']
  const refuseVersion = (message: string): DocumentError =>
    new DocumentError([problemAt(source, ['schema_version'], message)])
  if (version === undefined) {
    throw refuseVersion('is required in a data file')
  }
  if (typeof version === 'number' && version > schemaVersion) {
    throw refuseVersion(
      `is ${version}, and this sandbox reads ${schemaVersion}: use the one that wrote it, or a newer one`,
    )
  }
  return source
}

/** Thrown for a readable document whose checksum is wrong. */
export class ChecksumError extends DocumentError {}

/** @throws {ChecksumError} if the document differs from what was written. */
function requireChecksum(source: Source, bytes: Uint8Array): void {
  const seal = sealOf(bytes)
  const before = bytes.subarray(0, bytes.length - (seal?.length ?? 0))
  if (seal?.checksum === checksum(before)) return
  const why =
    seal === undefined
      ? 'is not the last line of the file'
      : `is not that of the ${before.length} bytes before it, which is '${checksum(before)}'`
  const message = `${why}: the file is damaged, or was changed by hand; to use it as it is, remove its checksum`
  throw new ChecksumError([problemAt(source, ['sandbox', 'checksum'], message)])
}
