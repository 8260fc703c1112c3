// API key endpoints: create an API key; delete the one of the call (assumption `unlisted_operations`).
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { apiKey, createdApiKey, deletedApiKey } from '../contract/resources/api-key.ts'
import { endpoint } from './define.ts'

export const createApiKey = endpoint({
  id: 'createApiKey',
  method: 'POST',
  path: '/v2/keys',
  summary: 'Create an API key',
  params: {},
  body: documented(z.object({}), {
    id: 'NewApiKey',
    description: 'No body is needed: the new key inherits exactly the scopes of the key that creates it.',
    'x-assumption': 'create_key_shape',
    examples: [{}],
  }),
  bodyOptional: true,
  status: (assume) => assume('create_key_status'),
  result: ({ create_key_shape }) => (create_key_shape === 'key_and_dates' ? apiKey : createdApiKey),
  handler({ key, tx, now, keySuffix, assume }) {
    // Copy the creator's scopes, so that later changes of the creator do not affect this key.
    const { scopes, products, environment } = key
    const id = tx.nextId('api_keys', 'key')
    const secret = tx.nextToken('secret')
    const token = tx.nextToken(`sk_${environment}`)
    const created = new Date(now).toISOString()
    const row = {
      id,
      secret,
      api_key: token,
      scopes: [...scopes],
      products,
      environment,
      created_at: created,
    }
    const made = tx.put('api_keys', row)
    assume('create_key_shape')
    return {
      id: id + keySuffix,
      key: made.api_key + keySuffix,
      secret: made.secret,
      scopes: [...scopes],
      created_at: created,
    }
  },
})

export const deleteApiKey = endpoint({
  listed: false,
  id: 'deleteApiKey',
  method: 'DELETE',
  path: '/v2/keys',
  summary: 'Delete the API key of the call',
  params: {},
  result: deletedApiKey,
  handler({ key, tx, now, keySuffix }) {
    tx.delete('api_keys', key.id)
    const { api_key: token, created_at } = key
    return { key: token + keySuffix, created_at, deleted_at: new Date(now).toISOString() }
  },
})
