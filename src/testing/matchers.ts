// The matchers for runners that have `expect`.
import type { RequestMatcher, Verification } from '../index.ts'
import {
  checkChanged,
  checkChangedNothingElse,
  checkEmitted,
  checkEmittedNothingElse,
  type ChangeMatchers,
  type ExpectedChange,
  type ExpectedEvents,
} from './observed-changes.ts'
import {
  checkNoUnmatchedRequests,
  checkReceived,
  checkReceivedInOrder,
  type Checked,
} from './received-requests.ts'

export type { ChangeMatchers, ExpectedChange, ExpectedEvents } from './observed-changes.ts'

/** The matchers that the kits add to `expect(workspace)`. */
export interface SandboxMatchers<R> extends ChangeMatchers<R> {
  /**
   * Asserts that matching requests were received: at least one, or as many as `count`, `at_least` and `at_most`
   * require. Texts are exact values or globs, and a body may have more fields than the expected one.
   *
   * @example
   * expect(workspace).toHaveReceived({ operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
   */
  toHaveReceived(expected: Verification): R
  /**
   * Asserts that matching requests were received in this order. Other requests may come between them.
   *
   * @example
   * expect(workspace).toHaveReceivedInOrder([{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
   */
  toHaveReceivedInOrder(expected: readonly RequestMatcher[]): R
  /** Asserts that every request matched an endpoint, so that the client used no wrong path or method. */
  toHaveNoUnmatchedRequests(): R
}

/** The matchers for runners that have `expect`. */
export const matchers = {
  toHaveReceived: (workspace: unknown, expected: Verification) => result(checkReceived(workspace, expected)),
  toHaveReceivedInOrder: (workspace: unknown, expected: readonly RequestMatcher[]) =>
    result(checkReceivedInOrder(workspace, expected)),
  toHaveNoUnmatchedRequests: (workspace: unknown) => result(checkNoUnmatchedRequests(workspace)),
  toHaveEmitted: (workspace: unknown, expected: ExpectedEvents) => result(checkEmitted(workspace, expected)),
  toHaveEmittedNothingElse: (workspace: unknown) => result(checkEmittedNothingElse(workspace)),
  toHaveChanged: (workspace: unknown, expected: ExpectedChange) => result(checkChanged(workspace, expected)),
  toHaveChangedNothingElse: (workspace: unknown) => result(checkChangedNothingElse(workspace)),
}

function result({ holds, message }: Checked): { pass: boolean; message: () => string } {
  return { pass: holds, message: () => message }
}
