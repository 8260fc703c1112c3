import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callerFor, type CallApi } from '../helpers/sandbox.ts'
import { documented, startServing } from '../helpers/unlisted.ts'
import { samples } from '../setup/samples.ts'

/** Walks of the lists outside the contract: whole lists, cut into pages of every size. */

const start = Date.UTC(2026, 0, 1)
const iso = (at: number): string => new Date(at).toISOString()

interface Listed {
  id: string
  instant: number
}

// Few instants, so that many rows share one.
const rows = fc.uniqueArray(
  fc.record({
    id: fc.oneof(
      fc.integer({ min: 0, max: 200 }).map((number) => `row_${number}`),
      fc.string({ unit: fc.constantFrom('a', 'A', '~', '-', '0'), minLength: 1, maxLength: 4 }),
    ),
    instant: fc.integer({ min: 0, max: 5 }).map((hours) => start + hours * 3_600_000),
  }),
  { maxLength: 25, selector: ({ id }) => id },
)

type Page = (call: CallApi, inputs: { limit: number; starting_after?: string }) => ReturnType<CallApi>

interface List {
  collection: string
  row: (listed: Listed) => object
  page: Page
  idField?: string
  order: 'newest' | 'id'
}

const byQuery =
  (path: string): Page =>
  (call, { limit, starting_after: after }) => {
    const cursor = after === undefined ? '' : `&starting_after=${encodeURIComponent(after)}`
    return call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`)
  }

const reward = ({ instant }: Listed): object => ({
  customer_id: 'cus_ben',
  amount: 1,
  type: 'OFFER',
  status: 'PENDING',
  created_at: iso(instant - 86_400_000),
  updated_at: iso(instant),
})
const intent = ({ instant }: Listed): object => ({
  customer_id: 'cus_ben',
  amount: 1,
  currency: 'USD',
  status: 'CONFIRMED',
  created_at: iso(instant),
})
const transaction = ({ instant }: Listed): object => ({
  customer_id: 'cus_ben',
  amount: 1,
  currency: 'USD',
  merchant_name: 'Corner Bistro',
  posted_at: iso(instant),
})

const lists: Record<string, List> = {
  searchCustomersByBody: {
    collection: 'customers',
    row: ({ instant }) => ({
      created_at: iso(instant),
      date_of_birth: { year: 1900, month: 1, day: 1 },
      product: 'mk_summit',
    }),
    page: (call, inputs) =>
      call('POST', '/v2/customers', { json: { date_of_birth: { year: 1900, month: 1, day: 1 }, ...inputs } }),
    order: 'newest',
  },
  listCustomerTransactions: {
    collection: 'transactions',
    row: transaction,
    page: byQuery('/v2/customers/cus_ben/transactions'),
    order: 'newest',
  },
  listCustomerRewards: {
    collection: 'rewards',
    row: reward,
    page: byQuery('/v2/customers/cus_ben/rewards'),
    order: 'newest',
  },
  listRewards: {
    collection: 'rewards',
    row: (listed) => ({ ...reward(listed), transaction_event_id: 'txe_walk' }),
    page: byQuery('/v2/rewards?transaction_event_id=txe_walk'),
    order: 'newest',
  },
  listPaymentMethodsByQuery: {
    collection: 'payment_methods',
    row: ({ instant }) => ({
      type: 'BANK_ACCOUNT',
      customer_id: 'cus_ben',
      status: 'ACTIVE',
      created_at: iso(instant),
    }),
    page: byQuery('/v2/payment_methods?customer_id=cus_ben'),
    order: 'newest',
  },
  'listTransactionIntents of a customer': {
    collection: 'transaction_intents',
    row: intent,
    page: byQuery('/v2/transaction_intents?customer_id=cus_ben'),
    order: 'newest',
  },
  'listTransactionIntents of a status': {
    collection: 'transaction_intents',
    row: (listed) => ({ ...intent(listed), status: 'CANCELED' }),
    page: byQuery('/v2/transaction_intents?type=CANCELED'),
    order: 'newest',
  },
  listOrderEvents: {
    collection: 'order_events',
    row: () => ({
      customer_id: 'cus_ben',
      order_id: 'order_walk',
      type: 'CAPTURED',
      amount: 1,
      network_transaction_id: 'ntx',
    }),
    page: byQuery('/v2/order_events?order_id=order_walk'),
    idField: 'order_event_id',
    order: 'id',
  },
}

describe('a walk of a list outside the contract', () => {
  test.each(Object.entries(lists))(
    '%s: any page size gives every row once, in the order of the whole list',
    async (_, { collection, row, page, idField = 'id', order }) => {
      const sandbox = await startServing()
      sandbox.state.delete('transaction_intents', 'int_ada_2')
      let run = 0
      await fc.assert(
        fc.asyncProperty(rows, fc.integer({ min: 1, max: 30 }), async (listed, limit) => {
          const workspace = sandbox.workspace(`walk_${run++}`)
          const call = callerFor(workspace, { assume: documented })
          workspace.state.delete('transaction_intents', 'int_ada_2')
          for (const each of listed) workspace.state.put(collection as 'rewards', each.id, row(each) as never)
          const byId = (a: Listed, b: Listed): number => (a.id < b.id ? -1 : 1)
          const expected = listed
            .toSorted((a, b) => (order === 'newest' ? b.instant - a.instant || byId(a, b) : byId(a, b)))
            .map(({ id }) => id)
          const whole = await page(call, { limit: 1000 })
          const idsOf = (data: Record<string, unknown>[]): unknown[] => data.map((each) => each[idField])
          expect(idsOf(whole.json.data)).toEqual(expected)
          const walked: Record<string, unknown>[] = []
          for (let more = true; more;) {
            const after = walked.at(-1)?.[idField] as string | undefined
            const { json } = await page(call, {
              limit,
              ...(after === undefined ? {} : { starting_after: after }),
            })
            expect(json.total).toBe(listed.length)
            expect(json.data).toHaveLength(Math.min(limit, listed.length - walked.length))
            walked.push(...json.data)
            more = json.has_more
          }
          expect(walked).toEqual(whole.json.data)
        }),
        { numRuns: samples(30), seed: 20_261_121 },
      )
    },
  )
})

describe('scenarios of pages on the lists outside the contract', () => {
  const one = (id: string): string => id.split(' ')[0] ?? id

  test.each(
    Object.entries(lists).flatMap(([name, list]) =>
      (['insert', 'delete_next', 'short_last', 'exact_multiple', 'repeated_item', 'empty'] as const).map(
        (edit) => [name, edit, list] as const,
      ),
    ),
  )(
    '%s: %s -> a walk ends, without a row twice that the scenario did not repeat',
    async (name, edit, list) => {
      const { collection, row, page, idField = 'id' } = list
      const sandbox = await startServing()
      const { call, state } = sandbox
      state.delete('transaction_intents', 'int_ada_2')
      const ids = ['a', 'b', 'c', 'd', 'e']
      for (const [at, id] of ids.entries())
        state.put(collection as 'rewards', id, row({ id, instant: start - at * 1000 }) as never)
      const isOnce = edit === 'insert' || edit === 'delete_next'
      const rules = [{ on: one(name), ...(isOnce ? { calls: '1' } : {}), effect: { page: edit } }]
      await sandbox.scenarios.register({ name: 'own-pages', description: 'Edits pages.', rules })
      await sandbox.scenarios.activate('own-pages')
      const walked: string[] = []
      for (let more = true, pages = 0; more; pages++) {
        expect(pages).toBeLessThan(20)
        const after = walked.at(-1)
        const { status, json } = await page(call, {
          limit: 2,
          ...(after === undefined ? {} : { starting_after: after }),
        })
        expect(status).toBe(200)
        walked.push(...json.data.map((each: Record<string, unknown>) => each[idField]))
        more = json.has_more
      }
      if (edit === 'empty') expect(walked).toEqual([])
      else if (edit === 'delete_next') expect(walked).toEqual(['a', 'b', 'd', 'e'])
      else if (edit === 'repeated_item') expect(walked).toEqual(['a', 'b', 'b', 'c', 'd', 'd', 'e'])
      else if (edit === 'insert' && list.order === 'id')
        expect(walked).toEqual([...ids, expect.stringMatching(/^ord_/)])
      else expect(walked).toEqual(ids)
      if (edit === 'insert') {
        const { json } = await page(call, { limit: 10 })
        expect(json.total).toBe(6)
        // A row that another client adds is in front of a list that has the newest first.
        if (list.order === 'newest') expect(json.data[0][idField]).not.toBe('a')
      }
      // The rows of the scenario are rows of a document.
      await startServing({ fixtures: state.document() })
    },
  )
})
