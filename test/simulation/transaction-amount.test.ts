import { expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

type Step = readonly [status: 'APPROVED' | 'UPDATED' | 'VOIDED' | 'CAPTURED' | 'REFUNDED', amount?: number]

const lives: readonly (readonly [
  situation: string,
  steps: readonly Step[],
  last: number[],
  total: number[],
])[] = [
  [
    'captured in two parts, one of them refunded',
    [
      ['APPROVED', 5000],
      ['CAPTURED', 2000],
      ['CAPTURED', 3000],
      ['REFUNDED', 1000],
    ],
    [5000, 2000, 3000, 1000],
    [5000, 2000, 5000, 4000],
  ],
  [
    'updated, then voided',
    [['APPROVED', 5000], ['UPDATED', 4000], ['VOIDED']],
    [5000, 4000, 4000],
    [5000, 4000, 0],
  ],
  ['refunded without a capture', [['REFUNDED', 500]], [500], [-500]],
]

it.each(lives)('a transaction that is %s: its amount after each step', async (_, steps, last, total) => {
  for (const [transaction_amount, expected] of [
    ['last_step', last],
    ['total', total],
  ] as const) {
    const sandbox = await startSandbox({ assume: { transaction_amount, unlisted_operations: 'documented' } })
    let transaction_id: string | undefined
    const shown: number[] = []
    for (const [status, amount] of steps) {
      const first = {
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        currency: 'USD',
        merchant_name: 'Shop',
      }
      const capture = sandbox.state.list('transaction_events').find((one) => one.amount === 3000)
      const made = sandbox.simulate.transaction(
        transaction_id === undefined
          ? { ...first, status, amount: amount ?? 0 }
          : {
              transaction_id,
              status,
              ...(amount === undefined ? {} : { amount }),
              ...(status === 'REFUNDED' && capture ? { event_id: capture.id } : {}),
            },
      )
      transaction_id = made.transaction.id
      shown.push((await sandbox.call('GET', `/v2/transactions/${transaction_id}`)).json.amount)
    }
    expect([transaction_amount, shown]).toEqual([transaction_amount, expected])
  }
})
