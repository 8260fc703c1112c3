/**
 * The checker of linearizability. Versions give the order: each version is made by one call, calls that were answered
 * from it come after that one, and what one machine answers to the calls in this order is what the clients saw.
 */
import type { Cut, History, Model, Operation } from './history.ts'

/** Why no order explains what the clients saw, where the checker came furthest. */
export interface Violation {
  /** Which of the logs, from 0 on; see `Cut`. */
  readonly log: number
  readonly version: number
  /** A sentence for each call that could have stood there. */
  readonly why: readonly string[]
  /** The calls around it. */
  readonly piece: readonly string[]
}

export interface Verdict {
  readonly violation: Violation | undefined
  /** How many logs there were. */
  readonly histories: number
  /** Acknowledged writes that the next log does not have. */
  readonly lost: number
  /** Calls of unknown outcome that were carried out. */
  readonly carriedOut: number
  /** False where the search was given up: then there is a violation that may be none. */
  readonly decided: boolean
}

/** Places tried in vain, after which a search is given up; a history without calls of unknown outcome needs few. */
const maxSteps = 1_000

/** Of so many calls that were under way at a cut each is tried on both sides of it, and of more on the first one. */
const maxFree = 6

/** The state after a version, and all that led to it. */
interface Node<R, S> {
  readonly version: number
  readonly state: S
  /** When the last of all calls began that stand here or before. */
  readonly latestStart: number
  readonly writer: Operation<R> | undefined
  readonly before: Node<R, S> | undefined
}

/** The decisions of the search so far, in addition to the order. */
interface Chosen<R> {
  /** Calls that made a version without being seen to, and which. */
  readonly taken: ReadonlyMap<Operation<R>, number>
  /** Calls at a cut that have found their place, as each must. */
  readonly placed: ReadonlySet<Operation<R>>
  readonly lost: number
}

export async function checkHistory<R, S>(model: Model<R, S>, history: History<R>): Promise<Verdict> {
  return new Search(model, history).run()
}

class Search<R, S> {
  readonly #model: Model<R, S>
  readonly #cuts: readonly Cut[]
  readonly #operations: readonly Operation<R>[]
  readonly #unknown: readonly Operation<R>[]
  /** Answered calls by log and version. */
  readonly #fixed: Map<number, Operation<R>[]>[]
  /** Answered calls that were under way at a cut, and may belong to either side of it. */
  readonly #loose: readonly Operation<R>[]
  #steps = 0
  #furthest: Violation = { log: 0, version: -1, why: [], piece: [] }

  constructor(model: Model<R, S>, { operations, cuts }: History<R>) {
    this.#model = model
    this.#cuts = cuts
    this.#operations = operations
    this.#fixed = Array.from({ length: cuts.length + 1 }, () => new Map<number, Operation<R>[]>())
    this.#unknown = operations.filter(({ answer }) => answer === undefined)
    const loose: Operation<R>[] = []
    for (const operation of operations.toSorted((a, b) => a.started - b.started)) {
      if (operation.version === undefined || operation.answer === undefined) continue
      const [first, last] = this.#logsOf(operation)
      if (first !== last) {
        loose.push(operation)
        continue
      }
      const versions = this.#fixed[first]
      versions?.set(operation.version, [...(versions.get(operation.version) ?? []), operation])
    }
    this.#loose = loose
  }

