// Assumptions about routes and errors: open questions of the contract.
import { entry } from './assumption-entry.ts'

export const aboutRoutes = {
  not_found_status: entry({
    question: 'Which status do the not-found errors have?',
    section: 'Errors',
    values: [404, 400, 410],
    effect: 'The status of every not-found error of shape C.',
  }),
} as const
