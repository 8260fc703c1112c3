// Values that several effects use: whole numbers of a range, and before or after the commit.
import { z } from 'zod'
import { moments } from '../consequences.ts'

/** A whole number in a range, which the message shows. */
export function whole(min: number, max: number): z.ZodType<number> {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}

/** Whether it happens before or after the commit of the call. */
export const moment = z.enum(moments, { error: 'must be before or after' })
