import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callerFor, startSandbox, type Answered, type CallApi } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

/**
 * Walks in both pagination dialects, against the plainest model there is: all rows sorted, and a page is a slice.
 */

interface Listed {
  id: string
  /** The order of the list. */
  instant: number
}

/** Rows that come in while the walk goes on, each before the page of this number is asked for. */
interface Arrival {
  row: Listed
  before: number
}

const settings = { numRuns: samples(60), seed: 20_261_121 }

const start = Date.UTC(2026, 0, 1)
// Few instants, so that many rows share one; and ids of every kind of character, so that their order is that of bytes.
const instant = fc.integer({ min: 0, max: 12 }).map((hours) => start + hours * 3_600_000)
const id = fc.oneof(
  fc.integer({ min: 0, max: 400 }).map((number) => `row_${number}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', 'é', '~', ' ', '%', '/', '\ufffd', '😀'),
    minLength: 1,
    maxLength: 4,
  }),
)
const row = fc.record({ id, instant })

/** Up to 250 rows at the start, and some that come later. */
const scenario = fc
  .record({
    rows: fc.oneof(
      { weight: 3, arbitrary: fc.uniqueArray(row, { maxLength: 30, selector: (one) => one.id }) },
      {
        weight: 1,
        arbitrary: fc.uniqueArray(row, {
          minLength: 60,
          maxLength: 250,
          selector: (one) => one.id,
          size: 'max',
        }),
      },
    ),
    later: fc.array(fc.record({ row, before: fc.integer({ min: 1, max: 6 }) }), { maxLength: 6 }),
    size: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 120 })),
  })
  .map(({ rows, later, size }) => {
    const known = new Set(rows.map((one) => one.id))
    const arrivals: Arrival[] = later.filter((one) => !known.has(one.row.id) && known.add(one.row.id))
    // A walk of 250 rows one by one says nothing that 60 do not say.
    return { rows, arrivals, size: Math.max(size, Math.ceil(rows.length / 60)) }
  })

type Order = (a: Listed, b: Listed) => number

const byId: Order = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const newestFirst: Order = (a, b) => b.instant - a.instant || byId(a, b)
const oldestFirst: Order = (a, b) => a.instant - b.instant || byId(a, b)

const iso = (at: number): string => new Date(at).toISOString()

/** The instant of the same name in another zone and precision. */
function respelled({ id: name, instant: at }: Listed): string {
  return (
    [iso(at), iso(at).replace('.000Z', 'Z'), `${iso(at + 7_200_000).slice(0, 19)}+02:00`][name.length % 3] ??
    ''
  )
}

interface Dialect {
  /** The largest page. */
  most: number
  order: Order
  call: CallApi
  add(row: Listed): void
  /** One page of the list. */
  page(size: number, cursor: string | undefined): Promise<Answered>
  idOf(item: never): string
  /** The query of the next page. */
  cursorOf(answer: Answered): string
  /** The rules of the answer beside its rows; `rows` are all there are at the time. */
  checkRest(rest: Record<string, unknown>, rows: number): void
}

/** Walks to the end, comparing each page with the model's; gives the ids in the order seen. */
async function walk(dialect: Dialect, rows: Listed[], arrivals: Arrival[], size: number): Promise<string[]> {
  const there = [...rows]
  const seen: Listed[] = []
  let cursor: string | undefined
  for (let number = 0; ; number++) {
    for (const { row: added, before } of arrivals) {
      if (before !== number) continue
      dialect.add(added)
      there.push(added)
    }
    const last = seen.at(-1)
    const rest = there
      .toSorted(dialect.order)
      .filter((one) => last === undefined || dialect.order(one, last) > 0)
    const expected = rest.slice(0, Math.min(size, dialect.most))

    const answer = await dialect.page(size, cursor)
    expect(answer.status).toBe(200)
    const { data, ...others } = answer.json
    expect(data.map(dialect.idOf)).toEqual(expected.map((one) => one.id))
    expect(others.has_more).toBe(rest.length > expected.length)
    dialect.checkRest(others, there.length)
    seen.push(...expected)
    if (!others.has_more) return seen.map((one) => one.id)
    cursor = dialect.cursorOf(answer)
  }
}

/** Every row that was there from the start exactly once, no row twice, and all in the order of the list. */
function checkWalk(dialect: Dialect, seen: string[], rows: Listed[], arrivals: Arrival[]): void {
  expect(new Set(seen).size).toBe(seen.length)
  const shown = new Set(seen)
  expect(rows.filter((one) => !shown.has(one.id))).toEqual([])
  const all = [...rows, ...arrivals.map((arrival) => arrival.row)].toSorted(dialect.order)
  expect(seen).toEqual(all.filter((one) => shown.has(one.id)).map((one) => one.id))
}

describe('the customer search, by id', () => {
  test.each([
    ['newest_first', newestFirst],
    ['oldest_first', oldestFirst],
    ['id', byId],
  ] as const)(
    'customers_order=%s: a walk sees every customer once, in order, also while some are added',
    async (value, order) => {
      const assume = { customers_order: value }
      const sandbox = await startSandbox({ assume, fixtures: { customers: [] } })
      let run = 0
      await fc.assert(
        fc.asyncProperty(scenario, async ({ rows, arrivals, size }) => {
          const workspace = sandbox.workspace(`run_${run++}`)
          const call = callerFor(workspace, { assume })
          const dialect: Dialect = {
            most: 100,
            order,
            call,
            add: (one) => void workspace.state.put('customers', one.id, { created_at: respelled(one) }),
            page: (limit, cursor) =>
              call(
                'GET',
                `/v2/customers?limit=${limit}${cursor === undefined ? '' : `&starting_after=${encodeURIComponent(cursor)}`}`,
              ),
            idOf: (customer: { id: string }) => customer.id,
            cursorOf: ({ json }) => json.data.at(-1).id,
            checkRest: (rest, total) => expect(rest).toEqual({ has_more: rest['has_more'], total }),
          }
          for (const one of rows) dialect.add(one)
          // Customers of another product do not matter.
          workspace.state.put('customers', 'elsewhere', { product: 'mk_harbor', created_at: iso(start) })
          checkWalk(dialect, await walk(dialect, rows, arrivals, size), rows, arrivals)
        }),
        settings,
      )
    },
  )

  test('a walk of 250 customers of one instant, one by one', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({ id: `cus_${at}`, instant: start }))
    const { call } = await startSandbox({
      fixtures: { customers: rows.map((one) => ({ id: one.id, created_at: iso(one.instant) })) },
    })
    const seen: string[] = []
    for (let more = true, after = ''; more; after = `&starting_after=${seen.at(-1)}`) {
      const { json } = await call('GET', `/v2/customers?limit=1${after}`)
      seen.push(json.data[0].id)
      more = json.has_more
    }
    expect(seen).toEqual(rows.toSorted(byId).map((one) => one.id))
  })
})

describe('the statements of an account, by token', () => {
  const path = '/v2/customers/cus_1/accounts/acct_1/statements'
  const zero = {
    previous_balance: 0,
    purchases: 0,
    payments: 0,
    credits: 0,
    refunds: 0,
    interest: 0,
    fees: 0,
    statement_balance: 0,
    minimum_due: 0,
    currency: 'USD',
    customer_id: 'cus_1',
    period_start_date: '2020-01-01T00:00:00Z',
    due_date: '2027-01-01T00:00:00Z',
  }
  const fixtures = {
    customers: [{ id: 'cus_1' }],
    accounts: ['acct_1', 'acct_2'].map((name) => ({ id: name, customer_id: 'cus_1', currency: 'USD' })),
  }

  test('a walk sees every statement once, newest first, also while cycles close', async () => {
    const sandbox = await startSandbox({ fixtures })
    let run = 0
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rows, arrivals, size }) => {
        const workspace = sandbox.workspace(`run_${run++}`)
        const call = callerFor(workspace)
        const limit = Math.min(size, 100)
        const dialect: Dialect = {
          most: 100,
          order: newestFirst,
          call,
          add: (one) =>
            void workspace.state.put('statements', one.id, {
              ...zero,
              account_id: 'acct_1',
              period_end_date: respelled(one),
            }),
          page: (_, cursor) =>
            call('GET', `${path}?limit=${limit}${cursor === undefined ? '' : `&starting_after=${cursor}`}`),
          idOf: (statement: { statement_id: string }) => statement.statement_id,
          cursorOf: ({ json }) => json.next_page_token,
          checkRest: (rest) =>
            expect(rest).toEqual(
              rest['has_more']
                ? { has_more: true, next_page_token: expect.stringMatching(/^[\w-]+$/) }
                : { has_more: false },
            ),
        }
        for (const one of rows) dialect.add(one)
        workspace.state.put('statements', 'elsewhere', {
          ...zero,
          account_id: 'acct_2',
          period_end_date: iso(start),
        })
        // A cycle in progress is never among them.
        workspace.state.put('statements', 'in progress', {
          ...zero,
          account_id: 'acct_1',
          period_end_date: '2030-01-01T00:00:00Z',
        })
        checkWalk(dialect, await walk(dialect, rows, arrivals, limit), rows, arrivals)
      }),
      settings,
    )
  })

  test('cycles that close by the clock during a walk are not in it, and lead the next one', async () => {
    const sandbox = await startSandbox({ fixtures, clock: iso(start) })
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (closed, open, size) => {
          const workspace = sandbox.workspace(`run_${run++}`)
          const call = callerFor(workspace)
          // The end of period 0 is the instant of the start; those below it have closed, those above are open.
          const ids: string[] = []
          for (let period = -closed; period < open; period++) {
            ids.unshift(`stm_${period}`)
            workspace.state.put('statements', `stm_${period}`, {
              ...zero,
              account_id: 'acct_1',
              period_end_date: iso(start + period * 1000 - (period < 0 ? 0 : -1)),
            })
          }
          const collect = async (step: () => void): Promise<string[]> => {
            const seen: string[] = []
            for (let token: string | undefined = ''; token !== undefined; step()) {
              const { json }: Answered = await call(
                'GET',
                `${path}?limit=${size}${token === '' ? '' : `&starting_after=${token}`}`,
              )
              seen.push(...json.data.map((one: { statement_id: string }) => one.statement_id))
              token = json.next_page_token
            }
            return seen
          }
          expect(await collect(() => workspace.clock.advance({ seconds: 2 }))).toEqual(ids.slice(open))
          workspace.clock.advance({ days: 1 })
          expect(await collect(() => undefined)).toEqual(ids)
        },
      ),
      settings,
    )
  })
})
