import { expect, it } from 'vitest'
import type { CallFixture } from '../../../../src/explain/fixture-of-call.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import { lookedAt, type Sent } from './called.ts'

const calls: [string, Sent][] = [
  ['a row', { path: '/v2/rewards/rwd_ada_pending' }],
  ['a list', { path: '/v2/customers?limit=3' }],
  ['statements', { path: '/v2/customers/cus_ada/accounts/acct_ada/statements' }],
  ['a row that is missing', { path: '/v2/rewards/rwd_none' }],
  ['a change', { method: 'PATCH', path: '/v2/rewards/rwd_ada_pending', body: { amount: 7 } }],
]

/** Links are short-lived, and a fixture has no more rows than were read. */
const others = new Set(['pdf_url', 'total', 'has_more', 'next_page_token'])

function steady(body: unknown): unknown {
  return JSON.parse(stringify(body), (name, value: unknown) => (others.has(name) ? undefined : value))
}

it.each(calls)('a sandbox of the fixture that is copied answers the same: %s', async (_what, sent) => {
  const { ask, entryOf } = await lookedAt()
  const first = await entryOf(sent)
  const { fixtures } = (await ask(`/requests/${first.id}?format=fixture`)) as CallFixture
  const copied = await lookedAt({ fixtures: JSON.parse(stringify(fixtures, 2)) as object })
  const again = await copied.entryOf(sent)
  expect(again.status).toBe(first.status)
  expect(steady(again.response.body)).toEqual(steady(first.response.body))
})
