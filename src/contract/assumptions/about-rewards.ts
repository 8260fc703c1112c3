// Assumptions about rewards, their balance and their categories: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutRewards = {
  balance_statuses: entry({
    question: 'Which rewards does the balance add up, by status?',
    section: 'Rewards balance',
    values: [
      'AVAILABLE',
      'AVAILABLE+PENDING',
      'AVAILABLE+PENDING_DEDUCTION',
      'AVAILABLE-PENDING_DEDUCTION-DEDUCTED',
    ],
    effect:
      'AVAILABLE rewards count. The alternatives also add pending ones, add those that are still to be deducted, or subtract deductions, which are then rows of their own.',
  }),
  balance_other_currencies: undecidable({
    question: 'Does the balance count rewards in another currency than that of the program?',
    section: 'Rewards balance',
    values: ['added', 'left_out'],
    effect:
      '`added` counts the amount of every reward as it is; `left_out` counts only rewards in the currency of the program, and those without a currency.',
    unobservable:
      'A target does not say which of its rewards are in another currency, and a balance may change with a delay.',
  }),
  reward_amount_zero: entry({
    question: 'May an update set the amount of a reward to zero?',
    section: 'Conventions',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes an amount of zero a validation error.',
  }),
  reward_target_statuses: entry({
    question: 'To which statuses may a pending reward be updated?',
    section: 'Reward status',
    values: ['all', 'all_but_pending', 'available_only'],
    effect: 'A status that is not allowed is a validation error.',
  }),
  reward_not_pending: entry({
    question: 'How is an update of a reward answered that is no longer pending?',
    section: 'Reward status',
    values: ['bad_request', 'conflict'],
    effect: '`bad_request` is 400 BAD_REQUEST_ERROR; `conflict` is 409 CONFLICT_ERROR.',
  }),
  reward_transitions: undecidable({
    question: 'When does a reward change its status, other than by an update?',
    section: 'Reward status',
    values: ['never'],
    effect:
      'Neither time nor other calls change it; the control plane and state documents can set any status.',
    unobservable: 'No run can wait long enough to see whether a reward changes by itself.',
  }),
  reward_rounding: undecidable({
    question: 'How is a reward rounded that is not a whole number of minimum units?',
    section: 'Reward categories response',
    values: ['down', 'half_up'],
    effect: 'The amount of rewards that the sandbox computes from a purchase and an earn rate.',
    unobservable: 'No call creates a reward from a purchase, so no call shows the rounding.',
  }),
  reward_description_language: entry({
    question: 'In which language is the reward_description of a balance?',
    section: 'Rewards balance',
    values: ['english', 'preferred_language'],
    effect:
      '`preferred_language` is Spanish for a customer who prefers it, as a locale of the reward categories would be.',
  }),
  locale_parameter: entry({
    question: 'What is the locale parameter of the reward categories called?',
    section: 'GET /v2/rewards/rewards_categories',
    values: ['locale', 'language', 'lang'],
    effect: 'The name of the parameter; any other name is an unknown parameter.',
  }),
} as const
