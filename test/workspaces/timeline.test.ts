import { expect, it } from 'vitest'
import { maxActions, Timeline, type TimelineEntry } from '../../src/workspaces/timeline.ts'

const entry = (n: number): TimelineEntry => ({
  id: `act_w_${n}`,
  at: '2026-11-01T00:00:00.000Z',
  kind: 'state',
  summary: `Wrote rewards rwd_${n}`,
  test: null,
})

const entries = (from: number, to: number): TimelineEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(from + index))

it('more actions than it keeps -> the newest, and the count of all', () => {
  const timeline = Timeline.empty.with(entries(1, maxActions + 3))
  expect(timeline.entries).toEqual(entries(4, maxActions + 3))
  expect(timeline.count).toBe(maxActions + 3)
})

it.each([
  ['two later actions', 3, 5, entries(4, 5)],
  ['none', 3, 3, []],
  ['more than it keeps', 0, maxActions + 9, entries(10, maxActions + 9)],
])('%s since an earlier timeline', (_, before, now, later) => {
  const earlier = Timeline.empty.with(entries(1, before))
  expect(earlier.with(entries(before + 1, now)).since(earlier)).toEqual(later)
})
