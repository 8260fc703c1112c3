// The result of a test of a run, as the kits report it.
import type { TestName } from './test-of-call.ts'

/** How a test ended. */
export interface TestResult extends TestName {
  result: 'passed' | 'failed' | 'skipped'
  duration_ms: number
}

/** Names a test within a run. */
export const testKey = ({ name, file }: TestName): string => JSON.stringify([name, file])
