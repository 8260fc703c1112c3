import { expect, it } from 'vitest'
import { Outcome } from '../../src/call/outcome.ts'
import { Resolution } from '../../src/call/resolution.ts'
import { IncomingRequest } from '../../src/call/incoming-request.ts'
import { sentHeaders } from '../../src/call/sent-headers.ts'
import { RequestMetrics } from '../../src/metrics/request-metrics.ts'

function calls(durations: readonly number[]): RequestMetrics {
  const metrics = new RequestMetrics()
  const request = new IncomingRequest({
    method: 'GET',
    target: '/',
    origin: '',
    headers: sentHeaders([]),
    route: undefined,
  })
  for (const duration of durations) {
    metrics.count({
      request,
      resolution: new Resolution(),
      outcome: Object.assign(new Outcome(), { status: 200, duration }),
    })
  }
  return metrics
}

const bounds = [
  0.0001,
  0.00025,
  0.0005,
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  Infinity,
]

it.each<[number, number]>([
  [0, 0.0001],
  [0.1, 0.0001],
  [0.1000001, 0.00025],
  [1, 0.001],
  [1.5, 0.0025],
  [10_000, 10],
  [10_000.5, Infinity],
  [86_400_000, Infinity],
])('%d ms are in the buckets from %d s on', (duration, first) => {
  expect(calls([duration]).durations()).toEqual({
    buckets: bounds.map((upTo) => ({ upTo, count: upTo >= first ? 1 : 0 })),
    sum: duration / 1000,
    count: 1,
  })
})

it('buckets hold what shorter ones hold, and the last holds all', () => {
  const { buckets, sum, count } = calls([0.05, 0.05, 3, 40, 20_000]).durations()
  const counts = Object.fromEntries(buckets.map((bucket) => [bucket.upTo, bucket.count]))
  expect(counts).toMatchObject({ 0.0001: 2, 0.0025: 2, 0.005: 3, 0.025: 3, 0.05: 4, 10: 4, Infinity: 5 })
  expect([sum, count]).toEqual([20.0431, 5])
})
