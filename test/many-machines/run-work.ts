/** Has clients work at all replicas at once while things go wrong, and writes down what each of them saw. */
import type { Fleet, Reply } from './fleet.ts'
import type { History, Operation } from './history.ts'
import { Random } from './random.ts'
import { nextRequest, type Known, type SandboxRequest } from './requests.ts'

export interface Work {
  readonly seed: number
  readonly clients: number
  readonly workspaces: number
  /** How many calls are to be answered; those of unknown outcome come on top. */
  readonly calls: number
}

/** Something that goes wrong once so many calls were begun, for so many more, or until all clients wait. */
export interface Trouble {
  readonly name: string
  readonly at: number
  readonly lasts: number
  begin(): Promise<void>
  end(): Promise<void>
}

/** A moment at which logs became others; see `Cut`. */
export interface Break {
  readonly from: number
  readonly to: number
  /** Undefined for a workspace whose log stayed. */
  readonly headOf: (workspace: string) => number | undefined
}

/** A call of which the outcome is to come. */
type Call = Pick<Operation<SandboxRequest>, 'client' | 'replica' | 'started' | 'request'>

/** The observations of all clients. */
export class Recording {
  readonly breaks: Break[] = []
  readonly #operations = new Map<string, Operation<SandboxRequest>[]>()
  #now = 0

  /** The next instant; what was asked later is later. */
  now(): number {
    return this.#now++
  }

  add(workspace: string, operation: Operation<SandboxRequest>): void {
    const operations = this.#operations.get(workspace) ?? []
    this.#operations.set(workspace, operations)
    operations.push(operation)
  }

  /** A call has ended now. @param reply undefined where its outcome is unknown. */
  end(workspace: string, call: Call, reply: Reply | undefined): void {
    const { answer, version, id } = reply ?? {}
    const ended = reply ? this.now() : Infinity
    this.add(workspace, { ...call, ended, answer, version, ...(id === undefined ? {} : { id }) })
  }

  get workspaces(): string[] {
    return [...this.#operations.keys()]
  }

  history(workspace: string): History<SandboxRequest> {
    const cuts = this.breaks.flatMap(({ from, to, headOf }) => {
      const head = headOf(workspace)
      return head === undefined ? [] : [{ from, to, head }]
    })
    return { operations: this.#operations.get(workspace) ?? [], cuts }
  }
}

/** How long nothing may happen, in milliseconds, before all clients count as waiting for what goes wrong. */
const stillness = 150
/** How long a client waits after a call that was not answered, in milliseconds, as clients should. */
const backOff = 20

/** Waits as clients do after a call that was not answered. */
export const pause = (): Promise<void> => new Promise((wake) => setTimeout(wake, backOff))

export async function runWork(
  fleet: Fleet,
  work: Work,
  recording: Recording,
  troubles: readonly Trouble[],
): Promise<void> {
  const known = new Map<string, Known>()
  let begun = 0
  let ended = 0
  let answered = 0
  let waiting = 0
  let troublesLeft = troubles.length
  let mayBegin = Infinity
  const watching = new Set<{ until: () => boolean; wake: () => void }>()
  const look = (): void => {
    for (const one of watching) {
      if (!one.until()) continue
      watching.delete(one)
      one.wake()
    }
  }
  // The slower a machine is, the more calls are refused while something is away.
  const isOver = (): boolean => answered >= work.calls || begun >= 20 * work.calls
  const mayLeave = (): boolean => troublesLeft === 0 && isOver()
  const when = (condition: () => boolean): Promise<void> =>
    new Promise((wake) => {
      watching.add({ until: condition, wake })
      look()
    })

  /** Some calls come while it is being done, and the others after it, so that runs are of one length. */
  const meanwhile = async (act: () => Promise<void>): Promise<void> => {
    mayBegin = begun + work.clients
    await act()
    mayBegin = Infinity
    look()
  }

  const ask = async (
    client: number,
    workspace: string,
    request: SandboxRequest,
    replica: number,
  ): Promise<boolean> => {
    begun += 1
    waiting += 1
    const started = recording.now()
    look()
    const reply = await fleet.ask(replica, workspace, request)
    waiting -= 1
    ended += 1
    if (reply === 'refused') return false
    recording.end(workspace, { client, replica, started, request }, reply)
    if (!reply) return false
    answered += 1
    const [, intent] = reply.status < 300 ? (/"id":"(int_\w+)"/.exec(reply.body) ?? []) : []
    if (intent !== undefined) known.get(workspace)?.intents.push(intent)
    look()
    return true
  }

  const client = async (number: number): Promise<void> => {
    const random = new Random(work.seed * 1_000 + number)
    for (;;) {
      if (begun >= mayBegin) await when(() => begun < mayBegin)
      if (mayLeave()) return
      // Some workspaces are asked much more often than others.
      const workspace = `ws-${Math.floor(work.workspaces * random.next() ** 2)}`
      const learned = known.get(workspace) ?? { intents: [] }
      known.set(workspace, learned)
      const request = nextRequest(random, workspace, learned)
      if (!(await ask(number, workspace, request, random.below(fleet.replicas)))) await pause()
    }
  }

  const operator = async (): Promise<void> => {
    for (const trouble of troubles.toSorted((a, b) => a.at - b.at)) {
      await when(() => begun >= trouble.at || isOver())
      await meanwhile(() => trouble.begin())
      const first = begun
      let still = 0
      let before = ended
      const clock = setInterval(() => {
        still = ended === before && waiting === work.clients ? still + 1 : 0
        before = ended
        look()
      }, stillness / 3)
      await when(() => begun >= first + trouble.lasts || still >= 3 || isOver())
      clearInterval(clock)
      await meanwhile(() => trouble.end())
      troublesLeft -= 1
    }
  }

  await Promise.all([operator(), ...Array.from({ length: work.clients }, (_, number) => client(number))])
  // At the end every replica shows the same rows.
  const random = new Random(work.seed)
  for (const workspace of known.keys()) {
    const request = { method: 'GET', path: `/_sandbox/state?workspace=${workspace}` }
    for (let tried = 0; tried < 50; tried++) {
      if (await ask(0, workspace, request, random.below(fleet.replicas))) break
      await pause()
    }
  }
}
