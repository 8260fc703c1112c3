// Limits expensive answers of the control plane: one per client at a time, two in total; others wait in a bounded
// queue.
import type { Slot } from '../http/context.ts'
import { Refusal } from './refusal.ts'

/** How many slices of expensive answers run before the event loop handles its sockets. */
const maxActive = 2

/** Maximum number of waiting expensive answers, per client and in total. */
const maxWaiting = { ofClient: 64, ofAll: 256 }

/** The client that requests an expensive answer. */
export interface Client {
  /** The same for all requests of a client. */
  id: string
  /** A program that calls in process waits without a timeout. */
  isInProcess: boolean
  /** Settles when its connection is lost; undefined if there is no connection. */
  gone?: Promise<void> | undefined
}

interface Waiter {
  client: Client
  start(): void
}

/** @example const slot = await answers.slotFor(client) */
export class ExpensiveAnswers {
  /** The ids of clients. */
  readonly #active = new Set<string>()
  #waiting: Waiter[] = []

  /** Waits for a slot. @throws {Refusal} if too many answers wait, or the client disconnects. */
  async slotFor(client: Client): Promise<Slot> {
    if (!client.isInProcess) this.#requireRoom(client)
    const slot = { enter: () => this.#enter(client), leave: () => this.#leave(client) }
    await slot.enter()
    return slot
  }

  #requireRoom({ id }: Client): void {
    const ofClient = this.#waiting.filter(({ client }) => client.id === id).length
    if (ofClient < maxWaiting.ofClient && this.#waiting.length < maxWaiting.ofAll) return
    throw new Refusal(
      'UNAVAILABLE',
      `${ofClient < maxWaiting.ofClient ? maxWaiting.ofAll : `${maxWaiting.ofClient} of your`} expensive answers are queued: retry after a second.`,
      { 'retry-after': '1' },
    )
  }

  #enter(client: Client): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { client, start: resolve }
      this.#waiting.push(waiter)
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== waiter)
        reject(new Refusal('UNAVAILABLE', 'The connection of the client is lost.'))
      }
      void client.gone?.then(giveUp)
      this.#startNext()
    })
  }

  #leave({ id }: Client): void {
    this.#active.delete(id)
    this.#startNext()
  }

  /** Starts the first ones in the queue, but no second one of a client. */
  #startNext(): void {
    while (this.#active.size < maxActive) {
      const next = this.#waiting.find(({ client }) => !this.#active.has(client.id))
      if (!next) return
      this.#waiting = this.#waiting.filter((each) => each !== next)
      this.#active.add(next.client.id)
      next.start()
    }
  }
}
