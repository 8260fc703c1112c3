// Adds amounts without rounding, also beyond the integers that a JavaScript number holds exactly.
import { ExactNumber } from '../json/exact-number.ts'

/**
 * The sum of integers that JavaScript holds exactly; kept as its text where the sum itself is none of them.
 *
 * @example exactSum([9007199254740991, 2])   // the number that JSON writes as 9007199254740993
 */
export function exactSum(amounts: Iterable<number>): number | ExactNumber {
  let sum = 0
  let beyond: bigint | undefined
  for (const amount of amounts) {
    if (beyond === undefined && Number.isSafeInteger(sum + amount)) sum += amount
    else beyond = (beyond ?? BigInt(sum)) + BigInt(amount)
  }
  if (beyond === undefined) return sum
  return Number.isSafeInteger(Number(beyond)) ? Number(beyond) : new ExactNumber(String(beyond))
}
