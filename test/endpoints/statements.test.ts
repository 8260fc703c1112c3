import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeB } from '../helpers/answers.ts'
import { callerFor, startSandbox, testNow, type Answered, type CallApi } from '../helpers/sandbox.ts'

const path = '/v2/customers/cus_ada/accounts/acct_ada/statements'

interface Statement {
  statement_id: string
  pdf_url: string
  period_end_date: string
  as_of: string
}

const idsOf = (answer: Answered): string[] =>
  answer.json.data.map(({ statement_id }: Statement) => statement_id)

/** `stm_ada_27`, `stm_ada_26`, … */
const ada = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => `stm_ada_${String(from - at).padStart(2, '0')}`)

/** Every page from the first one on, following the tokens. */
async function walk(call: CallApi, size: number, first = path): Promise<Answered[]> {
  const pages = []
  for (let token: string | undefined = ''; token !== undefined;) {
    const page = await call('GET', `${first}?limit=${size}${token === '' ? '' : `&starting_after=${token}`}`)
    pages.push(page)
    token = page.json.next_page_token
  }
  return pages
}

describe('listing the closed statements of an account', () => {
  test('a statement -> all fields of the contract, with the link and the instant of the read', async () => {
    const { call, state } = await startSandbox()
    const answer = await call('GET', `${path}?limit=1`)
    expect(answer.status).toBe(200)
    const { data, ...page } = answer.json
    expect(page).toEqual({ has_more: true, next_page_token: expect.stringMatching(/^[\w-]+$/) })
    expect(data).toEqual([
      {
        ...state.get('statements', 'stm_ada_27'),
        as_of: testNow,
        pdf_url: expect.stringMatching(
          /^http:\/\/localhost\/_sandbox\/files\/statements\/default\/stm_ada_27\.pdf\?/,
        ),
      },
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['pdf_url_lifetime_seconds', 'statements_page_size_parameter']),
    )
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'limit=1e1',
    'limit=0x10',
    'limit=%2B1',
    'limit=1000000000',
  ])('case 87: %s -> 400 of shape A', async (query) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?${query}`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, 'limit: must be an integer from 1 to 100'),
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['statements_page_size_parameter']))
  })

  test.each([
    ['limit=1', 1, true],
    ['limit=26', 26, true],
    ['limit=27', 27, false],
    ['limit=100', 27, false],
    ['', 10, true],
  ])('case 87: %j -> 200 and %i of 27, has_more %s', async (query, count, more) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?${query}`)
    expect([answer.status, idsOf(answer), answer.json.has_more]).toEqual([200, ada(27, 28 - count), more])
  })

  test.each([1, 2, 9, 10, 26, 27, 28, 100])(
    'case 88: pages of %i -> every statement once, newest first, the token only where there is more',
    async (size) => {
      const { call } = await startSandbox()
      const pages = await walk(call, size)
      expect(pages.flatMap(idsOf)).toEqual(ada(27, 1))
      expect(pages.map(({ json }) => json.has_more)).toEqual(pages.map((_, at) => at < pages.length - 1))
      expect(pages.map(({ json }) => 'next_page_token' in json)).toEqual(
        pages.map(({ json }) => json.has_more),
      )
      expect(pages).toHaveLength(Math.ceil(27 / size))
    },
  )

  test('case 88: an account without a statement -> an empty last page', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/customers/cus_carla/accounts/acct_carla/statements')
    expect([answer.status, answer.json]).toEqual([200, { data: [], has_more: false }])
  })

  describe('case 89: a starting_after that is not the token of this list -> 400 of shape A', () => {
    const fixtures = [
      {
        customers: [{ id: 'cus_ada' }],
        accounts: [] as { id: string; customer_id: string; currency: string }[],
      },
      {
        accounts: ['acct_ada', 'acct_other'].map((id) => ({ id, customer_id: 'cus_ada', currency: 'USD' })),
        statements: ['acct_ada', 'acct_other'].flatMap((account_id) =>
          [1, 2, 3].map((month) => ({
            statement_id: `stm_${account_id}_${month}`,
            customer_id: 'cus_ada',
            account_id,
            period_end_date: `2026-0${month}-28T00:00:00Z`,
          })),
        ),
      },
    ]
    const tokenOf = async (call: CallApi, of = path): Promise<string> =>
      (await call('GET', `${of}?limit=1`)).json.next_page_token

    test.each<[string, (token: string) => string]>([
      ['a statement id', () => 'stm_acct_ada_3'],
      ['empty', () => ''],
      ['another first character', (token) => (token.startsWith('A') ? 'B' : 'A') + token.slice(1)],
      ['another character in the middle', (token) => `${token.slice(0, 40)}x${token.slice(41)}`],
      ['another last character', (token) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
      ['cut short', (token) => token.slice(0, -1)],
      ['something after it', (token) => `${token}A`],
      ['padded', (token) => `${token}%3D`],
      ['a space before it', (token) => `%20${token}`],
      ['in other casing', (token) => token.toUpperCase()],
      [
        'its place without a signature',
        (token) => Buffer.from(token, 'base64url').subarray(22).toString('base64url'),
      ],
      ['2,000 characters', () => 'A'.repeat(2000)],
    ])('%s', async (_, made) => {
      const { call } = await startSandbox({ fixtures })
      const answer = await call('GET', `${path}?starting_after=${made(await tokenOf(call))}`)
      expect([answer.status, answer.json]).toEqual([
        400,
        invalid(path, 'starting_after: must be the next_page_token of the previous page'),
      ])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_2', ['unknown_cursor']))
    })

    test('the token of another account, or of another workspace', async () => {
      const sandbox = await startSandbox({ fixtures })
      const { call } = sandbox
      const other = await tokenOf(call, path.replace('acct_ada', 'acct_other'))
      const elsewhere = await tokenOf(callerFor(sandbox.workspace('w1')))
      expect((await call('GET', `${path}?starting_after=${other}`)).status).toBe(400)
      expect((await call('GET', `${path}?starting_after=${elsewhere}`)).status).toBe(400)
      // The very same tokens are good where they were made.
      const own = await tokenOf(call)
      expect(idsOf(await call('GET', `${path}?starting_after=${own}`))).toEqual([
        'stm_acct_ada_2',
        'stm_acct_ada_1',
      ])
    })

    test('the token of a sandbox with another seed', async () => {
      const { call: elsewhere } = await startSandbox({ fixtures, seed: 2 })
      const { call } = await startSandbox({ fixtures })
      expect((await call('GET', `${path}?starting_after=${await tokenOf(elsewhere)}`)).status).toBe(400)
    })
  })

  test('case 90: a statement closes between two pages -> no duplicate, no gap; it leads the next walk', async () => {
    const { call, clock, state } = await startSandbox()
    state.put('statements', 'stm_ada_28', {
      customer_id: 'cus_ada',
      account_id: 'acct_ada',
      period_end_date: '2026-11-30T23:59:59Z',
    })
    const first = await call('GET', `${path}?limit=10`)
    clock.advance({ days: 10 })
    const second = await call('GET', `${path}?limit=10&starting_after=${first.json.next_page_token}`)
    state.put('statements', 'stm_ada_00', {
      customer_id: 'cus_ada',
      account_id: 'acct_ada',
      period_end_date: '2024-07-31T23:59:59Z',
    })
    const third = await call('GET', `${path}?limit=10&starting_after=${second.json.next_page_token}`)
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual([...ada(27, 1), 'stm_ada_00'])
    expect(idsOf(await call('GET', `${path}?limit=2`))).toEqual(['stm_ada_28', 'stm_ada_27'])
  })

  test('a token of before a reset -> no cycle that is in progress again by the clock', async () => {
    const { call, clock, state, reset } = await startSandbox()
    const putLater = (): void => {
      for (const [id, end] of [
        ['stm_ada_28', '2026-11-30'],
        ['stm_ada_29', '2026-12-31'],
      ] as const) {
        const row = { customer_id: 'cus_ada', account_id: 'acct_ada', period_end_date: `${end}T23:59:59Z` }
        state.put('statements', id, row)
      }
    }
    putLater()
    clock.advance({ days: 60 })
    const first = await call('GET', `${path}?limit=1`)
    expect(idsOf(first)).toEqual(['stm_ada_29'])
    const before = await call('GET', `${path}?limit=2&starting_after=${first.json.next_page_token}`)
    expect(idsOf(before)).toEqual(['stm_ada_28', 'stm_ada_27'])
    reset()
    putLater()
    const after = await call('GET', `${path}?limit=2&starting_after=${first.json.next_page_token}`)
    expect(idsOf(after)).toEqual(['stm_ada_27', 'stm_ada_26'])
  })

  test('case 90: the statement that a token stands at is gone -> the walk goes on after its place', async () => {
    const { call, state } = await startSandbox()
    const first = await call('GET', `${path}?limit=10`)
    state.delete('statements', 'stm_ada_18')
    const second = await call('GET', `${path}?limit=10&starting_after=${first.json.next_page_token}`)
    expect(idsOf(second)).toEqual(ada(17, 8))
  })

  test.each([
    ['a millisecond before', '2026-10-31T23:59:58.999Z', ada(26, 24)],
    ['at', '2026-10-31T23:59:59.000Z', ada(27, 25)],
    ['long after', '2027-10-31T00:00:00.000Z', ada(27, 25)],
    ['two cycles before', '2026-09-15T00:00:00.000Z', ada(25, 23)],
  ])('case 91: the clock stands %s the end of the period -> %j', async (_, clock, ids) => {
    const { call } = await startSandbox({ clock })
    expect(idsOf(await call('GET', `${path}?limit=3`))).toEqual(ids)
  })

  test('case 91: a cycle in progress -> absent, and the first one as soon as the clock has passed its end', async () => {
    const { call, clock } = await startSandbox({ clock: '2026-10-31T23:59:58Z' })
    expect(idsOf(await call('GET', `${path}?limit=2`))).toEqual(ada(26, 25))
    clock.advance({ seconds: 1 })
    expect(idsOf(await call('GET', `${path}?limit=2`))).toEqual(ada(27, 26))
  })

  test('case 92: as_of -> the instant of the request, equal in one answer, moving with the clock', async () => {
    const { call, clock } = await startSandbox()
    const asOf = (answer: Answered) => [...new Set(answer.json.data.map(({ as_of }: Statement) => as_of))]
    const answer = await call('GET', `${path}?limit=100`)
    expect(asOf(answer)).toEqual([testNow])
    for (const { as_of, period_end_date } of answer.json.data) {
      expect(Date.parse(as_of)).toBeGreaterThan(Date.parse(period_end_date))
    }
    clock.advance({ hours: 1 })
    expect(asOf(await call('GET', path))).toEqual(['2026-11-21T13:00:00.000Z'])
  })

  test('case 94: charges are positive, what is credited back is negative, the balance is the sum', async () => {
    const { call, state } = await startSandbox()
    // Sparse ones as well: whatever the seed fills in has to add up too.
    const sparse = [
      {},
      { statement_balance: 5 },
      { purchases: 9 },
      { payments: -7 },
      { statement_balance: -900 },
    ]
    for (const [at, fields] of sparse.entries()) {
      const owner = { customer_id: 'cus_ada', account_id: 'acct_ada' }
      state.put('statements', `stm_sparse_${at}`, { ...owner, ...fields })
    }
    const { data } = (await call('GET', `${path}?limit=100`)).json
    expect(data).toHaveLength(32)
    for (const row of data) {
      const { previous_balance, purchases, payments, credits, refunds, interest, fees } = row
      expect(Math.max(payments, credits, refunds)).toBeLessThanOrEqual(0)
      expect(Math.min(purchases, interest, fees)).toBeGreaterThanOrEqual(0)
      expect(previous_balance + purchases + payments + credits + refunds + interest + fees).toBe(
        row.statement_balance,
      )
    }
  })

  test.each([
    ['case 94: payments above zero', { payments: 1, statement_balance: 1 }, 'payments must not be positive'],
    ['case 94: credits above zero', { credits: 1, statement_balance: 1 }, 'credits must not be positive'],
    ['case 94: refunds above zero', { refunds: 1, statement_balance: 1 }, 'refunds must not be positive'],
    [
      'case 94: purchases below zero',
      { purchases: -1, statement_balance: -1 },
      'purchases must not be negative',
    ],
    [
      'case 94: interest below zero',
      { interest: -1, statement_balance: -1 },
      'interest must not be negative',
    ],
    ['case 94: fees below zero', { fees: -1, statement_balance: -1 }, 'fees must not be negative'],
  ])('%s -> refused when it is put', async (_, amounts, message) => {
    const { state } = await startSandbox()
    const zero = {
      previous_balance: 0,
      purchases: 0,
      payments: 0,
      credits: 0,
      refunds: 0,
      interest: 0,
      fees: 0,
    }
    const row = {
      customer_id: 'cus_ada',
      account_id: 'acct_ada',
      period_end_date: '2026-11-01T00:00:00Z',
      ...zero,
      minimum_due: 0,
      ...amounts,
    }
    expect(() => state.put('statements', 'stm_new', row)).toThrow(message.replace(' ', ': '))
    expect(state.get('statements', 'stm_new')).toBeUndefined()
  })

  test('case 136: a balance that is not the sum is put, and read as it is', async () => {
    const { call, state } = await startSandbox()
    state.patch('statements', 'stm_ada_27', { statement_balance: 1 })
    const { data } = (await call('GET', path)).json
    expect(data.find((row: { statement_id: string }) => row.statement_id === 'stm_ada_27')).toMatchObject({
      statement_balance: 1,
    })
  })

  test.each([
    ['unknown', 'acct_nobody'],
    ["another customer's", 'acct_carla'],
    ["another product's", 'acct_hana'],
    ['a word that every object has', '__proto__'],
    ['the id of a statement', 'stm_ada_27'],
  ])('case 95: an account that is %s -> 404 C, the same bytes for all', async (_, account) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `/v2/customers/cus_ada/accounts/${account}/statements`)
    expect([answer.status, answer.json]).toEqual([
      404,
      {
        type: 'ACCOUNT_NOT_FOUND_ERROR',
        message: 'No account of this customer has this account_id.',
        param: 'account_id',
      },
    ])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', ['not_found_status', 'unknown_account_type']),
    )
  })

  test.each([
    ['unknown', 'cus_nobody', 'acct_ada'],
    ['of another product', 'cus_hana', 'acct_hana'],
  ])(
    'case 95: a customer who is %s -> 404 C of the customer, before the account',
    async (_, customer, account) => {
      const { call } = await startSandbox()
      const answer = await call('GET', `/v2/customers/${customer}/accounts/${account}/statements`)
      expect([answer.status, answer.json]).toEqual([
        404,
        {
          type: 'CUSTOMER_NOT_FOUND_ERROR',
          message: 'No customer has this customer_id.',
          param: 'customer_id',
        },
      ])
      expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
    },
  )

  test('case 95: an unknown account and a bad limit -> 400, as validation comes before the lookup', async () => {
    const { call } = await startSandbox()
    const bad = '/v2/customers/cus_nobody/accounts/acct_nobody/statements'
    expect((await call('GET', `${bad}?limit=0`)).json).toEqual(
      invalid(bad, 'limit: must be an integer from 1 to 100'),
    )
  })
})

