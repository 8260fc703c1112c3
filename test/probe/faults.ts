// The planted faults: one rule of the contract that is not kept, and the points that say so; and what breaks nothing.
import { isJsonObject } from '../../src/contract/formats.ts'
import type { OperationId } from '../../src/contract/declared.generated.ts'
import { findRoute } from '../../src/endpoints/routes.ts'
import { releasedVersions, versionHeader } from '../../src/contract/versions.ts'
import { merchantKeyHeader } from '../../src/contract/credentials.ts'
import { conform } from '../../src/probe/conform.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import type { ProbeOptions } from '../../src/probe/start-run.ts'
import {
  probedSandbox,
  randomAssumptions,
  wholeLists,
  type Arriving,
  type ProbedSandbox,
  type Rewrite,
} from '../helpers/probed-sandbox.ts'
import { testMachine } from '../helpers/probing.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faults reach into bodies of every shape
type Body = any

/** An answer that is to be spoiled. */
interface Spoiled {
  status: number
  headers: Headers
  body: Body
}

/** A target with one fault. */
export interface Fault {
  name: string
  operation: OperationId | 'all'
  /** Changes requests of the operation. */
  arrive?(request: Arriving): Partial<Arriving>
  /** Changes what the operation answers. */
  spoil?(answer: Spoiled, request: Arriving): void
  /** Whether it shows only where something is changed. */
  changes?: true
  /** The assumptions without which it does not show. */
  assume?: UnvalidatedSettings
  /** The points that are broken by it, without their operation: these and no others. */
  broken: readonly string[]
}

const operationOf = ({ method, path }: Pick<Arriving, 'method' | 'path'>): OperationId | undefined =>
  findRoute(path.split('?')[0] ?? '')?.byMethod.get(method)?.id

/** How a target with a fault answers. */
const rewriteBy =
  (fault: Fault): Rewrite =>
  async (request, answer) => {
    if (!fault.spoil || !isAbout(fault, request)) return answer
    const text = await answer.text()
    const spoiled: Spoiled = {
      status: answer.status,
      headers: new Headers(answer.headers),
      body: text === '' ? undefined : JSON.parse(text),
    }
    fault.spoil(spoiled, request)
    spoiled.headers.delete('content-length')
    const body = spoiled.body === undefined ? null : JSON.stringify(spoiled.body)
    return new Response(body, { status: spoiled.status, headers: spoiled.headers })
  }

/** The effect of a target with a fault on a request. */
const arriveBy =
  (fault: Fault) =>
  (request: Arriving): Arriving =>
    isAbout(fault, request) ? { ...request, ...fault.arrive?.(request) } : request

const isAbout = ({ operation }: Fault, request: Arriving): boolean =>
  operation === 'all' || operation === operationOf(request)

const succeeded = ({ status }: Spoiled): boolean => status < 300

/** Spoils every success. */
const success =
  (spoil: (body: Body, request: Arriving) => void): NonNullable<Fault['spoil']> =>
  (answer, request) => {
    if (succeeded(answer) && isJsonObject(answer.body)) spoil(answer.body, request)
  }

/** Spoils every row of every success. */
const rows = (spoil: (row: Body, place: number) => void): NonNullable<Fault['spoil']> =>
  success((body) => (Array.isArray(body.data) ? body.data : [body]).forEach(spoil))

/** Spoils the errors of a shape. */
const errors =
  (
    has: 'details' | 'param' | 'error',
    spoil: (body: Body, answer: Spoiled) => void,
  ): NonNullable<Fault['spoil']> =>
  (answer) => {
    if (answer.status < 400 || !isJsonObject(answer.body)) return
    const shape = 'details' in answer.body ? 'details' : 'param' in answer.body ? 'param' : 'error'
    if (shape === has) spoil(answer.body, answer)
  }

/** Sends other headers on; null takes one away. */
function headers(request: Arriving, changed: Record<string, string | null>): Partial<Arriving> {
  const own = new Headers(request.headers)
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) own.delete(name)
    else own.set(name, value)
  }
  return { headers: own }
}

