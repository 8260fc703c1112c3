// The assertions on received requests, and their messages: the expected requests and the nearest misses.
import type { JournalEntry, RequestMatcher, SandboxWorkspace, Verification, Verified } from '../index.ts'
import { missLines } from '../journal/miss-lines.ts'

/** A workspace, or the sandbox itself for workspace `default`. */
export type Journaled = Pick<SandboxWorkspace, 'name' | 'requests'>

/** Whether an assertion holds for the requests so far. The message is for a test that expected the opposite. */
export interface Checked {
  holds: boolean
  message: string
}

/** Checks that as many matching requests were received as required, by default at least one. */
export function checkReceived(subject: unknown, expected: Verification): Checked {
  const { requests } = journaled(subject, 'toHaveReceived')
  return checked(requests.verify(expected), expected)
}

/** Checks that matching requests were received in this order. Other requests may come between them. */
export function checkReceivedInOrder(subject: unknown, expected: readonly RequestMatcher[]): Checked {
  const { requests } = journaled(subject, 'toHaveReceivedInOrder')
  return checked(requests.verify({ in_order: expected }), expected)
}

/** Checks that every request matched an endpoint. A request that matches none has a wrong path or method. */
export function checkNoUnmatchedRequests(subject: unknown): Checked {
  const { requests } = journaled(subject, 'toHaveNoUnmatchedRequests')
  const unmatched = requests.list({ outcome: 'unmatched' }).toReversed()
  if (unmatched.length === 0) {
    return {
      holds: true,
      message: 'expected a request that matches no endpoint, but every request matched one',
    }
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

/** Returns the method, path and query of a request. */
export function callOf({ method, path, query }: JournalEntry): string {
  return `${method} ${path}${query === '' ? '' : `?${query}`}`
}

function checked(verified: Verified, expected: unknown): Checked {
  const wanted = JSON.stringify(expected)
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
