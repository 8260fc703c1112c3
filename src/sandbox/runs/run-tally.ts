// Adds up the calls of a run: those of its own sandbox, and those that other sandboxes reported.
import { unfired, type RuleRecord, type UnfiredRule } from '../../explain/sandbox-findings.ts'
import type { ReceiverPointId } from '../../events/receiver-points.ts'
import { UnmatchedCalls } from '../../explain/unmatched-calls.ts'
import { KnownSecrets } from '../../secrets/known-secrets.ts'
import type { TimelineEntry } from '../../workspaces/timeline.ts'
import type { CallRecord } from './call-record.ts'
import type { JoinedSandbox, ReportLine } from './run-folder.ts'
import { testKey, type TestResult } from '../../call/test-result.ts'
import type { TestName } from '../../call/test-of-call.ts'

/** Calls that were refused for the same reason, without a scenario that requested it. */
export interface Refusal {
  /** The number of these calls. */
  count: number
  method: string
  /** The path of the first call. */
  path: string
  operation: string | null
  status: number | null
  /** The reason of the first refusal. */
  why: string
}

/** A call of the run's journal. */
export interface RunEntry extends NonNullable<CallRecord['journal']> {
  /** The sandbox that answered the call; empty for the run's own. */
  source: string
  /** The order in which one sandbox reported its calls and actions. */
  sequence: number
}

/** An action of the run's timeline. */
export interface RunAction {
  workspace: string
  entry: TimelineEntry
  /** The sandbox that reports it; empty for the run's own. */
  source: string
  /** The order in which one sandbox reported its calls and actions. */
  sequence: number
}

/** The basis of the calls of one test. */
export interface TestCalls {
  test: TestName
  /** The assumptions that an answer named. */
  assumptions: Set<string>
  /** The operations that it called. */
  operations: Set<string>
}

/** The maximum number of calls and of actions: more than anyone reads, and they fit into memory. */
const maxEntries = 10_000

/** The maximum number of different refusals: more than anyone reads. */
const maxRefusals = 1_000

export class RunTally {
  /** The number of calls over HTTP. `inProcess` counts the calls in the processes of the command. */
  http = 0
  inProcess = 0
  /** The number of calls that exercised each contract point, by its id. */
  readonly hits = new Map<string, number>()
  /** How many attempts to deliver events covered each point of a receiver. */
  readonly receiver = new Map<ReceiverPointId, number>()
  /** The assumptions that an answer named. */
  readonly namedAssumptions = new Set<string>()
  /** The operations that were called. */
  readonly operations = new Set<string>()
  readonly unmatched = new UnmatchedCalls(new KnownSecrets(), '')
  /** Whether money was simulated. A simulation earns rewards by an assumption that no answer may name. */
  simulated = false
  /** The results of the tests, by `testKey`. For a test that was retried, it is the last result. */
  readonly tests = new Map<string, TestResult>()
  /** The calls of each test, by `testKey`. */
  readonly callsOfTests = new Map<string, TestCalls>()
  /** The trace files of failed tests. */
  readonly traces: string[] = []
  #actions: RunAction[] = []
  /** The verbs that started sandboxes outside of the run. */
  readonly others = new Set<string>()
  /** The sandboxes that joined, by their source. */
  readonly sandboxes = new Map<string, JoinedSandbox>()
  #sequence = 0
  #entries: RunEntry[] = []
  readonly #rules = new Map<string, Map<string, RuleRecord>>()
  readonly #refusals = new Map<string, Refusal>()

  /** The number of sandboxes that joined. */
  get joined(): number {
    return this.sandboxes.size
  }

  get calls(): number {
    return this.http + this.inProcess
  }

  /** @param source the sandbox that answered the call; empty for the run's own. */
  add({ over_http, points, refused_because, unmatched, journal, ...call }: CallRecord, source = ''): void {
    if (over_http) this.http += 1
    else this.inProcess += 1
    for (const point of points) this.hits.set(point, (this.hits.get(point) ?? 0) + 1)
    for (const id of call.assumptions) this.namedAssumptions.add(id)
    if (call.operation !== null) this.operations.add(call.operation)
    if (call.test) this.#addTestCall(call.test, call)
    if (unmatched) this.unmatched.count(unmatched)
    else if (refused_because !== undefined) this.#addRefusal(call, refused_because)
    if (journal) this.#addEntry({ ...journal, source, sequence: (this.#sequence += 1) })
  }