/** A key that is as good as any. */
const goodKey = 'Bearer sk_full'
const lacks = (scope: string, { headers: own }: Arriving): boolean =>
  own.get('authorization') === `Bearer sk_${scope}`
const letThrough =
  (scope: string): NonNullable<Fault['arrive']> =>
  (request) =>
    lacks(scope, request) ? headers(request, { authorization: goodKey }) : {}

const isUnsupported = (version: string | null): boolean =>
  version !== null && version !== 'latest' && !releasedVersions.some((known) => known === version)

const query = (request: Arriving, from: RegExp, to: string): Partial<Arriving> => ({
  path: request.path.replace(from, to),
})
/** A parameter of any name with this value. */
const sized = (size: string): RegExp => new RegExp(`(?<==)${size}(?=&|$)`, 'g')

export const faults: readonly Fault[] = [
  // Fields
  {
    name: 'an amount as text',
    operation: 'retrieveReward',
    spoil: rows((row) => (row.amount = String(row.amount))),
    broken: ['field/amount'],
  },
  {
    name: 'an amount with a fraction',
    operation: 'retrieveTransactionIntent',
    spoil: rows((row) => (row.amount += 0.5)),
    broken: ['field/amount'],
  },
  {
    name: 'a malformed timestamp',
    operation: 'retrieveReward',
    spoil: rows((row) => (row.created_at = '2026-09-02 00:00')),
    broken: ['field/created_at'],
  },
  {
    name: 'a status that is none',
    operation: 'retrieveReward',
    spoil: rows((row) => (row.status = 'EXPIRED')),
    broken: ['field/status'],
  },
  {
    name: 'a required field left out',
    operation: 'retrieveReward',
    spoil: rows((row) => delete row.type),
    broken: ['field/type'],
  },
  {
    name: 'a required field that is null',
    operation: 'retrieveReward',
    spoil: rows((row) => (row.customer_id = null)),
    broken: ['field/customer_id'],
  },
  {
    name: 'an id that is a number',
    operation: 'retrieveReward',
    spoil: rows((row) => (row.id = 17)),
    broken: ['field/id'],
  },
  {
    name: 'another reward than the one that was asked for',
    operation: 'retrieveReward',
    spoil: rows((row) => (row.id = 'rwd_another')),
    broken: ['asked_for'],
  },
  {
    name: 'a currency of two characters',
    operation: 'retrieveTransactionIntent',
    spoil: rows((row) => (row.currency = 'US')),
    broken: ['field/currency'],
  },
  {
    name: 'a status in lower case',
    operation: 'retrieveTransactionIntent',
    spoil: rows((row) => (row.status = 'confirmed')),
    broken: ['field/status'],
  },
  {
    name: 'a list that is an object',
    operation: 'searchCustomers',
    spoil: success((body) => (body.data = { first: body.data[0] })),
    broken: ['field/data'],
  },
  {
    name: 'has_more as text',
    operation: 'listPaymentMethods',
    spoil: success((body) => (body.has_more = String(body.has_more))),
    broken: ['field/has_more'],
  },
  {
    name: 'no total',
    operation: 'listPaymentMethods',
    spoil: success((body) => delete body.total),
    broken: ['field/total'],
  },
  {
    name: 'an email that is a number',
    operation: 'searchCustomers',
    spoil: rows((row) => (row.email = 7)),
    broken: ['field/email'],
  },
  {
    name: 'statuses as a list',
    operation: 'searchCustomers',
    spoil: rows((row) => (row.statuses = Object.keys(row.statuses))),
    broken: ['field/statuses'],
  },
  {
    name: 'a balance with a fraction',
    operation: 'retrieveRewardsBalance',
    spoil: rows((row) => (row.reward_balance += 0.5)),
    broken: ['field/reward_balance'],
  },
  {
    name: 'a balance without its symbol',
    operation: 'retrieveRewardsBalance',
    spoil: rows((row) => delete row.reward_symbol),
    broken: ['field/reward_symbol'],
  },
  {
    name: 'the balance of another customer',
    operation: 'retrieveRewardsBalance',
    spoil: rows((row) => (row.customer_id = 'cus_another')),
    broken: ['asked_for'],
  },
  {
    name: 'an earn rate that is a number',
    operation: 'listRewardCategories',
    spoil: success((body) => body.categories.forEach((row: Body) => (row.earn_rate = Number(row.earn_rate)))),
    broken: ['field/categories'],
  },
  {
    name: 'an earn rate with a comma',
    operation: 'listRewardCategories',
    spoil: success((body) => body.categories.forEach((row: Body) => (row.earn_rate = '3,00'))),
    broken: ['field/categories'],
  },
  {
    name: 'no special categories',
    operation: 'listRewardCategories',
    spoil: success((body) => delete body.special_categories),
    broken: ['field/special_categories'],
  },
  {
    name: 'a month of one digit',
    operation: 'retrievePaymentMethod',
    spoil: rows((row) => (row.card.exp_month = '1')),
    broken: ['field/card'],
  },
  {
    name: 'a year that is a number',
    operation: 'retrievePaymentMethod',
    spoil: rows((row) => (row.card.exp_year = 2030)),
    broken: ['field/card'],
  },
  {
    name: 'a status that no payment method has',
    operation: 'retrievePaymentMethod',
    spoil: rows((row) => (row.status = 'EXPIRED')),
    broken: ['field/status'],
  },
  {
    name: 'both kinds of card',
    operation: 'retrievePaymentMethod',
    spoil: rows((row) => (row.secured_credit_card = row.card)),
    broken: ['kind/of_type'],
  },
  {
    name: 'a card without a card',
    operation: 'listPaymentMethods',
    spoil: rows((row) => delete row.card),
    broken: ['kind/of_type'],
  },
  {
    name: 'an APR that is a number',
    operation: 'listPaymentMethods',
    spoil: rows((row) => row.loan && (row.loan.apr = 11.9)),
    broken: ['field/loan'],
  },
  {
    name: 'payment methods of another customer',
    operation: 'listPaymentMethods',
    spoil: rows((row, place) => place === 1 && (row.customer_id = 'cus_another')),
    broken: ['asked_for'],
  },
  {
    name: 'a total of payment methods that lies',
    operation: 'listPaymentMethods',
    spoil: success((body) => (body.total += 3)),
    broken: ['total'],
  },
  {
    name: 'a type filter that is ignored',
    operation: 'listPaymentMethods',
    arrive: ({ body }) => ({ body: body?.replace(/,"type":"(CARD|LOAN|BANK_ACCOUNT)"/, '') }),
    broken: ['filter/type'],
  },
  // Statements
  {
    name: 'a malformed date',
    operation: 'listStatements',
    spoil: rows((row) => (row.due_date = '28/01/2024')),
    broken: ['field/due_date'],
  },
  {
    name: 'a balance as text',
    operation: 'listStatements',
    spoil: rows((row) => (row.statement_balance = '100')),
    broken: ['field/statement_balance'],
  },
  ...(['purchases', 'interest', 'fees'] as const).map((charge): Fault => ({
    name: `${charge} that are negative`,
    operation: 'listStatements',
    spoil: rows((row) => (row[charge] = -5)),
    broken: [`sign/${charge}`],
  })),
  ...(['payments', 'credits', 'refunds'] as const).map((credit): Fault => ({
    name: `${credit} that are positive`,
    operation: 'listStatements',
    spoil: rows((row) => (row[credit] = 5)),
    broken: [`sign/${credit}`],
  })),
  {
    name: 'as_of at the close of the cycle',
    operation: 'listStatements',
    spoil: rows((row) => (row.as_of = row.period_end_date)),
    broken: ['as_of'],
  },
  {
    name: 'statements oldest first',
    operation: 'listStatements',
    spoil: success((body) => (body.data = body.data.toReversed())),
    broken: ['order'],
  },
  {
    name: 'statements of another account',
    operation: 'listStatements',
    spoil: rows((row) => (row.account_id = 'acct_another')),
    broken: ['asked_for'],
  },
  {
    name: 'a token on the last page',
    operation: 'listStatements',
    spoil: success((body) => !body.has_more && (body.next_page_token = 'b3Zlcg')),
    broken: ['page/token'],
  },
  {
    name: 'no token where there is more',
    operation: 'listStatements',
    spoil: success((body) => delete body.next_page_token),
    broken: ['page/token'],
  },
  {
    name: 'a token that leads to the same page again',
    operation: 'listStatements',
    spoil: success((body, { path }) => {
      const [, token] = /starting_after=([^&]*)/.exec(path) ?? []
      if (token && body.next_page_token) body.next_page_token = decodeURIComponent(token)
    }),
    broken: ['page/walk'],
  },
  {
    name: 'a page size above 100 that is accepted',
    operation: 'listStatements',
    arrive: (request) => query(request, sized('101'), '100'),
    broken: ['boundary/limit/above_maximum'],
  },
  {
    name: 'a page size of 100 that is refused',
    operation: 'listStatements',
    arrive: (request) => query(request, sized('100'), '101'),
    broken: ['boundary/limit/maximum'],
  },
  {
    name: 'statements that a page leaves out',
    operation: 'listStatements',
    spoil: success((body, { path }) => path.includes('starting_after') && body.data.shift()),
    broken: ['page/walk'],
  },
  {
    name: 'has_more that is never true of statements',
    operation: 'listStatements',
    spoil: success((body) => {
      body.has_more = false
      delete body.next_page_token
    }),
    broken: ['page/first'],
  },
  // Customers
  {
    name: 'a total of customers that lies',
    operation: 'searchCustomers',
    spoil: success((body) => (body.total += 5)),
    broken: ['total'],
  },
  {
    name: 'has_more that is always true',
    operation: 'searchCustomers',
    spoil: success((body) => (body.has_more = true)),
    broken: ['page/empty', 'page/last', 'page/only'],
  },
  {
    name: 'has_more that is never true',
    operation: 'searchCustomers',
    spoil: success((body) => (body.has_more = false)),
    broken: ['page/first'],
  },
  {
    name: 'has_more that is false in the middle',
    operation: 'searchCustomers',
    spoil: success((body, { path }) => path.includes('starting_after') && (body.has_more = false)),
    broken: ['page/middle'],
  },
  {
    name: 'a cursor that is ignored',
    operation: 'searchCustomers',
    arrive: (request) => query(request, /&starting_after=[^&]*/, ''),
    broken: ['page/middle', 'page/walk'],
  },
  {
    name: 'a cursor whose customer comes again',
    operation: 'searchCustomers',
    spoil: success((body, { path }) => {
      const [, token] = /starting_after=([^&]*)/.exec(path) ?? []
      if (token && body.data.length > 0) body.data = [{ ...body.data[0], id: token }, ...body.data.slice(1)]
    }),
    broken: ['page/middle', 'page/walk'],
  },
  {
    name: 'pages that hold one more',
    operation: 'searchCustomers',
    assume: { customers_page_size_cap: 1000 },
    arrive: (request) => ({
      path: request.path.replace(/(?<==)(1|2\d\d)(?=&|$)/g, (size) => String(Number(size) + 1)),
    }),
    broken: ['page/size'],
  },
  {
    name: 'a page size of 0 that is accepted',
    operation: 'searchCustomers',
    arrive: (request) => query(request, sized('0'), '1'),
    broken: ['boundary/limit/below_minimum'],
  },
  {
    name: 'a page size of 1 that is refused',
    operation: 'searchCustomers',
    arrive: (request) => (request.path.includes('&') ? {} : query(request, /(?<==)1$/, '0')),
    broken: ['boundary/limit/minimum'],
  },
  {
    name: 'a partner identifier of 129 characters that is accepted',
    operation: 'searchCustomers',
    arrive: (request) => query(request, /a{129}/, 'a'),
    broken: ['boundary/partner_customer_id/above_maximum_length'],
  },
  {
    name: 'a partner identifier of 128 characters that is refused',
    operation: 'searchCustomers',
    arrive: (request) => query(request, /=a{128}$/, `=${'a'.repeat(129)}`),
    broken: ['boundary/partner_customer_id/maximum_length'],
  },
  {
    name: 'a control character that is accepted',
    operation: 'searchCustomers',
    arrive: (request) => query(request, /%1F/i, ''),
    broken: ['boundary/partner_customer_id/below_lowest_character'],
  },
  {
    name: 'a partner identifier with DEL that is accepted',
    operation: 'linkCustomer',
    arrive: ({ body }) => ({ body: body?.replace('\u007f', '') }),
    broken: ['boundary/partner_customer_id/above_highest_character'],
  },
  {
    name: 'a search that ignores case',
    operation: 'searchCustomers',
    arrive: (request) => query(request, /=P-1$/, '=p-1'),
    broken: ['match'],
  },
  {
    name: 'a search that ignores what is searched for',
    operation: 'searchCustomers',
    arrive: (request) =>
      query(request, /\?partner_customer_id=cannot_exist[^&]*$/, '?partner_customer_id=p-1'),
    broken: ['match'],
  },
  // Scopes
  ...(
    [
      ['createTransactionIntent', 'TRANSACTION_INTENT_WRITE'],
      ['retrieveTransactionIntent', 'TRANSACTION_INTENT_READ'],
      ['listStatements', 'ACCOUNT_READ'],
      ['deleteOrderEvent', 'ORDER_WRITE'],
    ] as const
  ).map(([operation, scope]): Fault => ({
    name: `a call without ${scope} that is let through`,
    operation,
    arrive: letThrough(scope),
    broken: [`scope/${scope}/missing`],
  })),
  {
    name: 'another status than 403 without a scope',
    operation: 'listStatements',
    spoil: (answer) => answer.status === 403 && (answer.status = 404),
    broken: ['scope/ACCOUNT_READ/missing'],
  },
  {
    name: 'card numbers without the scope',
    operation: 'retrievePaymentMethod',
    arrive: letThrough('PCI_DETAILS_READ'),
    broken: ['scope/PCI_DETAILS_READ/absent'],
  },
  {
    name: 'card numbers in a list without the scope',
    operation: 'listPaymentMethods',
    arrive: letThrough('PCI_DETAILS_READ'),
    broken: ['scope/PCI_DETAILS_READ/absent'],
  },
  {
    name: 'authorized users without the scope',
    operation: 'searchCustomers',
    arrive: letThrough('AUTHORIZED_USER_READ'),
    broken: ['scope/AUTHORIZED_USER_READ/absent'],
  },
  {
    name: 'a refusal without a scope that fails no request',
    operation: 'retrievePaymentMethod',
    spoil: (answer, request) => {
      if (!lacks('PCI_DETAILS_READ', request)) return
      answer.status = 403
      answer.body = { error: { type: 'FORBIDDEN_ERROR', message: 'No.' } }
    },
    broken: ['scope/PCI_DETAILS_READ/absent'],
  },
  // Keys
  {
    name: 'an unusable key that is let through',
    operation: 'retrieveReward',
    arrive: (request) =>
      request.headers.get('authorization')?.includes('cannot_exist')
        ? headers(request, { authorization: goodKey })
        : {},
    broken: ['auth/unusable'],
  },
  {
    name: 'a call without a key that is let through',
    operation: 'listRewardCategories',
    arrive: (request) =>
      request.headers.has('authorization') ? {} : headers(request, { authorization: goodKey }),
    broken: ['auth/missing'],
  },
  {
    name: 'Basic that is refused',
    operation: 'retrieveRewardsBalance',
    arrive: (request) =>
      request.headers.get('authorization')?.startsWith('Basic')
        ? headers(request, { authorization: null })
        : {},
    broken: ['auth/basic_key'],
  },
  // Versions
  {
    name: 'answers that name no version',
    operation: 'retrieveReward',
    spoil: ({ headers: own }) => own.delete(versionHeader),
    broken: ['version/2025-05-05', 'version/2026-10-13', 'version/latest', 'version/none'],
  },
  {
    name: 'errors that name no version',
    operation: 'retrieveReward',
    spoil: ({ status, headers: own }) => status >= 400 && own.delete(versionHeader),
    broken: ['version/2025-05-05'],
  },
  {
    name: 'always the same version',
    operation: 'listRewardCategories',
    spoil: ({ headers: own }) => own.has(versionHeader) && own.set(versionHeader, '2026-10-13'),
    broken: ['version/2025-05-05', 'version/latest'],
  },
  {
    name: 'a version with a refused key',
    operation: 'retrieveRewardsBalance',
    spoil: ({ headers: own }) => own.set(versionHeader, own.get(versionHeader) ?? '2026-10-13'),
    broken: ['auth/missing', 'auth/unusable', 'version/unsupported'],
  },
  {
    name: 'an unsupported version that is accepted',
    operation: 'searchCustomers',
    arrive: (request) =>
      isUnsupported(request.headers.get(versionHeader)) ? headers(request, { [versionHeader]: null }) : {},
    broken: ['version/unsupported'],
  },
  {
    name: 'an unsupported version that is refused without the versions that there are',
    operation: 'retrieveReward',
    spoil: errors('error', (body) => (body.error.message = 'No.')),
    broken: ['version/unsupported'],
  },
  {
    name: 'an unsupported version that is refused with 404',
    operation: 'retrieveReward',
    spoil: (answer, { headers: own }) => {
      if (isUnsupported(own.get(versionHeader))) answer.status = 404
    },
    broken: ['version/unsupported'],
  },
  // Products
  {
    name: 'a product header that is ignored',
    operation: 'retrieveReward',
    arrive: (request) =>
      request.headers.get(merchantKeyHeader)?.startsWith('mk_') === false
        ? headers(request, { [merchantKeyHeader]: 'mk_summit' })
        : {},
    broken: ['product/unknown'],
  },
  {
    name: 'a key of several products that need name none',
    operation: 'listRewardCategories',
    arrive: (request) =>
      request.headers.has(merchantKeyHeader) ? {} : headers(request, { [merchantKeyHeader]: 'mk_summit' }),
    broken: ['product/not_selected'],
  },
  // Errors
  {
    name: 'the type of a missing intent with NOT in it',
    operation: 'retrieveTransactionIntent',
    spoil: errors('param', (body) => (body.type = 'TRANSACTION_INTENT_NOT_FOUND_ERROR')),
    broken: ['error/TRANSACTION_INTENT_FOUND_ERROR'],
  },
  {
    name: 'another param of a missing reward',
    operation: 'retrieveReward',
    spoil: errors('param', (body) => (body.param = 'id')),
    broken: ['error/REWARD_NOT_FOUND_ERROR'],
  },
  {
    name: 'a missing payment method without param',
    operation: 'retrievePaymentMethod',
    spoil: errors('param', (body) => delete body.param),
    broken: ['error/PAYMENT_METHOD_NOT_FOUND_ERROR'],
  },
  {
    name: 'a missing customer in shape B',
    operation: 'retrieveRewardsBalance',
    spoil: errors(
      'param',
      (body, answer) => (answer.body = { error: { type: body.type, message: body.message } }),
    ),
    broken: ['error/CUSTOMER_NOT_FOUND_ERROR'],
  },
  {
    name: 'refusals without a message, also of a call that names no product',
    operation: 'listRewardCategories',
    assume: { merchant_key_required: 'partnership_of_several_products' },
    spoil: errors('error', (body) => delete body.error.message),
    broken: ['version/unsupported'],
  },
  {
    name: 'another type of a missing customer',
    operation: 'linkCustomer',
    spoil: errors('param', (body) => (body.type = 'CUSTOMER_MISSING_ERROR')),
    broken: ['error/CUSTOMER_NOT_FOUND_ERROR'],
  },
  {
    name: 'a missing customer in shape B, to be linked',
    operation: 'linkCustomer',
    spoil: errors(
      'param',
      (body, answer) => (answer.body = { error: { type: body.type, message: body.message } }),
    ),
    broken: ['error/CUSTOMER_NOT_FOUND_ERROR'],
  },
  {
    name: 'a missing row without message',
    operation: 'listStatements',
    spoil: errors('param', (body) => delete body.message),
    broken: ['error/CUSTOMER_NOT_FOUND_ERROR'],
  },
  {
    name: 'violations without details',
    operation: 'listPaymentMethods',
    spoil: errors('details', (body) => delete body.details),
    broken: ['error/VALIDATION_ERROR'],
  },
  {
    name: 'violations with a malformed timestamp',
    operation: 'createTransactionIntent',
    spoil: errors('details', (body) => (body.timestamp = 'now')),
    broken: ['error/VALIDATION_ERROR'],
  },
  {
    name: 'violations with 422',
    operation: 'updateReward',
    spoil: errors('details', (body, answer) => (body.status = answer.status = 422)),
    broken: ['error/VALIDATION_ERROR'],
  },
  {
    name: 'details that name no field',
    operation: 'linkCustomer',
    spoil: errors('details', (body) => (body.details = ['is wrong'])),
    broken: ['error/VALIDATION_ERROR'],
  },
  {
    name: 'violations in shape B',
    operation: 'updateReward',
    spoil: errors(
      'details',
      (_, answer) => (answer.body = { error: { type: 'BAD_REQUEST_ERROR', message: 'No.' } }),
    ),
    broken: ['error/VALIDATION_ERROR'],
  },
  // Locales
  {
    name: 'Spanish for a locale that there is not',
    operation: 'listRewardCategories',
    arrive: (request) => query(request, sized('fr'), 'es'),
    broken: ['locale/other'],
  },
  {
    name: 'English for es-MX',
    operation: 'listRewardCategories',
    arrive: (request) => query(request, sized('es-MX'), 'fr'),
    broken: ['locale/es_regional'],
  },
  {
    name: 'English for es',
    operation: 'listRewardCategories',
    arrive: (request) => query(request, sized('es'), 'fr'),
    broken: ['locale/es'],
  },
  {
    name: 'a locale that there is not is refused',
    operation: 'listRewardCategories',
    spoil: (answer, { path }) => {
      if (/=fr\b/.test(path) && succeeded(answer)) answer.status = 400
    },
    broken: ['locale/other'],
  },
  {
    name: 'an unsupported version without latest in the list',
    operation: 'retrieveReward',
    spoil: errors('error', (body) => (body.error.message = body.error.message.replace(', latest', ''))),
    broken: ['version/unsupported'],
  },
  // Changes
  {
    name: 'a changed reward that is another one',
    operation: 'updateReward',
    changes: true,
    spoil: rows((row) => (row.id = 'rwd_another')),
    broken: ['asked_for'],
  },
  {
    name: 'a reward that keeps its amount',
    operation: 'updateReward',
    changes: true,
    arrive: ({ body }) => ({ body: body?.replace(/,"amount":1/, '') }),
    broken: ['shows_sent'],
  },
  {
    name: 'another status of the reward update',
    operation: 'updateReward',
    changes: true,
    spoil: (answer) => succeeded(answer) && (answer.status = 202),
    broken: ['success'],
  },
  {
    name: 'a reward that keeps its status',
    operation: 'updateReward',
    changes: true,
    spoil: rows((row) => (row.status = 'PENDING')),
    broken: ['shows_sent'],
  },
  {
    name: 'an intent of another amount',
    operation: 'createTransactionIntent',
    changes: true,
    spoil: rows((row) => (row.amount += 1)),
    broken: ['shows_sent'],
  },
  {
    name: 'an intent whose amount is text',
    operation: 'createTransactionIntent',
    changes: true,
    spoil: rows((row) => (row.amount = '100')),
    broken: ['field/amount'],
  },
]

