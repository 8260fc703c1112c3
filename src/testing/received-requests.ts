// What tests assert of the requests that were received, and how a failure reads: what was wanted, what came nearest.
import type { JournalEntry, RequestMatcher, SandboxWorkspace, Verification, Verified } from '../index.ts'
import { missLines } from '../journal/miss-lines.ts'

/** A workspace, or the sandbox itself for workspace `default`. */
export type Journaled = Pick<SandboxWorkspace, 'name' | 'requests'>

/** Whether something holds of the requests so far, and what to say when a test wanted the contrary. */
export interface Checked {
  holds: boolean
  message: string
}

/** Whether requests of a kind came as often as asked: at least once where nothing is said of it. */
export function checkReceived(subject: unknown, asked: Verification): Checked {
  const { requests } = journaled(subject, 'toHaveReceived')
  return checked(requests.verify(asked), asked)
}

/** Whether requests of these kinds came in this order, whatever came between them. */
export function checkReceivedInOrder(subject: unknown, asked: readonly RequestMatcher[]): Checked {
  const { requests } = journaled(subject, 'toHaveReceivedInOrder')
  return checked(requests.verify({ in_order: asked }), asked)
}

/** Whether every request met an endpoint: one that does not is a wrong path or method of the client. */
export function checkNoUnmatchedRequests(subject: unknown): Checked {
  const { requests } = journaled(subject, 'toHaveNoUnmatchedRequests')
  const unmatched = requests.list({ outcome: 'unmatched' }).toReversed()
  if (unmatched.length === 0) {
    return { holds: true, message: 'expected some request to match no endpoint, but all of them did' }
  }
  const lines = unmatched.map((entry) => {
    const why = requests.explain(entry.id)?.summary
    return `  ${entry.id} ${callOf(entry)} ${entry.status ?? 'lost'}${why === undefined ? '' : `: ${why}`}`
  })
  return {
    holds: false,
    message: ['expected every request to match an endpoint; these did not:', ...lines].join('\n'),
  }
}

/** Method, path and query of a request. */
export function callOf({ method, path, query }: JournalEntry): string {
  return `${method} ${path}${query === '' ? '' : `?${query}`}`
}

/** What `expect(workspace)` can say besides. */
export interface SandboxMatchers<R> {
  /**
   * Requests of a kind were made: at least once, or as often as `count`, `at_least` and `at_most` say. Texts are exact
   * values or globs, and a body is the part that must be there.
   *
   * @example
   * expect(workspace).toHaveReceived({ operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
   */
  toHaveReceived(asked: Verification): R
  /**
   * Requests of these kinds were made in this order, whatever came between them.
   *
   * @example
   * expect(workspace).toHaveReceivedInOrder([{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
   */
  toHaveReceivedInOrder(asked: readonly RequestMatcher[]): R
  /** Every request met an endpoint: the client got no path and no method wrong. */
  toHaveNoUnmatchedRequests(): R
}

/** What runners that have `expect` add to it. */
export const matchers = {
  toHaveReceived: (workspace: unknown, asked: Verification) => result(checkReceived(workspace, asked)),
  toHaveReceivedInOrder: (workspace: unknown, asked: readonly RequestMatcher[]) =>
    result(checkReceivedInOrder(workspace, asked)),
  toHaveNoUnmatchedRequests: (workspace: unknown) => result(checkNoUnmatchedRequests(workspace)),
}

function result({ holds, message }: Checked): { pass: boolean; message: () => string } {
  return { pass: holds, message: () => message }
}

function checked(verified: Verified, asked: unknown): Checked {
  const wanted = JSON.stringify(asked)
  if (verified.holds) {
    const found = `${verified.count} ${verified.count === 1 ? 'request' : 'requests'} matched`
    return { holds: true, message: `expected the sandbox not to have received ${wanted}, but ${found}` }
  }
  const { message, nearest } = verified
  const misses = nearest.length === 0 ? [] : ['', 'nearest:', ...nearest.flatMap(missLines)]
  return {
    holds: false,
    message: [`expected the sandbox to have received ${wanted}: ${message}`, ...misses].join('\n'),
  }
}

function journaled(subject: unknown, matcher: string): Journaled {
  if (isJournaled(subject)) return subject
  throw new TypeError(
    `${matcher}: expected a workspace or a sandbox, as in expect(workspace).${matcher}(…), got ${typeof subject}`,
  )
}

function isJournaled(subject: unknown): subject is Journaled {
  if (typeof subject !== 'object' || subject === null || !('requests' in subject)) return false
  const { requests } = subject
  return typeof requests === 'object' && requests !== null && 'verify' in requests
}
