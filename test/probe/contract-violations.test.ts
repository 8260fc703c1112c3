import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { docs } from '../../src/contract/docs.ts'
import type { Answer } from '../../src/probe/read-answer.ts'
import type { Exchange } from '../../src/probe/request-sender.ts'
import type { Sent } from '../../src/probe/prepare.ts'
import { violationsOf } from '../../src/probe/contract-violations.ts'

const version = '2026-10-13'

/** An exchange with a good key, and an answer that names the version of the call. */
function exchange(
  [method, path]: readonly [string, string],
  status: number,
  json: unknown,
  change: { requestHeaders?: Sent['headers']; answered?: Answer['headers']; key?: false } = {},
): Exchange {
  const authorization = change.key === false ? {} : { authorization: 'Bearer key' }
  return {
    request: { method, path, headers: { ...authorization, ...change.requestHeaders } },
    answer: {
      status,
      headers: { 'x-service-version': version, ...change.answered },
      text: JSON.stringify(json) ?? '',
      json,
    },
  }
}

/** Without the version that every answer of an endpoint names. */
function unnamed(made: Exchange): Exchange {
  const { 'x-service-version': _named, ...headers } = 'status' in made.answer ? made.answer.headers : {}
  return { ...made, answer: { ...(made.answer as Answer), headers } }
}

const getReward = ['GET', '/v2/rewards/r'] as const
const getBalance = ['GET', '/v2/customers/c/rewards_balance'] as const
const getMethod = ['GET', '/v2/payment_methods/p'] as const
const search = ['GET', '/v2/customers?limit=1'] as const
const statements = ['GET', '/v2/customers/c/accounts/a/statements'] as const
const getIntent = ['GET', '/v2/transaction_intents/i'] as const
const update = ['PATCH', '/v2/rewards/r'] as const
const link = ['POST', '/v2/customers/c/link'] as const
const newKey = ['POST', '/v2/keys'] as const
const remove = ['DELETE', '/v2/order_events/o'] as const

const reward = {
  id: 'r',
  customer_id: 'c',
  amount: 1,
  type: 'OFFER',
  status: 'PENDING',
  created_at: '2026-11-14T16:20:00Z',
}
const page = (...data: unknown[]) => ({ data, has_more: false, total: data.length })
const method = { id: 'p', type: 'CARD', customer_id: 'c', created_at: reward.created_at, status: 'ACTIVE' }
const invalid = {
  path: '/v2/customers',
  details: ['limit: must be an integer'],
  error: 'Bad Request',
  status: 400,
  timestamp: '2026-11-14T16:20:00Z',
}
const missing = { type: 'REWARD_NOT_FOUND_ERROR', message: 'No.', param: 'reward_id' }
const latest = {
  requestHeaders: { 'x-service-version': 'latest' },
  answered: { 'x-service-version': 'latest' },
}
const bad = { error: { type: 'BAD_REQUEST_ERROR', message: 'No.' } }

describe('an answer that the contract allows', () => {
  it.each<[string, Exchange]>([
    ['a reward with what is required', exchange(getReward, 200, reward)],
    ['another success than 200', exchange(getReward, 203, reward)],
    ['an unknown field', exchange(getReward, 200, { ...reward, new: { deep: [1] } })],
    ['null in an optional field', exchange(getReward, 200, { ...reward, updated_at: null, metadata: null })],
    ['a leap second', exchange(getReward, 200, { ...reward, created_at: '2026-12-31T23:59:60Z' })],
    ['a long reward unit', exchange(getReward, 200, { ...reward, currency: 'airline miles' })],
    ['a new enum value under latest', exchange(getReward, 200, { ...reward, type: 'GIFT' }, latest)],
    ['a customer with next to nothing', exchange(search, 200, page({ id: 'c', first_name: null }))],
    ['a statement with next to nothing', exchange(statements, 200, { data: [{}], has_more: false })],
    ['an intent with next to nothing', exchange(getIntent, 200, { id: 'i' })],
    [
      'a token for the next page',
      exchange(statements, 200, { data: [], has_more: true, next_page_token: 't' }),
    ],
    ['a card whose fields are few', exchange(getMethod, 200, { ...method, card: {} })],
    ['a reward that is not found, with any status', exchange(getReward, 410, missing)],
    ['a validation failure', exchange(search, 400, invalid)],
    ['a new error type', exchange(getReward, 409, { error: { type: 'NEW_ERROR', message: 'No.' } })],
    ['invalid credentials, in any shape', unnamed(exchange(getReward, 401, ['no']))],
    ['a linked customer, whatever it shows', exchange(link, 200, { anything: 1 })],
    ['a linked customer without a body', exchange(link, 204, undefined)],
    ['a new key of any shape', exchange(newKey, 201, { id: 7 })],
    ['a deletion without a body', exchange(remove, 204, undefined)],
    ['what a gateway refuses', unnamed(exchange(getReward, 413, undefined))],
    [
      'an unsupported version',
      unnamed(exchange(getReward, 400, bad, { requestHeaders: { 'x-service-version': '1' } })),
    ],
    ['a path that no operation has', unnamed(exchange(['GET', '/v1/any'], 200, 'any'))],
    ['no answer', { request: exchange(search, 200, {}).request, answer: { notCalled: 'hangs' } }],
  ])('%s', (_, made) => {
    expect(violationsOf(made)).toEqual([])
  })

  it.each(
    endpoints.flatMap(({ id, method: verb, path, statusShown, result }) =>
      (docs.get(result?.(resolveAssumptions()) ?? z.never())?.examples ?? []).map(
        (example, n) => [id, n, verb, path, example, statusShown] as const,
      ),
    ),
  )('example of the documentation: %s %i', (_id, _n, verb, path, example) => {
    expect(violationsOf(exchange([verb, path.replaceAll(/[{}]/g, '')], 200, example))).toEqual([])
  })
})

