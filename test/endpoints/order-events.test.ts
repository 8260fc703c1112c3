import { describe, expect, test } from 'vitest'
import { bareHeaders, headersOf, jsonHeaders, shapeB } from '../helpers/answers.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const path = '/v2/order_events'
const missing = 'No order event has this order_event_id.'

describe('deleting an order event', () => {
  test('case 106: one that exists -> 204 without body and content type, with the version; it is gone', async () => {
    const { call, state } = await startSandbox()
    const answer = await call('DELETE', `${path}/ord_ada_1`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(headersOf(answer)).toEqual(bareHeaders('req_default_1', ['delete_order_event_status']))
    const ids = (state.list('order_events') as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual(['ord_ada_2', 'ord_ada_3', 'ord_ada_4', 'ord_hana_1'])
  })

  test.each([
    ['deleted before', 'ord_ada_1'],
    ['unknown', 'ord_nobody'],
    ["another product's", 'ord_hana_1'],
    ['a word that every object has', '__proto__'],
    ['the id of another kind of row', 'cus_ada'],
    ['in other casing', 'ORD_ADA_2'],
  ])('case 107: an id that is %s -> 400 B, not 404, and nothing is changed', async (_, id) => {
    const { call, state } = await startSandbox()
    await call('DELETE', `${path}/ord_ada_1`)
    const before = state.document()
    const answer = await call('DELETE', `${path}/${id}`)
    expect([answer.status, answer.json]).toEqual([400, shapeB('BAD_REQUEST_ERROR', missing)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_2', ['delete_missing_order_event']))
    expect(state.document()).toEqual(before)
  })

  test('two deletions at once -> one 204, one 400', async () => {
    const { call } = await startSandbox()
    const answers = await Promise.all([1, 2].map(() => call('DELETE', `${path}/ord_ada_1`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400])
  })

  test.each<[string, string, Record<string, string>]>([
    ['broken JSON', '{"a":', { 'content-type': 'application/json' }],
    ['deep JSON', '['.repeat(1000), { 'content-type': 'application/json' }],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text of no type', 'junk', {}],
    ['what claims to be compressed', 'junk', { 'content-encoding': 'gzip' }],
    ['2 MiB', 'x'.repeat(2 * 1024 * 1024), { 'content-type': 'application/json' }],
  ])('case 108: with %s as its body -> 204, the body is ignored', async (_, body, headers) => {
    const { call } = await startSandbox()
    expect((await call('DELETE', `${path}/ord_ada_2`, { body, headers })).status).toBe(204)
  })
})

describe('assumptions of order events', () => {
  test.each([
    [undefined, 204, undefined],
    [204, 204, undefined],
    [200, 200, {}],
    [202, 202, {}],
  ])('delete_order_event_status=%s -> %i %j', async (value, status, body) => {
    const { call, state } = await startSandbox({
      assume: value === undefined ? {} : { delete_order_event_status: value },
    })
    const answer = await call('DELETE', `${path}/ord_ada_1`)
    expect([answer.status, answer.json]).toEqual([status, body])
    const headers = status === 204 ? bareHeaders : jsonHeaders
    expect(headersOf(answer)).toEqual(headers('req_default_1', ['delete_order_event_status']))
    expect(state.get('order_events', 'ord_ada_1')).toBeUndefined()
  })

  test.each([
    [undefined, 400, shapeB('BAD_REQUEST_ERROR', missing)],
    ['bad_request', 400, shapeB('BAD_REQUEST_ERROR', missing)],
    ['not_found', 404, shapeB('NOT_FOUND_ERROR', missing)],
  ])('delete_missing_order_event=%s -> %i', async (value, status, body) => {
    const { call } = await startSandbox({
      assume: value === undefined ? {} : { delete_missing_order_event: value },
    })
    for (const [at, id] of ['ord_nobody', 'ord_hana_1'].entries()) {
      const answer = await call('DELETE', `${path}/${id}`)
      expect([answer.status, answer.json]).toEqual([status, body])
      expect(headersOf(answer)).toEqual(jsonHeaders(`req_default_${at + 1}`, ['delete_missing_order_event']))
    }
    expect((await call('DELETE', `${path}/ord_ada_1`)).status).toBe(204)
  })

  test.each([
    [204, undefined],
    [200, {}],
  ])('delete_missing_order_event=no_content -> like a success, %i', async (status, body) => {
    const { call, state } = await startSandbox({
      assume: { delete_missing_order_event: 'no_content', delete_order_event_status: status },
    })
    const before = state.document()
    for (const id of ['ord_nobody', 'ord_hana_1']) {
      const answer = await call('DELETE', `${path}/${id}`)
      expect([answer.status, answer.json]).toEqual([status, body])
      expect(answer.assumptions).toEqual(['delete_order_event_status', 'delete_missing_order_event'])
    }
    expect(state.document()).toEqual(before)
  })
})
