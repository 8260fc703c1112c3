// Every check of conform.
import { orWithoutFilter } from './without-filter.ts'
import type { Check } from './check.ts'
import { fieldChecks } from './fields.ts'
import { coverageChecks } from './of-coverage.ts'
import { pagedChecks } from './pages.ts'
import { rowChecks } from './rows.ts'

export const checks: readonly Check[] = [...coverageChecks, ...fieldChecks, ...pagedChecks, ...rowChecks].map(
  orWithoutFilter,
)
