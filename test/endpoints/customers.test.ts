import { describe, expect, test } from 'vitest'
import { bareHeaders, headersOf, invalid, jsonHeaders, shapeB } from '../helpers/answers.ts'
import { startSandbox, type CallApi } from '../helpers/sandbox.ts'

const path = '/v2/customers'

const idsOf = (page: { data: { id: string }[] }): string[] => page.data.map(({ id }) => id)

/** So many customers, each a day older than the one before. */
const customers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `cus_${String(at).padStart(4, '0')}`,
    created_at: new Date(Date.UTC(2026, 0, 1) - at * 86_400_000).toISOString(),
  }))

const bad = 'partner_customer_id: must be 1 to 128 printable ASCII characters'

describe('searching customers by the partner identifier', () => {
  test('case 75: the same bytes -> the one customer, without what the sandbox keeps beside it', async () => {
    const { call, state } = await startSandbox()
    const answer = await call('GET', `${path}?partner_customer_id=partner-ada`)
    const {
      product: _,
      opening_balance: __,
      ...served
    } = state.get('customers', 'cus_ada') as Record<string, unknown>
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ data: [served], has_more: false, total: 1 })
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', []))
  })

  test.each([
    ['case 75: other casing', 'Partner-Ada'],
    ['case 75: all capitals', 'PARTNER-ADA'],
    ['case 75: a space after it', 'partner-ada%20'],
    ['case 75: a space before it', '%20partner-ada'],
    ['case 75: the beginning of it', 'partner-'],
    ['case 75: an identifier of the other product', 'partner-hana'],
    ['case 76: 1 character, a space', '%20'],
    ['case 76: 128 characters', 'x'.repeat(128)],
    ['case 76: the last printable character', '~'],
    ['case 76: a letter written as a percent escape', '%41'],
    ['a percent sign that begins no escape', '50%'],
  ])('%s -> 200 and nobody', async (_, value) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?partner_customer_id=${value}`)
    expect([answer.status, answer.json]).toEqual([200, { data: [], has_more: false, total: 0 }])
  })

  test.each([
    ['empty', ''],
    ['129 characters', 'x'.repeat(129)],
    ['é in UTF-8', '%C3%A9'],
    ['é in Latin-1, which is no UTF-8', '%E9'],
    ['a tab', '%09'],
    ['NUL', 'a%00b'],
    ['DEL, the first character after the printable ones', '%7F'],
    ['US, the last character before the printable ones', '%1F'],
    ['a line break at the end', 'partner-ada%0A'],
    ['an emoji', '%F0%9F%98%80'],
  ])('case 76: %s -> 400 of shape A', async (_, value) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?partner_customer_id=${value}`)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, bad)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', []))
  })

  test.each([
    ['a+b', 'cus_space'],
    ['a%20b', 'cus_space'],
    ['a%2Bb', 'cus_plus'],
    ['a%2bb', 'cus_plus'],
    ['%61%2B%62', 'cus_plus'],
    ['a%252Bb', 'cus_escape'],
  ])('case 77: %s -> %s', async (value, id) => {
    const { call } = await startSandbox({
      fixtures: {
        customers: [
          { id: 'cus_space', partner_customer_id: 'a b' },
          { id: 'cus_plus', partner_customer_id: 'a+b' },
          { id: 'cus_escape', partner_customer_id: 'a%2Bb' },
        ],
      },
    })
    const answer = await call('GET', `${path}?partner_customer_id=${value}`)
    expect([idsOf(answer.json), answer.json.total, answer.json.has_more]).toEqual([[id], 1, false])
  })

  test('one identifier in two products -> each key finds its own customer', async () => {
    const { call } = await startSandbox()
    const found = async (merchantKey: string) => {
      const answer = await call('GET', `${path}?partner_customer_id=partner-ada`, {
        key: 'sk_sandbox_multi',
        headers: { 'x-service-merchant-key': merchantKey },
      })
      return idsOf(answer.json)
    }
    expect([await found('mk_summit'), await found('mk_harbor')]).toEqual([['cus_ada'], ['cus_ivan']])
  })

  test.each([
    ['a cursor before the match in the list', 'cus_ben', ['cus_ada']],
    ['the match itself as the cursor', 'cus_ada', []],
  ])('case 82: %s -> total still counts the one match', async (_, cursor, ids) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?partner_customer_id=partner-ada&starting_after=${cursor}`)
    expect([idsOf(answer.json), answer.json.has_more, answer.json.total]).toEqual([ids, false, 1])
  })

  test('case 82: a cursor older than the match -> the match is no longer to come, and total is 1', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?partner_customer_id=partner-zoe&starting_after=cus_ada`)
    expect(answer.json).toEqual({ data: [], has_more: false, total: 0 })
    const held = await call('GET', `${path}?partner_customer_id=partner-wendy&starting_after=cus_ada`)
    expect(held.json).toEqual({ data: [], has_more: false, total: 1 })
  })
})

