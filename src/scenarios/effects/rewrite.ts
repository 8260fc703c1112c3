// The effect `rewrite`: unknown fields, nulls and new enum values in an answer, or a JSON Patch of it.
import { z } from 'zod'
import { effect } from '../effect.ts'
import { patchOperation } from './json-patch.ts'
import { namedRewrites, rewriteBody } from './rewrite-body.ts'

export const rewrite = effect({
  name: 'rewrite',
  help: 'Rewrites the body of the answer: unknown fields, optional fields as null, new enum values, or a JSON Patch.',
  schema: z.union([z.enum(namedRewrites), z.array(patchOperation)], {
    error: `must be one of ${namedRewrites.join(', ')} or a JSON Patch`,
  }),
  needsLatest: (requested) => requested === 'new_enum_values',
  apply(requested, call) {
    call.rewritings.push({
      effect: 'rewrite',
      // An answer that is not the operation's own has no declared fields.
      rewrite: (body, made) =>
        typeof requested === 'string' && !made.schema
          ? { body, offContract: false }
          : rewriteBody(requested, body, made),
    })
  },
})
