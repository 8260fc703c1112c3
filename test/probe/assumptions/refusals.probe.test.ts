// Refusals and new rows: an unknown value is reported as such, and an invisible one is not guessed.
import { describe, expect, it } from 'vitest'
import type { AssumptionId } from '../../../src/contract/assumptions.ts'
import type { GivenTarget } from '../../../src/probe/target-type.ts'
import type { UnvalidatedSettings } from '../../../src/input/resolve-assumptions.ts'
import { everything, plantedRun } from '../../helpers/planted-run.ts'
import { observe } from '../../helpers/planting.ts'
import { richTarget, type Rewrite } from '../../helpers/probed-sandbox.ts'

type SentRequest = Parameters<Rewrite>[0]

interface OtherValue {
  /** The assumptions of the target that differ from the defaults. */
  assume?: UnvalidatedSettings
  /** Created for each run, as it may remember answers. */
  rewrite: () => Rewrite
}

/** Rewrites the answers to some requests. */
const where = (
  isMeant: (request: SentRequest, answer: Response) => boolean,
  answered: (answer: Response) => Response | Promise<Response>,
): OtherValue => ({
  rewrite: () => (request, answer) => (isMeant(request, answer) ? answered(answer) : answer),
})

const teapot = (): Response => Response.json({}, { status: 418 })
const inShapeB =
  (status: number, type = 'BAD_REQUEST_ERROR') =>
  (): Response =>
    Response.json({ error: { type, message: 'It is otherwise here.' } }, { status })
const missing = (): Response =>
  Response.json({ type: 'CUSTOMER_NOT_FOUND_ERROR', message: '-', param: 'customer_id' }, { status: 404 })
const withStatus =
  (status: number) =>
  (answer: Response): Response =>
    new Response(answer.body, { status, headers: answer.headers })
/** The body with something replaced in its text. */
const withText =
  (from: string | RegExp, to: string) =>
  async (answer: Response): Promise<Response> =>
    new Response((await answer.text()).replaceAll(from, to), {
      status: answer.status,
      headers: answer.headers,
    })

const hasStatus =
  (status: number) =>
  (_: SentRequest, answer: Response): boolean =>
    answer.status === status
const asks =
  (part: string) =>
  ({ method, path }: SentRequest): boolean =>
    `${method} ${path}`.includes(part)
/** The success of a creation. */
const creates =
  (path: string) =>
  (request: SentRequest, { status }: Response): boolean =>
    `${request.method} ${request.path}` === `POST ${path}` && status === 200
const sends =
  (part: string) =>
  ({ body }: SentRequest): boolean =>
    body?.includes(part) === true

const hasNoProduct = ({ headers }: SentRequest): boolean => !headers.has('x-service-merchant-key')

/** Answers every later request like the first. */
const always = (isMeant: (request: SentRequest) => boolean): OtherValue => ({
  rewrite: () => {
    let first: string | undefined
    return async (request, answer) => {
      if (!isMeant(request)) return answer
      const text = await answer.text()
      first ??= text
      return new Response(first, { status: answer.status, headers: answer.headers })
    }
  },
})

/** Rewrites the second of some answers. */
const secondTime = (isMeant: (request: SentRequest) => boolean, answered: () => Response): OtherValue => ({
  rewrite: () => {
    let times = 0
    return (request, answer) => {
      if (!isMeant(request)) return answer
      times += 1
      return times === 2 ? answered() : answer
    }
  },
})

