// The workspaces of a sandbox that several processes serve. Each workspace has a replica log, which follows its log in
// the engine.
import type { Coverage } from '../../coverage/counting.ts'
import type { Call, InFlightCall } from '../../call/index.ts'
import { UnusableError } from '../../workspaces/closed.ts'
import { isCopy, mayBeOf } from '../../workspaces/isolation.ts'
import { ConflictError } from '../../input/refusals.ts'
import type { Keeper } from '../../workspaces/keeper.ts'
import { noteUse } from '../../workspaces/uses.ts'
import { defaultWorkspace, type Workspace } from '../../workspaces/workspace.ts'
import { TooManyWorkspacesError, type Workspaces } from '../../workspaces/workspaces.ts'
import { ReplicaLog } from './replica-log.ts'
import type { SnapshotEvery } from './log-snapshot.ts'
import { orAway, texts } from './replies.ts'
import { keysOf } from './declare-script.ts'
import { Deletions } from './deletions.ts'
import { EngineRequests } from './engine-requests.ts'
import { openName } from './sandbox-scripts.ts'
import { SharedRecords } from './shared-records.ts'
import { RedisEviction } from './redis-eviction.ts'
import type { Engine, EngineStatus, Reply } from './store-engine.ts'
import type { StoreFigures } from '../../metrics/store-figures.ts'
import type { Place, Storage, Task } from '../../workspaces/storage.ts'
import type { CallRecord } from './replica-context.ts'
import { DamagedError, ForeignError, type ReplicaTask } from './tasks.ts'
import { holdMs, type Ask } from './access-reports.ts'

/** What the workspaces of a shared store are made of. */
interface SharedParts {
  readonly engine: Engine
  readonly prefix: string
  readonly workspaces: Workspaces
  /** Beside `default`. */
  readonly maxWorkspaces: number
  /** For how long nobody used a workspace that is forgotten, in ms; undefined where none is. */
  readonly ttl: number | undefined
  /** Aborted when the sandbox closes: no call waits for room any longer. */
  readonly closing: AbortSignal
  readonly snapshotEvery: SnapshotEvery
  readonly journal: { readonly entries: number; readonly bytes: number }
  /** Which baseline all replicas have; puts it there again where the engine has lost it. */
  readonly baseline: { readonly id: string; put(): Promise<void> }
  /** What the calls of all workspaces exercised, those of gone ones too. */
  readonly total: Coverage
  recordOf(call: InFlightCall): CallRecord
  /** Reads a call of the journal of a workspace. */
  readCall(text: string, workspace: Workspace): Call
  /** Reports a workspace that cannot be used, a line each. */
  onProblem(line: string): void
}

/** An operation that runs alone in a workspace. */
type Operation<T> = (workspace: Workspace) => T | Promise<T>

/** Told where a workspace, or the store, was begun by a replica that was not started alike. */
const otherBaseline =
  'The store was begun anew with another baseline than this replica has: restart it, or give it another --store-prefix.'

const unrecorded = { wrote: undefined, call: undefined }

/** What takes no request number, and leaves nothing to keep or to take back beside the workspace itself. */
const uncounted = {
  isUnnumbered: false,
  run: () => undefined,
  done: () => unrecorded,
  renumber: () => undefined,
  rolledBack: () => undefined,
} satisfies Partial<ReplicaTask>

export class RedisStorage implements Storage {
  readonly isShared = true
  readonly #parts: SharedParts
  readonly #logs = new Map<string, ReplicaLog>()
  readonly figures: StoreFigures = { roundTrips: 0, retries: 0, lagVersions: 0, histories: 0 }
  /** Where workspaces that nobody uses are forgotten. */
  readonly eviction: RedisEviction | undefined
  readonly #requests: EngineRequests
  readonly #records: SharedRecords
  readonly #deletions: Deletions
  /** Why workspaces cannot be used, by name. */
  readonly #damage = new Map<string, string>()

