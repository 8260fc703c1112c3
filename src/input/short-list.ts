// Lists that somebody sends at once: nobody means more than a thousand, and each item takes longer than reading it.
import { z } from 'zod'

/** A list of items, which are looked at only when there are not too many. */
export function shortList<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(1_000, 'must have at most 1000 items')
}
