import { describe, expect, it } from 'vitest'
import { receiverPointsOf } from '../../src/events/receiver-points.ts'
import type { Attempt } from '../../src/events/attempts.ts'

/** An attempt that was made, with the status of its answer. */
const attempt = (n: number, status: number | null, faults?: Attempt['faults'], endpoint = 'a'): Attempt => ({
  n,
  endpoint_id: endpoint,
  due: '2027-01-01T00:00:00Z',
  at: '2027-01-01T00:00:00Z',
  state: status !== null && status < 300 ? 'delivered' : 'failed',
  status,
  reason: '',
  ...(faults && { faults }),
})

describe('the points that the last of these attempts covers', () => {
  it.each<[title: string, deliveries: Attempt[], points: string[]]>([
    ['accepted', [attempt(1, 204)], ['accepted']],
    ['failed', [attempt(1, 500)], []],
    ['accepted twice', [attempt(1, 204), attempt(2, 200)], ['accepted', 'duplicate_accepted']],
    ['accepted by two endpoints', [attempt(1, 204, undefined, 'b'), attempt(2, 204)], ['accepted']],
    ['accepted after a failure', [attempt(1, null), attempt(2, 204)], ['accepted', 'accepted_after_retry']],
    [
      'accepted after a failure of another endpoint',
      [attempt(1, 500, undefined, 'b'), attempt(2, 204)],
      ['accepted'],
    ],
    ['a wrong signature refused', [attempt(1, 401, ['bad_signature'])], ['bad_signature_refused']],
    ['an old timestamp refused', [attempt(1, 400, ['stale_timestamp'])], ['stale_timestamp_refused']],
    ['a wrong signature accepted', [attempt(1, 204, ['bad_signature'])], []],
    [
      'a wrong signature accepted, then the event',
      [attempt(1, 204, ['bad_signature']), attempt(2, 204)],
      ['accepted'],
    ],
    ['a wrong signature that made the receiver fail', [attempt(1, 500, ['bad_signature'])], []],
    ['a wrong signature without an answer', [attempt(1, null, ['bad_signature'])], []],
    ['a wrong signature answered by a redirect', [attempt(1, 302, ['bad_signature'])], []],
    ['refused, for one of two reasons', [attempt(1, 400, ['bad_signature', 'stale_timestamp'])], []],
    ['refused, perhaps for its type', [attempt(1, 400, ['bad_signature', 'unknown_type'])], []],
    ['a genuine attempt refused', [attempt(1, 400)], []],
    [
      'a wrong signature out of order, refused',
      [attempt(1, 400, ['reorder', 'bad_signature'])],
      ['bad_signature_refused'],
    ],
    [
      'a wrong signature refused, perhaps as the event was early',
      [attempt(1, 400, ['bad_signature', 'early'])],
      [],
    ],
    ['no signature refused', [attempt(1, 401, ['no_signature'])], ['no_signature_refused']],
    ['no signature accepted', [attempt(1, 204, ['no_signature'])], []],
    ['no signature that made the receiver fail', [attempt(1, 500, ['no_signature'])], []],
    [
      'a malformed signature refused',
      [attempt(1, 400, ['malformed_signature'])],
      ['malformed_signature_refused'],
    ],
    ['a malformed signature that made the receiver fail', [attempt(1, 500, ['malformed_signature'])], []],
    [
      'a timestamp in the future refused',
      [attempt(1, 400, ['future_timestamp'])],
      ['future_timestamp_refused'],
    ],
    ['a timestamp in the future accepted', [attempt(1, 204, ['future_timestamp'])], []],
    [
      'other bytes',
      [attempt(1, 204, ['same_json_other_bytes'])],
      ['accepted', 'same_json_other_bytes_accepted'],
    ],
    ['other bytes refused', [attempt(1, 400, ['same_json_other_bytes'])], []],
    ['a large body', [attempt(1, 204, ['large'])], ['accepted', 'large_accepted']],
    ['a large body refused', [attempt(1, 413, ['large'])], []],
    ['an early event', [attempt(1, 204, ['early'])], ['accepted', 'early_accepted']],
    ['an early event refused', [attempt(1, 404, ['early'])], []],
    [
      'two at the same time, both accepted',
      [attempt(1, 204, ['concurrent']), attempt(2, 204, ['concurrent'])],
      ['accepted', 'concurrent_accepted'],
    ],
    [
      'two at the same time, the first answered by 409',
      [attempt(1, 409, ['concurrent']), attempt(2, 204, ['concurrent'])],
      ['accepted', 'concurrent_accepted'],
    ],
    [
      'two at the same time, the second answered by 409',
      [attempt(1, 204, ['concurrent']), attempt(2, 409, ['concurrent'])],
      ['concurrent_accepted'],
    ],
    [
      'two at the same time, one of which made the receiver fail',
      [attempt(1, 500, ['concurrent']), attempt(2, 204, ['concurrent'])],
      ['accepted'],
    ],
    [
      'two at the same time, both answered by 409',
      [attempt(1, 409, ['concurrent']), attempt(2, 409, ['concurrent'])],
      [],
    ],
    [
      'two at the same time of two endpoints',
      [attempt(1, 409, ['concurrent'], 'b'), attempt(2, 204, ['concurrent'])],
      ['accepted', 'concurrent_accepted'],
    ],
    ['an unknown type', [attempt(1, 204, ['unknown_type'])], ['accepted', 'unknown_type_accepted']],
    ['an unknown type refused', [attempt(1, 422, ['unknown_type'])], []],
    ['unknown fields', [attempt(1, 204, ['unknown_fields'])], ['accepted', 'unknown_fields_accepted']],
  ])('%s', (_title, deliveries, points) => {
    expect(receiverPointsOf({ deliveries }, deliveries.length)).toEqual(points)
  })

  it('an attempt that is gone -> none', () => {
    expect(receiverPointsOf({ deliveries: [] }, 1)).toEqual([])
  })
})
