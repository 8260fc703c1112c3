// One workspace of a replica, which follows the log of that workspace: turns, lost races, histories, snapshots.
import { parseExact } from '../reading/parse-exact.ts'
import { giveWay } from '../runtime/give-way.ts'
import { monotonicNow, uniqueName } from '../runtime/host.ts'
import { stringify } from '../json/stringify.ts'
import type { Beginning, Standing, Workspace } from '../workspaces/workspace.ts'
import { apply, baseOf, commitSince, markOf, type Commit, type Mark } from './commit.ts'
import { keepSnapshot, syncTurn } from './scripts.ts'
import { birthText, scenariosText, snapshotText } from './standing-text.ts'
import { stateText } from './state-text.ts'
import type { Engine } from './store-engine.ts'
import { EngineAwayError, ForeignKeyError } from './store-error.ts'
import type { StoreFigures } from '../metrics/store-figures.ts'
import { readSynced, writeSync, type Entry, type Synced } from './sync.ts'
import { ForeignError, StoreAwayError, type Kept, type Task } from './turn.ts'
import { NotSavedError } from '../workspaces/keeper.ts'

const foreignLog =
  'The store holds something under our keys that no sandbox of this format wrote: look at them, and delete them or take another --store-prefix.'

/** Told by whoever finds a workspace, or the store, begun by a replica that was not started alike. */
export const otherBaseline =
  'The store was begun anew with another baseline than this replica has: restart it, or give it another --store-prefix.'

/** What is done in one turn: for a waiting call, not more than this is waited for. */
const mostTogether = 256

/** How often a race may be lost. */
const mostAttempts = 20

/** How long whoever waits for an outcome waits for the engine to come back. */
const outcomeMs = 5_000

/** How many entries of a log are given at once. */
const mostGiven = 500

/** When a snapshot takes the place of a log. */
export interface SnapshotEvery {
  /** After so many entries, or so many bytes of them; one that is longer itself, after as many as it has. */
  readonly entries: number
  readonly bytes: number
  /** How many entries stay for replicas that are behind. */
  readonly kept: number
}

export const usualSnapshots: SnapshotEvery = { entries: 1_000, bytes: 1 << 20, kept: 1_000 }

/** What a follower is part of. */
export interface Surroundings {
  readonly engine: Engine
  readonly keys: readonly string[]
  readonly journal: { readonly entries: number; readonly bytes: number }
  readonly figures: StoreFigures
  readonly snapshotEvery: SnapshotEvery
  /** The id of what all workspaces begin with. */
  readonly baseline: string
  /** What all workspaces begin with. */
  origin(): Beginning
  /** The workspace in this process, if there is one. */
  find(): Workspace | undefined
  /** Makes it in this process. */
  make(): Workspace
  /** Drops it from this process, as it is gone. */
  drop(): void
  /** Told when nothing is being done any more. */
  ended(): void
  /** Takes its name. @throws what there is to say when there are too many. */
  register(): Promise<void>
}

/** What was done, and is not kept yet. */
class Turn {
  readonly nonce = uniqueName()
  readonly isAlone: boolean
  /** Those who wait for it to be kept. */
  readonly done: Waiting[] = []
  /** Those who went on elsewhere, and are told when what they did is taken back. */
  readonly left: Task[] = []
  readonly commits: { nonce: string; text: string }[] = []
  readonly calls: string[] = []
  readonly hits = new Map<string, number>()
  flags = ''
  /** Something was written in this process beside all tasks. */
  hasDirect = false

  constructor(isAlone = false) {
    this.isAlone = isAlone
  }

  /** There is nothing that would have to be kept. */
  get isEmpty(): boolean {
    return this.commits.length + this.calls.length + this.hits.size === 0 && this.flags === ''
  }

  commit(commit: Commit): void {
    this.commits.push({ nonce: uniqueName(), text: stringify(commit) })
  }

  keep({ journal, coverage = [] }: Kept): void {
    if (journal !== undefined) this.calls.push(journal)
    for (const id of coverage) this.hits.set(id, (this.hits.get(id) ?? 0) + 1)
  }
}

/** Where the workspace stood when all of it was known to be kept, or is about to be. */
interface Settled {
  readonly mark: Mark
  readonly standing: Standing
  readonly emptied: Emptied
}

