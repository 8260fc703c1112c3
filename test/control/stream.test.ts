import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { EventReader, openStream, type StreamEvent } from '../helpers/event-stream.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

/** Some time passes; what waits for it happens, and what waits for that. */
const pass = (milliseconds = 100): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A call that is recognized by its entry. */
const call = (sandbox: Pick<Sandbox, 'fetch'>, name: string | number): Promise<Response> =>
  sandbox.fetch(`/v2/customers?n=${name}`)

/** The next events, each after its time. */
async function take(reader: EventReader, count: number): Promise<(StreamEvent | undefined)[]> {
  const found: (StreamEvent | undefined)[] = []
  while (found.length < count) {
    const next = reader.next()
    await pass()
    found.push(await next)
  }
  return found
}

const named = (event: StreamEvent | undefined): unknown[] => [
  event?.event,
  event?.data.requests?.map(({ query }: { query: string }) => query) ??
    event?.data.changes?.map(
      ({ collection, id }: { collection: string; id: string }) => `${collection}/${id}`,
    ) ??
    event?.data,
]

describe('GET /_sandbox/stream', () => {
  it('answers at once, with headers and a comment', async () => {
    const sandbox = await startSandbox()
    const response = await sandbox.fetch('/_sandbox/stream')
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      200,
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        date: 'Sat, 21 Nov 2026 12:00:00 GMT',
      },
    ])
    expect((await new EventReader(response).next())?.event).toBe('comment')
  })

  it('HEAD -> the same headers, and no stream', async () => {
    const sandbox = await startSandbox()
    for (let count = 0; count < 101; count++) {
      const { status, headers, body } = await sandbox.fetch('/_sandbox/stream', { method: 'HEAD' })
      expect([status, headers.get('content-type'), body]).toEqual([200, 'text/event-stream', null])
    }
    expect((await openStream(sandbox)).response.status).toBe(200)
  })

  it('a call -> its entry in the journal, without bodies and rows', async () => {
    const sandbox = await startSandbox()
    const reader = await openStream(sandbox)
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending?a=1', { json: { status: 'AVAILABLE' } })
    const { request: _request, response: _response, changes, ...entry } = sandbox.requests.list()[0] ?? {}
    expect(changes?.length).toBeGreaterThan(0)
    const event = await reader.next()
    expect([event?.event, event?.data]).toEqual([
      'request',
      { requests: [{ ...entry, changes: changes?.map(({ collection, id }) => ({ collection, id })) }] },
    ])
  })

  it('what is secret is hidden as in the journal', async () => {
    const sandbox = await startSandbox()
    const reader = await openStream(sandbox)
    await sandbox.fetch('/v2/customers/sk_sandbox_full?api_key=hunter2')
    const text = JSON.stringify((await reader.next())?.data)
    expect(text).toContain('/v2/customers/')
    expect(text).not.toMatch(/sk_sandbox_full|hunter2/)
  })

  it('begins now; a first frame leaves at once, and all that comes in the next 100 ms is one more', async () => {
    const sandbox = await startSandbox()
    await call(sandbox, 'before')
    const reader = await openStream(sandbox)
    await call(sandbox, 1)
    expect(named(await reader.next())).toEqual(['request', ['n=1']])
    await call(sandbox, 2)
    await call(sandbox, 3)
    let next: StreamEvent | undefined
    void reader.next().then((event) => (next = event))
    await pass(99)
    expect(next).toBeUndefined()
    await pass(1)
    expect(named(next)).toEqual(['request', ['n=2', 'n=3']])
  })

  it('a comment every 15 seconds', async () => {
    const reader = await openStream(await startSandbox())
    for (let count = 0; count < 3; count++) {
      let next: StreamEvent | undefined
      void reader.next().then((event) => (next = event))
      await pass(14_999)
      expect(next).toBeUndefined()
      await pass(1)
      expect(next?.event).toBe('comment')
    }
  })

  it.each<[string, (sandbox: Sandbox) => unknown, string[]]>([
    [
      'a row is changed',
      ({ state }) => state.patch('rewards', 'rwd_ada_pending', { amount: 7 }),
      ['rewards/rwd_ada_pending'],
    ],
    [
      'a row is deleted',
      ({ state }) => state.delete('rewards', 'rwd_ada_pending'),
      ['rewards/rwd_ada_pending'],
    ],
    ['the account is changed', ({ state }) => state.patch('account', 'account', {}), ['account/account']],
    ['stubs are replaced', ({ state }) => state.putStubs([]), ['stubs/stubs']],
    [
      'a statement closes',
      ({ simulate }) => simulate.statement({ account_id: 'acct_ada' }),
      ['statements/stm_1mavfg50541m'],
    ],
    ['a snapshot is restored', (sandbox) => sandbox.restore('before'), ['rewards/rwd_ada_available']],
    [
      'the state is replaced: those that differ',
      async ({ state }) => {
        const document = state.document()
        await state.replace({
          ...document,
          rewards: document.rewards.map((row) =>
            row.id === 'rwd_ada_pending' ? { ...row, amount: 7 } : row,
          ),
        })
      },
      ['rewards/rwd_ada_pending'],
    ],
  ])('%s -> change', async (_name, act, rows) => {
    const sandbox = await startSandbox()
    sandbox.snapshot('before')
    sandbox.state.patch('rewards', 'rwd_ada_available', { amount: 8 })
    const reader = await openStream(sandbox)
    await act(sandbox)
    expect(named(await reader.next())).toEqual(['change', rows])
  })

  it('a state with more than 1,000 other rows -> the first 1,000', async () => {
    const sandbox = await startSandbox({ generate: { customers: 500 } })
    const reader = await openStream(sandbox)
    await sandbox.state.replace({})
    expect((await reader.next())?.data.changes).toHaveLength(1_000)
  })

  it('a row that a scenario changes in the course of a call, which stands in no entry -> change', async () => {
    const sandbox = await startSandbox()
    await sandbox.scenarios.activate('reward-settled-before-update')
    const reader = await openStream(sandbox)
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    expect((await take(reader, 2)).map(named)).toEqual([
      ['change', ['rewards/rwd_ada_pending']],
      ['request', ['']],
    ])
  })

  it('what is refused or changes nothing, and the end of the journal, are not told', async () => {
    const sandbox = await startSandbox()
    const reader = await openStream(sandbox)
    expect(() => sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 'much' } as never)).toThrow(
      'amount',
    )
    sandbox.snapshot('same')
    sandbox.restore('same')
    sandbox.requests.clear()
    sandbox.clock.freeze()
    await call(sandbox, 'next')
    expect(named(await reader.next())).toEqual(['request', ['n=next']])
  })

  it.each<[string, (sandbox: Sandbox) => unknown]>([
    ['a reset', (sandbox) => sandbox.reset()],
    ['a reload', (sandbox) => sandbox.reload()],
  ])('%s -> reset, and no changes; ids rise', async (_name, act) => {
    const sandbox = await startSandbox()
    const reader = await openStream(sandbox)
    sandbox.state.delete('rewards', 'rwd_ada_pending')
    await call(sandbox, 1)
    await act(sandbox)
    await call(sandbox, 2)
    const events = await take(reader, 4)
    expect(events.map(named)).toEqual([
      ['change', ['rewards/rwd_ada_pending']],
      ['request', ['n=1']],
      ['reset', {}],
      ['request', ['n=2']],
    ])
    const ids = events.map((event) => event?.id ?? 0)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(4)
  })

  it('tells of its own workspace only', async () => {
    const sandbox = await startSandbox()
    const [reader, other] = [await openStream(sandbox), await openStream(sandbox, { workspace: 'w2' })]
    await call(sandbox.workspace('w2'), 'w2')
    await call(sandbox, 'default')
    expect(named(await other.next())).toEqual(['request', ['n=w2']])
    expect(named(await reader.next())).toEqual(['request', ['n=default']])
  })

  it('--journal-size 0 -> calls are told as they come; who resumes is told how many are gone', async () => {
    const sandbox = await startSandbox({ journalSize: 0 })
    const reader = await openStream(sandbox)
    await call(sandbox, 1)
    const [first] = await take(reader, 1)
    await call(sandbox, 2)
    expect(named(first)).toEqual(['request', ['n=1']])
    const again = await openStream(sandbox, { lastId: first?.id ?? 0 })
    await call(sandbox, 3)
    expect((await take(again, 2)).map(named)).toEqual([
      ['dropped', { count: 1 }],
      ['request', ['n=3']],
    ])
  })
})

