import { expect, it } from 'vitest'
import { EventReader } from '../../src/runtime/server-events.ts'

const stream =
  ': a comment\nid: 10\n\nevent: request\nid: 12\ndata: {"requests":[]}\n\n: still here\n\nevent: reset\nid: 14\ndata: {}\n\n'

it.each([1, 2, 3, 7, 1_000])('reads a stream that comes in chunks of %i', (size) => {
  const reader = new EventReader()
  const found = []
  for (let at = 0; at < stream.length; at += size) found.push(...reader.read(stream.slice(at, at + size)))
  expect(found).toEqual([
    { event: 'request', data: '{"requests":[]}' },
    { event: 'reset', data: '{}' },
  ])
  expect(reader.lastId).toBe('14')
})

it('knows where it stands before the first event', () => {
  const reader = new EventReader()
  expect([reader.read(': a comment\nid: 10\n\nevent: re'), reader.lastId]).toEqual([[], '10'])
})