describe('an answer that breaks the contract', () => {
  it.each<[string, Exchange, string, string]>([
    [
      'an amount that is text',
      exchange(getReward, 200, { ...reward, amount: '1' }),
      'amount is a string',
      'an integer',
    ],
    [
      'an amount with cents',
      exchange(getReward, 200, { ...reward, amount: 1.5 }),
      'amount is a number with a fraction',
      'an integer',
    ],
    [
      'no required field',
      exchange(getReward, 200, { ...reward, type: undefined }),
      'type is missing',
      'always present',
    ],
    [
      'null in one',
      exchange(getReward, 200, { ...reward, customer_id: null }),
      'customer_id is null',
      'always present',
    ],
    [
      'a date that is none',
      exchange(getReward, 200, { ...reward, created_at: '14.11.2026' }),
      'created_at is a string',
      'an RFC 3339 timestamp',
    ],
    [
      'a number as a date',
      exchange(getReward, 200, { ...reward, updated_at: 1 }),
      'updated_at is an integer',
      'an RFC 3339 timestamp',
    ],
    [
      'an enum value that no released version has',
      exchange(getReward, 200, { ...reward, status: 'GONE' }),
      'status is a string',
      'one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED',
    ],
    [
      'metadata that is a list',
      exchange(getReward, 200, { ...reward, metadata: [] }),
      'metadata is a list',
      'an object',
    ],
    ['a list as a reward', exchange(getReward, 200, [reward]), 'the body is a list', 'an object'],
    ['no body', exchange(getReward, 204, undefined), 'no JSON', 'a JSON object'],
    [
      'a customer without an id',
      exchange(search, 200, page({ email: 'a@b.c' })),
      'data[0].id is missing',
      'always present',
    ],
    [
      'a partner id that is too long',
      exchange(search, 200, page({ id: 'c', partner_customer_id: 'a'.repeat(129) })),
      'data[0].partner_customer_id is a string',
      '1 to 128 printable ASCII characters',
    ],
    [
      'a year that is text',
      exchange(search, 200, page({ id: 'c', date_of_birth: { year: '1988' } })),
      'data[0].date_of_birth.year is a string',
      'an integer',
    ],
    ['no total', exchange(search, 200, { data: [], has_more: false }), 'total is missing', 'always present'],
    [
      'no balance',
      exchange(getBalance, 200, { customer_id: 'c', reward_symbol: '$', reward_description: '' }),
      'reward_balance is missing',
      'always present',
    ],
    [
      'a balance that is text',
      exchange(getBalance, 200, {
        customer_id: 'c',
        reward_balance: '1',
        reward_symbol: '$',
        reward_description: '',
      }),
      'reward_balance is a string',
      'an integer',
    ],
    [
      'a month of one digit',
      exchange(getMethod, 200, { ...method, card: { exp_month: '8' } }),
      'card.exp_month is a string',
      'two digits',
    ],
    [
      'both kinds of card',
      exchange(getMethod, 200, { ...method, card: {}, secured_credit_card: {} }),
      'the body has id, type, customer_id, created_at, status, card, secured_credit_card',
      'A payment method; it has the one sub-object of its kind.',
    ],
    [
      'a token on the last page',
      exchange(statements, 200, { data: [], has_more: false, next_page_token: 't' }),
      'the body has data, has_more, next_page_token',
      'A page of statements.',
    ],
    ['another status of the reward update', exchange(update, 202, reward), 'status 202', 'status 200'],
    [
      'no version',
      unnamed(exchange(getReward, 200, reward)),
      'x-service-version: none',
      'x-service-version: the version that was used',
    ],
    [
      'another version',
      exchange(getReward, 200, reward, { requestHeaders: { 'x-service-version': '2025-05-05' } }),
      `x-service-version: ${version}`,
      'x-service-version: 2025-05-05',
    ],
    [
      'no version with an error',
      unnamed(exchange(getReward, 404, missing)),
      'x-service-version: none',
      'x-service-version: the version that was used',
    ],
    [
      'a version with a refused key',
      exchange(getReward, 401, {}),
      `x-service-version: ${version}`,
      'none, for a call that is not authenticated',
    ],
    [
      'a success without a key',
      unnamed(exchange(getReward, 200, reward, { key: false })),
      'status 200 without a credential',
      'a refusal',
    ],
    [
      'a success with an unsupported version',
      unnamed(exchange(getReward, 200, reward, { requestHeaders: { 'x-service-version': '1' } })),
      'status 200 for version 1',
      '400, as it is unsupported',
    ],
    [
      'an error without a parameter',
      exchange(getReward, 404, { ...missing, param: undefined }),
      'param is missing',
      'always present',
    ],
    [
      'an error of another parameter',
      exchange(getReward, 404, { ...missing, param: 'id' }),
      'another param of REWARD_NOT_FOUND_ERROR',
      'param "reward_id"',
    ],
    [
      'an error in another shape',
      unnamed(exchange(getReward, 404, { error: missing })),
      'REWARD_NOT_FOUND_ERROR in shape B',
      'shape C',
    ],
    [
      'a validation failure of another status',
      exchange(search, 422, invalid),
      'status 422 for a validation failure',
      'status 400',
    ],
    [
      'details that are no list',
      exchange(search, 400, { ...invalid, details: 'no' }),
      'details is a string',
      'an array',
    ],
    [
      '400 in a shape of its own',
      exchange(search, 400, { errors: [] }),
      '400 with another body',
      'one of the error shapes A, B and C',
    ],
  ])('%s', (_, made, what, expected) => {
    expect(violationsOf(made)).toEqual([expect.objectContaining({ what, expected })])
  })
})
