// Server-sent events of a workspace, GET /_sandbox/stream: calls, changed rows, resets.
import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { every, later, onceAborted } from '../runtime/wait.ts'
import { signalOf, untilSent } from '../http/client-gone.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import type { NamedRow, Watcher } from '../workspaces/watchers.ts'
import type { ControlContext } from './context.ts'
import type { Handled } from './resource.ts'
import { Frames } from './frames.ts'
import { listenerStream } from './listener-stream.ts'
import { Refusal } from './refusal.ts'

/**
 * Maximum number of streams of a sandbox, or of each partner with `--isolation partner`, so that one cannot use up
 * those of another.
 */
const maxStreams = 100

/** Minimum interval between two frames (ms). */
const frameMs = 100

/** Heartbeat interval (ms): a client that receives nothing for longer may consider the connection dead. */
const commentMs = 15_000

const comment = ': the stream of a workspace\n\n'

const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

export const stream: Handled = {
  id: '',
  route: 'GET /_sandbox/stream',
  about:
    'follow the workspace as server-sent events: calls as they are answered, rows changed from elsewhere, resets',
  query: z.strictObject({
    endpoint: z.string().optional().describe('the deliveries of this endpoint for its listener instead'),
  }),
  result: z.string(),
  media: 'text/event-stream',
  handle({ workspaces, closing }, c, workspace) {
    if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
    if (workspaces.watchersOfOwner(workspace.name) >= maxStreams) {
      throw new Refusal(
        'TOO_MANY_REQUESTS',
        `There are ${maxStreams} streams, as many as ${workspaces.policy.hidesOthers ? 'a workspace and its copies have' : 'a sandbox has'}: close one of them.`,
      )
    }
    const endpoint = c.req.query('endpoint')
    if (endpoint !== undefined) {
      const connection = { gone: signalOf(c.req.raw), closing, outgoing: c.env?.outgoing }
      return new Response(listenerStream(workspace, endpoint, connection), { headers })
    }
    const { own } = workspace.requests
    const reader = new Reader(own, lastEventOf(c, own.last))
    return new Response(reader.open(workspace, signalOf(c.req.raw), closing, c.env?.outgoing), { headers })
  },
}

/** Returns the number after which a reader resumes; undefined for a new one. @param newest the last number. */
function lastEventOf(c: ControlContext, newest: number): number | undefined {
  const last = c.req.header('last-event-id')
  if (last === undefined) return undefined
  // An invalid or higher number comes from another process.
  return /^\d{1,16}$/.test(last) && Number(last) <= newest + 1 ? Number(last) : 0
}

type Journal = WorkspaceVerbs['requests']['own']

/** One reader: frames leave as it reads them. */
class Reader implements Watcher {
  readonly #frames = new Frames()
  readonly #journal: Journal
  readonly #encoder = new TextEncoder()
  /** While it is behind: the last number that was sent to it. Later calls and resets are in the journal. */
  #reportedUpTo: number | undefined
  /** Sent first, so that a reader whose connection is lost before its first event has an id to resume from. */
  #begin: number | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** It has read everything that was sent, and waits for more. */
  #isWaiting = false
  #rest: (() => void) | undefined
  #isCommentDue = true
  #stop: () => void = () => undefined

  constructor(journal: Journal, resumedFrom: number | undefined) {
    this.#journal = journal
    this.#reportedUpTo = resumedFrom
    this.#begin = resumedFrom === undefined ? journal.last : undefined
  }

  /**
   * @param gone aborted when its caller disconnects. @param closing aborted when the sandbox closes.
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
            // A client that does not read would keep the connection open.
            if (outgoing && outgoing.writableLength > 0) outgoing.destroy()
          }
          ends.push(onceAborted(closing, close))
          // On a socket the reader is cancelled when its client disconnects, unless that was before anything was sent.
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
      // Nothing is sent before it is requested, so unread events wait here.
      { highWaterMark: 0 },
    )
  }

  called(number: number, text: () => string): void {
    if (this.#reportedUpTo === undefined) this.#frames.call(number, text)
    this.#send()
  }

  changed(number: number, rows: readonly NamedRow[]): void {
    this.#frames.changed(this.#reportedUpTo ?? number, rows)
    this.#send()
  }

  reset(number: number): void {
    if (this.#reportedUpTo === undefined) this.#frames.reset(number)
    this.#send()
  }

  /** Sends the waiting events and ends. */
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

  /** Sends as much of the journal as fits. */
  #catchUp(): void {
    if (this.#reportedUpTo === undefined) return
    for (const event of this.#journal.after(this.#reportedUpTo)) {
      if ('call' in event) {
        if (!this.#frames.fits(event.number, () => this.#journal.streamed(event.call))) return
      } else if ('gone' in event) this.#frames.dropped(event.number, event.gone)
      else this.#frames.reset(event.number)
      this.#reportedUpTo = event.number
    }
    this.#reportedUpTo = undefined
  }
}
