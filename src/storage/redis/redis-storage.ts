// The storage driver for a shared store: several processes serve the workspaces. Each workspace has a replica log,
// which follows its log in the engine.
import type { Coverage } from '../../coverage/counting.ts'
import type { Call, InFlightCall } from '../../call/index.ts'
import { UnusableError } from '../../workspaces/closed.ts'
import { isCopy, mayBeOf } from '../../workspaces/isolation.ts'
import { ConflictError } from '../../input/refusals.ts'
import type { Saver } from '../../workspaces/saver.ts'
import { touch } from '../../workspaces/open-uses.ts'
import { defaultWorkspace, type Workspace } from '../../workspaces/workspace.ts'
import { TooManyWorkspacesError, type Workspaces } from '../../workspaces/workspaces.ts'
import { ReplicaLog } from './replica-log.ts'
import type { SnapshotEvery } from './log-snapshot.ts'
import { orUnavailable, texts } from './replies.ts'
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
import { leaseMs, type RunScript } from './access-reports.ts'

/** The options for the workspaces of a shared store. */
interface SharedParts {
  readonly engine: Engine
  readonly prefix: string
  readonly workspaces: Workspaces
  /** Maximum number of workspaces in addition to `default` and to copies of partners' workspaces. */
  readonly maxWorkspaces: number
  /** The idle timeout of workspaces in ms; undefined for none. */
  readonly ttl: number | undefined
  /** Aborted when the sandbox closes: no call waits for room any longer. */
  readonly closing: AbortSignal
  readonly snapshotEvery: SnapshotEvery
  readonly journal: { readonly entries: number; readonly bytes: number }
  /** The baseline of all replicas; restores it if the engine has lost it. */
  readonly baseline: { readonly id: string; put(): Promise<void> }
  /** The coverage of the calls in all workspaces, including deleted ones. */
  readonly total: Coverage
  recordOf(call: InFlightCall): CallRecord
  /** Reads a call of the journal of a workspace. */
  readCall(text: string, workspace: Workspace): Call
  /** Called with each workspace that cannot be used, one line each. */
  onProblem(line: string): void
}

/** An operation that runs exclusively in a workspace. */
type Operation<T> = (workspace: Workspace) => T | Promise<T>

/** Called if a workspace or the store was reset by a replica with other options. */
const otherBaseline =
  'The store was reset with another baseline than that of this replica: restart it, or give it another --store-prefix.'

const unrecorded = { wrote: undefined, call: undefined }

