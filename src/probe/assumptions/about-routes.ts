// How the assumptions about routes and errors are observed.
import { cannotTell, other, value } from '../probe.ts'
import type { ProbesOf } from './probes-of.ts'

export const routeProbes: Pick<ProbesOf<'not_found_status'>, 'not_found_status'> = {
  not_found_status: {
    id: 'not_found_status',
    needs: [],
    steps: [
      {
        name: 'unknown reward',
        risk: 'refusal',
        method: 'GET',
        path: () => '/v2/rewards/rwd_cannot_exist',
        request: () => ({}),
      },
    ],
    read(given) {
      const status = given.answer('unknown reward')?.status
      if (status === 404 || status === 400 || status === 410) return value(status)
      return status === undefined ? cannotTell('there was no answer') : other(`status ${status}`)
    },
  },
}
