// Adds amounts without rounding, also beyond the integers that a JavaScript number represents exactly.
import { ExactNumber } from '../json/exact-number.ts'

/**
 * Returns the sum of integers that JavaScript represents exactly. If it does not represent the sum exactly, the result
 * holds the text of the sum.
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
  return beyond === undefined ? sum : exactly(beyond)
}

/**
 * Returns the sum of products of integers that JavaScript represents exactly, as `exactSum` does.
 *
 * @example exactSumOfProducts([[2, 1200], [1, 6000]])   // 8400
 */
export function exactSumOfProducts(products: Iterable<readonly [number, number]>): number | ExactNumber {
  let sum = 0n
  for (const [a, b] of products) sum += BigInt(a) * BigInt(b)
  return exactly(sum)
}

function exactly(sum: bigint): number | ExactNumber {
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : new ExactNumber(String(sum))
}
