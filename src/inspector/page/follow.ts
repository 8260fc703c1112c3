// Follows a workspace by its stream; if other windows use all streams of the browser, it polls.
import type { JournalEntry } from '../../journal/entry.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { refusalOf, request } from './ask.ts'
import { EventReader, type ServerEvent } from '../../runtime/server-events.ts'
import { Unreachable, type Connection, type LiveEvent, type StreamedEntry } from './source.ts'
import { token } from './token.ts'

/** A browser opens six connections to an origin: some must be left for other requests of the windows. */
const maxStreams = 3

/** The interval at which a window without a stream polls, and how long it listens then (ms). */
const askEvery = 2_000
const listenFor = 400

/** How long after a failure it is tried again, in milliseconds. */
const retryAfter = 1_000

/** Notifies of events in a workspace until the returned function is called. */
export function followCalls(workspace: string, tell: (event: LiveEvent) => void): () => void {
  const over = new AbortController()
  void new Follower(workspace, tell, over.signal).run()
  return () => over.abort()
}

class Follower {
  readonly #workspace: string
  readonly #tell: (event: LiveEvent) => void
  readonly #over: AbortSignal
  #reader = new EventReader()
  /** When the process had begun, at the latest, that answered last, in milliseconds since the page was opened. */
  #began: number | undefined
  #state: Connection | undefined

  constructor(workspace: string, tell: (event: LiveEvent) => void, over: AbortSignal) {
    this.#workspace = workspace
    this.#tell = tell
    this.#over = over
  }

  async run(): Promise<void> {
    this.#now('connecting')
    while (!this.#over.aborted) {
      try {
        if (document.hidden) await this.#untilSeen()
        else if (await this.#isThere()) await this.#listen()
      } catch (error) {
        if (this.#over.aborted) return
        if (error instanceof Unreachable || error instanceof TypeError) this.#now('offline')
        else throw error
        await this.#pause(retryAfter)
      }
    }
  }

  #now(state: Connection, why = ''): void {
    if (this.#over.aborted || state === this.#state) return
    this.#state = state
    this.#tell({ kind: 'connection', state, why })
  }

  /** Whether the workspace exists: any other request would create it. */
  async #isThere(): Promise<boolean> {
    const isAnother = await this.#isAnother()
    const path = `/workspaces/${encodeURIComponent(this.#workspace)}`
    const response = await request('GET', path, { signal: this.#over })
    const { status } = response
    if (status === 404) this.#now('gone')
    if (isAnother) this.#tell({ kind: 'restarted' })
    if (status === 401) {
      token.refused()
      this.#now('token')
      await this.#untilToken()
      return false
    }
    // A store that is away for a moment, and its like, hides no view.
    if (status !== 404 && status !== 403) return true
    if (status === 403) this.#now('refused', (await refusalOf(response)).message)
    await this.#pause(askEvery)
    return false
  }

  /** Whether another process answers than the last time: one that has been up for too short. */
  async #isAnother(): Promise<boolean> {
    const sentAt = performance.now()
    const health = await request('GET', '/health', { signal: this.#over })
    const { uptime_seconds: uptime = 0 } = (await health.json().catch(() => {
      // A proxy in front of the sandbox may answer without JSON.
      throw new Unreachable('The sandbox does not answer.')
    })) as { uptime_seconds?: number }
    // Uptime is in whole seconds, rounded down; the time of browsers is a little coarse, too.
    const isAnother = this.#began !== undefined && uptime < Math.floor((sentAt - this.#began - 50) / 1_000)
    this.#began = performance.now() - uptime * 1_000
    return isAnother
  }

  /** By its own stream if one is free, otherwise by one that it closes immediately. */
  async #listen(): Promise<void> {
    const { locks } = navigator as { locks?: LockManager }
    // Off this machine and without TLS there are none, and no window knows of the others.
    for (let place = 0; place < (locks ? maxStreams : 0); place++) {
      const held = await locks?.request(`sandbox stream ${place}`, { ifAvailable: true }, async (lock) => {
        if (!lock) return false
        await this.#read('live')
        return true
      })
      if (held) return
    }
    await this.#read('asking', listenFor)
    await this.#pause(askEvery)
  }

  /** @param most how long at most, in milliseconds; until it ends where left out. */
  async #read(state: Connection, most?: number): Promise<void> {
    const stop = new AbortController()
    const end = (): void => stop.abort()
    const hidden = (): void => void (document.hidden && end())
    document.addEventListener('visibilitychange', hidden)
    this.#over.addEventListener('abort', end)
    try {
      const { lastId } = this.#reader
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
      const options = { workspace: this.#workspace, signal: stop.signal }
      const response = await request('GET', '/stream', options, headers)
      if (!response.ok || !response.body) {
        await response.body?.cancel()
        return await this.#pause(retryAfter)
      }
      this.#now(state)
      if (most !== undefined) setTimeout(end, most)
      await this.#readAll(response.body)
      // The sandbox ended it: it stops, or the workspace is gone.
      await this.#pause(retryAfter / 4)
    } catch (error) {
      if (!stop.signal.aborted) throw error
    } finally {
      document.removeEventListener('visibilitychange', hidden)
      this.#over.removeEventListener('abort', end)
    }
  }

  async #readAll(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    const reader = body.getReader()
    // The server repeats events that the last connection had begun to send.
    const { lastId } = this.#reader
    this.#reader = new EventReader()
    this.#reader.lastId = lastId
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      for (const event of this.#reader.read(decoder.decode(part.value, { stream: true }))) {
        if (!this.#over.aborted) this.#lastNumber(event)
      }
    }
  }

  #lastNumber({ event, data }: ServerEvent): void {
    const reported = parseExact(data) as {
      requests?: StreamedEntry[]
      changes?: JournalEntry['changes']
      count?: number
    }
    if (event === 'request') this.#tell({ kind: 'requests', requests: reported.requests ?? [] })
    else if (event === 'change') this.#tell({ kind: 'change', changes: reported.changes ?? [] })
    else if (event === 'reset') this.#tell({ kind: 'reset' })
    else if (event === 'dropped') this.#tell({ kind: 'dropped', count: reported.count ?? 0 })
  }

  async #untilSeen(): Promise<void> {
    this.#now('paused')
    await this.#until((done) => {
      document.addEventListener('visibilitychange', done)
      return () => document.removeEventListener('visibilitychange', done)
    })
  }

  #untilToken(): Promise<void> {
    return this.#until((done) => token.watch(done))
  }

  #pause(milliseconds: number): Promise<void> {
    return this.#until((done) => {
      const timer = setTimeout(done, milliseconds)
      return () => clearTimeout(timer)
    })
  }

  /** Waits for something, and no longer than anybody follows. */
  #until(watch: (done: () => void) => () => void): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        stop()
        this.#over.removeEventListener('abort', done)
        resolve()
      }
      const stop = watch(done)
      this.#over.addEventListener('abort', done)
      if (this.#over.aborted) done()
    })
  }
}
