import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sandbox, SandboxOptions, SandboxWorkspace } from '../../src/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** How long calls wait, seen from outside: on a clock that moves from one timer to the next, so nothing sleeps. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const reward = '/v2/rewards/rwd_ada_pending'

/** A sandbox in which every call has these effects, one rule for each. */
function slowed(effects: readonly unknown[], options: SandboxOptions = {}): Promise<Sandbox> {
  const rules = effects.map((effect) => ({ on: '*', effect }))
  const scenario = { name: 'slowed', description: 'Of a test.', rules }
  return startSandbox({ scenarios: [scenario], ...options })
}

/** Makes calls at one instant, and measures how long after it each is answered, in the order they were made. */
async function waitsOf(door: Pick<SandboxWorkspace, 'fetch'>, count: number): Promise<number[]> {
  const start = performance.now()
  const headers = { authorization: 'Bearer sk_sandbox_full' }
  const waits = Array.from({ length: count }, async () => {
    await door.fetch(reward, { headers })
    return performance.now() - start
  })
  // The part of a call before its first wait needs no timer: it runs in one turn of the event loop.
  await new Promise(setImmediate)
  while (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync()
  return Promise.all(waits)
}

const uniform = { latency: { min: 100, max: 300 } }
const lognormal = { latency: { median: 250, sigma: 0.5 } }
const many = 500

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value) / values.length

const deviation = (values: readonly number[]): number =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)))

/** Four standard errors: a mean that is further away is not that of the distribution. */
function expectMean(values: readonly number[], expected: number, ofOne: number): void {
  expect(Math.abs(mean(values) - expected)).toBeLessThan((4 * ofOne) / Math.sqrt(values.length))
}

describe('what each distribution promises', () => {
  test.each([0.4, 1, 250, 600_000])('fixed at %f: every call waits that long', async (latency) => {
    const waits = await waitsOf(await slowed([{ latency }]), 3)
    for (const wait of waits) expect(Math.abs(wait - latency)).toBeLessThan(1)
  })

  test('fixed at 0: no timer is set', async () => {
    const sandbox = await slowed([{ latency: 0 }])
    const headers = { authorization: 'Bearer sk_sandbox_full' }
    const answered = Promise.all([1, 2, 3].map(() => sandbox.fetch(reward, { headers })))
    await new Promise(setImmediate)
    // No spy: vitest restores spies when the file ends, which would bring the fake timers back for the next one.
    expect(vi.getTimerCount()).toBe(0)
    await answered
  })

  test('uniform: within its bounds, all over them, and on the mean in the middle', async () => {
    const waits = await waitsOf(await slowed([uniform]), many)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(100)
    expect(Math.min(...waits)).toBeLessThan(105)
    expect(Math.max(...waits)).toBeLessThanOrEqual(300)
    expect(Math.max(...waits)).toBeGreaterThan(295)
    expectMean(waits, 200, 200 / Math.sqrt(12))
  })

  test('uniform with equal bounds: every call waits that long', async () => {
    expect(await waitsOf(await slowed([{ latency: { min: 70, max: 70 } }]), 3)).toEqual([70, 70, 70])
  })

  test('lognormal: half above the median, and mean and spread as the formula has them', async () => {
    const waits = await waitsOf(await slowed([lognormal]), many)
    const above = waits.filter((wait) => wait > 250).length
    expect(Math.abs(above - many / 2)).toBeLessThan(4 * Math.sqrt(many / 4))
    // The mean of a lognormal is median * exp(sigma² / 2), its variance mean² * (exp(sigma²) - 1).
    const expected = 250 * Math.exp(0.5 ** 2 / 2)
    expectMean(waits, expected, expected * Math.sqrt(Math.exp(0.5 ** 2) - 1))
    const logarithms = waits.map(Math.log)
    expectMean(logarithms, Math.log(250), 0.5)
    expect(Math.abs(deviation(logarithms) - 0.5)).toBeLessThan((4 * 0.5) / Math.sqrt(2 * many))
  })

  test('lognormal without spread: every call waits the median', async () => {
    const sandbox = await slowed([{ latency: { median: 80, sigma: 0 } }])
    expect(await waitsOf(sandbox, 3)).toEqual([80, 80, 80])
  })

  test('lognormal with a long tail: never more than ten minutes', async () => {
    const waits = await waitsOf(await slowed([{ latency: { median: 500_000, sigma: 5 } }]), 50)
    expect(Math.max(...waits)).toBe(600_000)
    expect(waits.filter((wait) => wait === 600_000).length).toBeLessThan(45)
  })
})

describe('what the seed promises', () => {
  test.each([
    ['uniform', uniform, [289, 155, 185, 295, 294, 215]],
    ['lognormal', lognormal, [209, 421, 76, 169, 184, 175]],
  ])('%s: the first waits of seed 1', async (_name, effect, first) => {
    expect(await waitsOf(await slowed([effect], { seed: 1 }), 6)).toEqual(first)
  })

  test.each([
    ['uniform', uniform],
    ['lognormal', lognormal],
  ])('%s: the same seed gives the same waits, another one others', async (_name, effect) => {
    const waits = async (seed: number): Promise<number[]> => waitsOf(await slowed([effect], { seed }), 40)
    const first = await waits(7)
    expect(await waits(7)).toEqual(first)
    expect(await waits(8)).not.toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(20)
  })

  test('one call after the other waits as they would at once', async () => {
    const atOnce = await waitsOf(await slowed([uniform]), 10)
    const sandbox = await slowed([uniform])
    const inTurn: number[] = []
    while (inTurn.length < 10) inTurn.push(...(await waitsOf(sandbox, 1)))
    expect(inTurn).toEqual(atOnce)
  })

  test('each workspace draws for itself, and a reset starts again', async () => {
    const sandbox = await slowed([lognormal])
    const first = await waitsOf(sandbox, 10)
    expect(await waitsOf(sandbox.workspace('w1'), 10)).toEqual(first)
    expect(await waitsOf(sandbox, 10)).not.toEqual(first)
    sandbox.reset()
    expect(await waitsOf(sandbox, 10)).toEqual(first)
  })
})

describe('around the wait', () => {
  test('the waits of several rules add up to one', async () => {
    expect(await waitsOf(await slowed([{ latency: 200 }, { latency: 35 }]), 2)).toEqual([235, 235])
    const [alone = 0] = await waitsOf(await slowed([uniform]), 1)
    expect(await waitsOf(await slowed([{ latency: 1000 }, uniform]), 1)).toEqual([1000 + alone])
  })

  test('a call that a scenario refuses waits before it', async () => {
    const sandbox = await slowed([{ error: 'SERVICE_UNAVAILABLE_ERROR' }, { latency: 90 }])
    expect(await waitsOf(sandbox, 2)).toEqual([90, 90])
  })

  test('a rule that does not act makes nobody wait', async () => {
    const rules = [{ on: '*', calls: '2', effect: { latency: 90 } }]
    const sandbox = await startSandbox({
      scenarios: [{ name: 'once', description: 'Of a test.', rules }],
    })
    expect(await waitsOf(sandbox, 3)).toEqual([0, 90, 0])
  })

  test('a call that waits ends when the sandbox closes', async () => {
    const { fetch, close } = await slowed([{ latency: 600_000 }])
    const answer = fetch(reward, { headers: { authorization: 'Bearer sk_sandbox_full' } })
    await close()
    expect((await answer).status).toBe(200)
    expect(vi.getTimerCount()).toBe(0)
  })
})
