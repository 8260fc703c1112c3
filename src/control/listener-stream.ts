// The deliveries of an endpoint for its listener, as server-sent events: GET /_sandbox/stream?endpoint=ID.
import type { ServerResponse } from 'node:http'
import { untilSent } from '../http/client-gone.ts'
import { stringify } from '../json/stringify.ts'
import type { WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import { eventText } from '../runtime/server-events.ts'
import { every, onceAborted } from '../runtime/wait.ts'

/** Heartbeat interval (ms): a client that receives nothing for longer may consider the connection dead. */
const commentMs = 15_000

/** The connection of a listener. */
interface ListenerConnection {
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal
  /** The answer on a socket, if it is on one. */
  readonly outgoing: ServerResponse | undefined
}

/**
 * Returns the deliveries of an endpoint as text, until its client disconnects or the endpoint is removed.
 * @throws {NotFoundError} for an unknown endpoint. @throws {ConflictError} for one without a listener.
 */
export function listenerStream(
  workspace: WorkspaceVerbs,
  endpointId: string,
  { gone, closing, outgoing }: ListenerConnection,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const ends: (() => void)[] = []
  const stop = (): void => {
    for (const end of ends.splice(0)) end()
  }
  let write = (_text: string): void => undefined
  let close = stop
  // Before the answer begins, so that an unknown endpoint is refused.
  ends.push(
    workspace.webhooks.connect(
      endpointId,
      (delivery) => write(eventText({ event: 'delivery', data: stringify(delivery) })),
      () => close(),
    ),
  )
  return new ReadableStream<Uint8Array>({
    start(controller) {
      write = (text) => controller.enqueue(encoder.encode(text))
      close = () => {
        if (ends.length === 0) return
        stop()
        controller.close()
      }
      // It counts as a stream of the workspace, and ends with the keys of its partner.
      const watcher = { called: nothing, changed: nothing, reset: nothing, end: close }
      ends.push(
        workspace.watch(watcher),
        every(commentMs, () => write(': waiting for deliveries\n\n')),
        onceAborted(closing, close),
      )
      write(`: the deliveries of ${endpointId}\n\n`)
      if (outgoing) void Promise.resolve(untilSent(outgoing)).then(close)
      else ends.push(onceAborted(gone, close))
    },
    cancel: stop,
  })
}

const nothing = (): void => undefined
