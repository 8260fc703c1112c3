import type { CallRecord } from '../../src/sandbox/runs/call-record.ts'

/** A good call over HTTP, but for what is said of it. */
export function callRecord(said: Partial<CallRecord> = {}): CallRecord {
  return {
    over_http: true,
    points: [],
    id: 'req_default_1',
    method: 'GET',
    path: '/v2/rewards/a',
    operation: 'retrieveReward',
    status: 200,
    outcome: 'success',
    error_type: null,
    assumptions: [],
    test: null,
    ...said,
  }
}
