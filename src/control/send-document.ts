// Streams a state document as an answer, row by row, however large it is.
import { giveWay } from '../runtime/give-way.ts'
import { documentText } from '../documents/dump.ts'

/** How much text is sent at a time. */
const chunkLength = 64 * 1024

type Document = Readonly<Record<string, unknown>>
type Documents = Readonly<Record<string, Document>>

/** A large state is longer than the longest text there can be, and nothing else waits while it is written. */
export function sendDocument(document: Document): Response {
  return sendPieces(documentText(document))
}

/** As `sendDocument`, for documents inside an object. */
export function sendDocuments(documents: Documents): Response {
  return sendPieces(nested(documents))
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

function sendPieces(pieces: Iterator<string>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        let next = pieces.next()
        for (; !next.done; next = pieces.next()) {
          text += next.value
          if (text.length >= chunkLength) break
        }
        controller.enqueue(encoder.encode(text))
        if (next.done) controller.close()
        else await giveWay()
      },
      cancel: () => void pieces.return?.(),
    },
    // Nothing is written before it is asked for: a HEAD never asks.
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}
