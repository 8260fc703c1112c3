// Which attempts of a workspace begin, and in which order.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/events/attempts.ts'
import { DeliveryQueue, type StartedAttempt } from '../../src/events/delivery-queue.ts'
import { DeliverySlots } from '../../src/events/delivery-slots.ts'
import type { Endpoint } from '../../src/events/endpoints.ts'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { Clock } from '../../src/runtime/clock.ts'
import { State } from '../../src/store/state.ts'
import { testNow } from '../helpers/test-now.ts'

const account = { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } } as const
const later = new Date(Date.parse(testNow) + 5_000).toISOString()

const endpoint = (id: string, more: Partial<Endpoint> = {}): Endpoint => ({
  id,
  url: `http://${id}.test/`,
  events: ['*'],
  enabled: true,
  created_at: testNow,
  ...more,
})

const handler = (id: string): Endpoint => endpoint(id, { url: null, handler: () => new Response() })

/** A queue of these endpoints, and its workspace. */
function queueOf(endpoints: readonly Endpoint[], slots = new DeliverySlots()) {
  const state = State.empty(account, resolveAssumptions())
  const clock = new Clock(() => Date.parse(testNow), { frozen: true })
  const find = (id: string | null): Endpoint | undefined => endpoints.find((one) => one.id === id)
  let calls = 0
  const queue = new DeliveryQueue({ state, clock }, { all: [...endpoints], find }, slots, () => calls++)
  /** Puts an event with these waiting attempts. */
  const put = (number: number, ...attempts: (Partial<Attempt> & { endpoint_id: string })[]): void => {
    const deliveries = attempts.map((one, index): Attempt => ({
      n: index + 1,
      due: testNow,
      at: null,
      state: 'waiting',
      status: null,
      reason: '',
      ...one,
    }))
    state.put('events', {
      id: `evt_${number}`,
      type: 'reward.updated',
      time: testNow,
      source: 'trigger',
      data: {},
      previous: null,
      request_id: null,
      deliveries,
    })
  }
  /** Begins attempts while there is one. */
  const beginAll = (): StartedAttempt[] => {
    const all: StartedAttempt[] = []
    for (;;) {
      const next = queue.next()
      const started = next && next.due <= clock.now() ? queue.begin(next) : []
      if (started.length === 0) return all
      all.push(...started)
    }
  }
  /** Ends an attempt, which its event shows. */
  const end = (started: StartedAttempt): void => {
    const { deliveries } = state.get('events', started.event.id) ?? started.event
    const done = deliveries.map((one) =>
      one.n === started.attempt.n ? { ...one, state: 'delivered' as const } : one,
    )
    state.put('events', { ...started.event, deliveries: done })
    queue.end(started)
  }
  return { queue, put, beginAll, end, calls: () => calls }
}

/** Returns an element of a list that has it. */
function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`there is no element ${index}`)
  return found
}

const names = (started: readonly StartedAttempt[]): string[] =>
  started.map(({ event, attempt }) => `${event.id} ${attempt.n} ${attempt.endpoint_id}`)

/** The names of the first attempts of events to an endpoint. */
const firsts = (from: number, to: number, id = 'we_1'): string[] =>
  Array.from({ length: to - from + 1 }, (_, offset) => `evt_${from + offset} 1 ${id}`)

