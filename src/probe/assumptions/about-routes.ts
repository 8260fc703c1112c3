// Probes of the assumptions about routes and errors.
import { firstRequest } from '../request-sender.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { unknownRowViolations } from '../checks/answers.ts'
import { endpoints } from '../../endpoints/index.ts'
import { retrieveReward } from '../../endpoints/rewards.ts'
import { cannotTell, other, value } from '../probe.ts'
import { badKeyRead, impossiblePath, noSuchMethod, noSuchPath, plainRead, step } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import { isSuccess } from '../answers.ts'
import { answerTo, statusSeen } from './readings.ts'

type Ids =
  | 'not_found_status'
  | 'unknown_route_status'
  | 'wrong_method_status'
  | 'trailing_slash'
  | 'head_and_options'
  | 'error_types'

/** The endpoints that read one row by its own id. */
const unknownRows = endpoints
  .filter(({ method, path }) => method === 'GET' && path.endsWith('_id}'))
  .map((endpoint) => step(endpoint.id, 'refusal', 'GET', impossiblePath(endpoint)))

const rewardPath = impossiblePath(retrieveReward)
const methodSteps = (['GET', 'HEAD', 'OPTIONS'] as const).map((method) =>
  step(`${method} of a reward`, 'refusal', method, rewardPath),
)

const slash = step('slash at the end', 'refusal', firstRequest.method, `${firstRequest.path}/`)

export const routeProbes: Pick<ProbesOf<Ids>, Ids> = {
  not_found_status: {
    id: 'not_found_status',
    needs: [],
    steps: unknownRows,
    read(given) {
      const answers = unknownRows.map(({ name }) => answerTo(given, name))
      const isOther = answers.find((answer) => errorIn(answer)?.shape !== 'C')
      return isOther ? other(briefly(isOther)) : statusSeen('not_found_status', answers)
    },
    violations: unknownRowViolations,
  },
  unknown_route_status: {
    id: 'unknown_route_status',
    needs: [],
    steps: [noSuchPath()],
    read: (given) => statusSeen('unknown_route_status', [answerTo(given, noSuchPath().name)]),
  },
  wrong_method_status: {
    id: 'wrong_method_status',
    needs: [],
    steps: [noSuchMethod()],
    read(given) {
      const answer = answerTo(given, noSuchMethod().name)
      // A service that looks up the row supports the method.
      if (errorIn(answer)?.shape === 'C') return other(briefly(answer))
      return statusSeen('wrong_method_status', [answer])
    },
  },
  head_and_options: {
    id: 'head_and_options',
    needs: [],
    steps: methodSteps,
    read(given) {
      const [get, head, options] = methodSteps.map(({ name }) => answerTo(given, name))
      if (!get || !head || !options) return cannotTell('nothing was asked')
      if (errorIn(get)?.shape !== 'C') return cannotTell(`an unknown reward is answered ${briefly(get)}`)
      if (head.status !== get.status || head.text !== '') return other(`HEAD: ${briefly(head)}`)
      const isAllow = options.status === 204 && /\bGET\b/.test(options.headers['allow'] ?? '')
      return isAllow ? value('as_get_and_allow') : other(`OPTIONS: ${briefly(options)}`)
    },
  },
  trailing_slash: {
    id: 'trailing_slash',
    needs: [],
    steps: [plainRead, slash, noSuchPath()],
    read(given) {
      const plain = answerTo(given, plainRead.name)
      if (!isSuccess(plain)) return cannotTell(`the path without it is answered ${briefly(plain)}`)
      const [answer, unknown] = [slash, noSuchPath()].map(({ name }) => answerTo(given, name))
      if (!answer || !unknown) return cannotTell('nothing was asked')
      if (isSuccess(answer)) return value('ignored')
      return answer.status === unknown.status ? value('unknown_route') : other(briefly(answer))
    },
  },
  error_types: {
    id: 'error_types',
    needs: [],
    steps: [badKeyRead, noSuchPath(), noSuchMethod()],
    read(given) {
      const answers = [badKeyRead, noSuchPath(), noSuchMethod()].map(({ name }) => answerTo(given, name))
      const odd = answers.find((answer) => {
        const error = errorIn(answer)
        return error?.shape !== 'B' || !/^[A-Z]+(_[A-Z]+)*_ERROR$/.test(error.type)
      })
      return odd ? other(briefly(odd)) : value('named_alike')
    },
  },
}
