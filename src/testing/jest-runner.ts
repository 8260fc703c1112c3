// Connects the kit to Jest: the name of the running test, and the end of a test that Jest has abandoned.
import type { MatcherState } from 'expect'
import type { RunningTest } from './kit.ts'

// These are global unless the option `injectGlobals` is off. Without them there is no name, and no body is aborted.
declare const expect: { getState(): MatcherState }
declare const afterEach: (hook: () => Promise<void>) => void
declare const afterAll: (hook: () => Promise<void>) => void

/** Returns the name of the running test, with those of its `describe` blocks; undefined outside of tests. */
export function testName(): string | undefined {
  if (typeof expect === 'undefined') return undefined
  const { currentConcurrentTestName, currentTestName } = expect.getState()
  return currentConcurrentTestName?.() ?? currentTestName
}

/** Returns the running test, with its file. */
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
 * Runs the body of a test. At a timeout, Jest notifies no code and lets the body run on, possibly forever. So the body
 * is aborted after the test, as its server would keep the process alive.
 *
 * @param run must end once its promise rejects, by that error.
 */
export async function runUntilAbandoned(run: (abandoned: Promise<never>) => Promise<void>): Promise<void> {
  let endNow = (): void => undefined
  const abandoned = new Promise<never>((_, reject) => {
    endNow = () => reject(new Error('Jest ended this test before its body had ended.'))
  })
  abandoned.catch(() => undefined)
  const one: Running = { test: testName(), endNow, ended: run(abandoned) }
  running.add(one)
  try {
    await one.ended
  } finally {
    running.delete(one)
  }
}

/** Aborts the bodies of tests, and returns the errors by which they end. */
async function abandonTests(tests: readonly Running[]): Promise<unknown[]> {
  for (const one of tests) one.endNow()
  const ended = await Promise.allSettled(tests.map((one) => one.ended))
  return ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
}

// Jest accepts no hooks if the kit is first loaded inside of a test.
if (typeof afterEach === 'function' && testName() === undefined) {
  afterEach(async () => {
    const test = testName()
    const [error] = await abandonTests([...running].filter((one) => one.test === test))
    // Jest prints this error in addition to that of the timeout.
    if (error !== undefined) throw error
  })
  // Jest runs no `afterEach` for a test of `test.concurrent`. An error that is thrown here would fail every test.
  afterAll(async () => void (await abandonTests([...running])))
}
