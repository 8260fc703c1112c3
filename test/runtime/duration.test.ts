// Tests of src/runtime/duration.ts.
import { expect, it } from 'vitest'
import { durationMs } from '../../src/runtime/duration.ts'

it.each([
  ['30s', 30_000],
  ['15m', 900_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['none', undefined],
  ['0s', undefined],
  ['1.5h', undefined],
  ['1000000s', undefined],
  ['5', undefined],
  ['5 m', undefined],
  ['', undefined],
])('%s is %s ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
})
