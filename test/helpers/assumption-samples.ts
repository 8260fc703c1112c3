// Sample calls that together rest on each assumption with alternatives, and the answers that a sandbox gives to them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import { assumptionCatalogue, type AssumptionId } from '../../src/contract/assumptions.ts'
import type { AssumptionEntry } from '../../src/contract/assumptions/assumption-entry.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { basic, fullKey, namedIn, type CallApi, type CallOptions } from './sandbox.ts'

/** One call: method, path, and what else a test sends. */
export type Sample = [method: string, path: string, options?: CallOptions]

const ada = '/v2/customers/cus_ada'
const statements = `${ada}/accounts/acct_ada/statements`
const carla = '/v2/customers/cus_carla/accounts/acct_carla/statements'
const intents = '/v2/transaction_intents'
const methods = '/v2/payment_methods'
const categories = '/v2/rewards/rewards_categories'
const pending = '/v2/rewards/rwd_ada_pending'
const harbor = { 'x-service-merchant-key': 'mk_harbor' }
const summit = { 'x-service-merchant-key': 'mk_summit' }

/** A workspace has a key of its own for calls that send none at all. */
const stranger: CallOptions = { headers: { authorization: 'None' } }

const intent = { customer_id: 'cus_ada', amount: 4599, currency: 'USD' }
const whole = { ...intent, payment_method_id: 'pm_ada_card', network_transaction_id: 'ntx_new' }
const json = (value: unknown): CallOptions => ({ json: value })
const text = (body: string, type = 'application/json'): CallOptions => ({
  body,
  headers: { 'content-type': type },
})

const creations = [
  intent,
  whole,
  { ...whole, amount: 0 },
  { ...whole, amount: -1 },
  { ...whole, amount: 'x' },
  { ...whole, customer_id: 'cus_none' },
  { ...whole, customer_id: 'cus_hana' },
  { ...whole, payment_method_id: 'pm_none' },
  { ...whole, payment_method_id: 'pm_ada_old' },
  { ...whole, payment_method_id: 'pm_ada_virtual' },
  { ...whole, payment_method_id: 'pm_ada_virtual', currency: 'EUR' },
  { ...whole, currency: 'EUR' },
  { ...intent, currency: 'EUR' },
  { ...intent, customer_id: 'cus_grace' },
  { ...whole, customer_id: 'cus_grace' },
  { ...whole, payment_method_id: 'pm_ada_bank' },
  { ...whole, payment_method_id: 'pm_ada_loan' },
  { ...whole, payment_method_id: 'pm_carla_card' },
  { ...whole, payment_method_id: 'pm_hana_card' },
  { ...whole, network_transaction_id: 'ntx_ada_0001' },
  { ...whole, expected_date: '2026-11-20' },
  { ...whole, expected_date: '2026-11-21' },
  { ...whole, expected_date: '2026-11-21T11:59:59Z' },
  { ...whole, expected_date: '2026-11-21T13:00:00Z' },
  { ...whole, payment_method_id: null },
  { ...whole, customer_id: null },
  { ...whole, merchant_address: { city: null, street_line1: 'x' } },
  { ...whole, merchant_address: { planet: 'x' } },
  { ...whole, metadata: null },
  { ...whole, metadata: { a: null } },
  { ...whole, unknown: 1 },
  { payment_method_id: 'pm_ada_card', network_transaction_id: '1' },
  {},
  [],
]

const filters = [
  { customer_id: 'cus_ada' },
  { customer_id: 'cus_carla' },
  { customer_id: 'cus_ben' },
  { customer_id: 'cus_none' },
  { customer_id: 'cus_ada', type: 'CARD' },
  { customer_id: 'cus_ada', type: 'LOAN' },
  { customer_id: 'cus_ada', type: null },
  { customer_id: null, pan: '4242424242424242' },
  { pan: '4242424242424242' },
  { pan: 'x' },
  { type: 'CARD' },
  { customer_id: 'cus_ada', limit: 2 },
  { customer_id: 'cus_ada', limit: 50 },
  { customer_id: 'cus_ada', limit: 0 },
  { customer_id: 'cus_ada', starting_after: 'pm_ada_card' },
  { customer_id: 'cus_ada', starting_after: 'pm_none' },
  { customer_id: 'cus_ada', starting_after: 'pm_ada_old' },
  { customer_id: 'cus_ada', limit: 1, starting_after: 'pm_ada_virtual' },
  { customer_id: 'cus_many' },
  {},
]