describe('the document behind pdf_url', () => {
  const linkOf = async (call: CallApi, at = 0): Promise<string> =>
    (await call('GET', `${path}?limit=5`)).json.data[at].pdf_url

  /** The texts of the page, in the order in which they are drawn. */
  const textsOf = (pdf: string): string[] =>
    [...pdf.matchAll(/\(((?:[^\\()]|\\.)*)\) Tj/g)].map((match) => match[1] ?? '')

  const expired = shapeB('FORBIDDEN', 'This link has expired: list the statements again for a new one.')
  const changed = shapeB('FORBIDDEN', 'This link was changed: use the pdf_url exactly as it was answered.')
  const missing = shapeB('NOT_FOUND', 'There is no such document.')

  const pdfHeaders = {
    'cache-control': 'no-store',
    'content-disposition': 'inline; filename="statement.pdf"',
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
  }

  test('case 93: opened without a key -> one page with the amounts, the signs and the dates of the statement', async () => {
    const { call, fetch } = await startSandbox()
    const answer = await fetch(await linkOf(call))
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toEqual({
      ...pdfHeaders,
      'content-length': String(bytes.byteLength),
      date: new Date(testNow).toUTCString(),
    })
    const pdf = bytes.toString('latin1')
    expect(pdf.slice(0, 9)).toBe('%PDF-1.4\n')
    expect(pdf.slice(-6)).toBe('%%EOF\n')
    expect(pdf).toContain('/Type /Pages /Kids [3 0 R] /Count 1 ')
    const texts = textsOf(pdf)
    const after = (label: string) => texts[texts.lastIndexOf(label) + 1]
    expect(texts).toEqual(
      expect.arrayContaining([
        'Summit Rewards Card',
        '2026-10-01 to 2026-10-31',
        'Amounts in USD',
        'Page 1 of 1',
      ]),
    )
    expect(
      Object.fromEntries(
        [
          'Account holder',
          'Customer',
          'Statement',
          'Account',
          'Previous balance',
          'Purchases',
          'Payments',
          'Credits',
          'Refunds',
          'Interest',
          'Fees',
          'Statement balance',
          'Minimum due',
          'Payment due date',
        ].map((label) => [label, after(label)]),
      ),
    ).toEqual({
      'Account holder': 'Ada Lindqvist',
      Customer: 'cus_ada',
      Statement: 'stm_ada_27',
      Account: 'acct_ada',
      'Previous balance': '335.12',
      Purchases: '398.13',
      Payments: '-335.12',
      Credits: '-25.00',
      Refunds: '0.00',
      Interest: '0.00',
      Fees: '0.00',
      'Statement balance': '373.13',
      'Minimum due': '25.00',
      'Payment due date': '2026-11-25',
    })
  })

  test('case 93: read twice -> two links, and both open the same bytes', async () => {
    const { call, fetch } = await startSandbox()
    const links = [await linkOf(call), await linkOf(call), await linkOf(call, 1)]
    expect(new Set(links).size).toBe(3)
    const files = await Promise.all(links.map(async (link) => (await fetch(link)).text()))
    expect(files[1]).toBe(files[0])
    expect(files[2]).not.toBe(files[0])
    expect(textsOf(files[2] ?? '')).toContain('2026-09-01 to 2026-09-30')
  })

  test('the same requests in two sandboxes -> the same links', async () => {
    const links = []
    for (const _ of [1, 2]) {
      const { call } = await startSandbox()
      links.push([await linkOf(call), await linkOf(call)])
    }
    expect(links[1]).toEqual(links[0])
  })

  test.each([
    [{ minutes: 14, seconds: 59.999 }, 200],
    [{ minutes: 15 }, 403],
    [{ days: 400 }, 403],
  ])('case 93: %j of the sandbox clock later -> %i', async (distance, status) => {
    const { call, clock, fetch } = await startSandbox()
    const link = await linkOf(call)
    clock.advance(distance)
    const answer = await fetch(link)
    expect(answer.status).toBe(status)
    if (status === 200) return
    expect(await answer.json()).toEqual(expired)
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json',
      date: new Date(clock.now()).toUTCString(),
    })
    // Another read gives a link that opens.
    expect((await fetch(await linkOf(call))).status).toBe(200)
  })

  test.each<[string, (link: URL) => void]>([
    ['another statement', (link) => (link.pathname = link.pathname.replace('stm_ada_27', 'stm_ada_26'))],
    [
      'a statement that nobody has',
      (link) => (link.pathname = link.pathname.replace('stm_ada_27', 'stm_nobody')),
    ],
    ['another workspace', (link) => (link.pathname = link.pathname.replace('/default/', '/w1/'))],
    ['a later expiry', (link) => link.searchParams.set('expires', String(Date.parse(testNow) + 9e9))],
    ['no expiry', (link) => link.searchParams.delete('expires')],
    ['another nonce', (link) => link.searchParams.set('nonce', 'req_default_2')],
    ['no nonce', (link) => link.searchParams.delete('nonce')],
    ['another signature', (link) => link.searchParams.set('signature', 'A'.repeat(22))],
    ['a signature with something after it', (link) => (link.search += 'A')],
    ['no signature', (link) => link.searchParams.delete('signature')],
    ['nothing after the path', (link) => (link.search = '')],
  ])('case 93: changed to %s -> 403', async (_, change) => {
    const sandbox = await startSandbox()
    sandbox.workspace('w1')
    const link = new URL(await linkOf(sandbox.call))
    change(link)
    const answer = await sandbox.fetch(link)
    expect([answer.status, await answer.json()]).toEqual([403, changed])
  })

  test.each([
    ['an unknown workspace', '/_sandbox/files/statements/nobody/stm_ada_27.pdf'],
    ['a name that no workspace can have', '/_sandbox/files/statements/a%20b/stm_ada_27.pdf'],
    ['another kind of file', '/_sandbox/files/statements/default/stm_ada_27.html'],
  ])('%s, not signed -> 403', async (_, link) => {
    const { fetch } = await startSandbox()
    const answer = await fetch(link)
    expect([answer.status, await answer.json()]).toEqual([403, changed])
  })

  test('a statement that is gone by now -> 404', async () => {
    const { call, fetch, state } = await startSandbox()
    const link = await linkOf(call)
    state.delete('statements', 'stm_ada_27')
    const answer = await fetch(link)
    expect([answer.status, await answer.json()]).toEqual([404, missing])
  })

  test('HEAD -> the status and headers of GET without the document', async () => {
    const { call, clock, fetch } = await startSandbox()
    const link = await linkOf(call)
    const [get, head] = [await fetch(link), await fetch(link, { method: 'HEAD' })]
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
    expect(await head.text()).toBe('')
    clock.advance({ hours: 1 })
    const late = await fetch(link, { method: 'HEAD' })
    expect([late.status, await late.text()]).toEqual([403, ''])
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s -> 405 with Allow', async (method) => {
    const { call, fetch } = await startSandbox()
    const answer = await fetch(await linkOf(call), { method })
    expect([answer.status, await answer.json()]).toEqual([
      405,
      shapeB('METHOD_NOT_ALLOWED', 'This path has the methods GET, HEAD.'),
    ])
    expect(Object.fromEntries(answer.headers)).toEqual({
      allow: 'GET, HEAD',
      'content-type': 'application/json',
      date: new Date(testNow).toUTCString(),
    })
  })

  test('an id with every awkward character -> listed, and its link opens', async () => {
    const { call, fetch, state } = await startSandbox()
    const id = '../a b%2F?x=1&y#z+é.pdf\\;"<王'
    state.put('statements', id, {
      customer_id: 'cus_ada',
      account_id: 'acct_ada',
      period_end_date: '2026-11-01T00:00:00Z',
    })
    const page = await call('GET', `${path}?limit=1`)
    expect(idsOf(page)).toEqual([id])
    expect((await fetch(page.json.data[0].pdf_url)).status).toBe(200)
    const next = await call('GET', `${path}?limit=1&starting_after=${page.json.next_page_token}`)
    expect(idsOf(next)).toEqual(['stm_ada_27'])
  })

  test('an id that UTF-8 cannot write -> refused when it is put, as no link could hold it', async () => {
    const { call, state } = await startSandbox()
    const row = { customer_id: 'cus_ada', account_id: 'acct_ada', period_end_date: '2026-11-01T00:00:00Z' }
    expect(() => state.put('statements', 'stm_\ud800', row)).toThrow('must be text that UTF-8 can write')
    expect(() => state.put('customers', '\udc00', {})).toThrow('must be text that UTF-8 can write')
    expect(idsOf(await call('GET', `${path}?limit=1`))).toEqual(['stm_ada_27'])
  })

  test('a workspace -> its links open its own documents by its own clock', async () => {
    const sandbox = await startSandbox()
    const workspace = sandbox.workspace('w1')
    const link = await linkOf(callerFor(workspace))
    expect(link).toContain('/_sandbox/files/statements/w1/stm_ada_27.pdf?')
    workspace.state.patch('customers', 'cus_ada', { last_name: 'Changed' })
    expect(textsOf(await (await sandbox.fetch(link)).text())).toContain('Ada Changed')
    sandbox.clock.advance({ days: 1 })
    expect((await sandbox.fetch(link)).status).toBe(200)
    workspace.clock.advance({ days: 1 })
    expect((await sandbox.fetch(link)).status).toBe(403)
  })

  test.each([
    ['https://sandbox.example', 'https://sandbox.example/_sandbox/files/'],
    ['https://sandbox.example/rewards', 'https://sandbox.example/rewards/_sandbox/files/'],
    ['https://sandbox.example/rewards/', 'https://sandbox.example/rewards/_sandbox/files/'],
  ])('with --base-url %s -> links begin with it, and open', async (baseUrl, start) => {
    const { call, fetch } = await startSandbox({ baseUrl })
    const link = await linkOf(call)
    expect(link.slice(0, start.length)).toBe(start)
    expect((await fetch(link)).status).toBe(200)
  })
})