describe('Last-Event-ID', () => {
  /** A sandbox whose journal has three places; calls 1 to 4 were made, and the ids of each are known. */
  async function fourCalls(): Promise<{ sandbox: Awaited<ReturnType<typeof startSandbox>>; ids: number[] }> {
    const sandbox = await startSandbox({ journalSize: 3 })
    const reader = await openStream(sandbox)
    const ids: number[] = []
    for (const name of [1, 2, 3, 4]) {
      await call(sandbox, name)
      const [event] = await take(reader, 1)
      ids.push(event?.id ?? 0)
    }
    await reader.cancel()
    return { sandbox, ids }
  }

  it.each<[string, (ids: number[]) => number | string, unknown[]]>([
    ['of the last event', (ids) => ids[3] ?? 0, []],
    ['of an event in the journal', (ids) => ids[1] ?? 0, [['request', ['n=3', 'n=4']]]],
    ['of one that the journal has dropped', (ids) => ids[0] ?? 0, [['request', ['n=2', 'n=3', 'n=4']]]],
    [
      'of another process',
      () => 17,
      [
        ['dropped', { count: 1 }],
        ['request', ['n=2', 'n=3', 'n=4']],
      ],
    ],
    [
      'that is no number',
      () => 'abc',
      [
        ['dropped', { count: 1 }],
        ['request', ['n=2', 'n=3', 'n=4']],
      ],
    ],
    [
      'of another process that began later',
      (ids) => (ids[3] ?? 0) + 1_000_000,
      [
        ['dropped', { count: 1 }],
        ['request', ['n=2', 'n=3', 'n=4']],
      ],
    ],
    [
      'of more than 16 digits',
      () => '9'.repeat(40),
      [
        ['dropped', { count: 1 }],
        ['request', ['n=2', 'n=3', 'n=4']],
      ],
    ],
  ])('%s', async (_name, idOf, reported) => {
    const { sandbox, ids } = await fourCalls()
    const reader = await openStream(sandbox, { lastId: idOf(ids) })
    const events = await take(reader, reported.length)
    await call(sandbox, 'live')
    expect([...events, ...(await take(reader, 1))].map(named)).toEqual([...reported, ['request', ['n=live']]])
  })

  it('a reset lies between -> what is gone before it, the reset, and what is gone after it', async () => {
    const { sandbox, ids } = await fourCalls()
    sandbox.reset()
    sandbox.reset()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await call(sandbox, name)
    const reader = await openStream(sandbox, { lastId: ids[1] ?? 0 })
    expect((await take(reader, 4)).map(named)).toEqual([
      ['dropped', { count: 2 }],
      ['reset', {}],
      ['dropped', { count: 2 }],
      ['request', ['n=c', 'n=d', 'n=e']],
    ])
  })

  it('changes are not told again, and count as no calls', async () => {
    const { sandbox, ids } = await fourCalls()
    const watching = await openStream(sandbox)
    sandbox.state.delete('rewards', 'rwd_ada_pending')
    await call(sandbox, 5)
    sandbox.requests.clear()
    const reader = await openStream(sandbox, { lastId: ids[3] ?? 0 })
    expect((await take(reader, 1)).map(named)).toEqual([['dropped', { count: 1 }]])
    await watching.cancel()
  })

  it('more than may wait -> all of it nevertheless, as the reader takes it, with what comes meanwhile', async () => {
    const sandbox = await startSandbox()
    const long = 'x'.repeat(4_000)
    for (let name = 0; name < 200; name++) await call(sandbox, `${name}.${long}`)
    const reader = await openStream(sandbox, { lastId: 0 })
    const found = await take(reader, 1)
    await call(sandbox, '200.')
    sandbox.state.delete('rewards', 'rwd_ada_pending')
    found.push(...(await take(reader, 4)))
    expect(found.map((event) => event?.event)).toEqual(['request', 'change', 'request', 'request', 'request'])
    const names = found.flatMap((event) => event?.data.requests ?? []).map(({ query }) => query.split('.')[0])
    expect(names).toEqual(Array.from({ length: 201 }, (_, name) => `n=${name}`))
    const ids = found.map((event) => event?.id ?? 0)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    // The change does not reveal the calls that are reported later.
    const again = await openStream(sandbox, { lastId: ids[1] ?? 0 })
    expect((await again.next())?.data.requests[0].query).toBe(found[2]?.data.requests[0].query)
  })
})

