// The effect `unauthenticated`: a revoked or unusable API key (401).
import { z } from 'zod'
import { challenge, unusableKey } from '../../contract/credentials.ts'
import { effect } from '../effect.ts'

export const unauthenticated = effect({
  name: 'unauthenticated',
  help: 'Refuses the key like a revoked one.',
  schema: z.literal(true),
  bare: true,
  apply(_value, call) {
    const about = { message: unusableKey, headers: { 'www-authenticate': challenge } }
    call.end({ kind: 'refusal', type: 'UNAUTHORIZED_ERROR', about })
  },
})