describe('assumptions of the statements', () => {
  const names = ['limit', 'page_size', 'per_page', 'size'] as const

  test.each(names)('statements_page_size_parameter=%s -> read under this name and no other', async (name) => {
    const { call } = await startSandbox({ assume: { statements_page_size_parameter: name } })
    for (const sent of names) {
      const answer = await call('GET', `${path}?${sent}=3`)
      const read = sent === name
      expect([sent, idsOf(answer).length]).toEqual([sent, read ? 3 : 10])
      expect(answer.assumptions).toEqual([
        ...(read ? [] : ['default_page_size', 'unknown_query_parameters']),
        'pdf_url_lifetime_seconds',
        'statements_page_size_parameter',
      ])
    }
    const wrong = await call('GET', `${path}?${name}=101`)
    expect(wrong.json).toEqual(invalid(path, `${name}: must be an integer from 1 to 100`))
  })

  test('customers_page_size_parameter does not rename the one of the statements', async () => {
    const { call } = await startSandbox({ assume: { customers_page_size_parameter: 'size' } })
    expect(idsOf(await call('GET', `${path}?limit=3`))).toHaveLength(3)
  })

  test.each([
    [undefined, 10],
    [10, 10],
    [25, 25],
    [100, 27],
    [1, 1],
  ])('default_page_size=%s -> %i statements when no size is asked for', async (size, count) => {
    const { call } = await startSandbox({ assume: size === undefined ? {} : { default_page_size: size } })
    const answer = await call('GET', path)
    expect([idsOf(answer).length, answer.json.has_more]).toEqual([count, count < 27])
    expect(answer.assumptions).toEqual(['default_page_size', 'pdf_url_lifetime_seconds'])
  })

  const refused = invalid(path, 'starting_after: must be the next_page_token of the previous page')
  test.each([
    [undefined, 400, refused],
    ['refuse', 400, refused],
    ['empty_page', 200, { ids: [], has_more: false }],
    ['first_page', 200, { ids: ['stm_ada_27'], has_more: true, next_page_token: expect.any(String) }],
  ])('unknown_cursor=%s -> %i', async (value, status, expected) => {
    const { call } = await startSandbox({ assume: value === undefined ? {} : { unknown_cursor: value } })
    const answer = await call('GET', `${path}?limit=1&starting_after=stm_ada_20`)
    const { data, ...rest } = answer.json
    expect([answer.status, data ? { ids: idsOf(answer), ...rest } : rest]).toEqual([status, expected])
    expect(answer.assumptions).toEqual([
      ...(value === 'first_page' ? ['pdf_url_lifetime_seconds', 'statements_page_size_parameter'] : []),
      'unknown_cursor',
    ])
  })

  const account = { type: 'ACCOUNT_NOT_FOUND_ERROR', param: 'account_id' }
  const message = 'No account of this customer has this account_id.'
  test.each([
    [undefined, 404, { ...account, message }, ['not_found_status', 'unknown_account_type']],
    ['ACCOUNT_NOT_FOUND_ERROR', 404, { ...account, message }, ['not_found_status', 'unknown_account_type']],
    [
      'CUSTOMER_NOT_FOUND_ERROR',
      404,
      { type: 'CUSTOMER_NOT_FOUND_ERROR', message, param: 'customer_id' },
      ['not_found_status', 'unknown_account_type'],
    ],
    ['BAD_REQUEST_ERROR', 400, shapeB('BAD_REQUEST_ERROR', message), ['unknown_account_type']],
  ])(
    'unknown_account_type=%s -> %i, the same bytes for an unknown and a foreign account',
    async (value, ...expected) => {
      const [status, body, assumptions] = expected
      const { call } = await startSandbox({
        assume: value === undefined ? {} : { unknown_account_type: value },
      })
      for (const id of ['acct_nobody', 'acct_carla']) {
        const answer = await call('GET', `/v2/customers/cus_ada/accounts/${id}/statements`)
        expect([answer.status, answer.json, answer.assumptions]).toEqual([status, body, assumptions])
      }
    },
  )

  test.each([
    [undefined, 900],
    [900, 900],
    [60, 60],
    [1, 1],
    [604_800, 604_800],
  ])('pdf_url_lifetime_seconds=%s -> opens until %i seconds have passed', async (value, seconds) => {
    const { call, clock, fetch } = await startSandbox({
      assume: value === undefined ? {} : { pdf_url_lifetime_seconds: value },
    })
    const answer = await call('GET', `${path}?limit=1`)
    expect(answer.assumptions).toContain('pdf_url_lifetime_seconds')
    const link = answer.json.data[0].pdf_url
    clock.advance({ seconds: seconds - 0.001 })
    expect((await fetch(link)).status).toBe(200)
    clock.advance({ seconds: 0.001 })
    expect((await fetch(link)).status).toBe(403)
  })

  test('limit twice -> 400 of shape A', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', `${path}?limit=2&limit=3`)
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid(path, 'limit: must not be sent more than once'),
    ])
  })

  test('a page token works after a year', async () => {
    const { call, clock } = await startSandbox()
    const { json } = await call('GET', `${path}?limit=26`)
    clock.advance({ seconds: 365 * 86_400 })
    const next = await call('GET', `${path}?limit=26&starting_after=${json.next_page_token}`)
    expect([next.status, idsOf(next)]).toEqual([200, ['stm_ada_01']])
  })
})