describe('Last-Event-ID, once more', () => {
  it('a reset while the reader is behind -> what it was not told is gone, and one reset', async () => {
    const sandbox = await startSandbox()
    const long = 'x'.repeat(4_000)
    for (let name = 0; name < 100; name++) await call(sandbox, `${name}.${long}`)
    const reader = await openStream(sandbox, { lastId: 0 })
    const [first] = await take(reader, 1)
    const reported = first?.data.requests.length ?? 0
    sandbox.reset()
    await call(sandbox, 'new')
    expect((await take(reader, 3)).map(named)).toEqual([
      ['dropped', { count: 100 - reported }],
      ['reset', {}],
      ['request', ['n=new']],
    ])
  })

  it('of a change that left after later calls -> what came after those', async () => {
    const sandbox = await startSandbox({ journalSize: 0 })
    const reader = await openStream(sandbox)
    await call(sandbox, 1)
    await take(reader, 1)
    await call(sandbox, 2)
    sandbox.state.delete('rewards', 'rwd_ada_pending')
    await call(sandbox, 3)
    const [calls, change] = await take(reader, 2)
    expect([calls, change].map(named)).toEqual([
      ['request', ['n=2', 'n=3']],
      ['change', ['rewards/rwd_ada_pending']],
    ])
    await call(sandbox, 4)
    const again = await openStream(sandbox, { lastId: change?.id ?? 0 })
    expect(named(await again.next())).toEqual(['dropped', { count: 1 }])
  })
})

