// An API key as an answer shows it (contract: POST /v2/keys; the shape is an assumption).
import { z } from 'zod'
import { documented } from '../docs.ts'
import { id, timestamp } from '../formats.ts'
import { scopeNames } from '../scopes.ts'

export const scope = z.enum(scopeNames)

const key = documented(z.string(), { description: 'The API key, for Bearer or as a Basic user name.' })

export const apiKey = documented(z.strictObject({ key, created_at: timestamp }), {
  id: 'ApiKey',
  description: 'An API key.',
  'x-assumption': ['create_key_shape', 'new_key_inherits'],
  examples: [{ key: 'sk_sandbox_4fz8t1vw6n3r', created_at: '2026-11-20T09:30:00.000Z' }],
})

export const deletedApiKey = documented(apiKey.extend({ deleted_at: timestamp }), {
  id: 'DeletedApiKey',
  description: 'The API key that was deleted.',
  'x-assumption': 'unlisted_operations',
  examples: [
    {
      key: 'sk_sandbox_4fz8t1vw6n3r',
      created_at: '2026-11-20T09:30:00.000Z',
      deleted_at: '2026-11-21T09:30:00.000Z',
    },
  ],
})

/** A key with everything that its creator may see once, under assumption `create_key_shape`. */
export const createdApiKey = documented(
  z.strictObject({
    id: documented(id.clone(), { description: 'The key id, the user name of a Basic credential.' }),
    key,
    secret: documented(z.string(), {
      description: 'The key secret, the password that goes with the key id.',
    }),
    scopes: documented(z.array(scope), { description: 'Exactly the scopes of the key that created it.' }),
    created_at: timestamp,
  }),
  {
    id: 'CreatedApiKey',
    description: 'A new API key.',
    'x-assumption': ['create_key_shape', 'new_key_inherits'],
    examples: [
      {
        id: 'key_7m2q9xkd',
        key: 'sk_sandbox_4fz8t1vw6n3r',
        secret: 'secret_9hj5c2ybq7pa',
        scopes: ['TRANSACTION_INTENT_READ', 'ACCOUNT_READ'],
        created_at: '2026-11-20T09:30:00.000Z',
      },
    ],
  },
)
