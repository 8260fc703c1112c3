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
  basic_password_with_key: entry({
    question: 'May a Basic credential have a password if its user name is an API key?',
    section: 'Authentication 2',
    values: ['ignored', 'refused'],
    effect: '`ignored` accepts `KEY:anything`; `refused` answers it as an unusable credential.',
  }),
  basic_without_colon: entry({
    question: 'Is a Basic credential without a colon accepted as an API key?',
    section: 'Authentication 2',
    values: ['refused', 'accepted'],
    effect: '`refused` says to add the colon; `accepted` reads base64(`KEY`) as `KEY:`.',
  }),
  routes_without_key: entry({
    question: 'How is a call without a usable key to an unknown path or method answered?',
    section: 'Authentication 1',
    values: ['unauthenticated', 'not_found'],
    effect: '`unauthenticated` discloses no routes; `not_found` answers 404 or 405 before it checks the key.',
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
