// Assumptions about authentication, scopes and products: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutAuthentication = {
  unauthenticated_status: entry({
    question: 'Which status answers a missing or unusable credential?',
    section: 'Errors',
    values: [401, 403],
    effect: 'The status of every answer to a call without a usable key.',
  }),
  unauthenticated_type: entry({
    question: 'Which error type answers a missing or unusable credential?',
    section: 'Errors',
    values: ['UNAUTHORIZED_ERROR', 'UNAUTHENTICATED_ERROR', 'AUTHENTICATION_ERROR'],
    effect: 'The type in the body (shape B) of those answers.',
  }),
  forbidden_type: entry({
    question: 'Which error type answers a key that lacks a required scope?',
    section: 'Authentication 4',
    values: ['FORBIDDEN_ERROR', 'PERMISSION_ERROR', 'MISSING_SCOPE_ERROR'],
    effect: 'The type in the body (shape B) of every 403.',
  }),
  scope_table: undecidable({
    question: 'Which scope do endpoints need for which the contract names none?',
    section: 'Authentication 7',
    values: ['none'],
    effect: 'A valid key is enough; this includes creating keys and reading payment methods.',
    unobservable: 'The scopes in question have no known name, so no key can be created without them.',
  }),
  merchant_key_required: entry({
    question: 'Which calls must select a product?',
    section: 'Authentication 9',
    values: ['key_of_several_products', 'partnership_of_several_products'],
    effect:
      'By default, calls with a key of several products. The alternative requires it of every call if the state has several products.',
    remedy:
      'A call of the suite sends no x-service-merchant-key: let your client name its product in every call, as in x-service-merchant-key: mk_summit.',
  }),
  missing_merchant_key_status: entry({
    question: 'Which status answers a key of several products that selects none?',
    section: 'Authentication 9',
    values: [400, 403],
    effect: 'The status of that answer; its body is shape B and names the header.',
  }),
  unknown_merchant_key_status: entry({
    question: 'Which status answers a merchant key that is unknown, or not among the products of the key?',
    section: 'Authentication 9',
    values: [400, 403, 404],
    effect: 'The status of that answer; both cases get the same bytes.',
  }),
} as const