/** Operations that need no request number, and have nothing to persist or roll back except the workspace itself. */
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
  /** Evicts idle workspaces, with an idle timeout. */
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
      ask: (...args: Parameters<RunScript>) => this.#requests.run(...args),
      follow: (names: readonly string[]) => this.#followUsable(names),
      readNames: () => this.readNames(),
    }
    this.eviction = ttl === undefined ? undefined : new RedisEviction(evictionParts, ttl)
    for (const there of workspaces.list()) this.#adopt(there)
    workspaces.onCreate = (made) => this.#adopt(made)
    workspaces.onDelete = (name) => this.#deletions.begin(name)
  }

  get status(): EngineStatus {
    return this.#parts.engine.status
  }

  /** Names of workspaces whose values in the store are damaged, as far as this replica knows. */
  get damaged(): readonly string[] {
    return [...this.#damage.keys()]
  }

  isDamaged(name: string): boolean {
    return this.#damage.has(name)
  }

  get isWell(): boolean {
    return this.status.status === 'ok'
  }

  /** Undefined: `run` and `enter` load a workspace. */
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

  /** Why the state is not loaded yet, in a sentence; undefined once it is. */
  notCaughtUp: string | undefined = 'The state has not caught up with the store yet.'

  /** Catches `default` up with its log, which the first replica creates. */
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

  /** The version of a workspace in this process. */
  versionOf(name: string): number {
    return this.#logs.get(name)?.version ?? 0
  }

  /**
   * Runs an operation exclusively in a workspace, and creates the workspace for it. With partner isolation it creates
   * none, as no client would know its keys. The changes are persisted when this resolves. The operation is re-run if
   * another replica wrote first.
   * @throws the error of the operation; then nothing is persisted. @throws {StorageUnavailableError} @throws
   * {NotFoundError}
   */
  async run<T>(name: string, operation: Operation<T>): Promise<{ result: T; version: number }> {
    return this.#runAlone(name, operation, false)
  }

  /** @param isCreating whether to create the workspace, even if a request may not. */
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

  /**
   * Catches workspaces up with their logs, and the workspaces of which they are copies, which decide who may open them.
   * Creates none.
   */
  async follow(names: readonly string[]): Promise<void> {
    await this.#follow(names)
    const { workspaces } = this.#parts
    const originals = names.flatMap((name) => workspaces.find(name)?.isolation?.of ?? [])
    const others = new Set(originals.filter((of) => !names.includes(of)))
    if (others.size > 0) await this.#follow([...others])
  }

  /**
   * Like `follow`, for the workspaces that decide who may open a workspace; undefined if only the workspace itself
   * does.
   */
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

  /** Like `follow`. A damaged workspace does not prevent the others from being followed. */
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

  /** Returns the names of all workspaces, and reserves them here. */
  async readNames(): Promise<string[]> {
    const [, list = ''] = this.#requests.sandboxKeys
    const names = [defaultWorkspace, ...texts(await this.#requests.command(list, 'ZRANGE', 0, -1))]
    for (const name of this.#damage.keys()) if (!names.includes(name)) this.#damage.delete(name)
    this.#parts.workspaces.setTakenNames(names)
    return names
  }

  /**
   * Reads the names of all workspaces, and catches one of them up. A name without a workspace is free: its creation or
   * deletion was interrupted.
   */
  async refreshNames(name?: string): Promise<void> {
    const names = await this.readNames()
    if (name === undefined) return
    await this.follow([name])
    const { workspaces } = this.#parts
    if (!names.includes(name) || workspaces.find(name)) return
    workspaces.setTakenNames(names.filter((other) => other !== name))
    await this.#deletions.removeName(name, leaseMs)
  }

  /** Catches all workspaces up. Returns their names. */
  async refreshAll(): Promise<string[]> {
    const names = await this.readNames()
    // Including deleted ones, which are then dropped here.
    await this.#followUsable([...new Set([...names, ...this.#logs.keys()])])
    return names
  }

  /** Catches a workspace and its copies up, with partner isolation. */
  async refreshCopies(of: string): Promise<void> {
    const names = await this.readNames()
    await this.#followUsable(names.filter((name) => mayBeOf(of, name)))
  }

  /** Creates a workspace of this process for all replicas; false if another replica was faster. */
  async created(made: Workspace): Promise<boolean> {
    const { name, own } = made
    const { workspaces } = this.#parts
    // A workspace of this name may just have been deleted here.
    await this.#deletions.settled(name)
    try {
      const { result } = await this.#runAlone(name, (found) => found === made && found.own === own, true)
      return result
    } catch (error) {
      // It was not created anywhere.
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

  /** Waits until no task runs, and reports that nothing is open here any more. */
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
      create: () => workspaces.take(name),
      drop: () => workspaces.drop(name),
      setDamage: (reason) => this.#setDamage(name, reason),
      foreignBaseline: () => this.#foreignBaseline(),
      register: () => this.#register(name),
      onIdle: () => {
        if (log.isIdle && this.#logs.get(name) === log) this.#logs.delete(name)
      },
    })
    this.#logs.set(name, log)
    return log
  }

  /** `saved()` of a workspace persists direct writes for all replicas, and loads the writes of others. */
  #adopt(workspace: Workspace): void {
    const { name } = workspace
    const { workspaces } = this.#parts
    const lastLoss = (): Saver['lastLoss'] => this.#logs.get(name)?.lastLoss
    const saver: Saver = {
      requireWritable: () => undefined,
      committed: () => undefined,
      replaced: () => undefined,
      saved: async () => {
        // A deleted workspace must not be created again.
        if (workspaces.find(name) === workspace) await this.run(name, () => this.readJournal(workspace))
        await this.dropped()
      },
      get lastLoss() {
        return lastLoss()
      },
    }
    workspace.saver = saver
  }

  async #register(name: string): Promise<void> {
    const { baseline, maxWorkspaces, workspaces } = this.#parts
    const made = workspaces.find(name)
    const args = [name, maxWorkspaces, baseline.id, made && isCopy(made) ? 'copy' : '']
    const open = (): Promise<Reply> => this.#requests.run(openName, this.#requests.sandboxKeys, args)
    let answer = await open()
    if (answer === 'no baseline') {
      await orUnavailable(baseline.put())
      answer = await open()
    }
    if (answer === 'full' && maxWorkspaces > 0 && this.eviction)
      answer = await this.eviction.evictAndOpen(open)
    if (answer === 'full') throw new TooManyWorkspacesError()
    if (answer !== 'open') throw this.#foreignBaseline()
    // It may have waited for room, and must not be evicted before its first use.
    if (made) touch(made)
  }

  /** Load balancers stop routing calls here. */
  #foreignBaseline(): ForeignError {
    this.notCaughtUp = otherBaseline
    return new ForeignError(otherBaseline)
  }
}
