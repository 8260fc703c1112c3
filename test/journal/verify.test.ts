import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, DocumentError, type Sandbox, type Verified } from '../../src/index.ts'
import { fullKey } from '../helpers/sandbox.ts'

const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }

let sandbox: Sandbox
const send = async (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) => {
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, headers: { authorization: `Bearer ${fullKey}`, ...type, ...headers } }
  await sandbox.fetch(path, json === undefined ? init : { ...init, body: JSON.stringify(json) })
}
beforeAll(async () => {
  sandbox = await createSandbox()
  await send('POST', intents, { ...intent, metadata: { order: 'A-1', lines: [1, { sku: 'x-7' }] } }) // 1
  await send('POST', intents, { ...intent, amount: 9 }, { 'X-Run': 'ci-7' }) // 2
  await send('GET', '/v2/rewards/rwd_ada_pending') // 3
  await send('PATCH', '/v2/rewards/rwd_ada_pending', { status: 'AVAILABLE' }) // 4
  await send('GET', '/v2/customers?limit=5&partner_customer_id=partner-ada') // 5
  await send('PATCH', '/v2/rewards/rwd_ada_pending', { status: 'AVAILABLE' }) // 6, refused
  await send('GET', '/v2/nothing?a=1&a=2') // 7
})

// The type of the expectation is loose here: invalid input is one of the cases.
const verify = (criteria: object): Verified => sandbox.requests.verify(criteria)
const holds = (count: number): Verified => ({ holds: true, count })

describe('counts that hold', () => {
  it.each<[object, number]>([
    [{}, 7],
    [{ operation: 'createTransactionIntent' }, 2],
    [{ operation: 'createTransactionIntent', count: 2 }, 2],
    [{ operation: 'createTransactionIntent', at_least: 1 }, 2],
    [{ operation: 'createTransactionIntent', at_least: 2, at_most: 2 }, 2],
    [{ operation: 'createTransactionIntent', at_most: 3 }, 2],
    [{ operation: 'deleteOrderEvent', count: 0 }, 0],
    [{ operation: 'deleteOrderEvent', at_most: 0 }, 0],
    [{ operation: 'deleteOrderEvent', at_least: 0 }, 0],
    [{ status: 404, count: 1 }, 1],
    [{ operation: 'updateReward', status: 200 }, 1],
    [{ params: { reward_id: 'rwd_ada_pending' }, count: 3 }, 3],
    [{ params: { reward_id: 'rwd_*_pend?ng' }, count: 3 }, 3],
    [{ query: { limit: '5' } }, 1],
    [{ query: { limit: 5, partner_customer_id: 'partner-*' } }, 1],
    [{ query: { a: '2' } }, 1],
    [{ headers: { 'x-run': 'ci-*' }, count: 1 }, 1],
    [{ headers: { 'X-RUN': 'ci-7' }, count: 1 }, 1],
    [{ headers: { authorization: 'Bearer *' }, count: 7 }, 7],
    [{ body: { amount: 1250 } }, 1],
    [{ body: { currency: 'US?' }, count: 2 }, 2],
    [{ body: { metadata: { order: 'A-*' } } }, 1],
    [{ body: { metadata: { lines: [1, { sku: 'x-*' }] } } }, 1],
    [{ body: { amount: '1250' }, count: 0 }, 0],
    [{ body: { metadata: { lines: [1] } }, count: 0 }, 0],
    [{ body: { metadata: null }, count: 0 }, 0],
    [{ body: [], count: 0 }, 0],
  ])('%j -> %i', (criteria, count) => {
    expect(verify(criteria)).toEqual(holds(count))
  })
})

const near = (number: number, differs: object[]) => {
  const [method, path, operation, status] = (
    [
      ['POST', intents, 'createTransactionIntent', 200],
      ['POST', intents, 'createTransactionIntent', 200],
      ['GET', '/v2/rewards/rwd_ada_pending', 'retrieveReward', 200],
      ['PATCH', '/v2/rewards/rwd_ada_pending', 'updateReward', 200],
      ['GET', '/v2/customers', 'searchCustomers', 200],
      ['PATCH', '/v2/rewards/rwd_ada_pending', 'updateReward', 400],
      ['GET', '/v2/nothing', null, 404],
    ] as const
  )[number - 1] ?? ['', '', '', 0]
  return { id: `req_default_${number}`, method, path, operation, status, differs }
}

