// The preset `standard`: Standard Webhooks with symmetric keys, and the whole resource in the body.
import type { WebhookDescription } from '../description-type.ts'

export const standard = {
  names: 'resource.action',
  body: {
    id: '{event.id}',
    type: '{event.type}',
    timestamp: '{event.time}',
    data: '{resource}',
  },
  headers: {
    'webhook-id': '{event.id}',
    'webhook-timestamp': '{attempt.time:unix}',
    'webhook-signature': 'v1,{signature:base64}',
  },
  signing: {
    algorithm: 'hmac-sha256',
    key: 'whsec',
    signed: '{event.id}.{attempt.time:unix}.{body}',
    join: ' ',
  },
  retries: ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'],
  success: '2xx',
  disable_on: [410],
  timeout: '15s',
} as const satisfies WebhookDescription
