// For each assumption a service that does something else than any of its values: what it answers is rewritten.
import type { AssumptionId } from '../../src/contract/assumptions.ts'
import type { GivenSettings } from '../../src/reading/resolve-assumptions.ts'
import type { Rewrite } from './probed-sandbox.ts'

type Asked = Parameters<Rewrite>[0]

export interface OtherValue {
  /** What the target assumes beside the defaults. */
  assume?: GivenSettings
  /** Made anew for each run, as it may remember what was answered. */
  rewrite: () => Rewrite
}

/** Rewrites the answers to some requests. */
const where = (
  isMeant: (asked: Asked, answer: Response) => boolean,
  answered: (answer: Response) => Response | Promise<Response>,
): OtherValue => ({
  rewrite: () => (asked, answer) => (isMeant(asked, answer) ? answered(answer) : answer),
})

const teapot = (): Response => Response.json({}, { status: 418 })
const inShapeB =
  (status: number, type = 'BAD_REQUEST_ERROR') =>
  (): Response =>
    Response.json({ error: { type, message: 'It is otherwise here.' } }, { status })
const inShapeA = (detail: string) => (): Response =>
  Response.json(
    { path: '/', details: [detail], error: 'Bad Request', status: 400, timestamp: '2026-11-21T12:00:00Z' },
    { status: 400 },
  )
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
  (_: Asked, answer: Response): boolean =>
    answer.status === status
const asks =
  (part: string) =>
  ({ method, path }: Asked): boolean =>
    `${method} ${path}`.includes(part)
const sends =
  (part: string) =>
  ({ body }: Asked): boolean =>
    body?.includes(part) === true

/** What a Basic credential says. */
const basic = ({ headers }: Asked): string | undefined => {
  const [scheme, text = ''] = (headers.get('authorization') ?? '').split(' ')
  return scheme === 'Basic' ? Buffer.from(text, 'base64').toString() : undefined
}
const hasNoProduct = ({ headers }: Asked): boolean => !headers.has('x-service-merchant-key')

/** Answers every later request like the first. */
const always = (isMeant: (asked: Asked) => boolean): OtherValue => ({
  rewrite: () => {
    let first: string | undefined
    return async (asked, answer) => {
      if (!isMeant(asked)) return answer
      const text = await answer.text()
      first ??= text
      return new Response(first, { status: answer.status, headers: answer.headers })
    }
  },
})

/** Rewrites the second of some answers. */
const secondTime = (isMeant: (asked: Asked) => boolean, answered: () => Response): OtherValue => ({
  rewrite: () => {
    let times = 0
    return (asked, answer) => {
      if (!isMeant(asked)) return answer
      times += 1
      return times === 2 ? answered() : answer
    }
  },
})

export const otherValues: Partial<Record<AssumptionId, OtherValue>> = {
  read_status: where(hasStatus(200), withStatus(206)),
  order_of_refusals: where(
    ({ path, headers }) => path === '/v2/cannot_exist' && headers.get('x-service-version') === '1999-01-01',
    inShapeB(404, 'NOT_FOUND_ERROR'),
  ),
  product_isolation: where(
    (asked, { status }) => asks('/v2/rewards/rwd_')(asked) && !asks('cannot')(asked) && status === 404,
    inShapeB(403, 'FORBIDDEN_ERROR'),
  ),
  unauthenticated_status: where(hasStatus(401), withStatus(418)),
  unauthenticated_type: where(hasStatus(401), withText('UNAUTHORIZED_ERROR', 'NOBODY_ERROR')),
  basic_password_with_key: where((asked) => basic(asked)?.endsWith(':cannot_exist') === true, teapot),
  basic_without_colon: where((asked) => basic(asked)?.includes(':') === false, teapot),
  routes_without_key: where(
    ({ path, headers }) => path === '/v2/cannot_exist' && !headers.has('authorization'),
    teapot,
  ),
  forbidden_type: where(hasStatus(403), withText('FORBIDDEN_ERROR', 'SCOPE_ERROR')),
  merchant_key_required: where(
    (asked) =>
      asked.headers.get('authorization') === 'Bearer sk_full' &&
      hasNoProduct(asked) &&
      !asked.headers.has('x-service-version'),
    teapot,
  ),
  missing_merchant_key_status: where(hasNoProductOfSeveral, teapot),
  unknown_merchant_key_status: where(
    ({ headers }) => headers.get('x-service-merchant-key') === 'mk_cannot_exist',
    teapot,
  ),
  not_found_status: where(hasStatus(404), withStatus(422)),
  unknown_route_status: where(hasStatus(404), withStatus(422)),
  wrong_method_status: where(hasStatus(405), withStatus(501)),
  trailing_slash: where(asks('rewards_categories/'), teapot),
  error_types: where(hasStatus(404), withText('NOT_FOUND_ERROR', 'notFound')),
  malformed_json_shape: where(hasStatus(400), teapot),
  unsupported_media_type: where(hasStatus(415), withStatus(422)),
  body_max_bytes: where(({ body = '' }) => body.length > 1_000, inShapeB(413)),
  body_max_depth: where(sends('[['), inShapeB(400)),
  metadata_max_depth: {
    assume: { metadata_max_depth: 64, body_max_depth: 100 },
    ...where(hasStatus(400), missing),
  },
  metadata_max_bytes: where(sends('"metadata"'), inShapeA('metadata must not be')),
  json_byte_order_mark: where(sends('\ufeff'), teapot),
  duplicate_json_keys: where(sends('"none"'), inShapeA('currency must be a code')),
  unknown_body_fields: where(sends('"cannot_exist":1'), inShapeB(400)),
  unknown_query_parameters: where(asks('?cannot_exist'), inShapeB(422)),
  null_request_fields: where(sends('null'), inShapeB(400)),
  empty_optional_fields: where(asks('GET /v2/customers'), withText('"email":', '"phone":null,"email":')),
  repeated_query_parameter: always(asks('partner_customer_id=')),
  idempotency_key: always((asked) => asked.headers.has('idempotency-key') && sends('made_by')(asked)),
  create_status: where(hasStatus(201), withStatus(202)),
  intent_required_fields: where(
    (asked) => asks('transaction_intents')(asked) && !sends('currency')(asked),
    missing,
  ),
  negative_amount: where(asks('PATCH'), missing),
  zero_amount: where(sends('"amount":0'), inShapeB(400)),
  intent_payment_method_status: where(sends('"pm_old"'), inShapeB(409)),
  intent_payment_method_type: where(sends('"pm_bank"'), inShapeB(409)),
  intent_foreign_payment_method: where(asks('POST /v2/transaction_intents'), inShapeB(409)),
  intent_network_id_reuse: secondTime(asks('POST /v2/transaction_intents'), inShapeB(409)),
  intent_past_date: where(sends('expected_date'), inShapeB(409)),
  intent_fields: where(asks('/v2/transaction_intents/'), withText('"currency"', '"unit"')),
  create_key_status: where(hasStatus(201), withStatus(202)),
  create_key_shape: where(hasStatus(201), withText('"secret"', '"password"')),
  new_key_inherits: where(
    ({ path, headers }) =>
      path.startsWith('/v2/rewards/rwd') && headers.get('authorization') !== 'Bearer sk_full',
    inShapeB(401, 'UNAUTHORIZED_ERROR'),
  ),
}

function hasNoProductOfSeveral(asked: Asked): boolean {
  return asked.headers.get('authorization') === 'Bearer sk_multi' && hasNoProduct(asked)
}
