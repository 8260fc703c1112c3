// The lines of steps that the view Simulate shows, and the rows that it offers.
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/index.ts'
import { choicesOf, maxRead, type Choices } from '../../../src/inspector/page/simulation-choices.ts'
import { maxLines, transactionLines } from '../../../src/inspector/page/transaction-lines.ts'

const rewards = (sandbox: Sandbox) => sandbox.state.list('rewards')

const linesOf = (sandbox: Sandbox) =>
  transactionLines(
    sandbox.state.list('transactions'),
    sandbox.state.list('transaction_events'),
    rewards(sandbox),
  )

/** The only line, in words: its steps, and those that can follow. */
function lineOf(sandbox: Sandbox): { steps: string[]; next: string[] } | undefined {
  const [line] = linesOf(sandbox)
  return (
    line && {
      steps: line.steps.map(({ event, name, earned, reward }) =>
        [name, event.amount, earned, reward?.status].filter(Boolean).join(', '),
      ),
      next: line.next.map(({ name, amount }) => [name, amount].filter(Boolean).join(' ')),
    }
  )
}

const purchase = { customer_id: 'cus_ada', amount: 5000, currency: 'USD', merchant_name: 'Corner Bistro' }

type Step = [status: 'UPDATED' | 'VOIDED' | 'CAPTURED' | 'REFUNDED', amount?: number, capture?: number]

describe('the line of a transaction', () => {
  it.each<[Step[], string[], string[]]>([
    [[], ['APPROVED, 5000'], ['Update 5000', 'Void', 'Capture 5000']],
    [[['UPDATED', 4000]], ['APPROVED, 5000', 'UPDATED, 4000'], ['Update 4000', 'Void', 'Capture 4000']],
    [[['VOIDED']], ['APPROVED, 5000', 'VOIDED, 5000'], []],
    [
      [['CAPTURED', 2000]],
      ['APPROVED, 5000', 'CAPTURED, 2000, earned 60 POINTS, PENDING'],
      ['Capture 3000', 'Refund 2000'],
    ],
    [
      [
        ['CAPTURED', 2000],
        ['CAPTURED', 3000],
        ['REFUNDED', 1000, 2],
      ],
      [
        'APPROVED, 5000',
        'CAPTURED capture 1, 2000, earned 60 POINTS, PENDING',
        'CAPTURED capture 2, 3000, earned 90 POINTS, PENDING',
        'REFUNDED capture 2, 1000, took back 30 POINTS, PENDING_DEDUCTION',
      ],
      ['Refund capture 1 2000', 'Refund capture 2 2000'],
    ],
    [
      [
        ['CAPTURED', 2000],
        ['REFUNDED', 2000, 1],
        ['CAPTURED', 1000],
      ],
      [
        'APPROVED, 5000',
        'CAPTURED capture 1, 2000, earned 60 POINTS, PENDING',
        'REFUNDED capture 1, 2000, took back 60 POINTS, PENDING_DEDUCTION',
        'CAPTURED capture 2, 1000, earned 30 POINTS, PENDING',
      ],
      ['Capture 2000', 'Refund capture 2 1000'],
    ],
    [
      [['CAPTURED'], ['REFUNDED']],
      [
        'APPROVED, 5000',
        'CAPTURED, 5000, earned 150 POINTS, PENDING',
        'REFUNDED, 5000, took back 150 POINTS, PENDING_DEDUCTION',
      ],
      [],
    ],
  ])('%j', async (played, steps, next) => {
    await using sandbox = await createSandbox()
    const { id } = sandbox.simulate.transaction({ ...purchase, status: 'APPROVED' }).transaction
    const captures: string[] = []
    for (const [status, amount, capture] of played) {
      const event_id = capture === undefined ? undefined : captures[capture - 1]
      const { event } = sandbox.simulate.transaction({
        transaction_id: id,
        status,
        ...(amount === undefined ? {} : { amount }),
        ...(event_id === undefined ? {} : { event_id }),
      })
      if (event?.status === 'CAPTURED') captures.push(event.id)
    }
    expect(lineOf(sandbox)).toEqual({ steps, next })
  })

  it('offers a refund of each capture that is not refunded, by its id', async () => {
    await using sandbox = await createSandbox()
    const { id } = sandbox.simulate.transaction({ ...purchase, status: 'APPROVED' }).transaction
    const first = sandbox.simulate.transaction({ transaction_id: id, amount: 2000 }).event?.id
    const second = sandbox.simulate.transaction({ transaction_id: id }).event?.id
    expect(linesOf(sandbox).flatMap(({ next }) => next)).toEqual(
      [first, second].map((event_id, index) => ({
        name: `Refund capture ${index + 1}`,
        amount: index === 0 ? '2000' : '3000',
        body: { transaction_id: id, status: 'REFUNDED', event_id },
      })),
    )
  })

  it('names the sum of a cycle until that is a reward', async () => {
    await using sandbox = await createSandbox()
    const { rewards: program } = sandbox.state.get('products', 'mk_summit') ?? {}
    sandbox.state.patch('products', 'mk_summit', {
      rewards: { ...program, accrual: 'statement_aggregated' },
    })
    sandbox.simulate.transaction(purchase)
    expect(lineOf(sandbox)?.steps).toEqual(['CAPTURED, 5000, earned 150, in the sum of the cycle'])
    sandbox.simulate.reward({ customer_id: 'cus_ada', reward_type: 'STATEMENT' })
    expect(lineOf(sandbox)?.steps).toEqual(['CAPTURED, 5000, earned 150 POINTS, AVAILABLE'])
  })

  it('is that of one of the newest purchases; payments have none', async () => {
    await using sandbox = await createSandbox()
    const bought: string[] = []
    for (let count = 0; count <= maxLines; count++) {
      bought.unshift(sandbox.simulate.transaction(purchase).transaction.id)
      sandbox.clock.advance({ seconds: 1 })
    }
    sandbox.simulate.transaction({ ...purchase, amount: -1 })
    expect(linesOf(sandbox).map(({ transaction }) => transaction.id)).toEqual(bought.slice(0, maxLines))
  })
})

