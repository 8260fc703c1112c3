// Probes of the assumptions about authentication, scopes and products.
import { valuesOf } from '../../contract/assumptions.ts'
import { merchantKeyHeader } from '../../contract/credentials.ts'
import { scopeNames, scopes, type Scope } from '../../contract/scopes.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { Answer } from '../read-answer.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { found, type Target } from '../target.ts'
import { anyRead, badKeyRead, impossiblePath, noKeyRead, plainRead } from './common-steps.ts'
import type { ProbesOf } from './probes-of.ts'
import { rejectedIntent } from './rejected-intent.ts'
import { isSuccess } from '../answers.ts'
import { answerTo, statusSeen, valueSeen } from './readings.ts'

type AuthenticationAssumptionId =
  | 'unauthenticated_status'
  | 'unauthenticated_type'
  | 'forbidden_type'
  | 'merchant_key_required'
  | 'missing_merchant_key_status'
  | 'unknown_merchant_key_status'

/** Returns the first scope that a key of the target lacks and is refused for. */
function lackedScope(target: Target): Scope | undefined {
  return scopeNames.find(
    (scope) => scopes[scope].lacking === 'refuses' && found(target, `keys.without.${scope}`) !== undefined,
  )
}

const endpointOf = (scope: string | undefined) => endpoints.find((endpoint) => endpoint.scope === scope)

/** One step for each scope that is required; the first one for which the target has a key is sent. */
const withoutScope = endpoints.flatMap(({ scope, method, path, body }): Step[] => {
  if (scope === undefined || endpointOf(scope)?.path !== path) return []
  return [
    {
      name: scope,
      risk: 'refusal',
      method,
      path: () => impossiblePath({ path }),
      request: ({ target }) =>
        lackedScope(target) === scope
          ? { key: `without.${scope}`, ...(body ? { json: rejectedIntent } : {}) }
          : undefined,
    },
  ]
})

function readForbidden(context: ProbeContext): Reading<(typeof forbiddenTypes)[number]> {
  const scope = lackedScope(context.target)
  if (scope === undefined) {
    const names = withoutScope.map(({ name }) => `keys.without.${name}`).join(' or ')
    return cannotTell('no key of the target lacks a required scope', `add ${names} to the target`)
  }
  const answer = answerTo(context, scope)
  const error = errorIn(answer)
  if (answer.status !== 403) {
    return cannotTell(
      `without ${scope} a call is answered ${briefly(answer)}`,
      `a usable key under keys.without.${scope} that lacks it`,
    )
  }
  return error?.shape === 'B' ? valueSeen('forbidden_type', error.type) : other(briefly(answer))
}
const forbiddenTypes = valuesOf('forbidden_type')

const forProduct = (key: 'full' | 'multi', place: 0 | 1): Step => ({
  ...anyRead(`${key} for product ${place}`),
  request({ target }) {
    const product = found(target, `merchant_keys[${place}]`)
    return product === undefined ? undefined : { key, headers: { [merchantKeyHeader]: product } }
  },
})
const ofMulti = [forProduct('multi', 0), forProduct('multi', 1)]
const ofFull = [forProduct('full', 0), forProduct('full', 1)]

/** Several products show only if `keys.multi` may select two of them. */
function unlessSeveral(context: ProbeContext): Reading<never> | undefined {
  const refused = ofMulti.map(({ name }) => answerTo(context, name)).find((answer) => !isSuccess(answer))
  return (
    refused &&
    cannotTell(
      `keys.multi selects the first two of merchant_keys and is answered ${briefly(refused)}`,
      'merchant_keys of the products of keys.multi',
    )
  )
}

const severalProducts = ['keys.multi', 'merchant_keys[0]', 'merchant_keys[1]'] as const

export const authenticationProbes: Pick<ProbesOf<AuthenticationAssumptionId>, AuthenticationAssumptionId> = {
  unauthenticated_status: {
    id: 'unauthenticated_status',
    needs: [],
    steps: [badKeyRead, noKeyRead],
    read: (context) =>
      statusSeen('unauthenticated_status', [
        answerTo(context, badKeyRead.name),
        answerTo(context, noKeyRead.name),
      ]),
  },
  unauthenticated_type: {
    id: 'unauthenticated_type',
    needs: [],
    steps: [badKeyRead, noKeyRead],
    read(context) {
      const answers = [badKeyRead, noKeyRead].map(({ name }) => answerTo(context, name))
      const types = [...new Set(answers.map((answer) => typeInB(answer)))]
      const [type] = types
      if (type === undefined || types.length > 1) return other(answers.map(briefly).join(' and '))
      // The type matches the status.
      const isForbidden = forbiddenTypes.some((one) => one === type)
      if (isForbidden && answers.every(({ status }) => status === 403)) {
        return cannotTell(`a 403 has type ${type}, like every other 403`)
      }
      return valueSeen('unauthenticated_type', type)
    },
  },
  forbidden_type: { id: 'forbidden_type', needs: [], steps: withoutScope, read: readForbidden },
  merchant_key_required: {
    id: 'merchant_key_required',
    needs: severalProducts,
    steps: [...ofMulti, ...ofFull, anyRead('without product', { withoutProduct: true })],
    read(context) {
      const unclear = unlessSeveral(context)
      if (unclear) return unclear
      const own = ofFull.filter(({ name }) => isSuccess(answerTo(context, name)))
      if (own.length !== 1) {
        const why = own.length === 0 ? 'neither' : 'each'
        return cannotTell(
          `keys.full may select ${why} of the first two of merchant_keys`,
          'keys.full of one product, whose merchant key is among the first two',
        )
      }
      const answer = answerTo(context, 'without product')
      if (isSuccess(answer)) return value('key_of_several_products')
      return errorIn(answer) ? value('partnership_of_several_products') : other(briefly(answer))
    },
  },
  missing_merchant_key_status: {
    id: 'missing_merchant_key_status',
    needs: severalProducts,
    steps: [...ofMulti, anyRead('multi without product', { key: 'multi', withoutProduct: true }, 'refusal')],
    read: (context) =>
      unlessSeveral(context) ??
      statusSeen('missing_merchant_key_status', [answerTo(context, 'multi without product')]),
  },
  unknown_merchant_key_status: {
    id: 'unknown_merchant_key_status',
    needs: [],
    steps: [
      plainRead,
      anyRead('product', { headers: { [merchantKeyHeader]: 'mk_cannot_exist' } }, 'refusal'),
      ...ofFull,
    ],
    read(context) {
      const plain = answerTo(context, plainRead.name)
      if (!isSuccess(plain)) return cannotTell(`a plain read is answered ${briefly(plain)}`)
      // A product that the key does not have is answered like an unknown one.
      const foreign = ofFull
        .map(({ name }) => context.answer(name))
        .filter((answer) => answer !== undefined && !isSuccess(answer))
      const answers = [answerTo(context, 'product'), ...foreign].filter((answer) => answer !== undefined)
      return statusSeen('unknown_merchant_key_status', answers)
    },
  },
}

function typeInB(answer: Answer): string | undefined {
  const error = errorIn(answer)
  return error?.shape === 'B' ? error.type : undefined
}