describe('parameters of the search', () => {
  test.each([
    ['partner_customer_id', 'partner_customer_id=partner-ada&partner_customer_id=partner-ada'],
    ['starting_after', 'starting_after=cus_ben&starting_after=cus_zoe'],
    ['limit', 'limit=1&limit=1'],
    ['limit', 'limit=1&limit='],
  ])('case 78: %s twice (%s) -> 400 of shape A', async (name, query) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?${query}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, `${name}: must not be sent more than once`),
    ])
  })

  test('case 78: a parameter that is not known, twice -> ignored', async () => {
    const { call } = await startSandbox()
    expect((await call('GET', `${path}?colour=red&colour=blue&limit=1`)).status).toBe(200)
  })

  test.each([
    '0',
    '-1',
    '1.5',
    'abc',
    '',
    '1e1',
    '0x10',
    '%2B1',
    '+1',
    '1+',
    '1_000',
    '%D9%A3',
    'NaN',
    'Infinity',
    '00',
  ])('case 79: limit=%s -> 400 of shape A', async (value) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?limit=${value}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, 'limit: must be an integer of at least 1'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['customers_without_filter', 'customers_page_size_parameter']),
    )
  })

  test('three bad parameters -> three details in the declared order', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?limit=0&starting_after=a&starting_after=b&partner_customer_id=`)
    expect(answer.json).toEqual(
      invalid(
        path,
        bad,
        'starting_after: must not be sent more than once',
        'limit: must be an integer of at least 1',
      ),
    )
  })

  test.each(['101', '1000000000', '9'.repeat(300)])(
    'case 80: limit=%s of 120 customers -> 100 items and more to come',
    async (limit) => {
      const { call } = await startSandbox({ fixtures: { customers: customers(120) } })
      const answer = await call('GET', `${path}?limit=${limit}`)
      expect([answer.status, answer.json.data.length, answer.json.has_more, answer.json.total]).toEqual([
        200,
        100,
        true,
        120,
      ])
      const rest = await call('GET', `${path}?limit=${limit}&starting_after=${answer.json.data.at(-1).id}`)
      expect([rest.json.data.length, rest.json.has_more, rest.json.total]).toEqual([20, false, 120])
    },
  )

  test.each([
    [3, 3, false],
    [3, 2, true],
    [3, 4, false],
    [1, 1, false],
    [0, 1, false],
    [100, 100, false],
    [101, 100, true],
  ])('case 81: %i customers, limit %i -> has_more %s', async (count, limit, more) => {
    const { call } = await startSandbox({ fixtures: { customers: customers(count) } })
    const { json } = await call('GET', `${path}?limit=${limit}`)
    expect([json.data.length, json.has_more, json.total]).toEqual([Math.min(count, limit), more, count])
  })

  test('case 82: every page has the total of all matches', async () => {
    const { call } = await startSandbox({ fixtures: { customers: customers(7) } })
    const pages = []
    for (const after of [
      '',
      '&starting_after=cus_0002',
      '&starting_after=cus_0005',
      '&starting_after=cus_0006',
    ]) {
      const { json } = await call('GET', `${path}?limit=3${after}`)
      pages.push([json.data.length, json.has_more, json.total])
    }
    expect(pages).toEqual([
      [3, true, 7],
      [3, true, 7],
      [1, false, 7],
      [0, false, 7],
    ])
  })

  test.each([
    ['nobody has', 'cus_nobody'],
    ['a customer of another product has', 'cus_hana'],
    ['is a partner identifier', 'partner-ada'],
    ['is empty', ''],
    ['every object has', '__proto__'],
    ['is that of another kind of row', 'rwd_ada_pending'],
  ])('case 83: starting_after that %s -> 400 of shape A, the same bytes for all', async (_, cursor) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?starting_after=${cursor}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, 'starting_after: must be the id of a customer'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['customers_without_filter', 'unknown_cursor']),
    )
  })

  test('case 84: no limit -> 10 customers, newest first by the instant, then by ascending id', async () => {
    const { call } = await startSandbox({
      fixtures: {
        customers: [
          ...customers(9)
            .map((row) => ({ ...row, created_at: '2020-06-01T00:00:00Z' }))
            .toReversed(),
          // Three spellings of one instant, and one that only looks later.
          { id: 'cus_b', created_at: '2026-01-02T00:00:00Z' },
          { id: 'cus_a', created_at: '2026-01-02T02:00:00+02:00' },
          { id: 'cus_C', created_at: '2026-01-01t19:00:00.000-05:00' },
          { id: 'cus_d', created_at: '2026-01-02T03:00:00+04:00' },
        ],
      },
    })
    const answer = await call('GET', path)
    expect(idsOf(answer.json)).toEqual([
      'cus_C',
      'cus_a',
      'cus_b',
      'cus_d',
      'cus_0000',
      'cus_0001',
      'cus_0002',
      'cus_0003',
      'cus_0004',
      'cus_0005',
    ])
    expect([answer.json.has_more, answer.json.total]).toEqual([true, 13])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['default_page_size', 'customers_without_filter', 'customers_order']),
    )
  })
})

describe('linking a customer', () => {
  const link = (call: CallApi, id: string, partnerId: unknown, more: object = {}) =>
    call('POST', `${path}/${id}/link`, { json: { partner_customer_id: partnerId, ...more } })
  const search = async (call: CallApi, partnerId: string) =>
    idsOf((await call('GET', `${path}?partner_customer_id=${encodeURIComponent(partnerId)}`)).json)

  test('case 85: valid -> 200 and the link, found by these bytes at once', async () => {
    const { call, state } = await startSandbox()
    const before = state.get('customers', 'cus_ben')
    const answer = await link(call, 'cus_ben', 'Ben #7+~')
    const created = { status: 'ACTIVE', created_at: '2026-11-21T12:00:00.000Z' }
    expect([answer.status, answer.json]).toEqual([
      200,
      { customer_id: 'cus_ben', partner_customer_id: 'Ben #7+~', ...created },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['link_response']))
    expect(state.get('customers', 'cus_ben')).toEqual({
      ...before,
      partner_customer_id: 'Ben #7+~',
      updated_at: '2026-11-21T12:00:00.000Z',
    })
    expect(state.get('links', 'cus_ben')).toEqual({
      id: 'cus_ben',
      partner_customer_id: 'Ben #7+~',
      ...created,
    })
    expect(await search(call, 'Ben #7+~')).toEqual(['cus_ben'])
    expect(await search(call, 'ben #7+~')).toEqual([])
  })

  test('case 85: metadata -> stored with the link and echoed, also by a repeat with other metadata', async () => {
    const { call, state } = await startSandbox()
    const metadata = { source: 'app', nested: { list: [1, null] } }
    const answer = await link(call, 'cus_ben', 'ben', { metadata })
    const created = { status: 'ACTIVE', created_at: '2026-11-21T12:00:00.000Z', metadata }
    expect([answer.status, answer.json]).toEqual([
      200,
      { customer_id: 'cus_ben', partner_customer_id: 'ben', ...created },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['link_response']))
    expect(state.get('links', 'cus_ben')).toEqual({ id: 'cus_ben', partner_customer_id: 'ben', ...created })
    const before = state.document()
    expect((await link(call, 'cus_ben', 'ben', { metadata: {} })).text).toBe(answer.text)
    expect(state.document()).toEqual(before)
  })

  test('case 85, link_response=customer: metadata -> an unknown field, ignored', async () => {
    const { call, state } = await startSandbox({ assume: { link_response: 'customer' } })
    const answer = await link(call, 'cus_ben', 'ben', { metadata: { source: 'app' } })
    expect([answer.status, answer.json.metadata]).toEqual([200, undefined])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['link_response', 'unknown_body_fields']))
    expect(state.get('links', 'cus_ben')).toEqual({
      id: 'cus_ben',
      partner_customer_id: 'ben',
      status: 'ACTIVE',
      created_at: '2026-11-21T12:00:00.000Z',
    })
  })

  test('case 85, link_response=customer: valid -> 200 and the customer, found by these bytes at once', async () => {
    const { call, state } = await startSandbox({ assume: { link_response: 'customer' } })
    const { product: _, ...before } = state.get('customers', 'cus_ben') as Record<string, unknown>
    const answer = await link(call, 'cus_ben', 'Ben #7+~')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      ...before,
      partner_customer_id: 'Ben #7+~',
      updated_at: '2026-11-21T12:00:00.000Z',
    })
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['link_response']))
    expect(await search(call, 'Ben #7+~')).toEqual(['cus_ben'])
    expect(await search(call, 'ben #7+~')).toEqual([])
  })

  test.each([
    [{}],
    [{ link_replaces: 'replace' }],
    [{ link_response: 'customer' }],
    [{ link_response: 'customer', link_replaces: 'replace' }],
  ])('case 85: repeated under %j -> 200 and the same bytes, also later', async (assume) => {
    const { call, clock } = await startSandbox({ assume })
    const first = await link(call, 'cus_ben', 'ben')
    clock.advance({ days: 1 })
    const second = await link(call, 'cus_ben', 'ben')
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(second.assumptions).toEqual(['link_response'])
  })

  test.each([
    [{}, 'CUSTOMER_ALREADY_LINKED'],
    [{ link_conflict_type: 'CONFLICT_ERROR' }, 'CONFLICT_ERROR'],
  ])(
    'case 85: an identifier that another customer holds, under %j -> 409 B %s, and nothing is changed',
    async (assume, type) => {
      const { call, state } = await startSandbox({ assume })
      const before = state.document()
      const answer = await link(call, 'cus_ben', 'partner-ada')
      expect([answer.status, answer.json]).toEqual([
        409,
        shapeB(type, 'Another customer is linked to this partner_customer_id.'),
      ])
      expect(headersOf(answer)).toEqual(
        jsonHeaders('req_default_1', ['link_conflict_status', 'link_conflict_type']),
      )
      expect(state.document()).toEqual(before)
      expect(await search(call, 'partner-ada')).toEqual(['cus_ada'])
    },
  )

  test('case 85: the identifier in other casing -> another identifier, so no conflict', async () => {
    const { call } = await startSandbox()
    expect((await link(call, 'cus_ben', 'PARTNER-ADA')).status).toBe(200)
    expect(await search(call, 'PARTNER-ADA')).toEqual(['cus_ben'])
    expect(await search(call, 'partner-ada')).toEqual(['cus_ada'])
  })

  test('case 85: an identifier held in another product only -> 200, as a search stays within its product', async () => {
    const { call } = await startSandbox()
    expect((await link(call, 'cus_ben', 'partner-hana')).status).toBe(200)
    expect(await search(call, 'partner-hana')).toEqual(['cus_ben'])
  })

  test('two links to one identifier at once -> one 200, one 409', async () => {
    const { call } = await startSandbox()
    const answers = await Promise.all([link(call, 'cus_ben', 'one'), link(call, 'cus_farid', 'one')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test.each([
    ['nobody has', 'cus_nobody'],
    ['a customer of another product has', 'cus_hana'],
    ['every object has', '__proto__'],
  ])('case 86: an id that %s -> 404 C, the same bytes for all', async (_, id) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const answer = await link(call, id, 'new')
    expect([answer.status, answer.json]).toEqual([
      404,
      {
        type: 'CUSTOMER_NOT_FOUND_ERROR',
        message: 'No customer has this customer_id.',
        param: 'customer_id',
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
    expect(state.document()).toEqual(before)
  })

  test.each([
    ['empty', '', bad],
    ['129 characters', 'x'.repeat(129), bad],
    ['é', 'é', bad],
    ['a tab', 'a\tb', bad],
    ['DEL', '\u007f', bad],
    ['a line break at the end', 'partner-ada\n', bad],
    ['a number', 7, 'partner_customer_id: must be a string'],
    ['null', null, 'partner_customer_id: must be a string'],
    ['a list', ['a'], 'partner_customer_id: must be a string'],
    ['left out', undefined, 'partner_customer_id: is required'],
  ])('case 86: %s -> 400 of shape A, and nothing is changed', async (_, value, detail) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const answer = await link(call, 'cus_ben', value)
    expect([answer.status, answer.json]).toEqual([400, invalid('/v2/customers/cus_ben/link', detail)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', []))
    expect(state.document()).toEqual(before)
  })

  test.each([[' '], ['x'.repeat(128)], ['~']])('case 86: %j -> 200, and found', async (value) => {
    const { call } = await startSandbox()
    expect((await link(call, 'cus_ben', value)).status).toBe(200)
    expect(await search(call, value)).toEqual(['cus_ben'])
  })

  test('case 86: a bad identifier for an unknown customer -> 400, as validation comes before the lookup', async () => {
    const { call } = await startSandbox()
    expect((await link(call, 'cus_nobody', '')).json).toEqual(invalid('/v2/customers/cus_nobody/link', bad))
  })

  test('case 86: updated_at of the customer moves with a link, and with nothing that is refused or repeated', async () => {
    const { call, state } = await startSandbox()
    const times: unknown[] = []
    for (const id of ['one', 'two', 'one']) {
      const { status } = await link(call, 'cus_ben', id)
      times.push([status, state.get('customers', 'cus_ben')?.updated_at])
    }
    state.patch('customers', 'cus_ben', { partner_customer_id: null } as object)
    const { status } = await link(call, 'cus_ben', 'two')
    times.push([status, state.get('customers', 'cus_ben')?.updated_at])
    expect(times).toEqual([
      [200, '2026-11-21T12:00:00.000Z'],
      [409, '2026-11-21T12:00:00.000Z'],
      [200, '2026-11-21T12:00:00.000Z'],
      [200, '2026-11-21T12:00:00.001Z'],
    ])
  })

  test('case 86, link_replaces=replace: updated_at moves with each change, on a frozen clock as well', async () => {
    const { call } = await startSandbox({
      assume: { link_response: 'customer', link_replaces: 'replace' },
    })
    const times = []
    for (const id of ['one', 'two', 'two', 'three']) {
      times.push((await link(call, 'cus_ben', id)).json.updated_at)
    }
    expect(times).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.001Z',
      '2026-11-21T12:00:00.001Z',
      '2026-11-21T12:00:00.002Z',
    ])
  })
})

describe('assumptions of the search', () => {
  test('customers_without_filter=all -> a search without partner_customer_id lists the customers', async () => {
    const { call } = await startSandbox({ assume: { customers_without_filter: 'all' } })
    const answer = await call('GET', `${path}?limit=1`)
    expect([answer.status, answer.json.data.length, answer.json.total]).toEqual([200, 1, 26])
    expect(answer.assumptions).toContain('customers_without_filter')
  })

  test.each([
    ['', ['partner_customer_id: is required']],
    ['?limit=5', ['partner_customer_id: is required']],
    ['?starting_after=cus_ada', ['partner_customer_id: is required']],
    ['?limit=0', ['partner_customer_id: is required', 'limit: must be an integer of at least 1']],
  ])('customers_without_filter=bad_request, a search with %j -> 400 of shape A', async (query, details) => {
    const { call } = await startSandbox({ assume: { customers_without_filter: 'bad_request' } })
    const answer = await call('GET', path + query)
    expect([answer.status, answer.json]).toEqual([400, invalid(path, ...details)])
    expect(answer.assumptions).toContain('customers_without_filter')
  })

  test('customers_without_filter=bad_request, a search with partner_customer_id -> as ever', async () => {
    const query = `${path}?partner_customer_id=partner-ada`
    const expected = await (await startSandbox()).call('GET', query)
    const { call } = await startSandbox({ assume: { customers_without_filter: 'bad_request' } })
    const answer = await call('GET', query)
    expect([answer.status, answer.text]).toEqual([200, expected.text])
    expect(headersOf(answer)).toEqual(headersOf(expected))
  })

  const names = ['limit', 'page_size', 'per_page', 'size'] as const

  test.each(names)('customers_page_size_parameter=%s -> read under this name and no other', async (name) => {
    const { call } = await startSandbox({ assume: { customers_page_size_parameter: name } })
    for (const sent of names) {
      const answer = await call('GET', `${path}?${sent}=3`)
      const read = sent === name
      expect([sent, answer.json.data.length]).toEqual([sent, read ? 3 : 10])
      expect(answer.assumptions).toEqual([
        ...(read ? [] : ['default_page_size']),
        'customers_without_filter',
        ...(read ? [] : ['unknown_query_parameters']),
        'customers_page_size_parameter',
        'customers_order',
      ])
    }
    const wrong = await call('GET', `${path}?${name}=0`)
    expect(wrong.json).toEqual(invalid(path, `${name}: must be an integer of at least 1`))
  })

  test.each([
    [undefined, 100],
    [100, 100],
    [1000, 120],
    [7, 7],
    [1, 1],
  ])('customers_page_size_cap=%s -> 1001 asked for gives %i of 120', async (cap, items) => {
    const assume = cap === undefined ? {} : { customers_page_size_cap: cap }
    const { call } = await startSandbox({ assume, fixtures: { customers: customers(120) } })
    const answer = await call('GET', `${path}?limit=1001`)
    expect([answer.status, answer.json.data.length, answer.json.has_more]).toEqual([200, items, items < 120])
    // Without the parameter the page would have the default size, or that of a smaller cap.
    const bySize = items === Math.min(10, items) ? [] : ['customers_page_size_parameter']
    expect(answer.assumptions).toEqual([
      'customers_without_filter',
      ...bySize,
      'customers_page_size_cap',
      'customers_order',
    ])
    const small = await call('GET', `${path}?limit=1`)
    const byOne = items === 1 ? [] : ['customers_page_size_parameter']
    expect(small.assumptions).toEqual(['customers_without_filter', ...byOne, 'customers_order'])
  })

  test('case 140: customers_page_size_cap=50 -> named where 60 asked for give 50', async () => {
    const assume = { customers_page_size_cap: 50 }
    const { call } = await startSandbox({ assume, fixtures: { customers: customers(120) } })
    const answer = await call('GET', `${path}?limit=60`)
    expect(answer.json.data).toHaveLength(50)
    expect(answer.assumptions).toContain('customers_page_size_cap')
  })

  test.each([
    [undefined, 10],
    [10, 10],
    [25, 25],
    [100, 100],
    [3, 3],
  ])('default_page_size=%s -> %i customers when no size is asked for', async (size, items) => {
    const assume = size === undefined ? {} : { default_page_size: size }
    const { call } = await startSandbox({ assume, fixtures: { customers: customers(120) } })
    const answer = await call('GET', path)
    expect([answer.json.data.length, answer.json.has_more]).toEqual([items, true])
    expect(answer.assumptions).toEqual(['default_page_size', 'customers_without_filter', 'customers_order'])
  })

  test.each([
    [undefined, ['cus_m', 'cus_b', 'cus_y', 'cus_a']],
    ['newest_first', ['cus_m', 'cus_b', 'cus_y', 'cus_a']],
    ['oldest_first', ['cus_a', 'cus_b', 'cus_y', 'cus_m']],
    ['id', ['cus_a', 'cus_b', 'cus_m', 'cus_y']],
  ])('customers_order=%s -> %j', async (order, ids) => {
    const { call } = await startSandbox({
      assume: order === undefined ? {} : { customers_order: order },
      fixtures: {
        customers: [
          { id: 'cus_y', created_at: '2026-02-01T00:00:00Z' },
          { id: 'cus_b', created_at: '2026-02-01T00:00:00Z' },
          { id: 'cus_m', created_at: '2026-03-01T00:00:00Z' },
          { id: 'cus_a', created_at: '2026-01-01T00:00:00Z' },
        ],
      },
    })
    const answer = await call('GET', path)
    expect(idsOf(answer.json)).toEqual(ids)
    expect(answer.assumptions).toContain('customers_order')
    const walked: string[] = []
    for (let after = ''; walked.length < ids.length; after = `&starting_after=${walked.at(-1)}`) {
      walked.push(...idsOf((await call('GET', `${path}?limit=1${after}`)).json))
    }
    expect(walked).toEqual(ids)
  })

  test.each([
    [undefined, 400, invalid(path, 'starting_after: must be the id of a customer')],
    ['refuse', 400, invalid(path, 'starting_after: must be the id of a customer')],
    ['empty_page', 200, { ids: [], has_more: false, total: 26 }],
    ['first_page', 200, { ids: ['cus_ben'], has_more: true, total: 26 }],
  ])('unknown_cursor=%s -> %i', async (value, status, expected) => {
    const { call } = await startSandbox({ assume: value === undefined ? {} : { unknown_cursor: value } })
    const answer = await call('GET', `${path}?limit=1&starting_after=cus_nobody`)
    const { data, ...rest } = answer.json
    expect([answer.status, data ? { ids: idsOf({ data }), ...rest } : rest]).toEqual([status, expected])
    expect(answer.assumptions).toContain('unknown_cursor')
    const known = await call('GET', `${path}?limit=1&starting_after=cus_ben`)
    expect(idsOf(known.json)).toEqual(['cus_zoe'])
    expect(known.assumptions).not.toContain('unknown_cursor')
  })

  test.each([
    ['empty_page', 'partner-ada', { ids: [], has_more: false, total: 1 }],
    ['empty_page', 'partner-nobody', { ids: [], has_more: false, total: 0 }],
    ['first_page', 'partner-ada', { ids: ['cus_ada'], has_more: false, total: 1 }],
  ])(
    'unknown_cursor=%s with partner_customer_id=%s -> total counts the matches of the search',
    async (value, partnerId, expected) => {
      const { call } = await startSandbox({ assume: { unknown_cursor: value } })
      const answer = await call('GET', `${path}?partner_customer_id=${partnerId}&starting_after=cus_nobody`)
      const { data, ...rest } = answer.json
      expect({ ids: idsOf({ data }), ...rest }).toEqual(expected)
    },
  )
})

describe('assumptions of the link', () => {
  const link = (call: CallApi, id: string, partnerId: string) =>
    call('POST', `${path}/${id}/link`, { json: { partner_customer_id: partnerId } })

  test.each([[undefined], ['link']])('link_response=%s -> 200 with the link', async (value) => {
    const { call } = await startSandbox({ assume: value === undefined ? {} : { link_response: value } })
    const answer = await link(call, 'cus_ben', 'ben')
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        customer_id: 'cus_ben',
        partner_customer_id: 'ben',
        status: 'ACTIVE',
        created_at: '2026-11-21T12:00:00.000Z',
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['link_response']))
  })

  test('link_response=customer -> 200 with the customer', async () => {
    const { call } = await startSandbox({ assume: { link_response: 'customer' } })
    const answer = await link(call, 'cus_ben', 'ben')
    expect([answer.status, answer.json.id, answer.json.partner_customer_id]).toEqual([200, 'cus_ben', 'ben'])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['link_response']))
  })

  test('link_response=no_content -> 204 without a body, and linked all the same', async () => {
    const { call, state } = await startSandbox({ assume: { link_response: 'no_content' } })
    const answer = await link(call, 'cus_ben', 'ben')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(headersOf(answer)).toEqual(bareHeaders('req_default_1', ['link_response']))
    expect(state.get('customers', 'cus_ben')).toMatchObject({ partner_customer_id: 'ben' })
    expect((await link(call, 'cus_ben', 'ben')).status).toBe(204)
  })

  const linked = 'CUSTOMER_ALREADY_LINKED'
  test.each([
    [{}, 409, linked],
    [{ link_conflict_status: 409 }, 409, linked],
    [{ link_conflict_status: 400 }, 400, linked],
    [{ link_conflict_status: 422 }, 422, linked],
    [{ link_conflict_type: linked }, 409, linked],
    [{ link_conflict_type: 'CONFLICT_ERROR' }, 409, 'CONFLICT_ERROR'],
    [{ link_conflict_type: 'CONFLICT_ERROR', link_conflict_status: 409 }, 409, 'CONFLICT_ERROR'],
    [{ link_conflict_type: 'CONFLICT_ERROR', link_conflict_status: 400 }, 400, 'BAD_REQUEST_ERROR'],
    [{ link_conflict_type: 'CONFLICT_ERROR', link_conflict_status: 422 }, 422, 'CONFLICT_ERROR'],
  ])('%j -> %i %s', async (assume, status, type) => {
    const { call } = await startSandbox({ assume })
    const answer = await link(call, 'cus_ben', 'partner-ada')
    expect([answer.status, answer.json]).toEqual([
      status,
      shapeB(type, 'Another customer is linked to this partner_customer_id.'),
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['link_conflict_status', 'link_conflict_type']),
    )
  })

  test('link_replaces=replace -> the customer moves to the new identifier, with a link of its own', async () => {
    const { call, state, clock } = await startSandbox({ assume: { link_replaces: 'replace' } })
    const answer = await link(call, 'cus_ada', 'new')
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        customer_id: 'cus_ada',
        partner_customer_id: 'new',
        status: 'ACTIVE',
        created_at: '2026-11-21T12:00:00.000Z',
      },
    ])
    expect(answer.assumptions).toEqual(['link_response', 'link_replaces'])
    const ids = async (id: string) => idsOf((await call('GET', `${path}?partner_customer_id=${id}`)).json)
    expect([await ids('new'), await ids('partner-ada')]).toEqual([['cus_ada'], []])
    // The old identifier is free for another customer.
    expect((await link(call, 'cus_ben', 'partner-ada')).status).toBe(200)
    clock.advance({ days: 1 })
    await link(call, 'cus_ada', 'newer')
    expect(state.get('links', 'cus_ada')).toEqual({
      id: 'cus_ada',
      partner_customer_id: 'newer',
      status: 'ACTIVE',
      created_at: '2026-11-22T12:00:00.000Z',
    })
  })

  const another = 'The customer is linked to another partner_customer_id.'
  const existing_link = {
    customer_id: 'cus_ada',
    partner_customer_id: 'partner-ada',
    status: 'ACTIVE',
    created_at: '2024-07-15T09:30:00.000Z',
  }
  test.each([
    [{}, { error: { type: linked, message: another, existing_link } }],
    [{ link_replaces: 'refuse' }, { error: { type: linked, message: another, existing_link } }],
    [{ link_conflict_type: 'CONFLICT_ERROR' }, shapeB('CONFLICT_ERROR', another)],
  ])('%j -> 409 B and nothing is changed; the same identifier is no replacement', async (assume, body) => {
    const { call, state } = await startSandbox({ assume })
    const before = state.document()
    const answer = await link(call, 'cus_ada', 'new')
    expect([answer.status, answer.json]).toEqual([409, body])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['link_replaces', 'link_conflict_status', 'link_conflict_type']),
    )
    // The own link is checked before the identifiers of others.
    expect((await link(call, 'cus_ada', 'partner-carla')).text).toBe(answer.text)
    expect(state.document()).toEqual(before)
    expect((await link(call, 'cus_ada', 'partner-ada')).status).toBe(200)
    expect(state.document()).toEqual(before)
    expect((await link(call, 'cus_ben', 'ben')).status).toBe(200)
  })

  test('a link that a call made -> existing_link shows it whole', async () => {
    const { call, clock } = await startSandbox()
    const made = await call('POST', `${path}/cus_ben/link`, {
      json: { partner_customer_id: 'ben', metadata: { source: 'app' } },
    })
    clock.advance({ days: 1 })
    expect((await link(call, 'cus_ben', 'new')).json).toEqual({
      error: { type: linked, message: another, existing_link: made.json },
    })
  })
})
