/**
 * A small shared store that is right, and that can be made wrong in each way that is planted in the real one: replicas
 * carry out the calls that stand in a log. It shows that the driver and the checker see what they should.
 */
import type { Fleet, Reply } from './fleet.ts'
import type { Model } from './history.ts'
import { Random } from './random.ts'
import type { SandboxRequest } from './requests.ts'
import type { Break, Recording } from './run-work.ts'
import type { Reference, SandboxState } from './sandbox-model.ts'

export const toyFaults = [
  'no catch-up',
  'nonce not compared',
  'retry without looking',
  'counters left out of the log',
  'trimmed log without reload',
] as const
export type ToyFault = (typeof toyFaults)[number]

interface Entry {
  readonly nonce: number
  readonly request: SandboxRequest
}

/** A replica's copy of a workspace. */
interface Copy {
  readonly model: Model<SandboxRequest, SandboxState>
  state: SandboxState
  version: number
  nonce: number
  /** One call after the other. */
  turn: Promise<unknown>
}

export class ToyFleet implements Fleet {
  readonly replicas: number
  readonly #references: readonly Reference[]
  readonly #fault: ToyFault | undefined
  readonly #random: Random
  readonly #logs = new Map<string, Entry[]>()
  readonly #copies: Map<string, Copy>[]
  #nonces = 0

  constructor(references: readonly Reference[], seed: number, fault?: ToyFault) {
    this.replicas = references.length
    this.#references = references
    this.#fault = fault
    this.#random = new Random(seed)
    this.#copies = references.map(() => new Map<string, Copy>())
  }

  async ask(replica: number, workspace: string, request: SandboxRequest): Promise<Reply | undefined> {
    const copy = this.#copy(replica, workspace)
    const asked = copy.turn.then(() => this.#answer(copy, workspace, request))
    copy.turn = asked
    const reply = await asked
    // Some answers are lost on their way to the client.
    return this.#random.chance(0.02) ? undefined : reply
  }

  /** As a failover to an engine that lacked the newest writes. */
  lose(recording: Recording, share: number): void {
    const heads = new Map<string, number>()
    const from = recording.now()
    for (const [workspace, log] of this.#logs) {
      log.length = Math.ceil(log.length * (1 - share))
      heads.set(workspace, log.length + 1)
    }
    const ended: Break = { from, to: recording.now(), headOf: (workspace) => heads.get(workspace) ?? 1 }
    recording.breaks.push(ended)
  }

  async #answer(copy: Copy, workspace: string, request: SandboxRequest): Promise<Reply | undefined> {
    let own: number | undefined
    let answered: Reply | undefined
    for (let tried = 0; tried < 20; tried++) {
      await this.#roundTrip()
      const log = this.#log(workspace)
      if (own !== undefined && this.#fault !== 'retry without looking') {
        const place = log.findIndex(({ nonce }) => nonce === own)
        if (place >= 0) return answered
      }
      await this.#catchUp(copy, log)
      const step = await copy.model.apply(copy.state, request)
      const [status = '', ...rest] = step.answer.split('\n')
      answered = {
        status: Number(status),
        answer: step.answer,
        body: rest.at(-1) ?? '',
        version: copy.version,
      }
      const mayCount = step.changed || copy.model.mayWrite(request, step.answer)
      if (!mayCount) return answered
      const counts = request.method === 'GET' && !request.path.startsWith('/_sandbox')
      if (counts && this.#fault === 'counters left out of the log') {
        copy.state = step.state
        return answered
      }
      await this.#roundTrip()
      const now = this.#log(workspace)
      if (!this.#isHead(copy, now)) continue
      own = ++this.#nonces
      now.push({ nonce: own, request })
      answered = { ...answered, version: now.length + 1 }
      // The answer of the engine is lost: it looks whether that was written.
      if (this.#random.chance(0.02)) continue
      copy.state = step.state
      copy.version = now.length
      copy.nonce = own
      return answered
    }
    return undefined
  }

  async #catchUp(copy: Copy, log: readonly Entry[]): Promise<void> {
    if (this.#isHead(copy, log)) return
    const isBehind =
      copy.version <= log.length && (copy.version === 0 || this.#nonceAt(log, copy.version) === copy.nonce)
    if (!isBehind && this.#fault !== 'nonce not compared') {
      copy.state = copy.model.beginning
      copy.version = 0
    }
    let tail = log.slice(copy.version)
    if (this.#fault === 'no catch-up') tail = []
    if (this.#fault === 'trimmed log without reload') tail = tail.slice(-2)
    for (const { request } of tail) copy.state = (await copy.model.apply(copy.state, request)).state
    copy.version = log.length
    copy.nonce = this.#nonceAt(log, log.length)
  }

  #isHead({ version, nonce }: Copy, log: readonly Entry[]): boolean {
    if (version !== log.length) return false
    return this.#fault === 'nonce not compared' || nonce === this.#nonceAt(log, version)
  }

  #nonceAt(log: readonly Entry[], version: number): number {
    return log[version - 1]?.nonce ?? 0
  }

  #log(workspace: string): Entry[] {
    const log = this.#logs.get(workspace) ?? []
    this.#logs.set(workspace, log)
    return log
  }

  #copy(replica: number, workspace: string): Copy {
    const copies = this.#copies[replica]
    const model = this.#references[replica]?.model(workspace)
    if (!copies || !model) throw new Error(`no replica ${replica}`)
    const copy = copies.get(workspace) ?? {
      model,
      state: model.beginning,
      version: 0,
      nonce: 0,
      turn: Promise.resolve(),
    }
    copies.set(workspace, copy)
    return copy
  }

  async #roundTrip(): Promise<void> {
    for (let turns = this.#random.below(4); turns >= 0; turns--)
      await new Promise((wake) => setImmediate(wake))
  }
}
