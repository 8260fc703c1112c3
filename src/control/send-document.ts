// Streams a state document as an answer, row by row, however large it is.
import { giveWay } from '../runtime/give-way.ts'
import { documentText } from '../documents/dump.ts'

/** How much text is sent at a time. */
const chunkLength = 64 * 1024

/**
 * An answer with a document in it, row by row: a large state is longer than the longest text there can be, and nothing
 * else waits while it is written.
 */
export function sendDocument(document: Readonly<Record<string, unknown>>): Response {
  return sendPieces(documentText(document))
}

/** As `sendDocument`, for documents inside an object. */
export function sendDocuments(
  documents: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Response {
  return sendPieces(nested(documents))
}

function* nested(documents: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Generator<string> {
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
        const { text, done } = nextChunk(pieces)
        controller.enqueue(encoder.encode(text))
        if (done) controller.close()
        else await giveWay()
      },
      cancel: () => void pieces.return?.(),
    },
    // Nothing is written before it is asked for: a HEAD never asks.
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function nextChunk(pieces: Iterator<string>): { text: string; done: boolean } {
  const parts: string[] = []
  for (let length = 0; length < chunkLength;) {
    const { value, done } = pieces.next()
    if (done === true) return { text: parts.join(''), done: true }
    parts.push(value)
    length += value.length
  }
  return { text: parts.join(''), done: false }
}
