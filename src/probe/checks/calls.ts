// The representative call of an operation: a valid one if it only reads, otherwise one about rows that cannot exist.
import { pathTo } from '../path-to.ts'
import { errorRow, isShownType, type ErrorType } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/declared.generated.ts'
import { errorsInForce, type Endpoint } from '../../endpoints/define.ts'
import type { ProbeRequest } from '../prepare.ts'
import type { RiskClass, Step } from '../probe.ts'
import { found, type Target } from '../target.ts'
import { defaultAssumptions } from '../default-context.ts'

/** An id that no row has. */
export const noRow = 'probe_cannot_exist'

/** The field of a target for a row, by the parameter that takes its id. */
export const needByParameter = {
  customer_id: 'ids.customer',
  account_id: 'ids.account',
  payment_method_id: 'ids.payment_method',
  intent_id: 'ids.intent',
  reward_id: 'ids.reward',
} as const

type RowParameter = keyof typeof needByParameter
export const isRowParameter = (name: string): name is RowParameter => Object.hasOwn(needByParameter, name)

/** The fields of the target for a valid call. */
export const needsOf = ({ params, id }: Endpoint): (typeof needByParameter)[RowParameter][] => [
  ...Object.keys(params)
    .filter(isRowParameter)
    .map((name) => needByParameter[name]),
  ...(id === 'listPaymentMethods' ? [needByParameter.customer_id] : []),
]

/** Whether an operation changes nothing: only those that change something have a status of their own. */
export const onlyReads = ({ status, statusShown }: Endpoint): boolean =>
  typeof status === 'number' && !statusShown

/** Whether a valid key is enough for a call to change something: no body and no row is needed. */
const alwaysSucceeds = (endpoint: Endpoint): boolean =>
  !onlyReads(endpoint) && Object.keys(endpoint.params).length === 0 && endpoint.bodyOptional === true

/** The class of a call with a valid key. */
export function riskOf(endpoint: Endpoint): RiskClass {
  if (onlyReads(endpoint)) return 'read'
  return alwaysSucceeds(endpoint) ? 'write' : 'refusal'
}

/** Valid bodies. */
const bodies: Partial<Record<OperationId, (customer: string) => object>> = {
  createTransactionIntent: (customer_id) => ({
    customer_id,
    amount: 100,
    currency: 'USD',
    payment_method_id: noRow,
    network_transaction_id: noRow,
  }),
  listPaymentMethods: (customer_id) => ({ customer_id }),
  linkCustomer: () => ({ partner_customer_id: noRow }),
  updateReward: () => ({ status: 'AVAILABLE' }),
  createApiKey: () => ({}),
}

/** The differences of a call to the representative one of its operation. */
export interface Change extends Omit<ProbeRequest, 'method' | 'path' | 'json'> {
  /** Refers to rows that cannot exist, whatever the target names. */
  readonly ofNoRow?: true
  /** The query; `<…>` is a value from an earlier answer. */
  readonly query?: string
  /** Sent instead of the usual body. */
  readonly json?: unknown
  /** If it differs from that of a call with a valid key. */
  readonly risk?: RiskClass
}

/** Returns a step with the representative call of an operation, with a change. */
export function call(
  endpoint: Endpoint,
  name: string,
  { ofNoRow, query = '', risk = riskOf(endpoint), json, ...change }: Change = {},
): Step<'holds'> {
  const isOfNoRow = ofNoRow || !onlyReads(endpoint)
  const rowOf = (parameter: string, target: Target): string =>
    (!isOfNoRow && isRowParameter(parameter) && found(target, needByParameter[parameter])) || noRow
  return {
    name,
    risk,
    method: endpoint.method,
    path: ({ target }) =>
      pathTo(
        endpoint,
        Object.fromEntries(
          Object.keys(endpoint.params).map((parameter) => [parameter, rowOf(parameter, target)]),
        ),
        query,
      ),
    request({ target }) {
      const body = json ?? bodies[endpoint.id]?.(rowOf('customer_id', target))
      return body === undefined ? change : { ...change, json: body }
    },
  }
}

const shared = new Map<string, Step<'holds'>>()

/** Like `call`, for one that several points use: it is the same step for all, so that it is sent once. */
export function sharedCall(endpoint: Endpoint, name: string, change: Change = {}): Step<'holds'> {
  const id = `${endpoint.id} ${name}`
  const known = shared.get(id)
  if (known) return known
  const step = call(endpoint, name, change)
  const made: Step<'holds'> = step.risk === 'write' ? { ...step, once: true } : step
  shared.set(id, made)
  return made
}

/** The representative call of an operation, which most of its points use. */
export const plain = (endpoint: Endpoint): Step<'holds'> => sharedCall(endpoint, 'plain')

/** The error that the contract shows for a missing row of the path. */
export function missingRowError(endpoint: Endpoint): ErrorType | undefined {
  const errors = errorsInForce(endpoint, defaultAssumptions).filter(
    ({ type, when }) => when === undefined && isShownType(type),
  )
  return errors.find(({ type }) => (errorRow(type).param ?? '') in endpoint.params)?.type
}
