import { describe, expect, it } from 'vitest'
import type { Differences } from '../../../src/index.ts'
import { differencesText } from '../../../src/inspector/page/difference-texts.ts'
import { failureText } from '../../../src/inspector/page/failure-text.ts'
import { distanceText } from '../../../src/runtime/distance-text.ts'

const none: Differences = { scenarios: [], clock: null, rows: 0, assumptions: [] }
const hour = 3_600_000

describe('differencesText', () => {
  it.each<[differs: Partial<Differences>, texts: string[]]>([
    [{}, []],
    [{ scenarios: ['slow'] }, ['1 scenario on']],
    [{ scenarios: ['slow', 'reset'], rows: 3 }, ['2 scenarios on', '3 rows edited']],
    [{ clock: { moved_ms: 720 * hour, frozen: true } }, ['clock +30 d, frozen']],
    [{ clock: { moved_ms: 0, frozen: true } }, ['clock frozen']],
    [{ clock: { moved_ms: -25 * hour, frozen: false } }, ['clock −1 d 1 h']],
    [{ clock: { moved_ms: 5_000, frozen: false } }, ['clock moved by less than a minute']],
    [{ rows: 1, assumptions: ['not_found_status'] }, ['1 row edited', '1 assumption changed']],
  ])('%j', (differs, texts) => {
    expect(differencesText({ ...none, ...differs }).map(({ text }) => text)).toEqual(texts)
  })
})

describe('failureText', () => {
  const call = (status: number | null, path = '/v2/x') => ({
    method: 'GET',
    path,
    status,
    outcome: 'error' as const,
  })

  it.each([
    [[], ''],
    [[call(200), call(302)], ''],
    [[call(503), call(200)], 'GET /v2/x: 503 error'],
    [[call(null)], 'GET /v2/x: lost error'],
    [[call(404, '/v2/a'), call(404, '/v2/b')], 'GET /v2/b: 404 error, and 1 more failed'],
  ])('%j', (calls, text) => {
    expect(failureText(calls)).toBe(text)
  })
})

it.each([
  [0, ''],
  [29_000, ''],
  [61_000, '1 min'],
  [49 * hour, '2 d 1 h'],
])('distanceText %i', (milliseconds, text) => {
  expect(distanceText(milliseconds)).toBe(text)
})
