import { describe, expect, it } from 'vitest'
import { startSandbox, testNow } from '../../helpers/sandbox.ts'
import { answering } from '../../helpers/answering.ts'
import { cli, folderWith, type Ran } from '../../helpers/fake-io.ts'

const mine = `name: mine
description: Nothing works.
rules:
  - on: '*'
    effect: unauthenticated
`
const oneCustomer = 'customers: [{ id: cus_1 }]\n'

type Started = Awaited<ReturnType<typeof startSandbox>>
type Files = Parameters<typeof folderWith>[0]

async function applying(
  files: Files,
  argv: string[],
  active: string[] = [],
): Promise<{ sandbox: Started; ran: Ran; cwd: string }> {
  const sandbox = await startSandbox({ scenarios: active })
  const { url } = await sandbox.listen()
  const cwd = await folderWith(files)
  return { sandbox, cwd, ran: await cli(['apply', '--url', url, ...argv], { cwd }) }
}

const said = (stderr: string): Ran => ({ code: 0, stdout: '', stderr })
const bad = (stderr: string): Ran => ({ code: 3, stdout: '', stderr })

describe('apply', () => {
  it.each<[string, string[], string[], string]>([
    ['alone', [], ['mine'], ''],
    ['after those that are active', ['slow', 'reset'], ['slow', 'reset', 'mine'], ', along with slow, reset'],
  ])('a scenario, %s -> registered and active', async (_what, active, now, along) => {
    const { sandbox, ran } = await applying({ 'mine.yaml': mine }, ['mine.yaml'], active)
    expect(ran).toEqual(said(`mine.yaml: scenario 'mine' is active in workspace 'default'${along}\n`))
    expect(await sandbox.scenarios.active()).toEqual(now)
    expect((await sandbox.scenarios.get('mine'))?.document).toMatchObject({ description: 'Nothing works.' })
  })

  it('a scenario that is active already -> replaced where it stands', async () => {
    const { sandbox, ran } = await applying(
      { 'slow.json': { name: 'slow', description: 'Mine.', rules: [{ on: '*', effect: { latency: 1 } }] } },
      ['slow.json'],
      ['slow', 'reset'],
    )
    expect(ran).toEqual(
      said("slow.json: scenario 'slow' is active in workspace 'default', along with reset\n"),
    )
    expect(await sandbox.scenarios.active()).toEqual(['slow', 'reset'])
    expect((await sandbox.scenarios.get('slow'))?.description).toBe('Mine.')
  })

  it.each([
    ['YAML', 'state.yaml', oneCustomer],
    ['JSON', 'state.json', '{ "customers": [{ "id": "cus_1" }] }'],
  ])('a state document in %s -> replaces the state', async (_what, name, text) => {
    const { sandbox, ran } = await applying({ [name]: text }, [name])
    expect(ran).toEqual(
      said(`${name}: is the state of workspace 'default' now: 13 rows, clock ${testNow} (frozen)\n`),
    )
    expect(sandbox.state.list('customers')).toMatchObject([{ id: 'cus_1' }])
  })

  it('--workspace -> that workspace only', async () => {
    const { sandbox, ran } = await applying({ 'mine.yaml': mine, 's.yaml': oneCustomer }, [
      'mine.yaml',
      's.yaml',
      '--workspace',
      'w1',
    ])
    expect(ran).toEqual(
      said(
        `mine.yaml: scenario 'mine' is active in workspace 'w1'\ns.yaml: is the state of workspace 'w1' now: 13 rows, clock ${testNow} (frozen)\n`,
      ),
    )
    expect([sandbox.state.size('customers'), sandbox.workspace('w1').state.size('customers')]).toEqual([
      28, 1,
    ])
    expect([await sandbox.scenarios.active(), await sandbox.workspace('w1').scenarios.active()]).toEqual([
      [],
      ['mine'],
    ])
  })
})

