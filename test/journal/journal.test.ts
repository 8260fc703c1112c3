import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { Outcome } from '../../src/call/outcome.ts'
import { Resolution } from '../../src/call/resolution.ts'
import type { Call } from '../../src/call/index.ts'
import { IncomingRequest, type Arrival } from '../../src/call/incoming-request.ts'
import { sentHeaders } from '../../src/call/sent-headers.ts'
import { sizeOf } from '../../src/journal/limits.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

const enough = 1024 * 1024

/** A call that holds on to about this many bytes beside its own fields. */
const call = (id: number, bytes = 0, more: Partial<Arrival> = {}): Call => ({
  request: Object.assign(
    new IncomingRequest({
      method: 'GET',
      target: '/v2/customers',
      origin: 'http://localhost',
      headers: sentHeaders([]),
      route: undefined,
      ...more,
    }),
    { body: new Uint8Array(bytes) },
  ),
  resolution: new Resolution(),
  outcome: Object.assign(new Outcome(), {
    id: `req_default_${id}`,
    at: Date.parse(testNow),
    status: 200,
  }),
})

const bytesOf = ({ request, outcome }: Call): number => sizeOf(request, outcome)

const journalOf = (entries: number, bytes = enough): Journal =>
  new Journal({ entries, bytes }, new KnownSecrets())

const numbers = (journal: Journal): number[] =>
  [...journal.calls()].map(({ outcome }) => Number(outcome.id.split('_').at(-1)))

function filled(journal: Journal, count: number, bytes = 0): Journal {
  for (let id = 1; id <= count; id++) journal.add(call(id, bytes))
  return journal
}

describe('case 122: the limits of a journal', () => {
  it.each([
    // entries, added, held, dropped
    [3, 0, [], 0],
    [3, 2, [2, 1], 0],
    [3, 3, [3, 2, 1], 0],
    [3, 4, [4, 3, 2], 1],
    [3, 10, [10, 9, 8], 7],
    [1, 5, [5], 4],
  ])('%i entries, %i added -> newest first %j, %i dropped', (entries, added, held, dropped) => {
    const journal = filled(journalOf(entries), added)
    expect([numbers(journal), journal.size, journal.dropped]).toEqual([held, held.length, dropped])
  })

  it('0 entries -> nothing is held, nothing counts as dropped, and it is off', () => {
    const journal = filled(journalOf(0), 3)
    expect([numbers(journal), journal.size, journal.dropped, journal.isOn]).toEqual([[], 0, 0, false])
    expect(journalOf(1).isOn).toBe(true)
  })

  it('bytes run out before entries -> as many of the newest as fit', () => {
    const each = bytesOf(call(1, 1000))
    const journal = filled(journalOf(100, 3 * each), 7, 1000)
    expect([numbers(journal), journal.dropped]).toEqual([[7, 6, 5], 4])
  })

  it('one call larger than all bytes -> it stays, alone, until the next one comes', () => {
    const journal = filled(journalOf(100, 5000), 3)
    journal.add(call(4, 100_000))
    expect([numbers(journal), journal.dropped]).toEqual([[4], 3])
    journal.add(call(5))
    expect([numbers(journal), journal.dropped]).toEqual([[5], 4])
  })

  it('cleared -> empty, nothing dropped, and the limits are those of a new one', () => {
    const journal = filled(journalOf(3), 8)
    journal.clear()
    expect([numbers(journal), journal.size, journal.dropped]).toEqual([[], 0, 0])
    filled(journal, 4)
    expect([numbers(journal), journal.dropped]).toEqual([[4, 3, 2], 1])
  })

  it('finds a call by its id as long as it is held', () => {
    const journal = filled(journalOf(2), 3)
    expect(journal.find('req_default_2')?.outcome.id).toBe('req_default_2')
    expect(journal.find('req_default_1')).toBeUndefined()
    expect(journal.find('req_default_4')).toBeUndefined()
  })

  it('whatever is added and cleared, it is what a list cut to its limits would be', () => {
    const step = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 3000 }) },
      { weight: 1, arbitrary: fc.constant('clear' as const) },
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1000, max: 12_000 }),
        fc.array(step, { maxLength: 40 }),
        (entries, bytes, steps) => {
          const journal = journalOf(entries, bytes)
          let model: Call[] = []
          let dropped = 0
          for (const [id, one] of steps.entries()) {
            if (one === 'clear') {
              journal.clear()
              model = []
              dropped = 0
              continue
            }
            const added = call(id, one)
            journal.add(added)
            model.push(added)
            const size = (): number => model.reduce((sum, held) => sum + bytesOf(held), 0)
            while (model.length > entries || (size() > bytes && model.length > 1)) {
              model.shift()
              dropped += 1
            }
          }
          expect([...journal.calls()]).toEqual(model.toReversed())
          expect([journal.size, journal.dropped]).toEqual([model.length, dropped])
        },
      ),
    )
  })
})