describe('counts that do not hold', () => {
  it('a body that is not quite so -> what it is, field by field', () => {
    expect(
      verify({
        operation: 'createTransactionIntent',
        body: { amount: 1250, currency: 'EUR', metadata: { order: 'A-1', note: 'x' } },
      }),
    ).toEqual({
      holds: false,
      message: 'at least 1 expected, 0 of 7 requests matched',
      count: 0,
      nearest: [
        near(1, [
          { at: 'body.currency', expected: 'EUR', actual: 'USD' },
          { at: 'body.metadata.note', expected: 'x' },
        ]),
        near(2, [
          { at: 'body.amount', expected: 1250, actual: 9 },
          { at: 'body.currency', expected: 'EUR', actual: 'USD' },
          { at: 'body.metadata', expected: { order: 'A-1', note: 'x' } },
        ]),
        near(3, [
          { at: 'operation', expected: 'createTransactionIntent', actual: 'retrieveReward' },
          {
            at: 'body',
            expected: { amount: 1250, currency: 'EUR', metadata: { order: 'A-1', note: 'x' } },
          },
        ]),
      ],
    })
  })

  it('no body at all is farther than a body with some of it', async () => {
    const other = await createSandbox()
    const key = { authorization: `Bearer ${fullKey}` }
    await other.fetch('/v2/keys', { method: 'POST', headers: key })
    const json = { ...key, 'content-type': 'application/json' }
    await other.fetch('/v2/keys', { method: 'POST', headers: json, body: '{"a":1}' })
    const verified = other.requests.verify({ operation: 'createApiKey', body: { a: 2, b: 3, c: { d: 4 } } })
    expect(verified).toMatchObject({
      nearest: [
        { id: 'req_default_1', differs: [{ at: 'body' }] },
        { id: 'req_default_2', differs: [{ at: 'body.a' }, { at: 'body.b' }, { at: 'body.c' }] },
      ],
    })
    expect(
      other.requests.verify({ operation: 'createApiKey', body: { a: 1, b: 3, c: { d: 4 } } }),
    ).toMatchObject({
      nearest: [{ id: 'req_default_2' }, { id: 'req_default_1' }],
    })
  })

  it('too few -> those that do not match, nearest first; another operation is farther than any field', () => {
    expect(
      verify({
        operation: 'updateReward',
        status: 200,
        params: { reward_id: 'rwd_b' },
        query: { q: 1 },
        count: 2,
      }),
    ).toEqual({
      holds: false,
      message: 'exactly 2 expected, 0 of 7 requests matched',
      count: 0,
      nearest: [
        near(4, [
          { at: 'params.reward_id', expected: 'rwd_b', actual: 'rwd_ada_pending' },
          { at: 'query.q', expected: '1' },
        ]),
        near(6, [
          { at: 'status', expected: 200, actual: 400 },
          { at: 'params.reward_id', expected: 'rwd_b', actual: 'rwd_ada_pending' },
          { at: 'query.q', expected: '1' },
        ]),
        near(1, [
          { at: 'operation', expected: 'updateReward', actual: 'createTransactionIntent' },
          { at: 'params.reward_id', expected: 'rwd_b' },
          { at: 'query.q', expected: '1' },
        ]),
      ],
    })
  })

  it('too many -> those that match, oldest first', () => {
    expect(verify({ operation: 'createTransactionIntent', at_most: 1 })).toEqual({
      holds: false,
      message: 'at most 1 expected, 2 of 7 requests matched',
      count: 2,
      nearest: [near(1, []), near(2, [])],
    })
  })

  it('a header, a repeated parameter, a path without a parameter', () => {
    expect(
      verify({ status: 404, headers: { 'X-Run': 'ci' }, query: { a: '3' }, params: { x: 'y' } }),
    ).toMatchObject({
      nearest: [
        near(7, [
          { at: 'params.x', expected: 'y' },
          { at: 'query.a', expected: '3', actual: ['1', '2'] },
          { at: 'headers.x-run', expected: 'ci' },
        ]),
        {},
        {},
      ],
    })
  })

  it.each<[object, string]>([
    [{ count: 1 }, 'exactly 1 expected, 7 of 7 requests matched'],
    [{ count: 0 }, 'exactly 0 expected, 7 of 7 requests matched'],
    [{ at_least: 8 }, 'at least 8 expected, 7 of 7 requests matched'],
    [{ at_most: 6 }, 'at most 6 expected, 7 of 7 requests matched'],
    [{ at_least: 1, at_most: 6 }, '1 to 6 expected, 7 of 7 requests matched'],
    [{ at_least: 8, at_most: 8 }, 'exactly 8 expected, 7 of 7 requests matched'],
  ])('%j -> %s', (criteria, message) => {
    expect(verify(criteria)).toMatchObject({ holds: false, message, count: 7 })
  })
})

const create = { operation: 'createTransactionIntent' }
const update = { operation: 'updateReward' }
const read = { operation: 'retrieveReward' }

