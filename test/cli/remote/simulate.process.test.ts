import { describe, expect, it } from 'vitest'
import { asking, printed, refused } from '../../helpers/asking.ts'

const words = ['simulate', 'transaction']
const reported = ['--customer-id', 'cus_ada', '--amount', '1250', '--currency', 'USD']

describe('simulate transaction', () => {
  it('that an intent announced -> what it became', async () => {
    const { sandbox, ask } = await asking()
    const { code, stdout } = await ask([...words, '--intent-id', 'int_ada_1'])
    const [made] = sandbox.state.list('transaction_events')
    expect([code, stdout]).toEqual([
      0,
      [
        `transaction ${made?.transaction_id}: 8400 USD at Corner Bistro\n`,
        `event ${made?.id} CAPTURED\n`,
        'intent int_ada_1\n',
        `reward ${made?.reward_id} 252 POINTS PENDING\n`,
      ].join(''),
    ])
    expect(await ask([...words, '--intent-id', 'int_ada_1'])).toEqual(
      refused(
        2,
        `error: intent 'int_ada_1' was matched to transaction '${made?.transaction_id}'; an intent matches once\n`,
      ),
    )
  })

  it('in so many words, with every field -> the body with --format json', async () => {
    const { ask } = await asking()
    const all = [
      ...reported,
      ...'--payment-method-id pm_ada_card --network-transaction-id net_9'.split(' '),
      ...'--merchant-name Nowhere --merchant-code 5812 --posted-at 2026-11-20T00:00:00Z'.split(' '),
      ...'--status APPROVED --purchase-method CHIP --authorization-code A1'.split(' '),
    ]
    const { stdout } = await ask([...words, ...all, '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({
      transaction: {
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        amount: 1250,
        currency: 'USD',
        merchant_name: 'Nowhere',
        merchant_code: '5812',
        network_transaction_id: 'net_9',
        status: 'APPROVED',
        purchase_method: 'CHIP',
        authorization_code: 'A1',
        created_at: '2026-11-20T00:00:00Z',
      },
      event: { n: 1, status: 'APPROVED', amount: 1250, posted_at: '2026-11-20T00:00:00Z' },
      intent: null,
      reward: null,
    })
  })

  it('credited back -> no intent and no reward, which is said', async () => {
    const { ask } = await asking()
    const { stdout } = await ask([
      ...words,
      ...'--customer-id cus_ada --amount -5 --currency USD --merchant-name X'.split(' '),
    ])
    expect(stdout).toMatch(
      /^transaction txn_\w+: -5 USD at X\nintent none: it matched no intent\nreward none: it earned nothing\n$/,
    )
  })

  it('the life of a purchase, a command for each step', async () => {
    const { sandbox, ask } = await asking()
    const { transaction } = sandbox.simulate.transaction({ intent_id: 'int_ada_1', status: 'APPROVED' })
    const play = (options: string) =>
      ask([...words, '--transaction-id', transaction.id, ...options.split(' ').filter(Boolean)])
    const played = await play('--status UPDATED --amount 8000')
    await play('--amount 5000')
    await play('')
    const { id } = sandbox.state.list('transaction_events').find(({ amount }) => amount === 3000) ?? {}
    const refund = await play(`--status REFUNDED --event-id ${id}`)
    const steps = sandbox.state.list('transaction_events')
    const [, updated, , , refunded] = steps.toSorted((a, b) => (a.n ?? 0) - (b.n ?? 0))
    expect([played, refund]).toEqual([
      printed(
        `transaction ${transaction.id}: 8000 USD at Corner Bistro\nevent ${updated?.id} UPDATED\nintent int_ada_1\n`,
      ),
      printed(
        `transaction ${transaction.id}: 3000 USD at Corner Bistro\nevent ${refunded?.id} REFUNDED\nintent int_ada_1\nreward ${refunded?.reward_id} 90 POINTS PENDING_DEDUCTION\n`,
      ),
    ])
    expect(await play('--status VOIDED')).toEqual(
      refused(
        2,
        `error: transaction '${transaction.id}' is REFUNDED: only REFUNDED can follow, not VOIDED\n`,
      ),
    )
    expect(await play('--status APPROVED --currency USD')).toEqual(
      refused(2, 'error: --currency: must be omitted with --transaction-id: the transaction has it\n'),
    )
  })

  it.each<[string[], number, string]>([
    [['--intent-id', 'nope'], 8, "error: no transaction intent has the id 'nope'\n"],
    [reported, 2, 'error: --merchant-name: is required\n'],
    [
      [],
      2,
      'error: no transaction: set --intent-id, or --customer-id with --amount, --currency and --merchant-name; or --transaction-id with --status for its next step\n',
    ],
    [
      ['--intent-id', 'int_ada_1', '--currency', 'USD'],
      2,
      'error: --currency: must be omitted with --intent-id: the intent has it\n',
    ],
    [['--transaction-id', 'nope'], 8, "error: no transaction has the id 'nope'\n"],
    [
      ['--intent-id', 'int_ada_1', '--status', 'POSTED'],
      2,
      'error: --status: must be one of APPROVED, UPDATED, VOIDED, CAPTURED, REFUNDED\n',
    ],
    [
      ['--intent-id', 'int_ada_1', '--event-id', 'txe_1'],
      2,
      'error: --event-id: must be omitted without --transaction-id\n',
    ],
    [['--amount', 'ten'], 2, "error: --amount: 'ten' must be a number\n"],
  ])('%j -> exit %i', async (options, code, stderr) => {
    const { ask } = await asking()
    expect(await ask([...words, ...options])).toEqual(refused(code, stderr))
  })
})