/** Additions that the contract allows, and answers that it leaves open: they break nothing. */
export const additions: readonly Fault[] = (
  [
    {
      name: 'fields that are new',
      spoil: (answer) => (answer.body = withNewFields(answer.body)),
    },
    {
      name: 'types of errors that are new',
      spoil: errors('error', (body) => {
        if (body.error?.type !== 'BAD_REQUEST_ERROR') body.error.type = 'SOMETHING_NEW_ERROR'
      }),
    },
    { name: 'headers that are new', spoil: ({ headers: own }) => own.set('x-service-region', 'north') },
    {
      name: 'values of enums that are new in latest',
      spoil: (answer) => {
        if (answer.headers.get(versionHeader) !== 'latest' || !succeeded(answer)) return
        for (const row of [answer.body?.data ?? answer.body].flat())
          if (row?.status) row.status = 'SOMETHING_NEW'
      },
    },
    {
      name: 'another status of a refused key',
      spoil: (answer) => {
        if (answer.status === 401) answer.status = 403
      },
    },
    {
      name: 'optional fields that are null',
      spoil: rows((row) => {
        for (const name of ['metadata', 'updated_at', 'transaction_event_id', 'address', 'overdue_amount']) {
          row[name] ??= null
        }
      }),
    },
    {
      name: 'fields that nobody promises left out',
      spoil: rows((row) => {
        for (const name of ['email', 'last_name', 'minimum_due', 'pdf_url', 'payment_method_id'])
          delete row[name]
      }),
    },
  ] as const satisfies readonly Pick<Fault, 'name' | 'spoil'>[]
).map((addition) => ({ ...addition, operation: 'all', broken: [] }))

