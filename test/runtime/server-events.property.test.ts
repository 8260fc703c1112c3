import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EventReader, eventText } from '../../src/runtime/server-events.ts'
import { samples } from '../setup/samples.ts'
import { unicodeText } from '../helpers/unicode-text.ts'

/** Texts of all of Unicode, with the characters that end lines in some languages more often than chance would. */
const unit = fc.oneof(
  unicodeText({ minLength: 1, maxLength: 1 }),
  fc.constantFrom('\r', '\n', '\r\n', '\0', '\u0085', '\u2028', '\u2029', '\ufeff', ':', ' '),
)
const text = fc.string({ unit })
/** A text of one line, as streams have it. */
const line = text.map((each) => each.replace(/[\r\n]/g, ''))

/** Reads a stream that arrives as bytes, in chunks of a size. */
function readInChunks(stream: string, size: number): ReturnType<EventReader['read']> {
  const [reader, decoder] = [new EventReader(), new TextDecoder()]
  const bytes = new TextEncoder().encode(stream)
  const events: ReturnType<EventReader['read']> = []
  for (let at = 0; at < bytes.length; at += size)
    events.push(...reader.read(decoder.decode(bytes.subarray(at, at + size), { stream: true })))
  return events
}

const sizes = fc.integer({ min: 1, max: 20 })

it('a JSON text is read as it was written', () => {
  const written = fc.property(fc.array(text, { minLength: 1 }), sizes, (texts, size) => {
    const events = texts.map((each) => ({ event: 'delivery', data: JSON.stringify({ body: each }) }))
    expect(readInChunks(events.map(eventText).join(''), size)).toEqual(events)
  })
  fc.assert(written, { numRuns: samples(1_000) })
})

it('data of several lines is read as it was written, whichever way its lines end', () => {
  const ends = fc.constantFrom('\n', '\r', '\r\n')
  const written = fc.property(fc.array(line, { minLength: 1 }), ends, sizes, (lines, end, size) => {
    const event = { event: 'message', data: lines.join('\n') }
    const stream = eventText({ ...event, data: lines.join(end) })
    expect(readInChunks(stream, size)).toEqual([event])
    expect(readInChunks(stream.replaceAll('\n', end), size)).toEqual([event])
  })
  fc.assert(written, { numRuns: samples(1_000) })
})