describe('how much memory a call is taken for', () => {
  it.each<[string, Partial<Arrival>, number]>([
    ['nothing of its own', {}, 0],
    ['its path', { target: `/v2/customers${'x'.repeat(500)}` }, 500],
    ['its query', { target: `/v2/customers?${'x'.repeat(499)}` }, 500],
    ['its headers', { headers: sentHeaders(['host', 'a', 'x', 'y'.repeat(500)]) }, 506],
  ])('%s', (_, more, bytes) => {
    expect(bytesOf(call(1, 0, more)) - bytesOf(call(1))).toBe(bytes)
  })

  it('its request body', () => {
    expect(bytesOf(call(1, 500)) - bytesOf(call(1))).toBe(500)
  })

  it('its response body', () => {
    const large = call(1)
    large.outcome.body = 'x'.repeat(500)
    expect(bytesOf(large) - bytesOf(call(1))).toBe(500)
  })
})

describe('a journal that follows another one', () => {
  const listOf = (...ids: number[]): Call[] => ids.map((id) => call(id))
  /** The numbers of the calls that came after an event, and how many are gone. */
  const since = (journal: Journal, number: number): (number | string)[] =>
    [...journal.after(number)].map((event) =>
      'call' in event
        ? Number(event.call.outcome.id.split('_').at(-1))
        : 'gone' in event
          ? `${event.gone} gone`
          : 'reset',
    )

  it.each<
    [situation: string, before: [number[], number], then: [number[], number], news: (number | string)[]]
  >([
    ['nothing, then some', [[], 0], [[2, 1], 0], [1, 2]],
    ['some more', [[2, 1], 0], [[4, 3, 2, 1], 0], [3, 4]],
    ['the same', [[2, 1], 0], [[2, 1], 0], []],
    ['more than it held before', [[3, 2, 1], 0], [[5, 4, 3], 2], [4, 5]],
    ['so many that none of before is left', [[3, 2, 1], 0], [[9, 8, 7], 6], ['3 gone', 7, 8, 9]],
    ['cleared', [[3, 2, 1], 0], [[], 0], []],
    ['cleared, and fewer since then', [[3, 2, 1], 4], [[5, 4], 0], [4, 5]],
    ['cleared, and as many since then', [[3, 2, 1], 0], [[6, 5, 4], 0], [4, 5, 6]],
    ['more than it may hold', [[], 0], [[6, 5, 4, 3, 2, 1], 1], ['4 gone', 4, 5, 6]],
  ])('%s', (_, [before, droppedBefore], [then, dropped], news) => {
    const journal = journalOf(3)
    journal.follow(listOf(...before), droppedBefore)
    const { last } = journal
    journal.follow(listOf(...then), dropped)
    expect(since(journal, last)).toEqual(news)
    const held = then.slice(0, 3)
    expect([numbers(journal), journal.dropped]).toEqual([held, dropped + then.length - held.length])
  })

  it('keeps the numbers of what it had, and goes on by itself', () => {
    const journal = journalOf(5)
    journal.follow(listOf(2, 1), 0)
    const second = journal.last
    journal.numberOther()
    journal.follow(listOf(3, 2, 1), 0)
    expect(since(journal, second)).toEqual([3])
    journal.add(call(4))
    expect([since(journal, second), numbers(journal)]).toEqual([
      [3, 4],
      [4, 3, 2, 1],
    ])
    journal.reset()
    journal.follow(listOf(5), 0)
    expect(since(journal, second)).toEqual(['2 gone', 'reset', 5])
  })

  it('counts the bytes of what it follows', () => {
    const each = bytesOf(call(1, 1000))
    const journal = journalOf(100, 3 * each)
    journal.follow([call(2, 1000), call(1, 1000)], 0)
    filled(journal, 2, 1000)
    expect([journal.size, journal.dropped]).toEqual([3, 1])
  })

  it('is off -> follows nothing', () => {
    const journal = journalOf(0)
    journal.follow(listOf(2, 1), 5)
    expect([numbers(journal), journal.dropped]).toEqual([[], 0])
  })
})

