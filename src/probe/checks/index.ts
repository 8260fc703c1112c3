// Every check of conform.
import type { Check } from './check.ts'
import { coverageChecks } from './of-coverage.ts'

export const checks: readonly Check[] = [...coverageChecks]