describe('choices', () => {
  it('name the rows that can be chosen', async () => {
    await using sandbox = await createSandbox()
    const { state } = sandbox
    const texts = (choices: Choices) => choices?.map(([, text]) => text)
    expect(texts(choicesOf.customers(state.list('customers')))).toContain('Ada Lindqvist (cus_ada)')
    expect(texts(choicesOf.methods(state.list('payment_methods'), 'cus_ada'))).toEqual([
      'BANK_ACCOUNT 6789 (pm_ada_bank)',
      'CARD 4242 (pm_ada_card)',
      'LOAN (pm_ada_loan)',
      'CARD 1111 (pm_ada_old)',
      'CARD 4444 (pm_ada_secured)',
      'CARD 0005 (pm_ada_virtual)',
    ])
    expect(texts(choicesOf.accounts(state.list('accounts')))).toContain('cus_ada (acct_ada)')
    const intents = (...matched: string[]) =>
      texts(choicesOf.intents(state.list('transaction_intents'), new Set(matched)))
    expect(intents()).toEqual(['84.00 USD of cus_ada (int_ada_1)', '42.00 USD of cus_hana (int_hana_1)'])
    expect(intents('int_ada_1')).toEqual(['42.00 USD of cus_hana (int_hana_1)'])
  })

  it.each([
    [200, 200],
    [201, undefined],
  ])('of %s rows are %s', (count, offered) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      id: `acct_${index}`,
      customer_id: 'cus_ada',
      currency: 'USD',
    }))
    expect(choicesOf.accounts(rows)?.length).toBe(offered)
  })

  it('are unknown where a collection has more rows than are read', async () => {
    await using sandbox = await createSandbox()
    const [intent] = sandbox.state.list('transaction_intents')
    const many = Array.from({ length: maxRead }, () => intent).filter((row) => row !== undefined)
    expect(choicesOf.intents(many, new Set(['int_ada_1']))).toBeUndefined()
    expect(choicesOf.intents(many.slice(1), new Set(['int_ada_1']))).toEqual([])
  })
})