describe('the attempts of a workspace', () => {
  it('to one endpoint -> eight are in flight, in order, and each that ends makes room for the next', () => {
    const { put, beginAll, end } = queueOf([endpoint('we_1')])
    for (let number = 40; number > 0; number--) put(number, { endpoint_id: 'we_1' })
    const started = beginAll()
    expect(names(started)).toEqual(firsts(1, 8))
    for (const one of [5, 0, 7]) end(at(started, one))
    expect(names(beginAll())).toEqual(firsts(9, 11))
  })

  it('more than a page of events that are in flight or wait for a full endpoint -> the first that may begin', () => {
    const { put, beginAll } = queueOf([endpoint('we_1'), endpoint('we_2')])
    for (let number = 1; number <= 100; number++) put(number, { endpoint_id: 'we_1' })
    put(101, { endpoint_id: 'we_2' })
    expect(names(beginAll())).toEqual([...firsts(1, 7), 'evt_101 1 we_2'])
  })

  it('to an endpoint that hangs -> it leaves a slot to each other endpoint, and these use it', () => {
    const { put, beginAll, end } = queueOf(['we_1', 'we_2', 'we_3'].map((id) => endpoint(id)))
    for (let number = 1; number <= 20; number++) put(number, { endpoint_id: 'we_1' })
    expect(names(beginAll())).toEqual(firsts(1, 6))
    put(21, { endpoint_id: 'we_2' })
    put(22, { endpoint_id: 'we_2' })
    put(23, { endpoint_id: 'we_3' })
    const others = beginAll()
    expect(names(others)).toEqual(['evt_21 1 we_2', 'evt_23 1 we_3'])
    end(at(others, 0))
    expect(names(beginAll())).toEqual(['evt_22 1 we_2'])
  })

  it.each([
    ['many others -> it leaves half of the slots', {}, 4],
    ['others that are disabled -> it uses all slots', { enabled: false }, 8],
    ['handlers -> it uses all slots', { handler: () => new Response() }, 8],
  ])('of an endpoint next to %s', (_, more: Partial<Endpoint>, count) => {
    const others = Array.from({ length: 20 }, (__, index) => endpoint(`other_${index}`, more))
    const { put, beginAll } = queueOf([endpoint('we_1'), ...others])
    for (let number = 1; number <= 20; number++) put(number, { endpoint_id: 'we_1' })
    expect(names(beginAll())).toEqual(firsts(1, count))
  })

  it('a retry that is due later -> does not block the first attempt of the next event', () => {
    const { put, beginAll, queue } = queueOf([endpoint('we_1')])
    put(1, { endpoint_id: 'we_1', state: 'failed' }, { endpoint_id: 'we_1', due: later })
    put(2, { endpoint_id: 'we_1' })
    expect(names(beginAll())).toEqual(['evt_2 1 we_1'])
    expect(queue.next()?.due).toBe(Date.parse(later))
  })

  it('an event whose first attempt may not begin, and whose second is due later -> the next event is first', () => {
    const { put, beginAll, end } = queueOf([endpoint('we_1'), handler('handler_1')])
    put(1, { endpoint_id: 'handler_1' })
    put(2, { endpoint_id: 'handler_1' }, { endpoint_id: 'we_1', due: later })
    put(3, { endpoint_id: 'we_1' })
    const started = beginAll()
    expect(names(started)).toEqual(['evt_1 1 handler_1', 'evt_3 1 we_1'])
    end(at(started, 0))
    expect(names(beginAll())).toEqual(['evt_2 1 handler_1'])
  })

  it('a copy -> begins after its original, and does not block the next event', () => {
    const { put, beginAll, end } = queueOf([endpoint('we_1')])
    put(1, { endpoint_id: 'we_1' }, { endpoint_id: 'we_1' })
    put(2, { endpoint_id: 'we_1' })
    const started = beginAll()
    expect(names(started)).toEqual(['evt_1 1 we_1', 'evt_2 1 we_1'])
    end(at(started, 0))
    expect(names(beginAll())).toEqual(['evt_1 2 we_1'])
  })

  it('an attempt that a scenario moves after the next event -> begins when that has ended', () => {
    const { put, beginAll, end } = queueOf([endpoint('we_1')])
    put(1, { endpoint_id: 'we_1', after: 'evt_2' })
    put(2, { endpoint_id: 'we_1' })
    put(3, { endpoint_id: 'we_1' })
    const started = beginAll()
    expect(names(started)).toEqual(['evt_2 1 we_1', 'evt_3 1 we_1'])
    end(at(started, 0))
    expect(names(beginAll())).toEqual(['evt_1 1 we_1'])
  })

  it('a concurrent copy -> begins with its original, also without a free slot', () => {
    const { put, beginAll } = queueOf([endpoint('we_1')])
    for (let number = 1; number <= 7; number++) put(number, { endpoint_id: 'we_1' })
    const pair = { endpoint_id: 'we_1', faults: ['concurrent' as const] }
    put(8, pair, pair)
    put(9, { endpoint_id: 'we_1' })
    expect(names(beginAll())).toEqual([...firsts(1, 7), 'evt_8 1 we_1', 'evt_8 2 we_1'])
  })

  it('to a handler -> one after another, also while all slots are in use', () => {
    const { put, beginAll, end } = queueOf([endpoint('we_1'), handler('handler_1')])
    for (let number = 1; number <= 10; number++) put(number, { endpoint_id: 'we_1' })
    put(11, { endpoint_id: 'handler_1' })
    put(12, { endpoint_id: 'handler_1' })
    const started = beginAll()
    expect(names(started)).toEqual([...firsts(1, 8), 'evt_11 1 handler_1'])
    end(at(started, 8))
    expect(names(beginAll())).toEqual(['evt_12 1 handler_1'])
  })
})

describe('the slots of a sandbox', () => {
  /** Nine workspaces with as many attempts as a workspace may have in flight. */
  function nine() {
    const slots = new DeliverySlots()
    return Array.from({ length: 9 }, () => {
      const workspace = queueOf([endpoint('we_1'), handler('handler_1')], slots)
      for (let number = 1; number <= 10; number++) workspace.put(number, { endpoint_id: 'we_1' })
      return { ...workspace, started: workspace.beginAll() }
    })
  }

  it('64 are in flight; the workspace without one waits, and is called when one is free', async () => {
    const workspaces = nine()
    const last = at(workspaces, 8)
    expect(workspaces.map(({ started }) => started.length)).toEqual([8, 8, 8, 8, 8, 8, 8, 8, 0])
    expect([last.queue.isWaiting, last.queue.isIdle, last.calls()]).toEqual([true, false, 0])
    at(workspaces, 0).end(at(at(workspaces, 0).started, 0))
    await setImmediate()
    expect([last.queue.isWaiting, last.calls()]).toEqual([false, 1])
    expect(names(last.beginAll())).toEqual(firsts(1, 1))
    expect(last.queue.isWaiting).toBe(true)
  })

  it('a workspace that is called and no longer needs the slot -> the next one is called', async () => {
    const workspaces = nine()
    const [first, second, third] = [0, 1, 2].map((index) => at(workspaces, index))
    const last = at(workspaces, 8)
    last.queue.cancel('a reset')
    expect(last.queue.isIdle).toBe(true)
    for (const one of [first, second]) {
      if (!one) throw new Error('there is no such workspace')
      const [started] = one.started
      if (started) one.queue.begin({ ...started, attempt: { ...started.attempt, n: 2 } })
    }
    third?.queue.end(at(third.started, 0))
    await setImmediate()
    await setImmediate()
    expect(workspaces.map(({ calls }) => calls())).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0])
  })

  it('an attempt that was canceled and ends later -> frees one slot', () => {
    const workspaces = nine()
    const first = at(workspaces, 0)
    first.queue.cancel('a reset')
    for (const one of first.started) first.queue.end(one)
    expect(at(workspaces, 8).beginAll()).toHaveLength(8)
    expect(first.beginAll()).toEqual([])
    expect(first.queue.isWaiting).toBe(true)
  })
})