const searches = [
  '',
  'limit=5',
  'limit=10',
  'limit=25',
  'limit=100',
  'limit=0',
  'limit=x',
  'page_size=5',
  'page_size=0',
  'per_page=5&limit=7',
  'size=3&unknown=1',
  'limit=1000',
  'starting_after=cus_ben',
  'starting_after=cus_ada',
  'starting_after=cus_none',
  'partner_customer_id=partner-ada',
  'partner_customer_id=partner-ada&limit=1',
  'partner_customer_id=partner-ada&page_size=0',
  'partner_customer_id=partner-ada&starting_after=cus_ben',
  'partner_customer_id=partner-ada&starting_after=cus_ada',
  'partner_customer_id=nobody',
  'limit=5&unknown=1',
  'partner_customer_id=',
  'page=2',
]

const queries = ['', '?limit=5', '?limit=27', '?limit=101', '?page_size=5', '?starting_after=x', '?locale=es']
const locales = ['locale=es', 'locale=es-MX', 'locale=fr', 'lang=es', 'lang=fr']

export const samples: readonly Sample[] = [
  ...creations.map((body): Sample => ['POST', intents, json(body)]),
  ...filters.map((body): Sample => ['POST', methods, json(body)]),
  ...searches.map((query): Sample => ['GET', `/v2/customers?${query}`]),
  ['GET', '/v2/customers?limit=110', { key: 'sk_sandbox_multi', headers: harbor }],
  ['GET', '/v2/customers?limit=1000', { key: 'sk_sandbox_multi', headers: harbor }],
  ...queries.flatMap((query): Sample[] => [
    ['GET', statements + query],
    ['GET', carla + query],
  ]),
  ['GET', `${ada}/accounts/acct_none/statements`],
  ['GET', `/v2/customers/cus_none/accounts/acct_ada/statements`],
  ...[...locales, ''].flatMap((query): Sample[] => [
    ['GET', `${categories}?${query}`],
    ['GET', `${categories}?${query}`, { key: 'sk_sandbox_multi', headers: harbor }],
  ]),
  ...['cus_ada', 'cus_ben', 'cus_carla', 'cus_farid', 'cus_liam', 'cus_none'].map((id): Sample => [
    'GET',
    `/v2/customers/${id}/rewards_balance`,
  ]),
  ['GET', '/v2/customers/cus_hana/rewards_balance', { key: 'sk_sandbox_multi', headers: harbor }],
  ['GET', '/v2/customers/cus_es/rewards_balance', { key: 'sk_sandbox_multi', headers: harbor }],
  ['GET', pending],
  ['GET', `${pending}?verbose=1`],
  ['GET', '/v2/rewards/rwd_whole'],
  ['GET', '/v2/rewards/rwd_none'],
  ...[
    { status: 'PENDING' },
    { status: 'AVAILABLE' },
    { status: 'DEDUCTED' },
    { status: 'NONE' },
    { amount: 5, status: null },
    { amount: null },
    { amount: -5 },
    { amount: 0 },
    {},
  ].map((body): Sample => ['PATCH', pending, json(body)]),
  ['PATCH', '/v2/rewards/rwd_ada_available', json({ amount: 5 })],
  ...['rwd_ada_pending_deduction', 'rwd_ada_available', 'rwd_none'].flatMap((id): Sample[] => [
    ['PATCH', `/v2/rewards/${id}`, json({ status: 'DEDUCTED' })],
    ['PATCH', `/v2/rewards/${id}`, json({ status: 'DEDUCTED', amount: 5 })],
  ]),
  ['PATCH', '/v2/rewards/rwd_none', json({ amount: 5 })],
  ['GET', `${intents}/int_ada_1`],
  ['GET', `${intents}/int_none`],
  ['GET', `${methods}/pm_ada_card`],
  ['GET', `${methods}/pm_ada_card`, { key: 'sk_sandbox_without_pci_details_read' }],
  ['GET', `${methods}/pm_whole`],
  ['GET', `${methods}/pm_whole`, { key: 'sk_sandbox_without_pci_details_read' }],
  ['GET', `${methods}/pm_none`],
  ...['partner-new', 'partner-ada', 'partner-carla', ''].flatMap((id): Sample[] => [
    ['POST', `${ada}/link`, json({ partner_customer_id: id })],
    ['POST', '/v2/customers/cus_ben/link', json({ partner_customer_id: id })],
  ]),
  ['POST', '/v2/customers/cus_none/link', json({ partner_customer_id: 'partner-new' })],
  ['DELETE', '/v2/order_events/ord_ada_1'],
  ['DELETE', '/v2/order_events/ord_none'],
  ['DELETE', '/v2/order_events/ord_ada_1?force=1'],
  ['POST', '/v2/keys'],
  ['POST', '/v2/keys', json({})],
  ['POST', '/v2/keys', json({ name: 'x' })],
  ['POST', '/v2/keys', json([])],

  // Bodies
  ['POST', intents, text('{')],
  ['POST', intents, text('')],
  ['POST', intents, text(JSON.stringify(whole), 'text/plain')],
  [
    'POST',
    intents,
    {
      ...text(JSON.stringify(whole)),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    },
  ],
  ['POST', methods, text('{')],
  ['POST', intents, { ...json(whole), headers: { 'idempotency-key': '1' } }],
  ['GET', pending, { headers: { 'idempotency-key': '1' } }],

  // Routes
  ['GET', '/v2/nothing'],
  ['GET', '/v2/orders'],
  ['POST', '/v2/order_events', json({})],
  ['PUT', '/v2/orders/order_ada_1', json({})],
  ['DELETE', '/v2/keys', { key: 'sk_none' }],
  ['PUT', pending],

  // Keys, versions, products, scopes
  ['GET', pending, stranger],
  ['GET', pending, { key: 'sk_none' }],
  ['GET', pending, { headers: basic(fullKey) }],
  ['GET', pending, { headers: basic('key_full', 'secret_full') }],
  ['GET', pending, { headers: basic('key_full', 'wrong') }],
  ['GET', pending, { headers: { 'x-service-version': '2020-01-01' } }],
  ['GET', pending, { headers: { 'x-service-version': 'latest' } }],
  ['GET', pending, { headers: summit }],
  ['GET', pending, { headers: harbor }],
  ['GET', pending, { headers: { 'x-service-merchant-key': 'mk_none' } }],
  ['GET', pending, { key: 'sk_sandbox_multi' }],
  ['GET', pending, { key: 'sk_sandbox_multi', headers: summit }],
  ['GET', pending, { key: 'sk_sandbox_multi', headers: harbor }],
  ['POST', intents, { key: 'sk_sandbox_none', ...json(whole) }],
  ['GET', `${intents}/int_ada_1`, { key: 'sk_sandbox_none' }],
  ['GET', statements, { key: 'sk_sandbox_none' }],
  ['DELETE', '/v2/order_events/ord_ada_1', { key: 'sk_sandbox_none' }],
  ['GET', '/v2/customers?limit=2', { key: 'sk_sandbox_none' }],

  // Two reasons in one call
  ['GET', `${pending}?verbose=1`, { headers: { 'x-service-merchant-key': 'mk_none' } }],
  ['GET', `${statements}?limit=27`, { key: 'sk_sandbox_none' }],
  ['POST', intents, { key: 'sk_sandbox_none', ...json({ ...whole, amount: -1 }) }],
  ['POST', `${intents}?verbose=1`, json({ ...whole, amount: -1, unknown: 1 })],
  ['POST', `${intents}?verbose=1`, text('{', 'text/plain')],
  ['POST', intents, { ...text('{'), headers: { 'idempotency-key': '1', 'content-type': 'text/plain' } }],
  ['POST', intents, json({ ...intent, amount: 0, payment_method_id: null })],
  ['POST', intents, json({ ...intent, amount: -1, network_transaction_id: null })],
  ['POST', intents, json({ ...intent, amount: -(2 ** 53), unknown: null })],
  ['POST', intents, json({ ...whole, payment_method_id: 'pm_ada_old', expected_date: '2026-11-20' })],
  ['POST', intents, json({ ...whole, payment_method_id: 'pm_ada_bank', amount: 0 })],
  ['POST', intents, json({ ...whole, payment_method_id: 'pm_carla_card', expected_date: '2026-11-20' })],
  ['POST', intents, json({ ...whole, expected_date: '2026-11-20', amount: -1 })],
  ['POST', intents, json({ ...whole, customer_id: 'cus_none', amount: 0, unknown: 1 })],
  ['POST', methods, json({ customer_id: 'cus_none', limit: 2, starting_after: 'pm_none' })],
  ['POST', methods, json({ customer_id: 'cus_ada', limit: null, starting_after: null })],
  ['POST', methods, json({ customer_id: 'cus_ada', limit: 2, starting_after: 'pm_none', unknown: 1 })],
  ['POST', methods, json({ customer_id: 'cus_many', limit: 11, starting_after: null })],
  ['POST', methods, json({ customer_id: 'cus_many', starting_after: 'pm_many_3' })],
  ['POST', methods, json({ type: 'CARD', limit: 0 })],
  ['POST', methods, json({ customer_id: null, limit: 'x' })],
  ['GET', '/v2/customers?limit=5&page_size=6&per_page=x&starting_after=cus_none'],
  ['GET', '/v2/customers?starting_after=cus_ben&size=1'],
  ['GET', `${carla}?limit=1&page_size=5&starting_after=x`],
  ['GET', `${ada}/accounts/acct_none/statements?limit=27&starting_after=x`],
  ['GET', `${categories}?locale=es&lang=fr&language=es`],
  ['PATCH', '/v2/rewards/rwd_ada_available', json({ status: 'PENDING', amount: -1, unknown: 1 })],
  ['PATCH', '/v2/rewards/rwd_none', json({ status: 'DEDUCTED', amount: null })],
  ['POST', `${ada}/link`, json({ partner_customer_id: 'partner-carla', unknown: null })],
  ['POST', '/v2/keys', { ...json({ name: null }), headers: { 'idempotency-key': '1' } }],

  // Scenarios
  ['GET', pending, { headers: { 'x-sandbox-scenario': 'rate-limited' } }],
  ['GET', pending, { headers: { 'x-sandbox-scenario': 'nobody' } }],
]

