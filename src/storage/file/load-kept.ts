// Loads a state that was kept: the snapshot, checked, with the commits of its journal replayed.
import type { Assumptions } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { ClockReading } from '../../runtime/clock.ts'
import type { ScenarioStanding } from '../../scenarios/engine.ts'
import { readScenarios, type ScenariosText } from '../../scenarios/scenarios-text.ts'
import type { SnapshotMoment } from '../../workspaces/snapshot.ts'
import { snapshotMoment, type SnapshotText } from '../checkpoint-text.ts'
import type { Delta } from '../delta.ts'
import type { JournalLine } from './journal-lines.ts'
import { assemble, type Assembled, type AssembleOptions } from '../../fixtures/assemble.ts'
import { sandboxPart, schemaVersion, type SandboxPart } from '../../fixtures/state-document.ts'
import { Gathered } from '../../fixtures/gather.ts'
import { DocumentError } from '../../input/problems.ts'
import { problemAt, sourceFromText, type Source } from '../../input/source-file.ts'
import { textOf } from '../../input/utf8.ts'
import { runInSlices } from '../../runtime/time-slices.ts'
import type { State } from '../../store/state.ts'
import { checksum, sealOf } from './checksum.ts'
import { applyState, readState } from '../state-text.ts'
import { readWorkspacePart, type WorkspacePart } from './workspace-part.ts'

/** A state document that a sandbox kept, as it was found. */
interface KeptDocument {
  bytes: Uint8Array
  /** How messages name the file. */
  name: string
  /** How messages name the journal. */
  journalName: string
  /** The commits that the document does not hold yet, given what it says of itself. */
  later(part: SandboxPart): readonly JournalLine[]
  /** Whether it is taken although its checksum is wrong. */
  isDoubtful?: boolean
}

/** The state as it was kept. */
export interface Kept extends Assembled {
  /** The number of the last commit. */
  seq: number
  /** What the document says of its workspace, in a folder of data. */
  workspace: WorkspacePart | undefined
  /** The rows that the workspace begins with in place of what all others do. */
  beginning: State | undefined
  /** Undefined for those that the workspace begins with. */
  scenarios: ScenarioStanding | undefined
  snapshots: ReadonlyMap<string, SnapshotMoment>
}

/** What reading a kept document depends on. */
export interface KeptOptions extends Pick<AssembleOptions, 'assumptions' | 'signal'> {
  /** Fills the gaps of rows that somebody wrote by hand; without it, the seed of the document does. */
  seed: number | undefined
  /** Where neither is known. */
  defaultSeed: number
}

/**
 * Reads a state document that a sandbox kept, with the commits that came after it. It must be one by its own words,
 * and is checked like fixtures; but it may hold whatever an earlier run let in, as what was acknowledged must come
 * back: other card numbers, larger metadata.
 *
 * @throws {DocumentError} for anything else, with every problem. @throws {Stopped} when the signal is aborted.
 */
export async function loadKept(document: KeptDocument, options: KeptOptions): Promise<Kept> {
  const source = await sourceOf(document, options.signal)
  const part = sandboxPart.safeParse(isJsonObject(source.value) ? (source.value['sandbox'] ?? {}) : {})
  const { seq = 0, seed, checksum: said } = part.data ?? {}
  if (said !== undefined && !document.isDoubtful) requireChecksum(source, document.bytes)
  const later = document.later(part.data ?? {})
  const workspace =
    part.data?.workspace === undefined ? undefined : readWorkspacePart(part.data.workspace, document.name)
  const gathered = new Gathered()
  await runInSlices(gathered.add(source), options.signal)
  const assembled = await assemble(gathered, {
    ...options,
    seed: options.seed ?? seed ?? options.defaultSeed,
    assumptions: widest(options.assumptions),
    allowAnyPan: true,
  })
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

/** The parts of a document, and the deltas of the journal applied to them. */
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

  /** The sandbox that wrote the delta had checked each row. */
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

/** The document, once it is known to be one of ours. */
async function sourceOf({ bytes, name }: KeptDocument, signal: AbortSignal | undefined): Promise<Source> {
  const refuse = (message: string): DocumentError => new DocumentError([{ source: name, path: '', message }])
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw refuse('begins at byte 0 with a byte order mark, which no sandbox writes')
  }
  const text = textOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name)
  const source = await sourceFromText(text, name, '.json', undefined, signal)
  const { value } = source
  if (!isJsonObject(value)) throw new DocumentError([problemAt(source, [], 'must be a state document')])
  const version = value['schema_version']
  const refuseVersion = (message: string): DocumentError =>
    new DocumentError([problemAt(source, ['schema_version'], message)])
  if (version === undefined) {
    throw refuseVersion('is required in a data file: without it, this may be anything')
  }
  if (typeof version === 'number' && version > schemaVersion) {
    throw refuseVersion(
      `is ${version}, and this sandbox knows ${schemaVersion}: use the one that wrote it, or a newer one`,
    )
  }
  return source
}

/** Thrown for a document that can be read, and is not what its checksum says. */
export class ChecksumError extends DocumentError {}

/** @throws {ChecksumError} when the document is not as it was written. */
function requireChecksum(source: Source, bytes: Uint8Array): void {
  const seal = sealOf(bytes)
  const before = bytes.subarray(0, bytes.length - (seal?.length ?? 0))
  if (seal?.checksum === checksum(before)) return
  const why =
    seal === undefined
      ? 'is not the last thing in the file'
      : `is not that of the ${before.length} bytes before it, which is '${checksum(before)}'`
  const message = `${why}: the file is damaged, or was changed by hand; then take its checksum out, and it is used as it is`
  throw new ChecksumError([problemAt(source, ['sandbox', 'checksum'], message)])
}

/** What limits metadata that comes in is an assumption, and another run may have let in more. */
function widest(assumptions: Assumptions): Assumptions {
  const unlimited = Number.MAX_SAFE_INTEGER
  return { ...assumptions, metadata_max_depth: unlimited, metadata_max_bytes: unlimited }
}
