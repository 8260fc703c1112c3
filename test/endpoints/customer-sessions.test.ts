import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

const path = '/v2/customer_sessions'
const texts = { source: 'app', metadata: { cart: [1, 2] }, customer_metadata: { segment: 'gold' } }

describe('creating a customer session', () => {
  test('of a known customer -> 201 and the session, which has a secret and ends in 30 minutes', async () => {
    const { call, state } = await startServing()
    const json = { customer_id: 'cus_ada', transaction_amount: 100, transaction_currency: 'USD', ...texts }
    const answer = await call('POST', path, { json })
    const { id, client_secret } = answer.json
    expect([id, client_secret]).toEqual([
      expect.stringMatching(/^ses_\w+$/),
      expect.stringMatching(/^secret_\w+$/),
    ])
    const session = { id, client_secret, expires_at: '2026-11-21T12:30:00.000Z', ...texts }
    expect([answer.status, answer.json]).toEqual([201, session])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
    expect(state.get('customer_sessions', id)).toEqual({
      ...session,
      customer_id: 'cus_ada',
      created_at: '2026-11-21T12:00:00.000Z',
      transaction_amount: 100,
      transaction_currency: 'USD',
    })
    const read = await call('GET', `${path}/${id}`)
    expect([read.status, read.text]).toEqual([200, answer.text])
  })

  test('of the identifier of a customer -> the session of that customer, and no new one', async () => {
    const { call, state } = await startServing()
    const answer = await call('POST', path, { json: { partner_customer_id: 'partner-ada' } })
    expect(answer.status).toBe(201)
    expect(state.get('customer_sessions', answer.json.id)).toMatchObject({ customer_id: 'cus_ada' })
    expect(state.list('customers')).toHaveLength(28)
  })

  test('of a new identifier -> a new customer of the product, with the fields of the history', async () => {
    const { call, state } = await startServing()
    const history = {
      email: 'nora@example.com',
      phone: '+12065550199',
      first_name: 'Nora',
      last_name: 'Berg',
      preferred_language: 'en',
      address: { city: 'Oslo', country: 'NOR' },
    }
    const other = {
      account_tenure: 3,
      ltv_amount: 1,
      ltv_currency: 'USD',
      loyalty_tier: 'gold',
      transaction_count: 2,
    }
    const answer = await call('POST', path, {
      json: { partner_customer_id: 'partner-nora', customer_history: { ...history, ...other } },
    })
    expect(answer.status).toBe(201)
    expect(answer.json).not.toHaveProperty('customer_history')
    const found = await call('GET', '/v2/customers?partner_customer_id=partner-nora')
    expect(found.json.data).toEqual([
      {
        id: expect.stringMatching(/^cus_\w+$/),
        ...history,
        statuses: {},
        partner_customer_id: 'partner-nora',
        created_at: '2026-11-21T12:00:00.000Z',
        authorized_users: [],
      },
    ])
    expect(state.get('customers', found.json.data[0].id)).toMatchObject({ product: 'mk_summit' })
  })

  test('without a body -> a new customer without an identifier', async () => {
    const { call, state } = await startServing()
    const answer = await call('POST', path)
    expect(answer.status).toBe(201)
    const { customer_id: id = '' } = state.get('customer_sessions', answer.json.id) as {
      customer_id?: string
    }
    expect((await call('GET', `/v2/customers/${id}`)).json).toEqual({
      id,
      email: `${id}@example.com`,
      statuses: {},
      first_name: 'New',
      last_name: 'Customer',
      created_at: '2026-11-21T12:00:00.000Z',
      authorized_users: [],
    })
  })

  test('the identifier of a customer of the other product -> a new customer here', async () => {
    const { call, state } = await startServing()
    const { json } = await call('POST', path, { json: { partner_customer_id: 'partner-hana' } })
    expect(state.get('customer_sessions', json.id)).not.toMatchObject({ customer_id: 'cus_hana' })
    expect(state.list('customers')).toHaveLength(29)
  })

  test('two sessions at once of one new identifier -> one customer', async () => {
    const { call, state } = await startServing()
    const json = { partner_customer_id: 'partner-twice' }
    const answers = await Promise.all([call('POST', path, { json }), call('POST', path, { json })])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(state.list('customers')).toHaveLength(29)
    expect(answers[0]?.json.client_secret).not.toBe(answers[1]?.json.client_secret)
  })

  test.each<[object, string[]]>([
    [
      { customer_id: 'cus_ada', partner_customer_id: 'other' },
      ['partner_customer_id: must be that of the customer, or omitted'],
    ],
    [{ customer_id: 'cus_nobody' }, ['customer_id: must be the id of a customer']],
    [{ customer_id: 'cus_hana' }, ['customer_id: must be the id of a customer']],
    [{ customer_id: 1 }, ['customer_id: must be a string']],
    [{ partner_customer_id: '' }, ['partner_customer_id: must be 1 to 128 printable ASCII characters']],
    [{ transaction_amount: -1 }, ['transaction_amount: must not be negative']],
    [{ transaction_amount: '1' }, ['transaction_amount: must be an integer']],
    [
      { transaction_currency: 'usd' },
      ['transaction_currency: must be a 3-letter ISO 4217 code in upper case'],
    ],
    [{ metadata: [] }, ['metadata: must be a JSON object']],
    [{ metadata: { text: 'x'.repeat(20_000) } }, ['metadata: must not be larger than 16384 bytes']],
    [{ customer_metadata: { segment: 1 } }, ['customer_metadata.segment: must be a text']],
    [{ customer_history: 'long' }, ['customer_history: must be a JSON object']],
    [
      { customer_history: { account_tenure: 'long' } },
      ['customer_history.account_tenure: must be an integer'],
    ],
  ])('%j -> 400 of shape A, and nothing is changed', async (json, details) => {
    const { call, state } = await startServing()
    const before = state.document()
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json]).toEqual([400, invalid(path, ...details)])
    expect(answer.assumptions).toContain('unlisted_operations')
    expect(state.document()).toEqual(before)
  })
})

describe('retrieving a customer session', () => {
  test('a known session -> 200 and all of it', async () => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}/ses_ada_1`)
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: 'ses_ada_1',
        client_secret: 'secret_session_ada',
        expires_at: '2026-11-21T12:15:00.000Z',
        metadata: { cart: { items: 2 } },
        customer_metadata: { segment: 'gold' },
        source: 'checkout',
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test.each(['ses_nobody', 'ses_hana_1', 'SES_ADA_1', 'constructor'])('%s -> 404 C', async (id) => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}/${id}`)
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeC('SESSION_NOT_FOUND_ERROR', 'session_id', 'No session has this session_id.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
  })
})
