// The effect `invalid`: the validation error (shape A) with custom details.
import { z } from 'zod'
import { effect } from '../effect.ts'

export const invalid = effect({
  name: 'invalid',
  help: 'Ends the call with the validation shape and these details.',
  schema: z
    .array(z.string('must be a text').min(1, 'must not be empty'), 'must be a list of texts')
    .min(1, 'must not be empty'),
  apply(details, call) {
    call.end({ kind: 'error', type: 'VALIDATION_ERROR', details })
  },
})
