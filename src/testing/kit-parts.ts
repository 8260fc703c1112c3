// The parts that the kits share. In the package, the kits take them from one CommonJS file, as they take the library.
export { withCalls } from './calls-of-test.ts'
export {
  asRunningTest,
  reportResult,
  sandboxFixture,
  serverFixture,
  watchShared,
  withTestWorkspace,
} from './kit.ts'
export { matchers } from './matchers.ts'
export {
  checkChanged,
  checkChangedNothingElse,
  checkEmitted,
  checkEmittedNothingElse,
} from './observed-changes.ts'
export { checkNoUnmatchedRequests, checkReceived, checkReceivedInOrder } from './received-requests.ts'
export { SharedSandbox } from './shared-sandbox.ts'
export { withTrace } from './test-trace.ts'