  async run(): Promise<Verdict> {
    const unversioned = this.#operations.find(
      ({ answer, version }) => answer !== undefined && version === undefined,
    )
    const begun = { taken: new Map(), placed: new Set<Operation<R>>(), lost: 0 } satisfies Chosen<R>
    let found: Chosen<R> | undefined
    if (unversioned) {
      this.#note(0, 0, [`${this.#show(unversioned)} has no version`])
    } else {
      const root: Node<R, S> = {
        version: 0,
        state: this.#model.beginning,
        latestStart: -Infinity,
        writer: undefined,
        before: undefined,
      }
      found = await this.#read(0, root, begun)
    }
    return {
      violation: found ? undefined : this.#furthest,
      histories: this.#cuts.length + 1,
      lost: found?.lost ?? 0,
      carriedOut: found ? [...found.taken.keys()].filter(({ answer }) => answer === undefined).length : 0,
      decided: this.#steps <= maxSteps,
    }
  }

  /** The first and last log that a call may belong to. */
  #logsOf({ started, ended }: Operation<R>): [first: number, last: number] {
    return [
      this.#cuts.filter(({ to }) => to <= started).length,
      this.#cuts.filter(({ from }) => from < ended).length,
    ]
  }

  /** The last version that a log must reach for all that is known to be in it. */
  #lastOf(log: number): number {
    return Math.max(this.#cuts[log]?.head ?? 0, ...(this.#fixed[log]?.keys() ?? []))
  }

  /** From a version of a log on to the end of the last log. */
  async #continue(log: number, node: Node<R, S>, chosen: Chosen<R>): Promise<Chosen<R> | undefined> {
    if (this.#steps > maxSteps || this.#hasPassed(log, node, chosen)) return undefined
    if (node.version >= this.#lastOf(log)) {
      const found = await this.#nextLog(log, node, chosen)
      if (found) return found
      const isMore = this.#loose.some(
        (one) => !chosen.placed.has(one) && this.#isIn(log, one) && (one.version ?? 0) > node.version,
      )
      if (!isMore) return undefined
    }
    const version = node.version + 1
    const why: string[] = []
    if (version <= this.#model.firstVersion) {
      return this.#read(log, { ...node, version, before: node }, chosen, why)
    }
    for (const [writer, isAnswered] of this.#writers(log, version, chosen)) {
      const written = await this.#write(node, writer, isAnswered)
      if (typeof written === 'string') {
        why.push(written)
        if (++this.#steps > maxSteps) break
        continue
      }
      const placed =
        isAnswered && this.#loose.includes(writer) ? new Set(chosen.placed).add(writer) : chosen.placed
      const taken = isAnswered ? chosen.taken : new Map(chosen.taken).set(writer, version)
      const found = await this.#read(log, written, { ...chosen, placed, taken }, why)
      if (found) return found
      if (this.#steps > maxSteps) return undefined
    }
    if (why.length === 0) why.push(`no call made version ${version}`)
    this.#note(log, version, why)
    return undefined
  }

  /** Whether a call has been left out that can stand nowhere any more: found at once, and not at the end of the log. */
  #hasPassed(log: number, node: Node<R, S>, { placed }: Chosen<R>): boolean {
    return this.#loose.some(
      (one) => !placed.has(one) && (one.version ?? 0) < node.version && this.#logsOf(one)[1] <= log,
    )
  }

  /** To the next log, or to the end. */
  async #nextLog(log: number, node: Node<R, S>, chosen: Chosen<R>): Promise<Chosen<R> | undefined> {
    const left = this.#loose.filter((one) => !chosen.placed.has(one) && this.#logsOf(one)[1] <= log)
    if (left.length > 0) {
      const why = left.map((one) => `${this.#show(one)} has no place on either side of a cut`)
      this.#note(log, node.version, why)
      return undefined
    }
    const cut = this.#cuts[log]
    if (!cut) return chosen
    let shared: Node<R, S> | undefined = node
    let lost = chosen.lost
    while (shared && shared.version > cut.head) {
      if (shared.writer?.answer !== undefined && !chosen.taken.has(shared.writer)) lost += 1
      shared = shared.before
    }
    if (!shared) return undefined
    // Calls that only the lost part had executed may be executed in the next log, too.
    const taken = new Map([...chosen.taken].filter(([, version]) => version <= cut.head))
    const early = [...(this.#fixed[log + 1] ?? [])].find(([version]) => version < cut.head)
    if (early) {
      this.#note(
        log + 1,
        early[0],
        early[1].map((one) => `${this.#show(one)} is from before its log began`),
      )
      return undefined
    }
    return this.#read(log + 1, shared, { ...chosen, taken, lost })
  }

  #isIn(log: number, operation: Operation<R>): boolean {
    const [first, last] = this.#logsOf(operation)
    return first <= log && log <= last
  }

  /** Who may have made a version, the likeliest first, and whether it was answered from it. */
  *#writers(log: number, version: number, { taken, placed }: Chosen<R>): Generator<[Operation<R>, boolean]> {
    const { mayWrite } = this.#model
    const loose = this.#loose.filter((one) => !placed.has(one) && !taken.has(one) && this.#isIn(log, one))
    const answered = [
      ...(this.#fixed[log]?.get(version) ?? []),
      ...loose.filter((one) => one.version === version),
    ]
    for (const one of answered) if (mayWrite(one.request, one.answer)) yield [one, true]
    for (const one of answered) if (!mayWrite(one.request, one.answer)) yield [one, true]
    const seen = new Set<string>()
    for (const one of this.#unknown) {
      if (taken.has(one) || this.#logsOf(one)[0] > log) continue
      // Of two that are alike, the one that began first may stand wherever the other may.
      const text = this.#model.show(one.request)
      if (!seen.has(text)) yield [one, false]
      seen.add(text)
    }
    // Carried out in a part that is lost later, and once more in the log from which it was answered.
    for (const one of loose) {
      const cuts = this.#cuts.slice(log, this.#logsOf(one)[1])
      if (cuts.some(({ head }) => head < version)) yield [one, false]
    }
  }

  /** The state after a call that made a version, or why it cannot have. */
  async #write(before: Node<R, S>, writer: Operation<R>, isAnswered: boolean): Promise<Node<R, S> | string> {
    if (writer.ended < before.latestStart) {
      return `${this.#show(writer)} had ended before another call began that stands before it`
    }
    const { state, answer, changed } = await this.#model.apply(before.state, writer.request)
    if (isAnswered && answer !== writer.answer) return this.#differs(writer, answer)
    if (!changed && !this.#model.mayWrite(writer.request, answer))
      return `${this.#show(writer)} writes nothing`
    const latestStart = Math.max(before.latestStart, writer.started)
    return { version: before.version + 1, state, latestStart, writer, before }
  }

  /** Holds the other calls that were answered from a version against it, and goes on where they fit. */
  async #read(
    log: number,
    node: Node<R, S>,
    chosen: Chosen<R>,
    why: string[] = [],
  ): Promise<Chosen<R> | undefined> {
    let { latestStart } = node
    const { version, state, writer } = node
    const misfit = async (one: Operation<R>): Promise<string | undefined> => {
      if (one.ended < node.latestStart) return `${this.#show(one)} had ended before version ${version} began`
      const { answer, changed } = await this.#model.apply(state, one.request)
      if (answer !== one.answer) return this.#differs(one, answer)
      if (!changed) return undefined
      return `${this.#show(one)} makes a version, and ${writer ? this.#show(writer) : 'nobody'} made ${version}`
    }
    // The call that created the version may be in an earlier log, whose calls were checked already.
    for (const one of this.#fixed[log]?.get(version) ?? []) {
      if (one === writer) continue
      const problem = await misfit(one)
      if (problem !== undefined) {
        why.push(problem)
        this.#note(log, version, [problem])
        return undefined
      }
      latestStart = Math.max(latestStart, one.started)
    }
    const fitting: Operation<R>[] = []
    for (const one of this.#loose) {
      if (one.version !== version || chosen.placed.has(one) || !this.#isIn(log, one)) continue
      if (!this.#isBehind(log, one) && (await misfit(one)) === undefined) fitting.push(one)
    }
    // Calls that may come from after the cut are tried there, too: here they may leave no time for later ones.
    const free = fitting.filter((one) => this.#logsOf(one)[1] > log).slice(0, maxFree)
    for (let there = 0; there < 2 ** free.length; there++) {
      const here = fitting.filter((one) => !free.includes(one) || !(there & (1 << free.indexOf(one))))
      const latest = Math.max(latestStart, ...here.map(({ started }) => started))
      const placed = new Set([...chosen.placed, ...here])
      const found = await this.#continue(log, { ...node, latestStart: latest }, { ...chosen, placed })
      if (found) return found
      if (++this.#steps > maxSteps) return undefined
    }
    return undefined
  }

  /** Whether a call of this log ended before this one began, and stands after it: then it belongs to the next log. */
  #isBehind(log: number, { version: own = 0, started }: Operation<R>): boolean {
    for (const [version, operations] of this.#fixed[log] ?? []) {
      if (version > own && operations.some(({ ended }) => ended < started)) return true
    }
    return false
  }

  #differs(operation: Operation<R>, answer: string): string {
    const seen = operation.answer ?? ''
    let same = 0
    while (same < seen.length && seen[same] === answer[same]) same += 1
    const from = Math.max(0, same - 40)
    return `${this.#show(operation, from)}\n    where one machine answers ${clipped(answer, from)}`
  }

  #show(operation: Operation<R>, from = 0): string {
    const { client, replica, started, ended, request, version, answer } = operation
    const when = `${started}–${ended === Infinity ? '?' : ended}`
    const outcome = answer === undefined ? 'outcome unknown' : `version ${version}: ${clipped(answer, from)}`
    return `[${when}] client ${client} at replica ${replica}: ${this.#model.show(request)} -> ${outcome}`
  }

  #note(log: number, version: number, why: readonly string[]): void {
    const { log: furthestLog, version: furthestVersion } = this.#furthest
    if (log < furthestLog || (log === furthestLog && version <= furthestVersion)) return
    const isNear = ({ version: at, answer, started }: Operation<R>): boolean =>
      answer === undefined
        ? this.#operations.some((one) => one.version === version && started < one.ended)
        : at !== undefined && at >= version - 1 && at <= version
    const piece = this.#operations.filter(isNear).slice(0, 12)
    this.#furthest = { log, version, why, piece: piece.map((one) => this.#show(one)) }
  }
}

/** As much of an answer as shows what it is about. */
function clipped(answer: string, from: number): string {
  const text = answer.slice(from, from + 160).replaceAll(/\s+/g, ' ')
  return `${from === 0 ? '' : '…'}${text}${answer.length > from + 160 ? '…' : ''}`
}
