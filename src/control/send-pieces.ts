// Sends a document as an answer in pieces, for states of any size.
import type { ControlContext } from './context.ts'
import { yieldToEventLoop } from '../runtime/event-loop.ts'

/** Size of a chunk of text. */
const chunkLength = 64 * 1024

/** Sends text in pieces: a large state exceeds the maximum length of a string, and other requests must not wait meanwhile. */
export function sendPieces({ env }: ControlContext, pieces: Iterator<string>): Response {
  const slot = env?.slot
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Between two chunks the slot is free, so a slow client does not block others.
        await slot?.enter()
        try {
          let text = ''
          let next = pieces.next()
          for (; !next.done; next = pieces.next()) {
            text += next.value
            if (text.length >= chunkLength) break
          }
          controller.enqueue(encoder.encode(text))
          if (next.done) controller.close()
          else await yieldToEventLoop()
        } finally {
          slot?.leave()
        }
      },
      cancel: () => void pieces.return?.(),
    },
    // Nothing is written before it is requested: a HEAD never requests it.
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}