describe('its end', () => {
  it('the workspace is deleted -> what waits, and the end; a new one of that name goes on from its oldest', async () => {
    const sandbox = await startSandbox()
    const reader = await openStream(sandbox, { workspace: 'w2' })
    await call(sandbox.workspace('w2'), 1)
    const [first] = await take(reader, 1)
    await call(sandbox.workspace('w2'), 2)
    sandbox.workspaces.delete('w2')
    expect([named(await reader.next()), await reader.next()]).toEqual([['request', ['n=2']], undefined])
    await pass(5)
    await call(sandbox.workspace('w2'), 'new')
    const again = await openStream(sandbox, { workspace: 'w2', lastId: first?.id ?? 0 })
    expect(named(await again.next())).toEqual(['request', ['n=new']])
  })

  it('the sandbox closes -> what waits, and the end; afterwards it ends at once', async () => {
    const sandbox = await startSandbox()
    const reader = await openStream(sandbox)
    await call(sandbox, 1)
    await take(reader, 1)
    sandbox.reset()
    await call(sandbox, 2)
    await sandbox.close()
    const events = [await reader.next(), await reader.next(), await reader.next()]
    expect(events.map(named)).toEqual([
      ['reset', {}],
      ['request', ['n=2']],
      [undefined, undefined],
    ])
    const late = await sandbox.fetch('/_sandbox/stream')
    expect(await late.text()).toBe('')
  })

  it('100 streams, and no more until one ends: cancelled, given up, or with its workspace', async () => {
    const sandbox = await startSandbox()
    const giveUp = new AbortController()
    const [first] = await Promise.all(Array.from({ length: 98 }, async () => openStream(sandbox)))
    const answer = await sandbox.fetch('/_sandbox/stream', { signal: giveUp.signal })
    await openStream(sandbox, { workspace: 'w2' })
    const refused = await askControl(sandbox, 'GET', '/stream?workspace=w2')
    expect([refused.status, refused.json]).toEqual([
      429,
      controlErrorBody(
        'TOO_MANY_REQUESTS',
        'There are 100 streams, as many as a sandbox has: close one of them.',
      ),
    ])
    const free = async (): Promise<number> => {
      const { status, body } = await sandbox.fetch('/_sandbox/stream')
      if (status === 200) await body?.cancel()
      return status
    }
    expect(await free()).toBe(429)
    await first?.cancel()
    expect(await free()).toBe(200)
    await openStream(sandbox)
    expect(await free()).toBe(429)
    giveUp.abort(new Error('enough'))
    await expect(answer.text()).rejects.toThrow('enough')
    expect(await free()).toBe(200)
    await openStream(sandbox)
    sandbox.workspaces.delete('w2')
    expect(await free()).toBe(200)
  })
})

