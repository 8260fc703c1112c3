// What the kit asks Jest for: the name of a test, and when Jest gives one up.
import type { MatcherState } from 'expect'
import type { RunningTest } from './kit.ts'

// They are global unless the option `injectGlobals` is off: then there is no name, and nothing is given up.
declare const expect: { getState(): MatcherState }
declare const afterEach: (hook: () => Promise<void>) => void
declare const afterAll: (hook: () => Promise<void>) => void

/** The test that calls this, with what it is described in; undefined outside of tests. */
export function testName(): string | undefined {
  if (typeof expect === 'undefined') return undefined
  const { currentConcurrentTestName, currentTestName } = expect.getState()
  return currentConcurrentTestName?.() ?? currentTestName
}

/** The test that calls this, with its file. */
export function runningTest(): RunningTest {
  const file = typeof expect === 'undefined' ? undefined : expect.getState().testPath
  return { name: testName(), file }
}

/** A test whose body has not ended. */
interface Running {
  test: string | undefined
  endNow: () => void
  ended: Promise<void>
}

const running = new Set<Running>()

/**
 * Runs the body of a test. At a timeout, Jest tells nobody and lets the body run on, which may never end: so it is given
 * up after the test, for its server would keep the process alive.
 *
 * @param run ends at the latest when it is given up, by that error.
 */
export async function untilGivenUp(run: (givenUp: Promise<never>) => Promise<void>): Promise<void> {
  let endNow = (): void => undefined
  const givenUp = new Promise<never>((_, reject) => {
    endNow = () => reject(new Error('The body of this test had not ended when Jest gave it up.'))
  })
  givenUp.catch(() => undefined)
  const one: Running = { test: testName(), endNow, ended: run(givenUp) }
  running.add(one)
  try {
    await one.ended
  } finally {
    running.delete(one)
  }
}

/** Gives tests up, and tells the errors by which they end. */
async function giveUp(given: readonly Running[]): Promise<unknown[]> {
  for (const one of given) one.endNow()
  const ended = await Promise.allSettled(given.map((one) => one.ended))
  return ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
}

// Where the kit is first loaded inside of a test, Jest would take no hooks.
if (typeof afterEach === 'function' && testName() === undefined) {
  afterEach(async () => {
    const test = testName()
    const [error] = await giveUp([...running].filter((one) => one.test === test))
    // Jest prints it beside the error of the timeout.
    if (error !== undefined) throw error
  })
  // After a test of `test.concurrent` no hook runs. An error here would be one of every test.
  afterAll(async () => void (await giveUp([...running])))
}
