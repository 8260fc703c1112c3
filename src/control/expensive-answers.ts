// Expensive answers of the control plane: one of each client at a time, two in all; the others wait, up to a bound.
import type { Slot } from '../http/context.ts'
import { Refusal } from './refusal.ts'

/** How many slices of expensive answers the event loop runs between two looks at its sockets. */
const maxActive = 2

/** How many expensive answers of one client, and of all clients, wait at a time. */
const maxWaiting = { ofClient: 64, ofAll: 256 }

/** Who requests an expensive answer. */
export interface Client {
  /** The same for all requests of a client. */
  id: string
  /** A program that calls in process waits as long as it takes. */
  isInProcess: boolean
  /** Settles when its connection is lost; undefined where none can be. */
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

  /** Waits for a slot. @throws {Refusal} where too many answers wait, and where the client gives up. */
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
      `${ofClient < maxWaiting.ofClient ? maxWaiting.ofAll : `${maxWaiting.ofClient} of your`} expensive answers wait to be produced: retry after a second.`,
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

  /** Starts those that came first, but no second one of a client. */
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