describe('an order', () => {
  it.each<[object[]]>([
    [[create]],
    [[create, create, read, update]],
    [[create, update, update]],
    [[{ body: { amount: 9 } }, { status: 200, ...update }, { status: 400 }]],
    [[{}, {}, {}, {}, {}, {}, {}]],
  ])('%j -> holds', (matchers) => {
    expect(verify({ in_order: matchers })).toEqual(holds(matchers.length))
  })

  it('one that came before -> which, and what came nearest after', () => {
    expect(verify({ in_order: [update, read] })).toEqual({
      holds: false,
      message: 'in_order[1]: no request matched after req_default_4; req_default_3 matches, but came before',
      count: 1,
      nearest: [
        near(5, [{ at: 'operation', expected: 'retrieveReward', actual: 'searchCustomers' }]),
        near(6, [{ at: 'operation', expected: 'retrieveReward', actual: 'updateReward' }]),
        near(7, [{ at: 'operation', expected: 'retrieveReward' }]),
      ],
    })
  })

  it('none at all -> what came nearest of all', () => {
    expect(verify({ in_order: [{ status: 200, body: { amount: 10 } }] })).toMatchObject({
      holds: false,
      message: 'in_order[0]: no request matched',
      count: 0,
      nearest: [
        near(1, [{ at: 'body.amount', expected: 10, actual: 1250 }]),
        near(2, [{ at: 'body.amount', expected: 10, actual: 9 }]),
        {},
      ],
    })
  })

  it('nothing after the last -> what came nearest before', () => {
    expect(verify({ in_order: [{ status: 404 }, { status: 404 }] })).toMatchObject({
      holds: false,
      message: 'in_order[1]: no request matched after req_default_7; req_default_7 matches, but came before',
      count: 1,
      nearest: [near(7, []), {}, {}],
    })
  })

  it('the same request does not count twice', () => {
    expect(verify({ in_order: [read, read] })).toMatchObject({ holds: false, count: 1 })
  })
})

describe('what the journal does not hold', () => {
  it('older requests are gone -> said, as they may be the ones', async () => {
    const small = await createSandbox({ journalSize: 2 })
    for (let count = 0; count < 3; count++) await small.fetch('/v2/x')
    expect(small.requests.verify({ count: 3 })).toMatchObject({
      message:
        'exactly 3 expected, 2 of 2 requests matched; 1 older request is no longer in the journal: raise --journal-size to keep it',
    })
    await small.fetch('/v2/x')
    expect(small.requests.verify({ in_order: [{ status: 299 }] })).toMatchObject({
      message:
        'in_order[0]: no request matched; 2 older requests are no longer in the journal: raise --journal-size to keep them',
    })
  })

  it('the journal is off -> said', async () => {
    const off = await createSandbox({ journalSize: 0 })
    await off.fetch('/v2/x')
    expect(off.requests.verify({})).toEqual({
      holds: false,
      message: 'at least 1 expected, 0 of 0 requests matched; the journal is off (--journal-size 0)',
      count: 0,
      nearest: [],
    })
  })
})

describe('what cannot be verified', () => {
  it.each<[object, string[]]>([
    [{ operaton: 'x' }, ["verify operaton: unknown field, did you mean 'operation'?"]],
    [
      { method: 'GET', path: '/' },
      [
        'verify method: unknown field, expected one of: operation, status, params, query, headers, body, count, at_least, at_most',
        'verify path: unknown field, expected one of: operation, status, params, query, headers, body, count, at_least, at_most',
      ],
    ],
    [
      { operation: 'updateRewards' },
      [expect.stringMatching(/^verify operation: must be one of .*, did you mean 'updateReward'\?$/)],
    ],
    [{ count: -1 }, ['verify count: must not be negative']],
    [{ count: 1.5 }, ['verify count: must be an integer']],
    [{ count: 1, at_least: 1 }, ['verify count: must be omitted with at_least and at_most']],
    [{ at_least: 3, at_most: 2 }, ['verify at_least: must not be above at_most']],
    [{ status: 20 }, ['verify status: must be a status from 100 to 599, or lost']],
    [{ params: { a: true } }, ['verify params.a: must be a text: an exact value, or a glob']],
    [{ query: 'a=1' }, ['verify query: must be a JSON object']],
    [{ in_order: [] }, ['verify in_order: must not be empty']],
    [{ in_order: Array.from({ length: 1001 }, () => 1) }, ['verify in_order: must have at most 1000 items']],
    [
      { in_order: [{}, { stauts: 1, count: 1 }] },
      [
        "verify in_order[1].stauts: unknown field, did you mean 'status'?",
        'verify in_order[1].count: unknown field, expected one of: operation, status, params, query, headers, body',
      ],
    ],
    [{ in_order: [{}], count: 1 }, ['verify count: unknown field, expected one of: in_order']],
  ])('%j -> every problem at once', (criteria, problems) => {
    let thrown: unknown
    try {
      verify(criteria)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(DocumentError)
    expect((thrown as DocumentError).message.split('\n')).toEqual(problems)
  })
})
