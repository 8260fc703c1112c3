// The minimum due of a statement, which the contract does not show how to compute (contract: Statement).

/** Returns the minimum due of a balance: 2 % of it, at least 25.00, at most the whole balance. */
export function minimumDue(balance: number): number {
  return Math.min(Math.max(0, balance), Math.max(2_500, Math.ceil(balance / 50)))
}
