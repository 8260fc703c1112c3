// Lists with a maximum of 1,000 items: validating an item takes longer than reading it.
import { z } from 'zod'

/** A list whose items are validated only if there are not too many. */
export function shortList<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(1_000, 'must have at most 1000 items')
}