describe('apply what cannot be used', () => {
  it('a scenario with problems -> exit 3, each at its key or value in the file, and nothing changes', async () => {
    const text =
      mine.replace('effect', 'efect') + '  - { on: retrieveReward, effect: [not_found, { notfound: 1 }] }\n'
    const { sandbox, ran } = await applying({ 'mine.yaml': text }, ['mine.yaml'], ['slow'])
    expect(ran.stderr.replace(/: not_found, error, .*/, ''))
      .toBe(`mine.yaml:5:5 rules[0].efect: unknown key 'efect', did you mean 'effect'?
    efect: unauthenticated
    ^
mine.yaml:6:49 rules[1].effect[1].notfound: unknown effect 'notfound', did you mean 'not_found'?
  - { on: retrieveReward, effect: [not_found, { notfound: 1 }] }
                                                ^
`)
    expect([ran.code, ran.stdout, await sandbox.scenarios.active()]).toEqual([3, '', ['slow']])
  })

  it('a state document with problems -> exit 3, each at its place, also behind names with dots', async () => {
    const text =
      'customers:\n  - id: cus_1\n    first_name: 1\n    "a.b": 2\naccounts:\n  - { id: a, customer_id: nope }\n'
    const { sandbox, ran } = await applying({ 'state.yaml': text }, ['state.yaml'])
    expect(ran).toEqual(
      bad(`state.yaml:3:17 customers[0].first_name: must be a string
    first_name: 1
                ^
state.yaml:4:5 customers[0].a.b: unknown field, expected one of: id, email, phone, statuses, first_name, last_name, preferred_language, ssn4, date_of_birth, address, partner_customer_id, metadata, created_at, updated_at, authorized_users, product, opening_balance
    "a.b": 2
    ^
state.yaml:6:27 accounts[0].customer_id: no customer has the id 'nope'
  - { id: a, customer_id: nope }
                          ^
`),
    )
    expect(sandbox.state.size('customers')).toBe(28)
  })

  it.each<[string, string]>([
    ['the same id twice', 'customers:\n  - id: cus_1\n\n  - id: cus_2\n  - id: cus_1\n'],
    [
      'an anchor',
      'customers:\n  - { id: cus_1, metadata: &m { a: 1 } }\n  - { id: cus_2, first_name: *m }\n',
    ],
    ['the same key twice', 'customers:\n  - id: cus_1\n    id: cus_2\n'],
    ['what names nothing', '# mine\naccounts:\n  - id: a\n    customer_id: nope\n'],
    ['a scenario', `name: mine\nrules:\n  - on: '*'\n    efect: unauthenticated\n`],
  ])('%s -> the lines that validate tells', async (_what, text) => {
    const { ran, cwd } = await applying({ 'x.yaml': text }, ['x.yaml'])
    const { stdout } = await cli(['validate', 'x.yaml'], { cwd })
    expect(ran).toEqual(bad(stdout.replaceAll(`${cwd}/`, '')))
    expect(ran.stderr).toMatch(/^x\.yaml:\d+:\d+[: ]/)
  })

  it('a state document in JSON -> the places are those of its own text', async () => {
    const text =
      '\ufeff{\n  "customers": [\n    { "id": "cus_1", "a.b": 2,\n      "first_name": 1 }\n  ]\n}\n'
    const { ran } = await applying({ 'state.json': text }, ['state.json'])
    expect({ ...ran, stderr: ran.stderr.replace(/, expected one of: .*/, '') }).toEqual(
      bad(`state.json:3:22 customers[0].a.b: unknown field
    { "id": "cus_1", "a.b": 2,
                     ^
state.json:4:21 customers[0].first_name: must be a string
      "first_name": 1 }
                    ^
`),
    )
  })

  it.each<[string, Files, string[], Ran]>([
    ['no such file', {}, ['x.yaml'], bad('x.yaml: there is no such file\n')],
    ['a folder', { 'd/a.yaml': mine }, ['d'], bad('d: is a folder; expected a file\n')],
    [
      'files of which two cannot be read: all are named, and none is applied',
      { 'mine.yaml': mine, 'b.json': '{' },
      ['mine.yaml', 'x.yaml', 'b.json'],
      bad(
        'x.yaml: there is no such file\nb.json:1:2: expected a key in double quotes or }, but the file ends here\n{\n ^\n',
      ),
    ],
    [
      'a list',
      { 'l.yaml': '- 1\n' },
      ['l.yaml'],
      bad(
        'l.yaml:1:1: must be an object with schema_version, account, products, api_keys, customers, links, accounts, payment_methods, rewards, transaction_intents, statements, orders, order_events, transactions, transaction_events, offers, customer_sessions, webhook_endpoints, events, stubs, sandbox\n- 1\n^\n',
      ),
    ],
    [
      'two state documents',
      { 'a.yaml': oneCustomer, 'b.yaml': oneCustomer },
      ['a.yaml', 'b.yaml'],
      {
        code: 2,
        stdout: '',
        stderr: 'error: a.yaml and b.yaml would each replace the state: apply one state document\n',
      },
    ],
    ['nothing', {}, [], { code: 2, stdout: '', stderr: "error: missing required argument 'files'\n" }],
  ])('%s', async (_what, files, argv, outcome) => {
    const { sandbox, ran } = await applying(files, argv)
    expect(ran).toEqual(outcome)
    expect([sandbox.state.size('customers'), await sandbox.scenarios.active()]).toEqual([28, []])
  })

  it('the second of two files is refused -> the first one is applied, and said to be', async () => {
    const { sandbox, ran } = await applying({ 'mine.yaml': mine, 'b.yaml': 'customers: 1\n' }, [
      'mine.yaml',
      'b.yaml',
    ])
    expect(ran.code).toBe(3)
    expect(ran.stderr).toMatch(
      /^mine\.yaml: scenario 'mine' is active in workspace 'default'\nb\.yaml:1:12 customers: /,
    )
    expect(await sandbox.scenarios.active()).toEqual(['mine'])
  })

  it('a refusal without a place -> exit 3, named after the file', async () => {
    const url = await answering(() => ({
      status: 413,
      body: '{"error":{"type":"PAYLOAD_TOO_LARGE","message":"is too large"}}',
    }))
    const cwd = await folderWith({ 's.yaml': oneCustomer })
    expect(await cli(['apply', 's.yaml', '--url', url], { cwd })).toEqual(bad('s.yaml: is too large\n'))
  })

  it('a refusal that is not about the file -> exit 7', async () => {
    const { url } = await (await startSandbox({ adminToken: 't' })).listen()
    const cwd = await folderWith({ 's.yaml': oneCustomer })
    expect(await cli(['apply', 's.yaml', '--url', url], { cwd })).toEqual({
      code: 7,
      stdout: '',
      stderr:
        'error: the sandbox requires a token: set --admin-token, SANDBOX_ADMIN_TOKEN or SANDBOX_ADMIN_TOKEN_FILE\n',
    })
  })
})
