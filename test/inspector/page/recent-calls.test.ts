import { describe, expect, it } from 'vitest'
import { maxCalls, RecentCalls } from '../../../src/inspector/page/recent-calls.ts'
import type { StreamedEntry } from '../../../src/inspector/page/source.ts'

const call = (number: number, more: Partial<StreamedEntry> = {}): StreamedEntry => ({
  id: `req_default_${number}`,
  at: '2026-11-21T12:00:00.000Z',
  workspace: 'default',
  test: null,
  operation: 'searchCustomers',
  method: 'GET',
  path: '/v2/customers',
  query: '',
  key_id: null,
  version: null,
  product: null,
  status: 200,
  outcome: 'success',
  error_type: null,
  scenario_rules: [],
  assumptions: [],
  off_contract: false,
  changes: [],
  duration_ms: 1,
  ...more,
})

const idsOf = (calls: RecentCalls): (string | undefined)[] =>
  Array.from({ length: calls.size }, (_, place) => calls.at(place)?.id.slice(12))

describe('the calls that the page has seen', () => {
  it('come newest first, each once, with those from before behind them', () => {
    const calls = new RecentCalls()
    calls.add([call(3), call(4)])
    calls.addOlder([call(1), call(2), call(3)])
    calls.add([call(4), call(5)])
    expect(idsOf(calls)).toEqual(['5', '4', '3', '2', '1'])
    expect(calls.added).toBe(3)
    expect(calls.find('req_default_2')?.id).toBe('req_default_2')
    expect(calls.find('req_default_9')).toBeUndefined()
  })

  it('leave what is newer than those that it has to the stream, which tells it in its place', () => {
    const calls = new RecentCalls()
    calls.add([call(3)])
    calls.addOlder([call(2), call(3), call(4), call(5)])
    calls.add([call(4), call(5)])
    calls.addOlder([call(1)])
    expect(idsOf(calls)).toEqual(['5', '4', '3', '2', '1'])
  })

  it('counts those that met no endpoint, and those that were refused', () => {
    const calls = new RecentCalls()
    calls.add([call(1, { operation: null, outcome: 'unmatched' }), call(2, { outcome: 'refused' }), call(3)])
    expect(calls.counts).toEqual({ unmatched: 1, refused: 1 })
    calls.clear('The workspace was reset.')
    expect([calls.counts, calls.size, calls.gone]).toEqual([
      { unmatched: 0, refused: 0 },
      0,
      'The workspace was reset.',
    ])
  })

  it('keeps the newest of more than it has room for', () => {
    const calls = new RecentCalls()
    for (let at = 0; at < maxCalls * 1.2; at += 1_000) {
      calls.add(Array.from({ length: 1_000 }, (_, place) => call(at + place)))
    }
    expect(calls.size).toBeLessThanOrEqual(maxCalls * 1.1)
    expect(calls.size).toBeGreaterThanOrEqual(maxCalls)
    expect(calls.at(0)?.id).toBe(`req_default_${maxCalls * 1.2 - 1}`)
    // A dropped call may come again, as after a reset.
    expect(calls.find('req_default_0')).toBeUndefined()
  })

  it('tells whoever watches, until they do not', () => {
    const calls = new RecentCalls()
    let reported = 0
    const stop = calls.watch(() => (reported += 1))
    calls.add([call(1)])
    calls.addDropped(4)
    stop()
    calls.add([call(2)])
    expect([reported, calls.dropped]).toEqual([2, 4])
  })
})
