import { z } from 'zod'
import { effect } from '../effect.ts'
import { namedRewrites, type Rewrite } from '../plan.ts'

const pointer = z
  .string('must be a JSON Pointer')
  .regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer, such as /data/0/id')

const place = { path: pointer }
const content = { value: z.unknown().refine((value) => value !== undefined, 'must be given') }

/** Each operation with what RFC 6902 has it need, so that none is left to fail on every call. */
const patchOperation = z.discriminatedUnion(
  'op',
  [
    ...(['add', 'replace', 'test'] as const).map((op) =>
      z.strictObject({ op: z.literal(op), ...place, ...content }),
    ),
    z.strictObject({ op: z.literal('remove'), ...place }),
    ...(['move', 'copy'] as const).map((op) =>
      z.strictObject({ op: z.literal(op), ...place, from: pointer }),
    ),
  ] as unknown as [z.ZodObject<{ op: z.ZodLiteral<string> }>],
  { error: 'must be one of add, remove, replace, move, copy, test' },
)

export const rewrite = effect<Rewrite>({
  name: 'rewrite',
  help: 'Rewrites the body of the answer: unknown fields, optional fields as null, new enum values, or a JSON Patch.',
  schema: z.union([z.enum(namedRewrites), z.array(patchOperation)], {
    error: `must be one of ${namedRewrites.join(', ')} or a JSON Patch`,
  }) as unknown as z.ZodType<Rewrite>,
  apply(value, plan) {
    plan.rewrites.push(value)
  },
})
