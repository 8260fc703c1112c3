import { z } from 'zod'
import { effect } from '../effect.ts'

export const unauthenticated = effect<true>({
  name: 'unauthenticated',
  help: 'Refuses the key, as one that is revoked.',
  schema: z.literal(true),
  bare: true,
  apply(_value, plan) {
    plan.end({ kind: 'unauthenticated' })
  },
})
