// The schema of an integer, as a number or as the text of a query.
import { z } from 'zod'

export const numeral = z.string().regex(/^\d{1,9}$/)

/** An integer, as a number or as the text of a query. */
export const integerBetween = (least: number, most: number) =>
  z
    .union([z.int(), numeral.transform(Number)], { error: 'must be an integer' })
    .refine((value) => value >= least && value <= most, { error: `must be from ${least} to ${most}` })
    .meta({ minimum: least, maximum: most })
