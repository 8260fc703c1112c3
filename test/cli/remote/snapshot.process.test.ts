import { describe, expect, it } from 'vitest'
import { startSandbox, testNow } from '../../helpers/sandbox.ts'
import { cli, type Ran } from '../../helpers/fake-io.ts'

type Started = Awaited<ReturnType<typeof startSandbox>>

async function listening(
  options?: Parameters<typeof startSandbox>[0],
): Promise<{ sandbox: Started; ask: (...argv: string[]) => Promise<Ran> }> {
  const sandbox = await startSandbox(options)
  const { url } = await sandbox.listen()
  return { sandbox, ask: (...argv) => cli(argv, { env: { SANDBOX_URL: url } }) }
}

const said = (stderr: string): Ran => ({ code: 0, stdout: '', stderr })
const settle = (sandbox: Pick<Started, 'state'>): object =>
  sandbox.state.patch('rewards', 'rwd_ada_pending', { status: 'DEDUCTED' })
const statusOf = (sandbox: Pick<Started, 'state'>): unknown => sandbox.state.get('rewards', 'rwd_ada_pending')

describe('reset', () => {
  it('takes the rows back, of one workspace', async () => {
    const { sandbox, ask } = await listening()
    const w1 = sandbox.workspace('w1')
    settle(sandbox)
    settle(w1)
    expect(await ask('reset')).toEqual(
      said(`Reset workspace 'default': 105 rows, clock ${testNow} (frozen)\n`),
    )
    expect(statusOf(sandbox)).toMatchObject({ status: 'PENDING' })
    expect(statusOf(w1)).toMatchObject({ status: 'DEDUCTED' })
    expect(await ask('reset', '--workspace', 'w1')).toEqual(
      said(`Reset workspace 'w1': 105 rows, clock ${testNow} (frozen)\n`),
    )
    expect(statusOf(w1)).toMatchObject({ status: 'PENDING' })
  })

  it('--ids continue -> later calls create no id of an earlier one', async () => {
    const assume = { create_key_shape: 'id_key_secret_scopes_created_at' } as const
    const { sandbox, ask } = await listening({ assume })
    const created = async (): Promise<unknown> =>
      (await sandbox.call('POST', '/v2/keys', { json: {} })).json.id
    const ids = [await created(), await created()]
    expect(await ask('reset', '--ids', 'continue')).toEqual(
      said(`Reset workspace 'default': 105 rows, clock ${testNow} (frozen)\n`),
    )
    ids.push(await created())
    expect(new Set(ids).size).toBe(3)
    await ask('reset')
    expect(await created()).toBe(ids[0])
    expect(await ask('reset', '--ids', 'again')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --ids: must be one of continue\n',
    })
  })
})

describe('snapshot', () => {
  it('save, list, restore, delete -> a line each, and it is done', async () => {
    const { sandbox, ask } = await listening()
    expect(await ask('snapshot', 'list')).toEqual({ code: 0, stdout: 'none\n', stderr: '' })
    expect(await ask('snapshot', 'save', 'before')).toEqual(
      said("Saved snapshot 'before' of workspace 'default': 105 rows\n"),
    )
    sandbox.state.put('customers', 'cus_new', {})
    settle(sandbox)
    await ask('snapshot', 'save', 'z')
    expect(await ask('snapshot', 'list')).toEqual({
      code: 0,
      stdout: `before  ${testNow}  105\nz       ${testNow}  106\n`,
      stderr: '',
    })
    const { stdout } = await ask('snapshot', 'list', '--format', 'json')
    expect(JSON.parse(stdout)).toEqual({
      snapshots: [
        { name: 'before', created_at: testNow, rows: 105 },
        { name: 'z', created_at: testNow, rows: 106 },
      ],
    })
    expect(await ask('snapshot', 'restore', 'before')).toEqual(
      said(`Restored workspace 'default' to snapshot 'before': 105 rows, clock ${testNow} (frozen)\n`),
    )
    expect(statusOf(sandbox)).toMatchObject({ status: 'PENDING' })
    expect(await ask('snapshot', 'delete', 'z')).toEqual(
      said("Deleted snapshot 'z' of workspace 'default'\n"),
    )
    expect(sandbox.snapshots.list().map(({ name }) => name)).toEqual(['before'])
  })

  it('save again -> replaces the earlier one', async () => {
    const { sandbox, ask } = await listening()
    await ask('snapshot', 'save', 'a')
    sandbox.state.put('customers', 'cus_new', {})
    await ask('snapshot', 'save', 'a')
    expect(sandbox.snapshots.list()).toMatchObject([{ name: 'a', rows: 106 }])
  })

  it('--workspace -> the snapshots of that workspace', async () => {
    const { sandbox, ask } = await listening()
    await ask('snapshot', 'save', 'a', '--workspace', 'w1')
    expect([sandbox.snapshots.list().length, sandbox.workspace('w1').snapshots.list().length]).toEqual([0, 1])
  })

  it.each([
    [['restore', 'befor'], 8, "error: no snapshot is called 'befor', did you mean 'before'?\n"],
    [['delete', 'befor'], 8, "error: no snapshot is called 'befor', did you mean 'before'?\n"],
    [['diff', 'befor'], 8, "error: no snapshot is called 'befor', did you mean 'before'?\n"],
    [['diff', 'before', '--with', 'x'], 8, "error: no snapshot is called 'x': there is 'before'\n"],
    [['save', 'a/b'], 2, "error: snapshot 'a/b': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -\n"],
    [
      ['diff', 'before', '--with', ''],
      2,
      "error: snapshot '': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -\n",
    ],
    [['save'], 2, "error: missing required argument 'name'\n"],
    [['sav', 'a'], 2, "error: unknown verb 'snapshot sav', did you mean 'snapshot save'?\n"],
    [
      ['frobnicate'],
      2,
      "error: unknown verb 'snapshot frobnicate', expected one of: list, dump, save, restore, diff, delete\n",
    ],
    [
      ['list', '--format', 'xml'],
      2,
      "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are text, json.\n",
    ],
  ])('%j -> exit %i', async (argv, code, stderr) => {
    const { sandbox, ask } = await listening()
    sandbox.snapshot('before')
    expect(await ask('snapshot', ...argv)).toEqual({ code, stdout: '', stderr })
    expect(sandbox.snapshots.list()).toMatchObject([{ name: 'before', rows: 105 }])
  })

  it('alone -> exit 2 and what there is', async () => {
    const { code, stdout, stderr } = await cli(['snapshot'])
    expect([code, stdout]).toEqual([2, ''])
    for (const verb of ['save', 'restore', 'list', 'delete', 'diff']) {
      expect(stderr).toMatch(new RegExp(`^  ${verb} `, 'm'))
    }
  })
})

