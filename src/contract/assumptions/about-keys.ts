// Assumptions about API keys: open questions of the contract.
import { entry } from './assumption-entry.ts'

export const aboutKeys = {
  create_key_status: entry({
    question: 'Which status answers a created API key?',
    section: 'POST /v2/keys',
    values: [201, 200],
    effect: 'The status of a successful createApiKey.',
  }),
  create_key_shape: entry({
    question: 'What are the request and the response of creating an API key?',
    section: 'POST /v2/keys',
    values: ['id_key_secret_scopes_created_at'],
    effect:
      'No body is needed and its fields are ignored; the answer has id, key, secret, scopes and created_at.',
  }),
  new_key_inherits: entry({
    question: 'What does a new key inherit in addition to the scopes?',
    section: 'Authentication 8',
    values: ['products_and_environment'],
    effect:
      'The products and the environment of the key that created it; scenarios that are bound to that key are not.',
  }),
} as const
