// What happens in a workspace as server-sent events, GET /_sandbox/stream: calls, changed rows, resets.
import type { ServerResponse } from 'node:http'
import { every, later, onceAborted } from '../runtime/wait.ts'
import { signalOf, untilSent } from '../http/client-gone.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import type { NamedRow, Watcher } from '../workspaces/watchers.ts'
import type { ControlContext, Noun } from './define.ts'
import { Frames } from './frames.ts'
import { Refusal } from './refusal.ts'

/** How many streams a sandbox has at once, or each partner with `--isolation partner`, as one must not use up those of another. */
const maxStreams = 100

/** At most ten frames a second leave for a reader. */
const frameMs = 100

/** Whoever hears nothing for longer may take the connection for dead. */
const commentMs = 15_000

const comment = ': the stream of a workspace\n\n'

const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

export const stream: Noun = {
  readsJournal: true,
  path: '/_sandbox/stream',
  about: 'server-sent events: each call as it is answered, rows changed from elsewhere, resets',
  inMemory: true,
  library: {},
  noLibrary: { GET: '`onAnswer` of `createSandbox` tells of each call' },
  noVerb: { GET: '`requests --follow` follows the calls' },
  methods: {
    GET: ({ workspaces, closing }, c, workspace) => {
      if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
      if (workspaces.watchingBeside(workspace.name) >= maxStreams) {
        throw new Refusal(
          'TOO_MANY_REQUESTS',
          `There are ${maxStreams} streams, as many as ${workspaces.policy.hidesOthers ? 'a workspace and its copies have' : 'a sandbox has'}: close one of them.`,
        )
      }
      const { own } = workspace.requests
      const reader = new Reader(own, lastEventOf(c, own.last))
      return new Response(reader.open(workspace, signalOf(c.req.raw), closing, c.env?.outgoing), { headers })
    },
  },
}

/** The number that a reader goes on after; undefined for one that begins now. @param newest the last that was given. */
function lastEventOf(c: ControlContext, newest: number): number | undefined {
  const last = c.req.header('last-event-id')
  if (last === undefined) return undefined
  // What is no number, or a higher one, was given by another process.
  return /^\d{1,16}$/.test(last) && Number(last) <= newest + 1 ? Number(last) : 0
}

type Journal = WorkspaceVerbs['requests']['own']

/** One reader: its frames leave as it takes them. */
class Reader implements Watcher {
  readonly #frames = new Frames()
  readonly #journal: Journal
  readonly #encoder = new TextEncoder()
  /** While it is behind: the number up to which it was told. Calls and resets after it stand in the journal. */
  #toldUpTo: number | undefined
  /** Where a reader begins who has no id to go on from: one that is lost before its first event has it from here on. */
  #begin: number | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** It has taken all that it was given, and waits for more. */
  #isWaiting = false
  #rest: (() => void) | undefined
  #isCommentDue = true
  #stop: () => void = () => undefined

  constructor(journal: Journal, resumedFrom: number | undefined) {
    this.#journal = journal
    this.#toldUpTo = resumedFrom
    this.#begin = resumedFrom === undefined ? journal.last : undefined
  }

  /**
   * @param gone aborted when its caller gives up. @param closing aborted when the sandbox closes.
   * @param outgoing the answer on a socket, if it is on one.
   */
  open(
    workspace: WorkspaceVerbs,
    gone: AbortSignal,
    closing: AbortSignal,
    outgoing: ServerResponse | undefined,
  ): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          this.#catchUp()
          const ends = [
            workspace.watch(this),
            every(commentMs, () => {
              this.#isCommentDue = true
              this.#send()
            }),
            () => this.#rest?.(),
          ]
          this.#stop = () => {
            this.#controller = undefined
            for (const end of ends) end()
          }
          const giveUp = (): void => {
            this.#stop()
            controller.error(gone.reason)
          }
          const close = (): void => {
            this.end()
            // Whoever does not take what was sent would keep the connection open.
            if (outgoing && outgoing.writableLength > 0) outgoing.destroy()
          }
          ends.push(onceAborted(closing, close))
          // On a socket the reader is cancelled when its client is gone, unless that was before anything was sent.
          if (outgoing) void Promise.resolve(untilSent(outgoing)).then(() => this.end())
          else ends.push(onceAborted(gone, giveUp))
        },
        pull: () => {
          this.#isWaiting = true
          this.#frames.taken()
          this.#send()
        },
        cancel: () => this.#stop(),
      },
      // Nothing is given before it is asked for, so that what is not taken waits here.
      { highWaterMark: 0 },
    )
  }

  called(number: number, text: () => string): void {
    if (this.#toldUpTo === undefined) this.#frames.call(number, text)
    this.#send()
  }

  changed(number: number, rows: readonly NamedRow[]): void {
    this.#frames.changed(this.#toldUpTo ?? number, rows)
    this.#send()
  }

  reset(number: number): void {
    if (this.#toldUpTo === undefined) this.#frames.reset(number)
    this.#send()
  }

  /** Gives what waits and ends. */
  end(): void {
    const controller = this.#controller
    if (!controller) return
    for (let frame = this.#frames.next(); frame !== undefined; frame = this.#frames.next()) this.#give(frame)
    this.#stop()
    controller.close()
  }

  #send(): void {
    if (!this.#isWaiting) return
    if (this.#isCommentDue) {
      this.#isCommentDue = false
      const begin = this.#begin
      this.#begin = undefined
      return this.#give(begin === undefined ? comment : `${comment.trimEnd()}\nid: ${begin}\n\n`)
    }
    if (this.#rest) return
    this.#catchUp()
    const frame = this.#frames.next()
    if (frame === undefined) return
    this.#give(frame)
    this.#rest = later(frameMs, () => {
      this.#rest = undefined
      this.#send()
    })
  }

  #give(text: string): void {
    this.#isWaiting = false
    this.#controller?.enqueue(this.#encoder.encode(text))
  }

  /** Takes from the journal what has room. */
  #catchUp(): void {
    if (this.#toldUpTo === undefined) return
    for (const event of this.#journal.after(this.#toldUpTo)) {
      if ('call' in event) {
        if (!this.#frames.fits(event.number, () => this.#journal.streamed(event.call))) return
      } else if ('gone' in event) this.#frames.dropped(event.number, event.gone)
      else this.#frames.reset(event.number)
      this.#toldUpTo = event.number
    }
    this.#toldUpTo = undefined
  }
}