describe('the journal of a sandbox', () => {
  const send = (sandbox: { call: Awaited<ReturnType<typeof startSandbox>>['call'] }, body: string) =>
    sandbox.call('POST', '/v2/payment_methods', { body, headers: { 'content-type': 'application/json' } })

  it('case 122: holds 1,000 requests unless told otherwise', async () => {
    const sandbox = await startSandbox()
    for (let count = 0; count < 1_003; count++) await sandbox.fetch('/v2/nothing')
    expect([sandbox.requests.list().length, sandbox.requests.dropped]).toEqual([1_000, 3])
    expect(sandbox.requests.list({ limit: 1 })[0]?.id).toBe('req_default_1003')
  })

  it('journalSize: 2 -> the newest two; 0 -> none, and calls are served all the same', async () => {
    const two = await startSandbox({ journalSize: 2 })
    const none = await startSandbox({ journalSize: 0 })
    for (const sandbox of [two, none]) {
      for (let count = 0; count < 5; count++) {
        expect((await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')).status).toBe(200)
      }
    }
    expect(two.requests.list().map(({ id }) => id)).toEqual(['req_default_5', 'req_default_4'])
    expect(two.requests.dropped).toBe(3)
    expect([none.requests.list(), none.requests.dropped]).toEqual([[], 0])
    expect(none.requests.get('req_default_5')).toBeUndefined()
  })

  const filler = (bytes: number): string => `{"customer_id":"cus_ada","x":"${'a'.repeat(bytes - 32)}"}`

  it('case 122: a body of 64 KiB is kept whole, a longer one up to there', async () => {
    const sandbox = await startSandbox()
    expect(filler(65_536).length).toBe(65_536)
    await send(sandbox, filler(65_536))
    await send(sandbox, filler(65_537))
    const [cut, whole] = sandbox.requests.list().map(({ request }) => request)
    expect(whole).not.toHaveProperty('body_bytes')
    expect(whole?.body).toEqual({ customer_id: 'cus_ada', x: 'a'.repeat(65_504) })
    expect(cut?.body_bytes).toBe(65_537)
    expect(cut?.body).toBe(filler(65_537).slice(0, 65_536 - 256))
  })

  it('a secret that the end of what is kept falls into is not shown by half', async () => {
    const sandbox = await startSandbox()
    for (const secret of ['4242424242424242', 'sk_sandbox_full']) {
      const whole = `{"customer_id":"cus_ada","cvv":"737","x":"`.padEnd(65_536 - 8, '-') + `${secret}-"}`
      await send(sandbox, whole.padEnd(70_000))
      await send(sandbox, whole.replace('"x"', 'x').padEnd(70_000))
    }
    for (const { request } of sandbox.requests.list()) {
      expect(request.body_bytes).toBe(70_000)
      expect(String(request.body)).toMatch(/^\{"customer_id":"cus_ada","cvv": \*\*\*,"?x"?:"-+$/)
    }
  })

  it('case 122: so is the body of an answer, where bytes count and not characters', async () => {
    const customers = ['a', 'b', 'c'].map((id) => ({ id, first_name: 'é'.repeat(11_000) }))
    const sandbox = await startSandbox({ fixtures: { customers } })
    const { text } = await sandbox.call('GET', '/v2/customers')
    const bytes = Buffer.byteLength(text)
    expect([text.length < 65_536, bytes > 65_536]).toEqual([true, true])
    const [entry] = sandbox.requests.list()
    expect(entry?.response.body_bytes).toBe(bytes)
    const kept = Buffer.from(text).subarray(0, 65_536).toString()
    expect(entry?.response.body).toBe(kept.slice(0, -256))
  })

  it('case 122: large bodies fill no more than 16 MiB', async () => {
    const sandbox = await startSandbox()
    const body = filler(60_000)
    for (let count = 0; count < 400; count++) await sandbox.fetch('/v2/payment_methods', post(body))
    const held = sandbox.requests.list()
    expect(held.length).toBeGreaterThan(100)
    expect(held.length * 60_000).toBeLessThan(16 * 1024 * 1024)
    expect(held.length + sandbox.requests.dropped).toBe(400)
  })

  function post(body: string): RequestInit {
    const headers = { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' }
    return { method: 'POST', headers, body }
  }

  it('a reset begins a new one; another workspace keeps its own', async () => {
    const sandbox = await startSandbox({ journalSize: 2 })
    const w1 = sandbox.workspace('w1')
    for (let count = 0; count < 3; count++) await sandbox.call('GET', '/v2/customers')
    await w1.fetch('/v2/customers')
    sandbox.reset()
    expect([sandbox.requests.list(), sandbox.requests.dropped]).toEqual([[], 0])
    expect(w1.requests.list().map(({ id, workspace }) => [id, workspace])).toEqual([['req_w1_1', 'w1']])
    await sandbox.call('GET', '/v2/customers')
    expect(sandbox.requests.list().map(({ id }) => id)).toEqual(['req_default_1'])
    w1.requests.clear()
    expect([w1.requests.list().length, sandbox.requests.list().length]).toEqual([0, 1])
  })
})
