// Every check of conform.
import type { Check } from './check.ts'

export const checks: readonly Check[] = []
