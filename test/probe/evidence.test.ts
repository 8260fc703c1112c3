// Evidence contains no personal data and no secret, and equal values stay equal.
import { describe, expect, it } from 'vitest'
import { Asker, type Exchange } from '../../src/probe/request-sender.ts'
import { briefly } from '../../src/probe/error-shape.ts'
import { Redaction, type Evidence } from '../../src/probe/evidence.ts'
import { testTarget, testTime } from '../helpers/probing.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const target = testTarget(() => Promise.reject(new Error()), {
  keys: { full: 'sk_full_1234', without: { ORDER_WRITE: 'sk_less_1234' }, multi: 'sk_multi_1234' },
  merchant_keys: ['mk_summit'],
  ids: { customer: 'cus_ada', reward: 'rwd_1' },
})

function exchange(path: string, json: unknown, request: Partial<Exchange['request']> = {}): Exchange {
  return {
    request: { method: 'GET', path, headers: {}, ...request },
    answer: { status: 200, headers: { 'x-request-id': 'req_1' }, text: JSON.stringify(json), json },
  }
}

function redacted(...exchanges: Exchange[]): Evidence[] {
  const { shown, withheld } = new Redaction(target).evidence(exchanges)
  if (!shown) throw new Error(`withheld: ${withheld}`)
  return shown
}

