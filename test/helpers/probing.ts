import type { Timing } from '../../src/probe/request-sender.ts'
import type { Made, MadeLine } from '../../src/probe/created-objects.ts'
import type { Machine } from '../../src/probe/start-run.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import { targetOf, type Target } from '../../src/probe/target.ts'

/** A clock that moves when a caller waits; a timeout ends only on request. */
export function testTime(): Timing & { waits: number[]; timeOut: boolean } {
  const time = {
    waits: [] as number[],
    timeOut: false,
    passed: 0,
    now: () => time.passed,
    date: () => Date.UTC(2026, 10, 22) + time.passed,
    async wait(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<boolean> {
      const isTimeout = milliseconds === timeout
      if (isTimeout && !time.timeOut) {
        return new Promise((resolve) => signals[0]?.addEventListener('abort', () => resolve(false)))
      }
      if (!isTimeout) time.waits.push(milliseconds)
      time.passed += milliseconds
      return !signals.some(({ aborted }) => aborted)
    },
  }
  return time
}

const timeout = 7_000

/** A target of a fetch, which waits for nothing unless the budget says so. */
export function testTarget(
  fetch: NonNullable<GivenTarget['fetch']>,
  options: Partial<Omit<GivenTarget, 'fetch' | 'budget'>> & {
    budget?: { requests?: number; per_second?: number }
  } = {},
): Target {
  const budget = { per_second: 1e6, ...options.budget, timeout_seconds: timeout / 1000 }
  return targetOf({ keys: { full: 'sk_sandbox_full' }, ...options, budget, fetch }, {})
}

/** Answers a call by its method and path, and keeps them all. */
export function fakeService(
  answer: (path: string, init: RequestInit, call: number) => Response | Promise<Response>,
) {
  const calls: string[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    calls.push(`${init.method ?? 'GET'} ${pathname}${search}`)
    return answer(pathname + search, init, calls.length)
  }
  return { calls, fetch }
}

/** Keeps the lines in memory. */
export function madeLines(): Made & { lines: MadeLine[] } {
  const lines: MadeLine[] = []
  return { lines, note: async (line) => void lines.push(line) }
}

/** A machine whose time passes by itself, and which keeps what is made in memory. */
export function testMachine(): Machine & { made: ReturnType<typeof madeLines> } {
  const timing = testTime()
  return { host: { now: timing.date, env: {}, cwd: '/' }, timing, made: madeLines() }
}
