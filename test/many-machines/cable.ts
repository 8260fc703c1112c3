/** The cable between a replica and its engine: bytes are passed on, late, held back or not at all. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export class Cable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: number
  #isCut = false
  #isHeld = false
  #delay = 0
  #end: { left: number; readonly place: 'before' | 'after'; isOver: boolean } | undefined

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer((replica) => this.#join(replica))
  }

  static async to(target: number): Promise<Cable> {
    const cable = new Cable(target)
    cable.#server.listen(0, '127.0.0.1')
    await once(cable.#server, 'listening')
    return cable
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Connections to come go to another engine; those there are stay. */
  plugInto(target: number): void {
    this.#target = target
  }

  /** Ends all connections; what is under way is lost, in either direction. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Ends all connections once: before the engine has a request, counted from 0 from now on, or after it has answered it. */
  hangUpAt(request: number, place: 'before' | 'after'): void {
    this.#end = { left: request, place, isOver: false }
  }

  /** Whether the request of `hangUpAt` has come. */
  get hasHungUp(): boolean {
    return this.#end?.isOver === true
  }

  /** Ends all connections, and refuses new ones until it is repaired. */
  cut(): void {
    this.#isCut = true
    this.hangUp()
  }

  /** Delays all data until it is repaired, like a network without a route. */
  hold(): void {
    this.#isHeld = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Each piece takes so many milliseconds longer. */
  slow(milliseconds: number): void {
    this.#delay = milliseconds
  }

  mend(): void {
    this.#isCut = false
    this.#isHeld = false
    this.#delay = 0
    for (const socket of this.#sockets) socket.resume()
  }

  close(): void {
    this.hangUp()
    this.#server.close()
  }

  /** Whether a piece of a request or of a reply is lost with all connections. */
  #isLost(isRequest: boolean): boolean {
    const end = this.#end
    if (!end || end.isOver) return false
    if (isRequest) end.left -= 1
    end.isOver = end.left < 0 && isRequest === (end.place === 'before')
    return end.isOver
  }

  #join(replica: Socket): void {
    if (this.#isCut) return void replica.destroy()
    const engine = connect(this.#target, '127.0.0.1')
    for (const [from, to] of [
      [replica, engine],
      [engine, replica],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      let late = 0
      let turn = Promise.resolve()
      from.on('data', (bytes) => {
        if (this.#isLost(from === replica)) return this.hangUp()
        if (this.#delay === 0 && late === 0) return void to.write(bytes)
        // Later data does not overtake data in transit.
        late += 1
        const before = turn
        const due = new Promise((resolve) => setTimeout(resolve, this.#delay))
        turn = (async () => {
          await Promise.all([before, due])
          late -= 1
          if (!to.destroyed) to.write(bytes)
        })()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      if (this.#isHeld) from.pause()
    }
  }
}
