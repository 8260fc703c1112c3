// The call that stands for an operation: a good one where it only reads, else one about rows that cannot exist.
import { pathTo } from '../path-to.ts'
import { errorRow, isShownType, type ErrorType } from '../../contract/errors.ts'
import type { OperationId } from '../../contract/declared.generated.ts'
import { errorsInForce, type Endpoint } from '../../endpoints/define.ts'
import type { ProbeRequest } from '../prepare.ts'
import type { RiskClass, Step } from '../probe.ts'
import { found, type Target } from '../target.ts'
import { usual } from '../world.ts'

/** An id that no row has. */
export const noRow = 'probe_cannot_exist'

/** The field of a target that names a row, by the parameter that takes its id. */
export const placeOf = {
  customer_id: 'ids.customer',
  account_id: 'ids.account',
  payment_method_id: 'ids.payment_method',
  intent_id: 'ids.intent',
  reward_id: 'ids.reward',
} as const

type RowParameter = keyof typeof placeOf
export const isRowParameter = (name: string): name is RowParameter => Object.hasOwn(placeOf, name)

/** What the target must name for a good call. */
export const needsOf = ({ params, id }: Endpoint): (typeof placeOf)[RowParameter][] => [
  ...Object.keys(params)
    .filter(isRowParameter)
    .map((name) => placeOf[name]),
  ...(id === 'listPaymentMethods' ? [placeOf.customer_id] : []),
]

/** Whether an operation changes nothing: only those that do have a status of their own. */
export const onlyReads = ({ status, statusShown }: Endpoint): boolean =>
  typeof status === 'number' && !statusShown

/** Whether a good key is enough for a call to change something: no body and no row is needed. */
const alwaysSucceeds = (endpoint: Endpoint): boolean =>
  !onlyReads(endpoint) && Object.keys(endpoint.params).length === 0 && endpoint.bodyOptional === true

/** The class of a call with a good key. */
export function riskOf(endpoint: Endpoint): RiskClass {
  if (onlyReads(endpoint)) return 'read'
  return alwaysSucceeds(endpoint) ? 'write' : 'refusal'
}

/** Bodies that break no rule. */
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

/** What a call has beyond the one that stands for its operation. */
export interface Change extends Omit<ProbeRequest, 'method' | 'path' | 'json'> {
  /** Names rows that cannot exist, whatever the target names. */
  readonly ofNoRow?: true
  /** What follows the path; `<…>` stands for what an earlier answer gives. */
  readonly query?: string
  /** Sent in place of the usual body. */
  readonly json?: unknown
  /** Where it is not that of a call with a good key. */
  readonly risk?: RiskClass
}

/** A step that makes the call that stands for an operation, with a change. */
export function call(
  endpoint: Endpoint,
  name: string,
  { ofNoRow, query = '', risk = riskOf(endpoint), json, ...change }: Change = {},
): Step<'holds'> {
  const isOfNoRow = ofNoRow || !onlyReads(endpoint)
  const rowOf = (parameter: string, target: Target): string =>
    (!isOfNoRow && isRowParameter(parameter) && found(target, placeOf[parameter])) || noRow
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

/** As `call`, for one that several points look at: it is the same step for all, so that what it makes is made once. */
export function sharedCall(endpoint: Endpoint, name: string, change: Change = {}): Step<'holds'> {
  const id = `${endpoint.id} ${name}`
  const known = shared.get(id)
  if (known) return known
  const step = call(endpoint, name, change)
  const made: Step<'holds'> = step.risk === 'write' ? { ...step, once: true } : step
  shared.set(id, made)
  return made
}

/** The call that stands for an operation, to which most of its points look. */
export const plain = (endpoint: Endpoint): Step<'holds'> => sharedCall(endpoint, 'plain')

/** The error that the contract shows for a row of the path that does not exist. */
export function missingRowError(endpoint: Endpoint): ErrorType | undefined {
  const errors = errorsInForce(endpoint, usual).filter(
    ({ type, when }) => when === undefined && isShownType(type),
  )
  return errors.find(({ type }) => (errorRow(type).param ?? '') in endpoint.params)?.type
}
