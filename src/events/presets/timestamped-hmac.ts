// The preset `timestamped_hmac`: one header with the time of the attempt and the signature as hex.
import { standard } from './standard.ts'

export const timestampedHmac = {
  ...standard,
  headers: { 'webhook-signature': 't={attempt.time:unix},v1={signature:hex}' },
  signing: { algorithm: 'hmac-sha256', key: 'text', signed: '{attempt.time:unix}.{body}', join: ',' },
} as const