function fixtures(): Record<string, unknown> {
  const file = join(packageRoot(), 'fixtures', 'default.json')
  const { customers, payment_methods, rewards, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    Record<string, unknown>[]
  >
  const person = (id: string, more: object): object => ({
    id,
    first_name: 'Per',
    last_name: 'Son',
    email: `${id}@example.com`,
    statuses: {},
    created_at: '2026-01-01T00:00:00Z',
    ...more,
  })
  const method = customers && payment_methods?.find(({ id }) => id === 'pm_ada_bank')
  return {
    ...rest,
    customers: [
      ...(customers ?? []),
      ...Array.from({ length: 130 }, (_, n) => person(`cus_h${n}`, { product: 'mk_harbor' })),
      person('cus_es', { product: 'mk_harbor', preferred_language: 'es' }),
      person('cus_many', { product: 'mk_summit' }),
    ],
    payment_methods: [
      ...(payment_methods ?? []),
      ...Array.from({ length: 12 }, (_, n) => ({ ...method, id: `pm_many_${n}`, customer_id: 'cus_many' })),
      {
        id: 'pm_whole',
        type: 'CARD',
        customer_id: 'cus_many',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
        status: 'ACTIVE',
        metadata: {},
        card: {
          last4: '4242',
          network: 'VISA',
          card_type: 'PHYSICAL',
          card_design_id: 'x',
          exp_month: '01',
          exp_year: '2030',
          tokens: [],
        },
      },
    ],
    rewards: [
      ...(rewards ?? []),
      ...['USD', 'POINTS'].map((currency) => ({
        id: `rwd_liam_${currency}`,
        customer_id: 'cus_liam',
        amount: 500,
        type: 'OFFER',
        currency,
        status: 'AVAILABLE',
        created_at: '2026-01-01T00:00:00Z',
      })),
      {
        id: 'rwd_whole',
        customer_id: 'cus_ada',
        transaction_event_id: 'txn_1',
        amount: 1,
        type: 'OFFER',
        currency: 'POINTS',
        status: 'PENDING',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
        metadata: {},
      },
    ],
  }
}

/** The default fixtures, more customers than any page holds, methods on two pages, and rows with every field. */
export const sampleFixtures = fixtures()

/** The content of one answer, without the parts that differ between equal calls, and the assumptions it names. */
export interface SampleAnswer {
  shown: string
  named: readonly string[]
}

/** Sends each sample to a workspace of its own. */
export async function answerSamples(
  sandbox: Sandbox,
  callerOf: (workspace: SandboxWorkspace) => CallApi | Promise<CallApi>,
  sent: readonly Sample[] = samples,
): Promise<SampleAnswer[]> {
  const answers: SampleAnswer[] = []
  for (const sample of sent) {
    const [method, path, options] = sample
    // Ids that are made in a workspace tell its name.
    const call = await callerOf(sandbox.workspace(`w${samples.indexOf(sample)}`))
    const { status, headers, text: content } = await call(method, path, options)
    const {
      'x-sandbox-request-id': _id,
      'x-sandbox-assumptions': _named,
      ...others
    } = Object.fromEntries(headers)
    const shown = JSON.stringify([status, others, content.replaceAll(/&nonce=[^"]*/g, '')])
    answers.push({ shown, named: namedIn(headers) })
  }
  return answers
}

/** Cases in which an answer does not name an assumption that decides it, each with the reason. */
export const exceptions: { id: AssumptionId; under: string; sample?: Sample; reason: string }[] = [
  {
    id: 'intent_network_id_reuse',
    under: 'accept',
    sample: ['POST', intents, json({ ...whole, network_transaction_id: 'ntx_ada_0001' })],
    reason: 'looking for another intent with every creation takes longer than creating one',
  },
  {
    id: 'customer_fields',
    under: 'id_only',
    reason: 'it decides what the OpenAPI document requires, and changes no answer',
  },
  {
    id: 'refund_reward',
    under: 'own_row',
    reason: 'it decides what a refund does when it arrives; balance_statuses, which follows it, is named',
  },
  {
    id: 'transaction_amount',
    under: 'last_step',
    reason:
      'it decides what a transaction has when a step arrives; who shows it later does not know how it was made',
  },
  {
    id: 'reward_rounding',
    under: 'down',
    reason:
      'it decides what a purchase earns when it arrives; who shows the reward later does not know how it was made',
  },
]

/** Whether an answer that an assumption changes names the one that it is tied to, which changes with it. */
export function namesTiedOne(answer: SampleAnswer | undefined, id: AssumptionId): boolean {
  const { fits }: AssumptionEntry = assumptionCatalogue[id]
  return answer?.named.some((name) => name === fits?.with) ?? false
}

/** Whether the rule does not hold for an assumption under one of its values, for one sample. */
export function isException(id: AssumptionId, value: unknown, sample: Sample): boolean {
  return exceptions.some(
    (one) => one.id === id && one.under === value && JSON.stringify(one.sample) === JSON.stringify(sample),
  )
}
