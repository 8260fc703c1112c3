// Serializes a result as the text of an answer: fields by the scopes of the call.
import type { z } from 'zod'
import type { ServedCall } from './served-call.ts'
import { serialize } from '../endpoints/serialize.ts'

/** @param keep whether to cache the text. Just-written rows may never be read, and caching costs more than writing. */
export function writeResult(
  { resolution }: ServedCall,
  schema: z.ZodType,
  result: unknown,
  keep: boolean,
): string {
  return serialize(schema, result, { scopes: resolution.scopes, keep })
}