/** How often the workspace was reset, its journal emptied, its coverage emptied. */
type Emptied = readonly [resets: number, journal: number, coverage: number]

interface Waiting {
  readonly task: Task
  attempts: number
  number: number | undefined
}

/** What a snapshot in the store holds. */
interface SnapshotBody extends Commit {
  born: NonNullable<Commit['born']>
}

export class Follower {
  readonly #of: Surroundings
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  /** The last entry that the workspace in this process has. */
  #version = 0
  #nonce = ''
  #sinceSnapshot = { entries: 0, bytes: 0 }
  /** How long the last snapshot was that was read or made here. */
  #snapshotBytes = 0
  #settled: Settled | undefined
  /** What the workspace is about to be, once a turn is kept. */
  #judged: Settled | undefined
  /** A reset, or another history, was found when it was caught up last. */
  #isReset = false
  /** Why something that was written beside all tasks was taken back; another object each time. */
  lastLoss: NotSavedError | undefined

  constructor(surroundings: Surroundings) {
    this.#of = surroundings
  }

  get version(): number {
    return this.#version
  }

  /** Nobody waits, there is no log, and nothing was lost that somebody is to be told of: it may be forgotten. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#version === 0 && this.lastLoss === undefined
  }

  /** Has something done in a turn to come. */
  enter(task: Task): void {
    this.#waiting.push({ task, attempts: 0, number: undefined })
    this.#start()
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Whoever came while it ended would wait for ever.
      if (this.#waiting.length > 0) this.#start()
      else this.#of.ended()
    })
  }

  /** Settles when nothing is being done. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // All that comes in this turn of the event loop shares one round trip.
    await giveWay()
    let turn: Turn | undefined
    while (turn !== undefined || this.#waiting.length > 0) {
      turn ??= this.#emptied()
      const entering = this.#take(turn)
      const numbers = entering.filter(({ number, task }) => number === undefined && task.isUnnumbered)
      try {
        const reply = await this.#sync(turn, numbers.length)
        if (reply.how !== 'none') giveNumbers(numbers, reply)
        const again = turn !== undefined && reply.status === 'lost' ? this.#lose(turn) : []
        entering.unshift(...again)
        if (turn !== undefined && reply.status !== 'lost') this.#settle(turn)
        turn = undefined
        this.#isReset = false
        await this.#catchUp(reply)
        if (this.#isReset) this.#renumber(entering.splice(0, again.length))
        if (entering.length === 0) continue
        if (this.#version > 0 && !this.#of.find()) {
          // It was deleted in this process, and is about to be everywhere: they come before that, or after.
          this.#unlearn()
          this.#waiting.unshift(...entering)
          continue
        }
        // Others may delete what was just opened.
        for (let tries = 0; tries < mostAttempts && this.#version === 0; tries++) {
          if (!entering.some(({ task }) => task.opens())) break
          await this.#open(entering)
        }
        turn = await this.#judge(entering).catch((error: unknown) => {
          // What was done half-way would else be part of the next turn.
          this.#restore()
          throw error
        })
        if (turn.isEmpty) turn = this.#settle(turn)
        this.#snapshotIfDue()
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        if (turn) this.#undo(turn)
        for (const task of turn?.left ?? []) task.fail(failure)
        for (const { task } of [...(turn?.done ?? []), ...entering]) task.fail(failure)
        turn = undefined
      }
    }
  }

  /** Those that are done together next; what is done alone shares no turn with others. */
  #take(turn: Turn | undefined): Waiting[] {
    const [first] = this.#waiting
    if (first === undefined || turn?.isAlone) return []
    if (first.task.alone) return turn === undefined ? this.#waiting.splice(0, 1) : []
    const alone = this.#waiting.findIndex(({ task }) => task.alone)
    return this.#waiting.splice(0, Math.min(mostTogether, alone === -1 ? mostTogether : alone))
  }

  /** What was emptied in this process beside all tasks: numbers that are asked for next are those after it. */
  #emptied(): Turn | undefined {
    const workspace = this.#of.find()
    if (!workspace || !this.#settled || this.#version === 0) return undefined
    const flags = emptiedSince(this.#settled.emptied, emptiedOf(workspace))
    if (flags === '') return undefined
    const turn = new Turn()
    turn.flags = flags
    const direct = commitSince(this.#settled.mark, workspace, baseOf(workspace, this.#of.origin()))
    if (direct) turn.commit(direct)
    turn.hasDirect = direct !== undefined
    this.#judged = this.#here()
    return turn
  }

  /** Has calls of before a reset take numbers of after it: they are judged as if they had come later. */
  #renumber(again: readonly Waiting[]): void {
    for (const one of again) {
      one.number = undefined
      one.task.renumber()
    }
    this.#waiting.unshift(...again)
  }

  /** Takes a turn back that came too late. Gives those who are to be judged again. */
  #lose(turn: Turn): Waiting[] {
    this.#of.figures.retries += 1
    this.#undo(turn)
    const again: Waiting[] = []
    for (const one of turn.done) {
      one.attempts += 1
      if (one.attempts < mostAttempts) again.push(one)
      else {
        const message = `Other replicas wrote first ${mostAttempts} times in a row, so that nothing was changed: try again.`
        one.task.fail(new StoreAwayError(message))
      }
    }
    return again
  }

  /** One round trip; what may have been done is asked for again until it is known. */
  async #sync(turn: Turn | undefined, numbers: number): Promise<Synced> {
    const { engine, keys, journal, figures } = this.#of
    const { nonce = '', flags = '', commits = [], calls = [], hits = new Map() } = turn ?? {}
    const sync = {
      version: this.#version,
      nonce: this.#nonce,
      turn: nonce,
      numbers,
      flags,
      journal,
      mostGiven,
      commits,
      calls,
      hits,
    }
    const until = monotonicNow() + outcomeMs
    let again = false
    for (;;) {
      try {
        figures.roundTrips += 1
        return readSynced(await engine.run(syncTurn, keys, writeSync({ ...sync, again })))
      } catch (error) {
        if (!(error instanceof EngineAwayError)) throw error
        again ||= error.mayHaveRun
        // Of what only looked at the state there is no outcome to wait for.
        const isWriting = turn !== undefined && turn.commits.length + turn.flags.length > 0
        if (error instanceof ForeignKeyError) throw new ForeignError(error.message)
        if (!isWriting || monotonicNow() >= until || !(await engine.untilBack(until - monotonicNow()))) {
          throw new StoreAwayError(
            again && isWriting
              ? `${error.message} Whether this was done is not known: look before you try again.`
              : error.message,
          )
        }
        figures.retries += 1
      }
    }
  }

  /** Brings the workspace to where its log stands. */
  async #catchUp(first: Synced): Promise<void> {
    const { figures } = this.#of
    let reply = first
    figures.lagVersions = reply.how === 'none' ? 0 : Math.max(0, reply.head - this.#version)
    for (;;) {
      const known = this.#version
      if (reply.how === 'foreign') throw new ForeignError(foreignLog)
      if (reply.how === 'none') {
        if (known > 0) {
          figures.histories += 1
          this.#isReset = true
          this.#forget()
        }
        return
      }
      if (reply.how === 'tail' && reply.entries.length === 0) return
      this.#takeDirectBack()
      if (reply.how !== 'tail') {
        if (known > 0 && reply.how === 'reload') {
          figures.histories += 1
          this.#isReset = true
        }
        await this.#reload(reply.snapshot)
      }
      for (const entry of reply.entries) await this.#follow(entry)
      this.#settled = this.#here()
      if (this.#version >= reply.head) return
      reply = await this.#sync(undefined, 0)
    }
  }

  /** What was written in this process beside all tasks, and is not kept, fits no log that others have gone on with. */
  #takeDirectBack(): void {
    const workspace = this.#of.find()
    if (!workspace || !this.#settled || this.#version === 0) return
    if (!commitSince(this.#settled.mark, workspace, baseOf(workspace, this.#of.origin()))) return
    this.#loseDirect()
    workspace.resume(this.#settled.standing)
  }

  #loseDirect(): void {
    this.lastLoss = new NotSavedError(
      'Another replica wrote first, so what was written here was taken back: await saved() before you write, and write again.',
      'taken back',
    )
  }

  async #follow({ version, nonce, before, text }: Entry): Promise<void> {
    // The script gives nothing else: here it would be a mistake of ours.
    if (version !== this.#version + 1 || (this.#version > 0 && before !== this.#nonce)) {
      throw new Error(`the log goes on at ${version} after ${before}, and not after ${this.#version}`)
    }
    await this.#apply(text)
    this.#version = version
    this.#nonce = nonce
    this.#grow(text.length)
  }

  async #reload(snapshot: string): Promise<void> {
    this.#version = 0
    this.#nonce = ''
    this.#sinceSnapshot = { entries: 0, bytes: 0 }
    this.#snapshotBytes = snapshot.length
    if (snapshot === '') return
    const [version = '', nonce = ''] = snapshot.split(' ', 2)
    await this.#apply(snapshot.slice(version.length + nonce.length + 2))
    this.#version = Number(version)
    this.#nonce = nonce
  }

  #unlearn(): void {
    this.#version = 0
    this.#nonce = ''
    this.#settled = undefined
    this.#judged = undefined
    this.#sinceSnapshot = { entries: 0, bytes: 0 }
  }

  /** @throws {ForeignError} for what no replica of this baseline and format wrote. */
  async #apply(text: string): Promise<void> {
    const { origin, find, make, baseline } = this.#of
    let commit: Commit
    try {
      commit = commitOf(text)
    } catch {
      throw new ForeignError(foreignLog)
    }
    if (commit.born && commit.born.baseline !== baseline) throw new ForeignError(otherBaseline)
    if (commit.reset) this.#isReset = true
    await apply(commit, find() ?? make(), origin())
  }

  /** The workspace is gone: what this process has of it goes, too. */
  #forget(): void {
    this.#unlearn()
    this.#snapshotBytes = 0
    this.#of.drop()
  }

  /** Has the workspace come into being, unless another replica was faster. */
  async #open(entering: readonly Waiting[]): Promise<void> {
    const { find, make, register, origin, baseline } = this.#of
    await register()
    const workspace = find() ?? make()
    const base = baseOf(workspace, origin())
    const turn = new Turn()
    // What was written in this process before is part of it.
    turn.commit({
      ...commitSince({ ...markOf(workspace), state: base, snapshots: undefined }, workspace, base),
      at: workspace.clock.now(),
      born: birthText(workspace, origin().state, baseline),
      scenarios: scenariosText(workspace.scenarios.copy(), true),
    })
    const numbers = entering.filter(({ task, number }) => number === undefined && task.isUnnumbered)
    const reply = await this.#sync(turn, numbers.length)
    giveNumbers(numbers, reply)
    if (reply.status === 'kept') this.#advance(turn)
    await this.#catchUp(reply)
    this.#settled = this.#here()
  }

  /** Does what waits, in order, on the state as now. */
  async #judge(entering: readonly Waiting[]): Promise<Turn> {
    const turn = new Turn(entering.some(({ task }) => task.alone))
    const workspace = this.#version === 0 ? undefined : this.#of.find()
    const base = workspace && baseOf(workspace, this.#of.origin())
    let mark = this.#settled?.mark
    const commit = (): boolean => {
      const made = workspace && base && mark && commitSince(mark, workspace, base)
      if (!made) return false
      turn.commit(made)
      mark = markOf(workspace)
      return true
    }
    // Only what is done alone may wait: nothing else comes between two of a turn.
    turn.hasDirect = commit()
    for (const one of entering) {
      const { task, number } = one
      const judging = task.judge(workspace && { workspace, number })
      if (judging) await judging
      commit()
      const kept = task.done(this.#version + turn.commits.length)
      if (kept === 'left') turn.left.push(task)
      else {
        turn.keep(kept)
        turn.done.push(one)
      }
    }
    this.#judged = this.#here(turn.commits.length === 0 ? this.#settled : undefined)
    if (this.#settled && this.#judged) turn.flags = emptiedSince(this.#settled.emptied, this.#judged.emptied)
    return turn
  }

  #undo({ done, left, hasDirect }: Turn): void {
    const workspace = this.#of.find()
    const mark = this.#judged?.mark
    const direct = workspace && mark && commitSince(mark, workspace, baseOf(workspace, this.#of.origin()))
    if (hasDirect || direct) this.#loseDirect()
    this.#restore()
    for (const task of left) task.undone()
    for (const { task } of done) task.undone()
  }

  /** Puts the workspace back to where all of it was known to be kept. */
  #restore(): void {
    if (this.#settled) this.#of.find()?.resume(this.#settled.standing)
    this.#settled = this.#here()
  }

  /** What was done is kept: whoever waits is told. */
  #settle(turn: Turn): undefined {
    this.#advance(turn)
    this.#settled = this.#judged ?? this.#settled
    for (const { task } of turn.done) {
      try {
        task.kept()
      } catch (error) {
        // What was done is kept all the same, and so is what the others did.
        task.fail(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  #advance({ commits }: Turn): void {
    for (const { nonce, text } of commits) {
      this.#version += 1
      this.#nonce = nonce
      this.#grow(text.length)
    }
  }

  #grow(bytes: number): void {
    this.#sinceSnapshot.entries += 1
    this.#sinceSnapshot.bytes += bytes
  }

  /** @param same where it stands no elsewhere: a read would otherwise pay for two forks. */
  #here(same?: Settled): Settled | undefined {
    const workspace = this.#of.find()
    if (!workspace || this.#version === 0) return undefined
    const { mark, standing } = same ?? { mark: markOf(workspace), standing: workspace.standing() }
    return { mark, standing, emptied: emptiedOf(workspace) }
  }

  /**
   * A large snapshot waits until the log has grown by as much, so that what is written for a commit does not grow with
   * the rows: with 30,000 of them a commit would take almost three times as long.
   */
  get #isSnapshotDue(): boolean {
    const { entries, bytes } = this.#sinceSnapshot
    const every = this.#of.snapshotEvery
    if (this.#snapshotBytes > every.bytes) return bytes >= this.#snapshotBytes
    return entries >= every.entries || bytes >= every.bytes
  }

  /** Has a snapshot take the place of a long log; nobody waits for it. */
  #snapshotIfDue(): void {
    if (!this.#isSnapshotDue) return
    const settled = this.#settled
    const workspace = this.#of.find()
    // A turn that is not kept yet is not in the settled state, and the version is that of the settled state.
    if (!settled || !workspace) return
    this.#sinceSnapshot = { entries: 0, bytes: 0 }
    const { engine, keys, figures, origin, snapshotEvery, baseline } = this.#of
    const { standing } = settled
    const base = baseOf(workspace, origin())
    const put = [...standing.snapshots].map(([name, snapshot]) => [name, snapshotText(base, snapshot)])
    const body: SnapshotBody = {
      at: standing.clock.now(),
      born: birthText(workspace, origin().state, baseline),
      state: stateText(base, standing.state),
      replaced: true,
      clock: standing.clock.standing,
      scenarios: scenariosText(standing.scenarios, true),
      snapshots: { put: Object.fromEntries(put), gone: [] },
    }
    const from = Math.max(1, this.#version - snapshotEvery.kept)
    figures.roundTrips += 1
    const text = stringify(body)
    this.#snapshotBytes = text.length
    const args = [this.#version, this.#nonce, from, text]
    // One that is not made now is made after as many entries again.
    engine.run(keepSnapshot, keys, args).catch(() => undefined)
  }
}

function giveNumbers(unnumbered: readonly Waiting[], { number }: Synced): void {
  for (const [place, one] of unnumbered.entries()) one.number = number - unnumbered.length + place + 1
}

function emptiedOf({ resets, journal, coverage }: Workspace): Emptied {
  return [resets, journal.clears, coverage.clears]
}

/** What was emptied, as the script takes it: j journal, n request numbers, c coverage. */
function emptiedSince([resets, journal, coverage]: Emptied, now: Emptied): string {
  const isReset = now[0] !== resets
  return `${isReset || now[1] !== journal ? 'j' : ''}${isReset ? 'n' : ''}${now[2] === coverage ? '' : 'c'}`
}

/** What another replica of the same format wrote was checked there: see the digest of the baseline. */
function commitOf(text: string): Commit {
  return parseExact(text) as Commit
}
