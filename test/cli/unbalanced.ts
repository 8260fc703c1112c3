// A statement that does not add up, and the warning about it.
export const unbalanced = {
  customers: [{ id: 'cus_1' }],
  accounts: [{ id: 'acct_1', customer_id: 'cus_1' }],
  statements: [
    {
      statement_id: 'stm_1',
      customer_id: 'cus_1',
      account_id: 'acct_1',
      purchases: 9007199254740991,
      previous_balance: 2,
      payments: 0,
      statement_balance: 99,
    },
  ],
}

export const about =
  'statements[0].statement_balance: is not 9007199254740993, the sum of previous_balance, purchases, payments, credits, refunds, interest, fees'
