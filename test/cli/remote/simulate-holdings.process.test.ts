import { describe, expect, it } from 'vitest'
import { asking, printed, refused } from '../../helpers/asking.ts'

describe('simulate payment-method', () => {
  const words = ['simulate', 'payment-method']

  it.each([
    [['--id', 'pm_ada_card', '--status', 'INACTIVE'], 'CARD, INACTIVE, VISA ending in 4242'],
    [['--id', 'pm_ada_secured', '--reissue'], 'CARD, ACTIVE, MASTERCARD ending in 5100'],
    [['--customer-id', 'cus_ada', '--type', 'CARD'], 'CARD, ACTIVE, VISA ending in 1881'],
    [['--id', 'pm_ada_loan', '--status', 'CANCELED'], 'LOAN, CANCELED'],
  ])('%j -> one line', async (options, shown) => {
    const { sandbox, ask } = await asking()
    const { code, stdout } = await ask([...words, ...options])
    const [, id = ''] = /^payment method (\w+): /.exec(stdout) ?? []
    expect([code, stdout]).toEqual([0, `payment method ${id}: ${shown}\n`])
    expect(sandbox.state.get('payment_methods', id)?.status).toBe(/[A-Z]{5,}/.exec(shown.slice(5))?.[0])
  })

  it('--format json -> the stored row', async () => {
    const { sandbox, ask } = await asking()
    const { stdout } = await ask([...words, '--id', 'pm_ada_card', '--reissue', '--format', 'json'])
    expect(JSON.parse(stdout)).toEqual({
      payment_method: sandbox.state.get('payment_methods', 'pm_ada_card'),
    })
  })

  it.each<[string[], number, string]>([
    [[], 2, 'error: no change: set --id with --status or --reissue, or --customer-id with --type\n'],
    [
      ['--id', 'pm_ada_card', '--status', 'OPEN'],
      2,
      'error: --status: must be one of ACTIVE, INACTIVE, CANCELED\n',
    ],
    [
      ['--id', 'pm_ada_card', '--status', 'INACTIVE', '--reissue'],
      2,
      'payment method: id, status, and reissue do not go together: send id with status, id with reissue, or customer_id with type\n',
    ],
    [['--id', 'nope', '--reissue'], 8, "error: no payment method has the id 'nope'\n"],
    [
      ['--id', 'pm_ada_card', '--status', 'ACTIVE'],
      2,
      "error: payment method 'pm_ada_card' is ACTIVE already\n",
    ],
  ])('%j -> exit %i', async (options, code, stderr) => {
    const { ask } = await asking()
    expect(await ask([...words, ...options])).toEqual(refused(code, stderr))
  })
})

describe('simulate account', () => {
  const words = ['simulate', 'account', 'acct_ada']

  it('-> one line, and exit 2 the second time', async () => {
    const { ask } = await asking()
    const closing = [...words, '--status', 'CLOSED']
    expect(await ask(closing)).toEqual(printed('account acct_ada: CLOSED\n'))
    expect(await ask(closing)).toEqual(refused(2, "error: account 'acct_ada' is CLOSED already\n"))
  })

  it.each<[string[], string]>([
    [[], 'error: --status: is required\n'],
    [['--status', 'OPEN'], 'error: --status: must be one of CLOSED\n'],
  ])('%j -> exit 2', async (options, stderr) => {
    const { ask } = await asking()
    expect(await ask([...words, ...options])).toEqual(refused(2, stderr))
  })
})
