// Writes a result as the text of an answer: by the scopes of the call, and with empty optional fields as assumed.
import type { z } from 'zod'
import type { ServedCall } from './served-call.ts'
import { serialize, type Writing } from '../endpoints/serialize.ts'

/** @param keep whether to keep the text: what was just written may never be read, and keeping costs more than making. */
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
