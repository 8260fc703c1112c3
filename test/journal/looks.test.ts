import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Outcome } from '../../src/call/outcome.ts'
import { Resolution } from '../../src/call/resolution.ts'
import type { Call } from '../../src/call/index.ts'
import { IncomingRequest } from '../../src/call/incoming-request.ts'
import { sentHeaders } from '../../src/call/sent-headers.ts'
import { differencesOf, type RequestMatcher } from '../../src/journal/differences.ts'
import { Journal } from '../../src/journal/journal.ts'
import { verify, type Verified } from '../../src/journal/verify.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { redactor } from '../../src/secrets/redact.ts'
import { samples } from '../setup/samples.ts'

const hide = redactor(new KnownSecrets())

/** A journal of calls with these bodies, oldest first; reading one of them is noted. */
function journalOf(bodies: readonly unknown[], note = (): void => undefined): Journal {
  const journal = new Journal({ entries: 1_000, bytes: 2 ** 23 }, new KnownSecrets())
  for (const [place, body] of bodies.entries()) {
    const arrival = { method: 'POST', target: '/v2/x?a=1', origin: 'http://localhost', route: undefined }
    const request = new IncomingRequest({ ...arrival, headers: sentHeaders(['x-a', 'b']) })
    const text = JSON.stringify(body)
    Object.defineProperty(request, 'body', { get: () => (note(), text) })
    const outcome = Object.assign(new Outcome(), { id: `req_default_${place}`, at: 0, status: 404 })
    journal.add({ request, resolution: new Resolution(), outcome })
  }
  return journal
}

/** How often the bodies of requests are read. */
function readsOf(bodies: readonly unknown[], criteria: Parameters<typeof verify>[1]): number {
  let reads = 0
  const journal = journalOf(bodies, () => void reads++)
  reads = 0
  verify(journal, criteria, hide)
  return reads
}

const many = (count: number, body: unknown = { k: 'x' }): unknown[] =>
  Array.from({ length: count }, () => body)
const items = (count: number, k = '*'): RequestMatcher[] =>
  Array.from({ length: count }, () => ({ body: { k } }))

it.each([
  ['every item is resolution', { in_order: items(1_000) }, 1_000],
  ['one item', { in_order: items(1) }, 1],
  ['the last item is not resolution', { in_order: [...items(500), ...items(500, 'y')] }, 1_503],
  ['the first item is not resolution', { in_order: items(1_000, 'y') }, 1_003],
  ['nothing is left for the last item', { in_order: items(1_001) }, 2_003],
  ['a count that holds', { body: { k: 'x' }, count: 1_000 }, 1_000],
  ['a count that does not', { body: { k: 'y' }, count: 1 }, 1_003],
])('1,000 calls, %s -> each body is read once for all items', (_, criteria, reads) => {
  expect(readsOf(many(1_000), criteria)).toBe(reads)
})

const value = fc.oneof(fc.constantFrom<unknown>('x', 'y', 'xy', 1, null), fc.constant([]), fc.constant({}))
const leaf = fc.oneof(value, fc.constantFrom<unknown>('x*', '*', '?'))
const bodyOf = (inner: fc.Arbitrary<unknown>) =>
  fc.oneof(
    inner,
    fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(inner, fc.array(inner, { maxLength: 2 }), fc.dictionary(fc.constantFrom('a', 'b'), inner)),
    ),
  )
const matcher: fc.Arbitrary<RequestMatcher> = fc.record(
  {
    body: bodyOf(leaf),
    status: fc.constantFrom(404, 200),
    operation: fc.constantFrom('updateReward' as const),
    query: fc.constantFrom({ a: '1' }, { a: '2', b: '*' }),
    headers: fc.constantFrom({ 'X-A': '?' }, { 'x-a': 'c' }),
    params: fc.constantFrom({}, { reward_id: '*' }),
  },
  { requiredKeys: [] },
)
const journals = fc.array(bodyOf(value), { maxLength: 8 })

it('an order: the same as when each request is compared with each item', () => {
  fc.assert(
    fc.property(journals, fc.array(matcher, { minLength: 1, maxLength: 4 }), (bodies, in_order) => {
      const journal = journalOf(bodies)
      expect(verify(journal, { in_order }, hide)).toEqual(plainOrder(oldestFirst(journal), in_order))
    }),
    { numRuns: samples(2_000) },
  )
})

it('a count: the same as when all are compared and sorted', () => {
  fc.assert(
    fc.property(journals, matcher, fc.nat({ max: 3 }), (bodies, criteria, count) => {
      const journal = journalOf(bodies)
      expect(verify(journal, { ...criteria, count }, hide)).toEqual(
        plainCount(oldestFirst(journal), criteria, count),
      )
    }),
    { numRuns: samples(2_000) },
  )
})

const oldestFirst = (journal: Journal): Call[] => [...journal.calls()].toReversed()

/** The rule as plainly as possible. */
function plainOrder(calls: Call[], matchers: RequestMatcher[]): Verified {
  let from = 0
  for (const [place, criteria] of matchers.entries()) {
    const fits = (call: Call): boolean => differencesOf(criteria, call).length === 0
    const later = calls.slice(from)
    const at = later.findIndex(fits)
    if (at !== -1) {
      from += at + 1
      continue
    }
    const early = calls.slice(0, from).find(fits)
    const [before] = calls.slice(0, from).slice(-1)
    const after = before ? ` after ${before.outcome.id}` : ''
    const hint = early ? `; ${early.outcome.id} matches, but came before` : ''
    const message = `in_order[${place}]: no request matched${after}${hint}`
    return {
      holds: false,
      message,
      count: place,
      nearest: nearestOf(later.length > 0 ? later : calls, criteria),
    }
  }
  return { holds: true, count: matchers.length }
}

function plainCount(calls: Call[], criteria: RequestMatcher, count: number): Verified {
  const matching = calls.filter((call) => differencesOf(criteria, call).length === 0)
  if (matching.length === count) return { holds: true, count }
  const shown = matching.length > count ? matching : calls.filter((one) => !matching.includes(one))
  const message = `exactly ${count} expected, ${matching.length} of ${calls.length} requests matched`
  return { holds: false, message, count: matching.length, nearest: nearestOf(shown, criteria) }
}

function nearestOf(calls: Call[], criteria: RequestMatcher) {
  const fields = (expected: unknown): number =>
    typeof expected === 'object' && expected !== null
      ? Math.max(
          1,
          Object.values(expected).reduce<number>((sum, inner) => sum + fields(inner), 0),
        )
      : 1
  return calls
    .map((call) => {
      const differs = differencesOf(criteria, call)
      const far = differs.reduce(
        (sum, { at, expected }) => sum + (at === 'operation' ? 1_000 : fields(expected)),
        0,
      )
      return { call, differs, far }
    })
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ call: { outcome }, differs }) => ({
      id: outcome.id,
      method: 'POST',
      path: '/v2/x',
      operation: null,
      status: 404,
      differs,
    }))
}
