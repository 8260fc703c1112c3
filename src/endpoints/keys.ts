// API key endpoint: create an API key.
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { createdApiKey } from '../contract/resources/api-key.ts'
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
  restsOn: ['create_key_shape'],
  result: createdApiKey,
  handler({ key, tx, now, keySuffix }) {
    // Copy the creator's scopes, so that later changes of the creator do not affect this key.
    const { scopes, products, environment } = key
    const id = tx.nextId('api_keys', 'key')
    const secret = tx.nextToken('secret')
    const apiKey = tx.nextToken(`sk_${environment}`)
    const row = { id, secret, api_key: apiKey, scopes: [...scopes], products, environment }
    const made = tx.put('api_keys', row)
    return {
      id: id + keySuffix,
      key: made.api_key + keySuffix,
      secret: made.secret,
      scopes: [...scopes],
      created_at: new Date(now).toISOString(),
    }
  },
})
