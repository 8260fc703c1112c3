// Streams a state document as an answer, row by row, however large it is.
import type { ControlContext } from './define.ts'
import { yieldToEventLoop } from '../runtime/time-slices.ts'
import { documentText } from '../fixtures/dump.ts'

/** How much text is sent at a time. */
const chunkLength = 64 * 1024

type Document = Readonly<Record<string, unknown>>
type Documents = Readonly<Record<string, Document>>

/** A large state is longer than the longest text there can be, and nothing else waits while it is written. */
export function sendDocument(context: ControlContext, document: Document): Response {
  return sendPieces(context, documentText(document))
}

/** As `sendDocument`, for documents inside an object. */
export function sendDocuments(context: ControlContext, documents: Documents): Response {
  return sendPieces(context, nested(documents))
}

function* nested(documents: Documents): Generator<string> {
  let before = '{'
  for (const [name, document] of Object.entries(documents)) {
    yield `${before}\n${JSON.stringify(name)}: `
    yield* documentText(document)
    before = ','
  }
  yield before === '{' ? '{}\n' : '}\n'
}

function sendPieces({ env }: ControlContext, pieces: Iterator<string>): Response {
  const slot = env?.slot
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Between two pieces the slot is free: a client that reads slowly keeps no other client waiting.
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
    // Nothing is written before it is asked for: a HEAD never asks.
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}
