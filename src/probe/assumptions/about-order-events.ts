// Probes of the assumptions about order events.
import { deleteOrderEvent } from '../../endpoints/order-events.ts'
import { pathTo } from '../path-to.ts'
import { valuesOf } from '../../contract/assumptions.ts'
import { errorRow } from '../../contract/errors.ts'
import { unknownRowViolations } from '../checks/answers.ts'
import { isSuccess, unlike } from '../answers.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, value } from '../probe.ts'
import type { ProbesOf } from './probes-of.ts'

export const orderEventProbes: ProbesOf<'delete_order_event_status' | 'delete_missing_order_event'> = {
  delete_order_event_status: {
    id: 'delete_order_event_status',
    needs: [],
    uses: { order_events: 1 },
    steps: [
      {
        name: 'delete',
        risk: 'irreversible',
        method: 'DELETE',
        path: ({ rows }) => pathTo(deleteOrderEvent, { order_event_id: rows.order_events[0] }),
        request: () => ({}),
      },
    ],
    read(context) {
      const answer = context.answer('delete')
      const status = valuesOf('delete_order_event_status').find((one) => one === answer?.status)
      if (status !== undefined) return value(status)
      if (!answer || isSuccess(answer)) return unlike(answer)
      return cannotTell(
        `the order event was not deleted: it was answered ${briefly(answer)}`,
        'an order event that exists',
      )
    },
  },
  delete_missing_order_event: {
    id: 'delete_missing_order_event',
    needs: [],
    steps: [
      {
        name: 'delete what is missing',
        risk: 'refusal',
        method: 'DELETE',
        path: () => pathTo(deleteOrderEvent, { order_event_id: 'oev_cannot_exist' }),
        request: () => ({}),
      },
    ],
    read(context) {
      const answer = context.answer('delete what is missing')
      if (!answer) return unlike(answer)
      if (isSuccess(answer)) return value('no_content')
      if (errorIn(answer)?.shape !== 'B') return unlike(answer)
      if (answer.status === errorRow('BAD_REQUEST_ERROR').status) return value('bad_request')
      return answer.status === errorRow('NOT_FOUND_ERROR').status ? value('not_found') : unlike(answer)
    },
    violations: unknownRowViolations,
  },
}
