// The preset `body_hmac`: one header with the signature of the body alone, as hex.
import { standard } from './standard.ts'

export const bodyHmac = {
  ...standard,
  headers: { 'x-signature': 'sha256={signature:hex}' },
  signing: { algorithm: 'hmac-sha256', key: 'text', signed: '{body}', join: 'none' },
} as const
