// Probes of the assumptions about routes and errors.
import { briefly, errorIn } from '../error-shape.ts'
import { unknownRowViolations } from '../checks/answers.ts'
import { endpoints } from '../../endpoints/index.ts'
import { other } from '../probe.ts'
import { impossiblePath, step } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import { answerTo, statusSeen } from './readings.ts'

type RouteAssumptionId = 'not_found_status'

/** The endpoints that read one row by its own id. */
const unknownRows = endpoints
  .filter(({ method, path }) => method === 'GET' && path.endsWith('_id}'))
  .map((endpoint) => step(endpoint.id, 'refusal', 'GET', impossiblePath(endpoint)))

export const routeProbes: Pick<ProbesOf<RouteAssumptionId>, RouteAssumptionId> = {
  not_found_status: {
    id: 'not_found_status',
    needs: [],
    steps: unknownRows,
    read(context) {
      const answers = unknownRows.map(({ name }) => answerTo(context, name))
      const isOther = answers.find((answer) => errorIn(answer)?.shape !== 'C')
      return isOther ? other(briefly(isOther)) : statusSeen('not_found_status', answers)
    },
    violations: unknownRowViolations,
  },
}