  constructor(parts: SharedParts) {
    this.#parts = parts
    const { engine, prefix, workspaces, closing, ttl } = parts
    this.#requests = new EngineRequests(engine, prefix, this.figures)
    this.#records = new SharedRecords({ ...parts, requests: this.#requests })
    this.#deletions = new Deletions(this.#requests, (names) => this.follow(names))
    const evictionParts = {
      prefix,
      workspaces,
      closing,
      logs: this.#logs,
      ask: (...asked: Parameters<Ask>) => this.#requests.run(...asked),
      follow: (names: readonly string[]) => this.#followUsable(names),
      readNames: () => this.readNames(),
    }
    this.eviction = ttl === undefined ? undefined : new RedisEviction(evictionParts, ttl)
    for (const there of workspaces.list()) this.#adopt(there)
    workspaces.onMake = (made) => this.#adopt(made)
    workspaces.onDelete = (name) => this.#deletions.begin(name)
  }

  get status(): EngineStatus {
    return this.#parts.engine.status
  }

  /** The names of workspaces whose values in the store cannot be read, as far as this replica has met them. */
  get damaged(): readonly string[] {
    return [...this.#damage.keys()]
  }

  isDamaged(name: string): boolean {
    return this.#damage.has(name)
  }

  get isWell(): boolean {
    return this.status.status === 'ok'
  }

  /** Undefined: `run` and `enter` bring a workspace here. */
  open(): undefined {
    return undefined
  }

  hold(): void {
    return undefined
  }

  refresh(name: string): Promise<void> {
    return this.follow([name])
  }

  /** Reload is per process, so it is refused with a shared store. */
  async rebase(): Promise<never> {
    throw new ConflictError(
      'With a store that several replicas share there is no reload: start replicas with the new fixtures and another --store-prefix.',
    )
  }

  /** Why the state is not there yet, in a sentence; undefined once it is. */
  notCaughtUp: string | undefined = 'The state is not caught up with the store yet.'

  /** Brings `default` to where its log stands, which the first replica begins. */
  async begin(): Promise<void> {
    await this.run(defaultWorkspace, () => undefined)
    this.notCaughtUp = undefined
  }

  enter(task: Task): void {
    const { workspace: name } = task
    const refreshing = this.refreshOriginal(name)
    if (!refreshing) return this.#enter(name, task)
    refreshing.then(
      () => this.#enter(name, task),
      (error: Error) => task.fail(error),
    )
  }

  #enter(name: string, task: ReplicaTask): void {
    this.#log(name).enter(task)
  }

  /** The version at which a workspace is known here. */
  versionOf(name: string): number {
    return this.#logs.get(name)?.version ?? 0
  }

  /**
   * Does something alone in a workspace, which comes into being for it, unless partners are kept apart: then it does
   * only where somebody makes it, as nobody would know its keys. What it changes is kept when this resolves. It is done
   * again when others wrote first.
   * @throws what the operation throws; then nothing is kept. @throws {StorageUnavailableError} @throws {NotFoundError}
   */
  async run<T>(name: string, operation: Operation<T>): Promise<{ result: T; version: number }> {
    return this.#runAlone(name, operation, false)
  }

