import { describe, expect, it } from 'vitest'
import { asking, printed, refused } from '../../helpers/asking.ts'

const words = ['simulate', 'transaction']
const reported = ['--customer-id', 'cus_ada', '--amount', '1250', '--currency', 'USD']

describe('simulate transaction', () => {
  it('that an intent announced -> what it became', async () => {
    const { sandbox, ask } = await asking()
    const { code, stdout } = await ask([...words, '--intent-id', 'int_ada_1'])
    const [made] = sandbox.state.list('transactions').filter(({ intent_id: id }) => id === 'int_ada_1')
    expect([code, stdout]).toEqual([
      0,
      `transaction ${String(made?.['id'])}: 8400 USD at Corner Bistro\nintent int_ada_1\nreward ${String(made?.['reward_id'])} 252 POINTS PENDING\n`,
    ])
    expect(await ask([...words, '--intent-id', 'int_ada_1'])).toEqual(
      refused(
        2,
        `error: intent 'int_ada_1' was matched to transaction '${String(made?.['id'])}'; an intent matches once\n`,
      ),
    )
  })

  it('in so many words, with every field -> the body with --format json', async () => {
    const { ask } = await asking()
    const all = [
      ...reported,
      ...'--payment-method-id pm_ada_card --network-transaction-id net_9'.split(' '),
      ...'--merchant-name Nowhere --merchant-code 5812 --posted-at 2026-11-20T00:00:00Z'.split(' '),
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
        posted_at: '2026-11-20T00:00:00Z',
      },
      intent: null,
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

  it.each<[string[], number, string]>([
    [['--intent-id', 'nope'], 8, "error: no transaction intent has the id 'nope'\n"],
    [reported, 2, 'error: --merchant-name: is required\n'],
    [
      [],
      2,
      'error: no transaction: set --intent-id, or --customer-id with --amount, --currency and --merchant-name\n',
    ],
    [
      ['--intent-id', 'int_ada_1', '--currency', 'USD'],
      2,
      'error: --currency: must be omitted with --intent-id: the intent has it\n',
    ],
    [['--amount', 'ten'], 2, "error: --amount: 'ten' must be a number\n"],
  ])('%j -> exit %i', async (options, code, stderr) => {
    const { ask } = await asking()
    expect(await ask([...words, ...options])).toEqual(refused(code, stderr))
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
