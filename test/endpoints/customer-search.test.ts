import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { startServing } from '../helpers/unlisted.ts'

const path = '/v2/customers'

describe('retrieving a customer', () => {
  test('a known customer -> 200 and the whole customer', async () => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}/cus_ada`)
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        id: 'cus_ada',
        email: 'ada.lindqvist@example.com',
        phone: '+12065550101',
        statuses: { 'Summit Rewards Card': 'OPEN' },
        first_name: 'Ada',
        last_name: 'Lindqvist',
        preferred_language: 'en',
        ssn4: '1815',
        date_of_birth: { year: 1985, month: 12, day: 10 },
        address: {
          street_line1: '418 Alder Street',
          street_line2: 'Apt 5C',
          city: 'Seattle',
          state: 'WA',
          postal_code: '98101',
          country: 'USA',
        },
        partner_customer_id: 'partner-ada',
        metadata: { tier: 'gold', campaigns: ['spring', 'welcome'] },
        created_at: '2024-07-15T09:30:00.000Z',
        updated_at: '2026-09-02T16:45:10.000Z',
        authorized_users: [
          {
            authorized_user_id: 'au_ada_1',
            first_name: 'Byron',
            last_name: 'Lindqvist',
            email: 'byron.lindqvist@example.com',
            phone: '+12065550102',
            date_of_birth: { year: 2004, month: 5, day: 12 },
            postal_code: '98101',
            payment_method_id: 'pm_ada_card',
            status: 'active',
          },
          {
            authorized_user_id: 'au_ada_2',
            first_name: 'Annabel',
            last_name: 'Lindqvist',
            status: 'removed',
          },
        ],
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test.each([
    ['unknown', 'cus_nobody'],
    ['in other casing', 'CUS_ADA'],
    ['of the other product', 'cus_hana'],
    ['a word that every object has', '__proto__'],
  ])('a customer who is %s -> 404 C, the same bytes for all', async (_, id) => {
    const { call } = await startServing()
    const answer = await call('GET', `${path}/${id}`)
    expect([answer.status, answer.json]).toEqual([
      404,
      shapeC('CUSTOMER_NOT_FOUND_ERROR', 'customer_id', 'No customer has this customer_id.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
    )
  })
})

describe('searching customers by what identifies them', () => {
  const born = { year: 1985, month: 12, day: 10 }

  test.each<[string, object, string[]]>([
    ['the identifier', { partner_customer_id: 'partner-ada' }, ['cus_ada']],
    ['the identifier in other casing', { partner_customer_id: 'Partner-Ada' }, []],
    ['an ssn whose last four digits a customer has', { ssn: '123451815' }, ['cus_ada']],
    ['an ssn that no customer has', { ssn: '123459999' }, []],
    ['a date of birth', { date_of_birth: born }, ['cus_ada']],
    ['another day of birth', { date_of_birth: { ...born, day: 11 } }, []],
    ['all three', { partner_customer_id: 'partner-ada', ssn: '000001815', date_of_birth: born }, ['cus_ada']],
    [
      'the ssn of one, the identifier of another',
      { partner_customer_id: 'partner-carla', ssn: '000001815' },
      [],
    ],
    ['the identifier of a customer of the other product', { partner_customer_id: 'partner-hana' }, []],
    ['nulls', { partner_customer_id: 'partner-ada', ssn: null, date_of_birth: null }, ['cus_ada']],
  ])('by %s -> the customers for whom all of it is true', async (_, json, ids) => {
    const { call } = await startServing()
    const answer = await call('POST', path, { json })
    const found = await Promise.all(ids.map(async (id) => (await call('GET', `${path}/${id}`)).json))
    expect([answer.status, answer.json]).toEqual([200, { data: found, has_more: false, total: ids.length }])
    expect(answer.assumptions).toContain('unlisted_operations')
  })

  test('without a body -> the first page of all customers, newest first, as by query', async () => {
    const { call } = await startServing()
    const answer = await call('POST', path)
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['unlisted_operations', 'default_page_size', 'customers_order']),
    )
    expect([answer.status, answer.text]).toEqual([200, (await call('GET', path)).text])
    expect(answer.json).toMatchObject({ has_more: true, total: 26, data: { length: 10 } })
  })

  test('pages: limit and starting_after are in the body', async () => {
    const { call } = await startServing()
    const all = await call('POST', path, { json: { limit: 100 } })
    const ids = all.json.data.map(({ id }: { id: string }) => id)
    const page = await call('POST', path, { json: { limit: 2, starting_after: ids[3] } })
    expect(page.json).toEqual({ data: all.json.data.slice(4, 6), has_more: true, total: 26 })
    const end = await call('POST', path, { json: { limit: 2, starting_after: ids[24] } })
    expect(end.json).toEqual({ data: all.json.data.slice(25), has_more: false, total: 26 })
  })

  test.each<[object, string[]]>([
    [{ ssn: '123-45-1815' }, ['ssn: must be 9 digits without hyphens']],
    [{ ssn: '1815' }, ['ssn: must be 9 digits without hyphens']],
    [{ ssn: 123_451_815 }, ['ssn: must be a string']],
    [{ limit: 0 }, ['limit: must be at least 1']],
    [{ limit: '1' }, ['limit: must be an integer']],
    [{ limit: 1.5 }, ['limit: must be an integer']],
    [{ partner_customer_id: 1 }, ['partner_customer_id: must be a string']],
    [{ date_of_birth: '1985-12-10' }, ['date_of_birth: must be a JSON object']],
  ])('%j -> 400 of shape A', async (json, details) => {
    const { call } = await startServing()
    const answer = await call('POST', path, { json })
    expect([answer.status, answer.json]).toEqual([400, invalid(path, ...details)])
    expect(answer.assumptions).toContain('unlisted_operations')
  })

  test.each<[string, number, object]>([
    ['refuse', 400, invalid(path, 'starting_after: must be the id of a listed customer')],
    ['empty_page', 200, { data: [], has_more: false, total: 26 }],
  ])('unknown_cursor=%s -> %i', async (value, status, body) => {
    const { call } = await startServing({ assume: { unknown_cursor: value } })
    for (const starting_after of ['cus_nobody', 'cus_hana']) {
      const answer = await call('POST', path, { json: { starting_after } })
      expect([answer.status, answer.json]).toEqual([status, body])
      expect(answer.assumptions).toContain('unlisted_operations')
      expect(answer.assumptions).toContain('unknown_cursor')
    }
  })
})