describe('snapshot diff', () => {
  it('nothing changed -> says so', async () => {
    const { sandbox, ask } = await listening()
    sandbox.snapshot('a')
    expect(await ask('snapshot', 'diff', 'a')).toEqual(said('No differences.\n'))
    expect((await ask('snapshot', 'diff', 'a', '--format', 'json')).stdout).toBe('{}\n')
  })

  it('rows added, changed and removed -> a line each, and one for each field', async () => {
    const { sandbox, ask } = await listening()
    sandbox.snapshot('a')
    settle(sandbox)
    const note = 'line\nand \u0085 end'
    sandbox.state.put('order_events', 'oe_new', {
      customer_id: 'cus_ada',
      metadata: { card: '4242 4242 4242 4242', note },
    })
    sandbox.state.patch('customers', 'cus_ben', { partner_customer_id: 'p1' })
    sandbox.state.put('accounts', 'acct_new', { customer_id: 'cus_ben', currency: 'USD' })
    sandbox.snapshot('b')
    sandbox.state.delete('accounts', 'acct_new')
    const expected = [
      'customers: 1 changed',
      '  ~ cus_ben',
      '      partner_customer_id: (none) -> "p1"',
      'accounts: 1 added',
      '  + acct_new {"customer_id":"cus_ben","currency":"USD"}',
      'rewards: 1 changed',
      '  ~ rwd_ada_pending',
      '      status: "PENDING" -> "DEDUCTED"',
      'order_events: 1 added',
      '  + oe_new {"customer_id":"cus_ada","order_id":"order_oe_new","type":"CAPTURED","amount":12554,"network_transaction_id":"000000767638663","metadata":{"card":"**** **** **** 4242","note":"line\\nand ? end"}}',
    ]
    expect((await ask('snapshot', 'diff', 'a', '--with', 'b')).stdout.trimEnd().split('\n')).toEqual(expected)
    expect((await ask('snapshot', 'diff', 'b')).stdout.trimEnd().split('\n')).toEqual([
      'accounts: 1 removed',
      '  - acct_new {"customer_id":"cus_ben","currency":"USD"}',
    ])
    const { stdout } = await ask('snapshot', 'diff', 'a', '--with', 'b', '--format', 'json')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(sandbox.snapshots.diff('a', 'b'))))
  })

  it('keys and secrets -> hidden, and rows named by the field that identifies them', async () => {
    const { sandbox, ask } = await listening()
    sandbox.snapshot('a')
    sandbox.state.put('api_keys', 'key_new', {
      api_key: 'my-own-key',
      secret: 'my-own-secret',
      products: ['mk_summit'],
    })
    sandbox.state.patch('api_keys', 'key_full', { secret: 'another-one' })
    sandbox.state.patch('products', 'mk_summit', { name: 'my-own-key' })
    const { stdout } = await ask('snapshot', 'diff', 'a')
    expect(stdout).toContain('  ~ key_full\n      secret: "***" -> "***"\n')
    expect(stdout).toMatch(/^ {2}\+ key_new \{.*"api_key":"\*\*\*"/m)
    expect(stdout).toMatch(/^ {2}~ mk_summit\n {6}name: ".*" -> "\*\*\*"$/m)
    expect(stdout).not.toMatch(/my-own|secret_full|another-one/)
  })
})