const otherValues: Partial<Record<AssumptionId, [seen: string, how: OtherValue]>> = {
  product_isolation: [
    'status 403 in shape B, FORBIDDEN_ERROR',
    where(
      (request, { status }) =>
        asks('/v2/rewards/rwd_')(request) && !asks('cannot')(request) && status === 404,
      inShapeB(403, 'FORBIDDEN_ERROR'),
    ),
  ],
  unauthenticated_status: ['status 418', where(hasStatus(401), withStatus(418))],
  unauthenticated_type: [
    'NOBODY_ERROR',
    where(hasStatus(401), withText('UNAUTHORIZED_ERROR', 'NOBODY_ERROR')),
  ],
  forbidden_type: ['SCOPE_ERROR', where(hasStatus(403), withText('FORBIDDEN_ERROR', 'SCOPE_ERROR'))],
  merchant_key_required: [
    'status 418',
    where(
      (request) =>
        request.headers.get('authorization') === 'Bearer sk_full' &&
        hasNoProduct(request) &&
        !request.headers.has('x-service-version'),
      teapot,
    ),
  ],
  missing_merchant_key_status: ['status 418', where(hasNoProductOfSeveral, teapot)],
  unknown_merchant_key_status: [
    'statuses 418 and 400',
    where(({ headers }) => headers.get('x-service-merchant-key') === 'mk_cannot_exist', teapot),
  ],
  not_found_status: ['status 422', where(hasStatus(404), withStatus(422))],
  malformed_json_shape: ['status 418', where(hasStatus(400), teapot)],
  unsupported_media_type: [
    'status 422 in shape B, UNSUPPORTED_MEDIA_TYPE_ERROR',
    where(hasStatus(415), withStatus(422)),
  ],
  unknown_body_fields: [
    'status 400 in shape B, BAD_REQUEST_ERROR',
    where(sends('"cannot_exist":1'), inShapeB(400)),
  ],
  unknown_query_parameters: [
    'status 422 in shape B, BAD_REQUEST_ERROR',
    where(asks('?cannot_exist'), inShapeB(422)),
  ],
  null_request_fields: ['status 400 in shape B, BAD_REQUEST_ERROR', where(sends('null'), inShapeB(400))],
  idempotency_key: [
    'the first intent again',
    always((request) => request.headers.has('idempotency-key') && sends('made_by')(request)),
  ],
  create_status: ['status 202', where(creates('/v2/transaction_intents'), withStatus(202))],
  intent_required_fields: [
    'required: customer_id, amount',
    where((request) => asks('transaction_intents')(request) && !sends('currency')(request), missing),
  ],
  negative_amount: [
    'status 400 in shape A, amount: must not be negative and status 404 in shape C, CUSTOMER_NOT_FOUND_ERROR',
    where(asks('PATCH'), missing),
  ],
  zero_amount: ['status 400 in shape B, BAD_REQUEST_ERROR', where(sends('"amount":0'), inShapeB(400))],
  intent_payment_method_status: [
    'status 409 in shape B, BAD_REQUEST_ERROR',
    where(sends('"pm_old"'), inShapeB(409)),
  ],
  intent_payment_method_type: [
    'status 409 in shape B, BAD_REQUEST_ERROR',
    where(sends('"pm_bank"'), inShapeB(409)),
  ],
  intent_foreign_payment_method: [
    'status 409 in shape B, BAD_REQUEST_ERROR',
    where(asks('POST /v2/transaction_intents'), inShapeB(409)),
  ],
  intent_network_id_reuse: [
    'status 409 in shape B, BAD_REQUEST_ERROR',
    secondTime(asks('POST /v2/transaction_intents'), inShapeB(409)),
  ],
  intent_past_date: [
    'status 409 in shape B, BAD_REQUEST_ERROR',
    where(sends('expected_date'), inShapeB(409)),
  ],
  create_key_status: ['status 202', where(creates('/v2/keys'), withStatus(202))],
  create_key_shape: [
    'the fields token, created_at',
    where(creates('/v2/keys'), withText('"key"', '"token"')),
  ],
  new_key_inherits: [
    'the new key is answered status 401 in shape B, UNAUTHORIZED_ERROR',
    where(
      ({ path, headers }) =>
        path.startsWith('/v2/rewards/rwd') && headers.get('authorization') !== 'Bearer sk_full',
      inShapeB(401, 'UNAUTHORIZED_ERROR'),
    ),
  ],
}

function hasNoProductOfSeveral(request: SentRequest): boolean {
  return request.headers.get('authorization') === 'Bearer sk_multi' && hasNoProduct(request)
}

