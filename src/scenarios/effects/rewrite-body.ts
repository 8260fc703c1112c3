// Rewrites bodies by their schema: adds unknown fields, null for optional fields, or new enum values; or applies a JSON
// Patch.
import type { z } from 'zod'
import { docs, mayBeEmpty } from '../../contract/docs.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { shapeOf } from '../../contract/schema-shape.ts'
import { latestVersion } from '../../contract/versions.ts'
import type { MadeBy, Rewritten } from '../consequences.ts'
import { applyPatch, maxPatchedDepth, type PatchOperation } from './json-patch.ts'
import { withUnknownFields } from './unknown-fields.ts'

export const namedRewrites = ['unknown_fields', 'null_optionals', 'new_enum_values'] as const
export type Rewrite = (typeof namedRewrites)[number] | readonly PatchOperation[]

/** A value that no enum has; only a new version may bring one (contract: Versioning 7). */
const newEnumValue = 'SANDBOX_NEW_VALUE'

/** Maximum size of a body after a JSON Patch, in MiB. */
export const largestBody = 10

/** Rewrites the body of an answer. */
export function rewriteBody(rewrite: Rewrite, body: unknown, made: MadeBy): Rewritten {
  const { schema, version } = made
  if (rewrite === 'unknown_fields') return { body: withUnknownFields(body, schema), offContract: false }
  if (rewrite === 'new_enum_values') {
    if (version !== latestVersion)
      return { body, offContract: false, skipped: 'only latest may have new values' }
    return { body: mapFields(body, schema, newValue), offContract: false }
  }
  if (rewrite === 'null_optionals') return changedTo(mapFields(body, schema, asNull(made)), made)
  const patched = applyPatch(body, rewrite, largestBody * 2 ** 20)
  if (patched.refused === undefined) return changedTo(patched.value, made)
  return { body, offContract: false, ...notPatched[patched.refused] }
}

const notPatched = {
  misfit: { skipped: 'the JSON Patch does not fit the body' },
  'too large': {
    skipped: `the JSON Patch makes the body larger than ${largestBody} MiB; it is answered unchanged`,
    isTooLarge: true,
  },
  'too deep': {
    skipped: `the JSON Patch nests the body deeper than ${maxPatchedDepth} levels; it is answered unchanged`,
  },
}

function changedTo(body: unknown, made: MadeBy): Rewritten {
  return { body, offContract: !conforms(body, made) }
}

type FieldMap = (value: unknown, schema: z.ZodType) => unknown

const newValue: FieldMap = (value, schema) =>
  shapeOf(schema).values && value !== undefined ? newEnumValue : value

/**
 * Replaces absent optional fields by null. Fields stay absent if the key may not see them, or if their absence has a
 * meaning.
 */
const asNull =
  ({ scopes }: MadeBy): FieldMap =>
  (value, schema) => {
    const needed = docs.get(schema)?.['x-requires-scope']
    const isSeen = needed === undefined || scopes.includes(needed)
    return value === undefined && mayBeEmpty(schema) && isSeen ? null : value
  }

/** Applies a function to every declared field, from the outside in; free-form parts stay unchanged. */
function mapFields(value: unknown, schema: z.ZodType | undefined, map: FieldMap): unknown {
  const { fields, item: ofItems } = schema ? shapeOf(schema) : {}
  if (ofItems && Array.isArray(value)) {
    return value.map((item: unknown) => mapFields(item, ofItems, map))
  }
  if (!fields || !isJsonObject(value)) return value
  const result: Record<string, unknown> = { ...value }
  for (const { name, schema: field } of fields.values()) {
    const mapped = map(value[name], field)
    const next = mapped === value[name] ? mapFields(mapped, field, map) : mapped
    if (next === undefined) delete result[name]
    else result[name] = next
  }
  return result
}

/** Whether the declared schema allows a body; fields that it does not know are allowed everywhere. */
function conforms(value: unknown, { schema }: MadeBy): boolean {
  const issues = schema?.safeParse(value).error?.issues ?? []
  return issues.every(({ code }) => code === 'unrecognized_keys')
}