  /** Replaces the counts of the rules of a sandbox, which are totals. @param source the sandbox that reports them. */
  addRules(source: string, records: readonly RuleRecord[]): void {
    for (const record of records) {
      const key = `${record.scenario} ${record.id}`
      const bySource = this.#rules.get(key) ?? new Map<string, RuleRecord>()
      this.#rules.set(key, bySource.set(source, record))
    }
  }

  addReceiver(points: readonly ReceiverPointId[]): void {
    for (const id of points) this.receiver.set(id, (this.receiver.get(id) ?? 0) + 1)
  }

  /** @param source identifies the report. */
  addReported(source: string, line: ReportLine): void {
    if ('call' in line) this.add(line.call, source)
    else if ('rules' in line) this.addRules(source, line.rules)
    else if ('receiver' in line) this.addReceiver(line.receiver)
    else if ('action' in line) this.addAction(line.action.workspace, line.action.entry, source)
    else if ('test' in line) this.tests.set(testKey(line.test), line.test)
    else if ('trace' in line) this.traces.push(line.trace)
    else if ('other' in line) this.others.add(line.other)
    else this.sandboxes.set(source, line.joined)
  }

  /** @param source the sandbox that reports it; empty for the run's own. */
  addAction(workspace: string, entry: TimelineEntry, source = ''): void {
    if (entry.kind === 'simulation') this.simulated = true
    if (this.#actions.push({ workspace, entry, source, sequence: (this.#sequence += 1) }) >= 2 * maxEntries)
      this.#actions = this.#actions.slice(-maxEntries)
  }

  /** The newest 10,000 actions on workspaces by other means than the API, oldest first. */
  get actions(): readonly RunAction[] {
    return this.#actions.slice(-maxEntries)
  }

  /** The rules that acted on a call in none of the sandboxes. */
  unfiredRules(): UnfiredRule[] {
    return unfired([...this.#rules.values()].flatMap((bySource) => summed([...bySource.values()])))
  }

  /** Returns the refusals, the most frequent first. */
  refusals(): Refusal[] {
    return [...this.#refusals.values()].toSorted((a, b) => b.count - a.count)
  }

  /**
   * Returns the newest calls, newest first by the clocks of their sandboxes, and the number of calls that are omitted.
   */
  journal(): { entries: readonly RunEntry[]; dropped: number } {
    this.#cut()
    return { entries: this.#entries, dropped: this.calls - this.#entries.length }
  }

  #addTestCall(
    test: TestName,
    { assumptions, operation }: Pick<CallRecord, 'assumptions' | 'operation'>,
  ): void {
    const key = testKey(test)
    const calls = this.callsOfTests.get(key) ?? { test, assumptions: new Set(), operations: new Set() }
    this.callsOfTests.set(key, calls)
    for (const id of assumptions) calls.assumptions.add(id)
    if (operation !== null) calls.operations.add(operation)
  }

  #addRefusal({ method, path, operation, status }: Omit<Refusal, 'count' | 'why'>, why: string): void {
    // Refusals that differ only in numbers and quoted names, such as ids, are the same refusal.
    const key = JSON.stringify([operation ?? `${method} ${path}`, status, why.replaceAll(/'[^']*'|\d+/g, '')])
    const same = this.#refusals.get(key)
    if (same) same.count += 1
    else if (this.#refusals.size < maxRefusals) {
      this.#refusals.set(key, { count: 1, method, path, operation, status, why })
    }
  }

  #addEntry(entry: RunEntry): void {
    // Sort rarely, as sorting takes long.
    if (this.#entries.push(entry) >= 2 * maxEntries) this.#cut()
  }

  #cut(): void {
    const newestFirst = this.#entries.toSorted(
      (a, b) => Date.parse(b.entry.at) - Date.parse(a.entry.at) || b.sequence - a.sequence,
    )
    this.#entries = newestFirst.slice(0, maxEntries)
  }
}

function summed(records: readonly RuleRecord[]): RuleRecord[] {
  const [first] = records
  if (!first) return []
  const sum = (of: 'asked' | 'calls' | 'hits'): number =>
    records.reduce((total, record) => total + record[of], 0)
  return [{ ...first, asked: sum('asked'), calls: sum('calls'), hits: sum('hits') }]
}