it('any interleaving: what is told and what is dropped is all, in order; ids rise, also where a reader comes back', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 40 }), long: fc.boolean() }) },
    fc.constant({ change: true as const }),
    fc.constant({ reset: true as const }),
    { weight: 4, arbitrary: fc.record({ read: fc.integer({ min: 1, max: 3 }) }) },
    fc.constant({ comeBack: true as const }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 5, 50),
      fc.array(step, { maxLength: 25 }),
      async (journalSize, steps) => {
        const sandbox = await startSandbox({ journalSize })
        const reported: StreamEvent[] = []
        let reader = await openStream(sandbox)
        let pending: Promise<StreamEvent | undefined> | undefined
        /** Takes what comes within 100 ms. */
        const read = async (): Promise<boolean> => {
          let event: StreamEvent | undefined
          const next = (pending ??= reader.next())
          void next.then((value) => (event = value))
          await pass()
          if (!event) return false
          pending = undefined
          if (event.event !== 'comment') reported.push(event)
          return true
        }
        const happened: string[] = []
        for (const one of steps) {
          if ('calls' in one) {
            for (let count = 0; count < one.calls; count++) {
              const name = `${happened.length}.${''.padEnd(one.long ? 12_000 : 0, 'x')}`
              happened.push(`n=${name}`)
              await call(sandbox, name)
            }
          } else if ('change' in one) sandbox.state.patch('rewards', 'rwd_ada_pending', {})
          else if ('reset' in one) {
            happened.push('reset')
            sandbox.reset()
          } else if ('read' in one) {
            for (let count = 0; count < one.read; count++) await read()
          } else if (reported.length > 0) {
            await reader.cancel()
            pending = undefined
            reader = await openStream(sandbox, { lastId: reported.at(-1)?.id ?? 0 })
          }
        }
        while (await read());
        let at = 0
        const skip = (): void => {
          while (happened[at] === 'reset') at += 1
        }
        for (const { event, data } of reported) {
          if (event === 'reset') {
            skip()
            expect(happened[at - 1]).toBe('reset')
          }
          for (const { query } of data.requests ?? []) expect(query).toBe(happened[at++])
          for (let count = 0; count < (data.count ?? 0); count++) {
            skip()
            expect(happened[at++]).toMatch(/^n=/)
          }
        }
        expect(at).toBe(happened.length)
        const ids = reported.map(({ id = 0 }) => id)
        expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
        await sandbox.close()
      },
    ),
    { numRuns: samples(40) },
  )
}, 60_000)
