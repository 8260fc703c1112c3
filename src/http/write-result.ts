// Serializes a result as the text of an answer: fields by the scopes of the call, empty optional fields as assumed.
import type { z } from 'zod'
import type { ServedCall } from './served-call.ts'
import { serialize, type Writing } from '../endpoints/serialize.ts'

/** @param keep whether to cache the text. Just-written rows may never be read, and caching costs more than writing. */
export function writeResult(
  { resolution, service, assume }: ServedCall,
  schema: z.ZodType,
  result: unknown,
  keep: boolean,
): string {
  const nulls = service.assumptions.empty_optional_fields === 'null'
  const writing: Writing = { scopes: resolution.scopes, keep, nulls, sawEmpty: false }
  const text = serialize(schema, result, writing)
  if (writing.sawEmpty) assume('empty_optional_fields')
  return text
}