describe('simulate reward', () => {
  const settle = ['simulate', 'reward', 'cus_hana', 'STATEMENT']

  it('-> the rewards that are settled, and none the second time', async () => {
    const { ask } = await asking()
    expect(await ask(settle)).toEqual(printed('reward rwd_hana_pending 126 USD AVAILABLE\n'))
    expect(await ask(settle)).toEqual(printed('no reward waits\n'))
    const { stdout } = await ask([...settle, '--format', 'json'])
    expect(JSON.parse(stdout)).toEqual({ rewards: [] })
  })

  it.each<[string[], number, string]>([
    [['nope', 'STATEMENT'], 8, "error: no customer has the id 'nope'\n"],
    [
      ['cus_hana', 'DELAYED'],
      2,
      "error: <reward-type>: must be STATEMENT, as the accrual of product 'mk_harbor' is statement\n",
    ],
    [['cus_hana', 'OFFER'], 2, 'error: <reward-type>: must be one of STATEMENT, DELAYED\n'],
    [['cus_hana'], 2, "error: missing required argument 'reward-type'\n"],
  ])('%j -> exit %i', async (options, code, stderr) => {
    const { ask } = await asking()
    expect(await ask(['simulate', 'reward', ...options])).toEqual(refused(code, stderr))
  })
})

describe('simulate statement', () => {
  it('-> the statement that closed', async () => {
    const { sandbox, ask } = await asking()
    const { code, stdout } = await ask(['simulate', 'statement', 'acct_ada'])
    const newest = sandbox.state
      .list('statements')
      .find(({ period_end_date: end }) => end === '2026-11-21T12:00:00.000Z')
    expect(newest).toBeDefined()
    const lines = Object.entries(newest ?? {}).map(([name, value]) => `${name}: ${String(value)}\n`)
    expect(code).toBe(0)
    expect(stdout.split(/(?<=\n)/).toSorted()).toEqual(lines.toSorted())
  })

  it('of no account -> exit 8; --format json -> the body', async () => {
    const { ask } = await asking()
    expect(await ask(['simulate', 'statement', 'nope'])).toEqual(
      refused(8, "error: no account has the id 'nope'\n"),
    )
    const { stdout } = await ask(['simulate', 'statement', 'acct_ada', '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ statement: { account_id: 'acct_ada' } })
    expect(printed(stdout).stdout.endsWith('}\n')).toBe(true)
  })
})
