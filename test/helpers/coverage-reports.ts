// Coverage reports made of a few points.
import {
  countsOf,
  type CoveredPoint,
  type CoverageReport,
} from '../../src/coverage/reports/coverage-report.ts'

/** A report of points by their ids, with how many calls exercised each. */
export function reportOfPoints(hitsOf: Readonly<Record<string, number>>): CoverageReport {
  const points = Object.entries(hitsOf).map(([id, hits]) => ({
    id,
    operation: id.split('/')[0] ?? '',
    sentence: `This is ${id.split('/').at(-1)}.`,
    section: 'Limits',
    covered: hits > 0,
    hits,
  }))
  return { ...countsOf(points), points }
}

export const point = (id: string, hits: number, more: Partial<CoveredPoint> = {}): CoveredPoint => ({
  id,
  operation: id.split('/')[0] ?? '',
  sentence: `This is ${id.split('/').at(-1)}.`,
  section: 'Limits',
  covered: hits > 0,
  hits,
  ...more,
})

/** A few points of two operations. */
export const few: CoverageReport = {
  total: 6,
  covered: 3,
  percent: 50,
  points: [
    point('searchCustomers/success', 12),
    point('searchCustomers/error/VALIDATION_ERROR', 0, { exercise: "curl -i -u a: 'http://x/?a=<b>&c=\"'" }),
    point('searchCustomers/auth/basic_key', 1),
    point('searchCustomers/boundary/partner_customer_id/minimum_length', 0),
    point('deleteOrderEvent/success', 1),
    point('deleteOrderEvent/scope/ORDER_WRITE/missing', 0, {
      exercise: 'TOKEN=$(curl -s x)\ncurl -i "$TOKEN"',
    }),
  ],
}

export const whole: CoverageReport = {
  total: 1,
  covered: 1,
  percent: 100,
  points: [point('createApiKey/success', 1)],
}