/** Everything with a field more. */
function withNewFields(body: Body): Body {
  if (Array.isArray(body)) return body.map(withNewFields)
  if (!isJsonObject(body)) return body
  const inner = Object.entries(body).map(([name, value]) => [name, withNewFields(value)] as const)
  return { ...Object.fromEntries(inner), something_new: { of: ['any', 1] } }
}

/** Targets that share a sandbox by seed, as what is asked of them by default changes nothing. */
export class FaultyTargets {
  #planted: Fault | undefined
  readonly #targets = new Map<string, Promise<ProbedSandbox>>()

  /** The ids of what conform finds broken in a target with a fault. */
  async broken(fault: Fault, seed: number, options: ProbeOptions = {}): Promise<string[]> {
    const { target } = await this.#target(seed, fault.assume)
    this.#planted = fault
    const { points } = await conform(target, options, testMachine())
    return points
      .filter(({ verdict }) => verdict === 'broken' || verdict === 'unstable')
      .map(({ id }) => id)
      .toSorted()
  }

  async close(): Promise<void> {
    for (const target of this.#targets.values()) await (await target).sandbox.close()
    this.#targets.clear()
  }

  #target(seed: number, assume: UnvalidatedSettings = {}): Promise<ProbedSandbox> {
    const name = JSON.stringify([seed, assume])
    const known =
      this.#targets.get(name) ??
      probedSandbox(
        { ...randomAssumptions(seed), ...wholeLists, payment_methods_pagination: 'none', ...assume },
        (request, answer) => (this.#planted ? rewriteBy(this.#planted)(request, answer) : answer),
        (request) => (this.#planted ? arriveBy(this.#planted)(request) : request),
      )
    this.#targets.set(name, known)
    return known
  }
}

/** The ids that are to be broken by a fault. */
export const brokenBy = ({ operation, broken }: Fault): string[] =>
  broken.map((name) => `${operation}/${name}`).toSorted()