describe('what is none of the values is told as such', () => {
  it.each(Object.entries(otherValues))('of %s', async (name, [told, { assume = {}, rewrite }]) => {
    const id = name as AssumptionId
    const run = await plantedRun(assume, { allow: everything, only: [id] }, rewrite())
    const { verdict, value, seen } = run.observations[id] ?? {}
    expect({ verdict, value, seen }).toEqual({ verdict: 'observed_other', value: undefined, seen: told })
  })
})

interface Unclear {
  id: AssumptionId
  assume?: UnvalidatedSettings
  rewrite?: Rewrite
  target?: (target: GivenTarget) => GivenTarget
  why: string
  takes?: string
}

const keys =
  (more: Partial<GivenTarget['keys']>) =>
  (target: GivenTarget): GivenTarget => ({
    ...target,
    keys: { ...richTarget.keys, full: 'sk_full', ...more },
  })
const ids =
  (more: GivenTarget['ids']) =>
  (target: GivenTarget): GivenTarget => ({ ...target, ids: { ...target.ids, ...more } })
/** Answers an intent without any fault in another way. */
const noIntents: Rewrite = ({ method, path }, answer) =>
  method === 'POST' && path === '/v2/transaction_intents' ? inShapeB(403, 'FORBIDDEN_ERROR')() : answer

const unclear: Unclear[] = [
  {
    id: 'unauthenticated_type',
    assume: { unauthenticated_status: 403, forbidden_type: 'PERMISSION_ERROR' },
    why: 'a 403 has type PERMISSION_ERROR, like every other 403',
  },
  {
    id: 'forbidden_type',
    target: keys({ without: { PCI_DETAILS_READ: 'sk_PCI_DETAILS_READ' } }),
    why: 'no key of the target lacks a required scope',
    takes:
      'add keys.without.TRANSACTION_INTENT_WRITE or keys.without.TRANSACTION_INTENT_READ or keys.without.ACCOUNT_READ or keys.without.ORDER_WRITE to the target',
  },
  {
    id: 'merchant_key_required',
    assume: { merchant_key_required: 'key_of_several_products' },
    target: keys({ full: 'sk_multi', multi: 'sk_multi' }),
    why: 'keys.full may select each of the first two of merchant_keys',
    takes: 'keys.full of one product, whose merchant key is among the first two',
  },
  {
    id: 'unknown_body_fields',
    rewrite: noIntents,
    why: 'an intent for an unknown customer is answered status 403 in shape B, FORBIDDEN_ERROR, and not as a customer that is not found',
    takes: 'keys.full with the scope TRANSACTION_INTENT_WRITE',
  },
  ...(['create_status', 'intent_network_id_reuse', 'intent_past_date'] as const).map((id) => ({
    id,
    rewrite: noIntents,
    why: 'an intent is answered status 403 in shape B, FORBIDDEN_ERROR',
    takes: 'ids.payment_method that is an active card of ids.customer',
  })),
  {
    id: 'intent_payment_method_status',
    target: ids({ customer: 'cus_linked', payment_method: 'pm_other' }),
    why: 'ids.customer shows no CANCELED card',
    takes: '1 CANCELED card of ids.customer',
  },
  {
    id: 'intent_payment_method_type',
    target: ids({ customer: 'cus_linked', payment_method: 'pm_other' }),
    why: 'ids.customer shows no ACTIVE BANK_ACCOUNT or LOAN',
    takes: '1 ACTIVE BANK_ACCOUNT or LOAN of ids.customer',
  },
]

describe('what nothing shows is not guessed, and what it takes is told', () => {
  it.each(unclear)('of $id: $why', async ({ id, assume = {}, why, takes, ...how }) => {
    const { verdict, value, ...told } = await observe(id, { assume, seed: 5, ...how })
    expect({ verdict, value }).toEqual({ verdict: 'not_observable', value: undefined })
    expect({ why: told.why, takes: told.takes }).toEqual({ why, takes })
  })
})
