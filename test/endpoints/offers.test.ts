import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeC } from '../helpers/answers.ts'
import { harbor, startServing } from '../helpers/unlisted.ts'

const path = '/v2/offers'
const offerOf = (partnerId: string): string => `${path}?partner_customer_id=${encodeURIComponent(partnerId)}`

describe("retrieving a customer's offer", () => {
  test.each([
    [
      'partner-ada',
      {
        id: 'offer_ada',
        is_prescreened: true,
        title: 'Summit Rewards Card',
        description: 'You are preselected.',
      },
    ],
    [
      'hugo laurent/42',
      {
        id: 'offer_cus_hugo',
        is_prescreened: false,
        title: 'A card with rewards',
        description: 'Rewards for every purchase, without an annual fee.',
      },
    ],
  ])('%s -> 200 and the offer of the state, or else a plain one', async (partnerId, body) => {
    const { call } = await startServing()
    const answer = await call('GET', offerOf(partnerId))
    expect([answer.status, answer.json]).toEqual([200, body])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['unlisted_operations']))
  })

  test('an identifier that both products know -> the offer of the selected product', async () => {
    const { call } = await startServing()
    expect((await call('GET', offerOf('partner-ada'), harbor)).json).toEqual({
      id: 'offer_ivan',
      is_prescreened: false,
      title: 'Harbor Cash Card',
      description: 'Cash back on fuel.',
    })
  })

  test.each(['partner-nobody', 'partner-hana', 'Partner-Ada', 'cus_ada'])(
    '%s -> 404 C',
    async (partnerId) => {
      const { call } = await startServing()
      const answer = await call('GET', offerOf(partnerId))
      expect([answer.status, answer.json]).toEqual([
        404,
        shapeC(
          'PARTNER_CUSTOMER_NOT_FOUND_ERROR',
          'partner_customer_id',
          'No customer has this partner_customer_id.',
        ),
      ])
      expect(headersOf(answer)).toEqual(
        jsonHeaders('req_default_1', ['unlisted_operations', 'not_found_status']),
      )
    },
  )

  test('without the parameter -> 400 of shape A', async () => {
    const { call } = await startServing()
    const answer = await call('GET', path)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, 'partner_customer_id: is required')])
    expect(answer.assumptions).toContain('unlisted_operations')
  })
})
