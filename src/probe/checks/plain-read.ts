// The plain good call of an operation that only reads, on the rows that the target names.
import type { Endpoint } from '../../endpoints/define.ts'
import { rowSchemaOf } from '../../coverage/points/result-rows.ts'
import type { Answer } from '../asker.ts'
import type { Step } from '../probe.ts'
import { found, type Need, type Target } from '../target.ts'

/** The row of the target that a parameter of a path names. */
const needs: Readonly<Record<string, Need>> = {
  customer_id: 'ids.customer',
  account_id: 'ids.account',
  payment_method_id: 'ids.payment_method',
  intent_id: 'ids.intent',
  reward_id: 'ids.reward',
}

/** Whether a call changes nothing: a GET, or the list that is asked for with a POST. */
export function onlyReads({ method, result }: Endpoint): boolean {
  return method === 'GET' || (result !== undefined && rowSchemaOf(result) !== result)
}

/** What the target must name for a plain call. */
export function needsOf({ method, params }: Endpoint): Need[] {
  const own = Object.keys(params).flatMap((name) => needs[name] ?? [])
  return method === 'POST' && own.length === 0 ? ['ids.customer'] : own
}

/** The row of the target that a parameter names. */
export const rowNamed = (target: Target, param: string): string | undefined => {
  const name = needs[param]
  return name && found(target, name)
}

/** The path of a plain call. */
export function pathOf({ path, params }: Endpoint, target: Target): string {
  return Object.keys(params).reduce((filled, name) => {
    const row = rowNamed(target, name)
    return filled.replace(`{${name}}`, row === undefined ? `<${name}>` : encodeURIComponent(row))
  }, path)
}

/** The step that makes the plain call, written the same way by all, so that it is sent once. */
export function plainRead(endpoint: Endpoint): Step<'holds'> {
  const { method } = endpoint
  return {
    name: 'plain',
    risk: 'read',
    method,
    path: ({ target }) => pathOf(endpoint, target),
    request: ({ target }) =>
      method === 'GET' ? {} : { json: { customer_id: found(target, 'ids.customer') } },
  }
}

/** Whether an answer is a success. */
export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300