  /** @param isCreating whether the workspace is created, also where a request may not do so. */
  async #runAlone<T>(
    name: string,
    operation: Operation<T>,
    isCreating: boolean,
  ): Promise<{ result: T; version: number }> {
    const { workspaces } = this.#parts
    const creates = isCreating || workspaces.policy.createsOnFirstUse || name === defaultWorkspace
    return new Promise((resolve, reject) => {
      let outcome: { result: T } | { error: unknown } = { error: undefined }
      let version = 0
      const task: ReplicaTask = {
        ...uncounted,
        alone: true,
        creates: () => creates,
        async run(place: Place | undefined) {
          try {
            if (!place) throw creates ? new Error('a workspace was not opened') : workspaces.notThere(name)
            outcome = { result: await operation(place.workspace) }
          } catch (error) {
            outcome = { error }
          }
        },
        done(at) {
          version = at ?? 0
          return unrecorded
        },
        persisted() {
          if ('result' in outcome) resolve({ result: outcome.result, version })
          else reject(outcome.error)
        },
        fail: reject,
      }
      this.#enter(name, task)
    })
  }

  /** Brings workspaces to where their logs stand, and what they are copies of, which decides who opens them; makes none. */
  async follow(names: readonly string[]): Promise<void> {
    await this.#follow(names)
    const { workspaces } = this.#parts
    const originals = names.flatMap((name) => workspaces.find(name)?.isolation?.of ?? [])
    const others = new Set(originals.filter((of) => !names.includes(of)))
    if (others.size > 0) await this.#follow([...others])
  }

  /** As `follow`, for what decides who opens a workspace; undefined where that is the workspace alone. */
  refreshOriginal(name: string): Promise<void> | undefined {
    const { workspaces } = this.#parts
    if (!workspaces.policy.copiesBelongToOriginal || name === defaultWorkspace) return undefined
    const known = workspaces.find(name)
    if (!known) return this.follow([name])
    const { of = name } = known.isolation ?? {}
    return of === name ? undefined : this.#follow([of])
  }

  async #follow(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map(
        (name) =>
          new Promise<void>((resolve, reject) => {
            this.#enter(name, {
              ...uncounted,
              creates: () => false,
              persisted: resolve,
              fail: reject,
            })
          }),
      ),
    )
  }

  /** As `follow`. A workspace whose values are damaged does not keep the others from being followed. */
  async #followUsable(names: readonly string[]): Promise<void> {
    const outcomes = await Promise.allSettled(names.map((name) => this.follow([name])))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected' && !(outcome.reason instanceof DamagedError)) throw outcome.reason
    }
  }

  #setDamage(name: string, reason: string | undefined): void {
    if (reason === undefined) this.#damage.delete(name)
    else if (this.#damage.get(name) !== reason) {
      this.#damage.set(name, reason)
      this.#parts.onProblem(new UnusableError(name, reason).message)
    }
  }

  /** The names of all workspaces that there are, which are then taken here, too. */
  async readNames(): Promise<string[]> {
    const [, list = ''] = this.#requests.sandboxKeys
    const names = [defaultWorkspace, ...texts(await this.#requests.command(list, 'ZRANGE', 0, -1))]
    for (const name of this.#damage.keys()) if (!names.includes(name)) this.#damage.delete(name)
    this.#parts.workspaces.know(names)
    return names
  }

  /**
   * Learns the names of all, and brings the workspace of one to where it stands. A name without a workspace is free: that of
   * one which did not come into being, or not go, to the end.
   */
  async refreshNames(name?: string): Promise<void> {
    const names = await this.readNames()
    if (name === undefined) return
    await this.follow([name])
    const { workspaces } = this.#parts
    if (!names.includes(name) || workspaces.find(name)) return
    workspaces.know(names.filter((other) => other !== name))
    await this.#deletions.removeName(name, holdMs)
  }

  /** Brings all workspaces that there are to where they stand. Gives their names. */
  async refreshAll(): Promise<string[]> {
    const names = await this.readNames()
    // Those that are gone, too: they go here then.
    await this.#followUsable([...new Set([...names, ...this.#logs.keys()])])
    return names
  }

  /** Brings a workspace and its copies to where they stand, where partners are kept apart. */
  async refreshCopies(of: string): Promise<void> {
    const names = await this.readNames()
    await this.#followUsable(names.filter((name) => mayBeOf(of, name)))
  }

  /** Has a workspace that was made in this process come into being for all; false when another replica was faster. */
  async created(made: Workspace): Promise<boolean> {
    const { name, own } = made
    const { workspaces } = this.#parts
    // Its name may be that of one that was just deleted here.
    await this.#deletions.settled(name)
    try {
      const { result } = await this.#runAlone(name, (found) => found === made && found.own === own, true)
      return result
    } catch (error) {
      // It came into being nowhere.
      if (workspaces.find(name) === made && this.versionOf(name) === 0) workspaces.drop(name)
      throw error
    }
  }

  /** @throws {StorageUnavailableError} */
  dropped(of?: string): Promise<void> {
    return this.#deletions.done(of)
  }

  readJournal(workspace: Workspace): Promise<void> {
    return this.#records.readJournal(workspace)
  }

  async readCoverage(name?: string): Promise<void> {
    if (name === undefined) await this.#records.readTotal(await this.refreshAll())
    else await this.#records.readCoverage([name])
  }

  async clearCoverage(): Promise<void> {
    await this.refreshAll()
    await this.#records.clearCoverageOfDeleted()
  }

  /** Waits until nothing is being done, and says that nothing is open here any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.idle()))
    await this.eviction?.reportAccess()
    this.#parts.engine.onStatus = undefined
    await this.#parts.engine.close()
  }

  #log(name: string): ReplicaLog {
    const existing = this.#logs.get(name)
    if (existing) return existing
    const { engine, prefix, workspaces, journal, snapshotEvery, baseline, recordOf } = this.#parts
    const log: ReplicaLog = new ReplicaLog({
      engine,
      keys: keysOf(prefix, name),
      journal,
      snapshotEvery,
      baseline: baseline.id,
      figures: this.figures,
      recordOf,
      reportAccessEvery: this.eviction?.reportEvery,
      origin: () => workspaces.beginning,
      find: () => workspaces.find(name),
      make: () => workspaces.take(name),
      drop: () => workspaces.drop(name),
      setDamage: (reason) => this.#setDamage(name, reason),
      foreignBaseline: () => this.#foreignBaseline(),
      register: () => this.#register(name),
      ended: () => {
        if (log.isIdle && this.#logs.get(name) === log) this.#logs.delete(name)
      },
    })
    this.#logs.set(name, log)
    return log
  }

  /** `saved()` of a workspace brings what was written here to all, and what others wrote here. */
  #adopt(workspace: Workspace): void {
    const { name } = workspace
    const { workspaces } = this.#parts
    const lastLoss = (): Keeper['lastLoss'] => this.#logs.get(name)?.lastLoss
    const keeper: Keeper = {
      requireWritable: () => undefined,
      committed: () => undefined,
      replaced: () => undefined,
      saved: async () => {
        // What was deleted does not come into being again.
        if (workspaces.find(name) === workspace) await this.run(name, () => this.readJournal(workspace))
        await this.dropped()
      },
      get lastLoss() {
        return lastLoss()
      },
    }
    workspace.keeper = keeper
  }

  async #register(name: string): Promise<void> {
    const { baseline, maxWorkspaces, workspaces } = this.#parts
    const made = workspaces.find(name)
    const args = [name, maxWorkspaces, baseline.id, made && isCopy(made) ? 'copy' : '']
    const open = (): Promise<Reply> => this.#requests.run(openName, this.#requests.sandboxKeys, args)
    let answer = await open()
    if (answer === 'no baseline') {
      await orAway(baseline.put())
      answer = await open()
    }
    if (answer === 'full' && maxWorkspaces > 0 && this.eviction)
      answer = await this.eviction.evictAndOpen(open)
    if (answer === 'full') throw new TooManyWorkspacesError()
    if (answer !== 'open') throw this.#foreignBaseline()
    // It may have waited for room, and is not to go for another before anybody could use it.
    if (made) noteUse(made)
  }

  /** Balancers send their calls elsewhere from now on. */
  #foreignBaseline(): ForeignError {
    this.notCaughtUp = otherBaseline
    return new ForeignError(otherBaseline)
  }
}
