// The result of a test of a run, as the kits report it.
import type { TestName } from './test-of-call.ts'

/** How a test ended. */
export interface TestResult extends TestName {
  result: 'passed' | 'failed' | 'skipped'
  duration_ms: number
}

/** A test of a trace. Its duration is null if the trace was written before it ended. */
export type TracedTest = Omit<TestResult, 'duration_ms'> & { duration_ms: number | null }

/** Names a test within a run. */
export const testKey = ({ name, file }: TestName): string => JSON.stringify([name, file])