describe('evidence', () => {
  it('has one token for one value, in paths, headers, bodies and messages', () => {
    const [first, second] = redacted(
      exchange(
        '/v2/customers/cus_ada/rewards_balance',
        { customer_id: 'cus_ada', reward_balance: 120 },
        { headers: { authorization: 'Bearer sk_full_1234', accept: 'application/json' } },
      ),
      exchange(
        '/v2/customers/cus_bob/rewards_balance?x=cus_ada',
        { type: 'CUSTOMER_NOT_FOUND_ERROR', message: "No customer 'cus_bob'.", param: 'customer_id' },
        {
          headers: { authorization: 'Basic c2tfZnVsbF8xMjM0Og==', 'x-service-merchant-key': 'mk_summit' },
        },
      ),
    )
    expect(first).toEqual({
      request: {
        method: 'GET',
        path: '/v2/customers/<customer:1>/rewards_balance',
        headers: { authorization: 'Bearer <key:1>', accept: 'application/json' },
      },
      answer: {
        status: 200,
        headers: {},
        body: { customer_id: '<customer:1>', reward_balance: 120 },
      },
    })
    expect(second).toMatchObject({
      request: {
        path: '/v2/customers/<customer:2>/rewards_balance?x=<customer:1>',
        headers: { authorization: 'Basic <credential:1>', 'x-service-merchant-key': '<merchant:1>' },
      },
      answer: {
        body: {
          type: 'CUSTOMER_NOT_FOUND_ERROR',
          message: "No customer '<customer:2>'.",
          param: 'customer_id',
        },
      },
    })
  })

  it('knows what is somebody’s by its field, and by how it looks', () => {
    const [shown] = redacted(
      exchange('/v2/customers?partner_customer_id=ada%40example.com', {
        data: [
          {
            id: 'cus_new',
            first_name: 'Al',
            last_name: 'Lovelace',
            email: 'ada@example.com',
            phone: '+14155550100',
            date_of_birth: { year: 1990, month: 12, day: 10 },
            address: { city: 'Berlin', country: 'DE' },
            statuses: { summit: 'active' },
            metadata: { note: 'Lovelace, bob@example.org, +49 30 1234567, 4242 4242 4242 4242' },
            created_at: '2026-11-21T12:00:00.000Z',
          },
        ],
        has_more: false,
        total: 1,
      }),
    )
    expect(shown).toMatchObject({
      request: { path: '/v2/customers?partner_customer_id=<partner_customer:1>' },
      answer: {
        body: {
          data: [
            {
              id: '<customer:2>',
              first_name: '<name:1>',
              last_name: '<name:2>',
              email: '<partner_customer:1>',
              phone: '<phone:1>',
              date_of_birth: {
                year: '<date_of_birth:1>',
                month: '<date_of_birth:2>',
                day: '<date_of_birth:3>',
              },
              address: { city: '<address:1>', country: 'DE' },
              statuses: { summit: 'active' },
              metadata: { note: '<name:2>, <email:1>, <phone:2>, <pan:1>' },
              created_at: '2026-11-21T12:00:00.000Z',
            },
          ],
        },
      },
    })
  })

  it('keeps of what is long, wide or deep its beginning, and says how much more there was', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) })
    const wide = Object.fromEntries(Array.from({ length: 42 }, (_, n) => [`f${n}`, n]))
    const customers = Array.from({ length: 5 }, (_, n) => ({ id: `cus_${n}000` }))
    const [, page, last] = redacted(
      exchange('/v2/rewards/rwd_1', {}),
      exchange('/v2/customers', { data: customers, deep: deep(9), wide, long: 'é'.repeat(301) }),
      exchange('/v2/rewards/rwd_1', { note: 'not cus_4000' }, { body: '['.repeat(400) }),
    )
    const body = page?.answer?.body as Record<string, Record<string, unknown>>
    expect(body['data']).toEqual([
      { id: '<customer:2>' },
      { id: '<customer:3>' },
      { id: '<customer:4>' },
      '… and 2 more',
    ])
    expect(JSON.stringify(body['deep'])).toMatch(/^(\{"in":){7}"… \(nested deeper\)"\}{7}$/)
    expect([Object.keys(body['wide'] ?? {}).length, body['wide']?.['…']]).toEqual([41, 'and 2 more'])
    expect(body['long']).toBe(`${'é'.repeat(100)}… (301 characters)`)
    // A value that was truncated here is still hidden elsewhere.
    expect(last?.answer?.body).toEqual({ note: 'not <customer:6>' })
    expect(last?.request.body).toBe(`${'['.repeat(100)}… (400 characters)`)
  })

  it('hides what is secret in the words of a run too', () => {
    const redaction = new Redaction(target)
    expect(redaction.words('status 500 for cus_ada, sk_full_1234')).toBe(
      'status 500 for <customer:1>, <key:1>',
    )
    expect(redaction.words('a@example.com')).toBe('<email:1>')
  })

  it('keeps what was sent and no answer', () => {
    const body = '{"customer_id":"cus_ada","pan":"4242424242424242"'
    expect(
      redacted({
        request: { method: 'POST', path: '/v2/payment_methods', headers: {}, body },
        answer: { notCalled: 'no answer: ECONNRESET' },
      }),
    ).toEqual([
      {
        request: {
          method: 'POST',
          path: '/v2/payment_methods',
          headers: {},
          body: '{"customer_id":"<customer:1>","pan":"<pan:1>"',
        },
        not_called: 'no answer: ECONNRESET',
      },
    ])
  })

  it('has a token for each merchant key of the target, also where only the service names it', () => {
    const [shown] = redacted(exchange('/v2/rewards/rwd_1', { message: "Unknown product 'mk_summit'." }))
    expect(shown?.answer?.body).toEqual({ message: "Unknown product '<merchant:1>'." })
  })

  it('keeps our own numbers, paths and header names, whichever of them are values of the service', () => {
    const [first, second] = redacted(
      exchange('/v2/payment_methods', {
        data: [
          { card: { pci_details: { cvv: '204' }, last4: '5000' }, customer_id: '100', total: 204 },
          { first_name: 'customers', last_name: 'accept', customer_id: 'null', ssn4: 'true' },
        ],
        has_more: true,
        next_page_token: null,
        numbers: Array.from({ length: 207 }, () => 1),
      }),
      {
        request: {
          method: 'POST',
          path: '/v2/customers?limit=204',
          headers: { accept: 'text/plain' },
          body: '{"amount":100,"big":5000}',
        },
        answer: { status: 204, headers: {}, text: '', json: undefined },
      },
    )
    expect(first?.answer?.body).toEqual({
      data: [
        {
          card: { pci_details: { cvv: '<cvv:1>' }, last4: '<last4:1>' },
          customer_id: '<customer:2>',
          total: '<cvv:1>',
        },
        {
          first_name: '<name:1>',
          last_name: '<name:2>',
          customer_id: '<customer:3>',
          ssn4: '<ssn4:1>',
        },
      ],
      has_more: true,
      next_page_token: null,
      numbers: [1, 1, 1, '… and 204 more'],
    })
    expect(second).toEqual({
      request: {
        method: 'POST',
        path: '/v2/customers?limit=204',
        headers: { accept: 'text/plain' },
        body: { amount: 100, big: 5000 },
      },
      answer: { status: 204, headers: {}, body: '' },
    })
  })

  it('keeps our own numbers in the words of a run, and replaces those that the service wrote', () => {
    const redaction = new Redaction(target)
    redaction.evidence([exchange('/v2/payment_methods', { cvv: '204', customer_id: '400' })])
    const answer = {
      status: 204,
      headers: {},
      text: '',
      json: { details: ['204 is no amount, and 400 is none'] },
    }
    expect(redaction.words(briefly(answer))).toBe(
      'status 204 in shape A, <cvv:1> is no amount, and <customer:2> is none',
    )
  })

  it.each<[string, unknown]>([
    ['key', { note: encodeURIComponent('sk full/1234') }],
    ['key', { note: btoa('sk full/1234:x') }],
  ])('is withheld when a %s is still in it: %j', (kind, json) => {
    const odd = new Redaction({ ...target, keys: { ...target.keys, full: 'sk full/1234' } })
    const withheld = `a ${kind} remains after redaction: report this as a bug`
    expect(odd.evidence([exchange('/v2/rewards/rwd_1', json)])).toEqual({ withheld })
    expect(odd.words(`seen ${encodeURIComponent('sk full/1234')}`)).toBe(`(withheld: ${withheld})`)
  })

  it('of a sandbox holds none of its rows', async () => {
    const sandbox = await startSandbox()
    const real = testTarget(sandbox.fetch)
    const asker = new Asker(real, testTime())
    const exchanges = []
    for (const path of ['/v2/customers', '/v2/rewards/rwd_none'])
      exchanges.push(await asker.ask({ method: 'GET', path }))
    const customer = /"id":"([^"]+)"/.exec(JSON.stringify(exchanges))?.[1]
    exchanges.push(
      await asker.ask({ method: 'POST', path: '/v2/payment_methods', json: { customer_id: customer } }),
    )
    const text = JSON.stringify(new Redaction(real).evidence(exchanges))
    const state = JSON.stringify(exchanges)
    const personal = [
      ...state.matchAll(
        /"(?:id|first_name|last_name|email|phone|pan|street_line1|partner_customer_id)":"([^"]{4,})"/g,
      ),
    ].map(([, value = '']) => value)
    expect(personal.length).toBeGreaterThan(10)
    expect(personal.filter((value) => text.includes(`"${value}"`))).toEqual([])
    expect(text).not.toContain('sk_sandbox_full')
    expect(text).toContain('<customer:1>')
  })
})
