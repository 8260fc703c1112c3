import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { collectionNames } from '../../../src/store/rows.ts'
import { asking, printed, refused, said } from '../../helpers/asking.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'
import type { Ran } from '../../helpers/fake-io.ts'

const pending = ['rewards', 'rwd_ada_pending']
const lines = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

describe('state get', () => {
  it.each([
    ['a row', pending, '/state/rewards/rwd_ada_pending'],
    ['a collection', ['accounts'], '/state/accounts'],
    ['the account', ['account'], '/state/account'],
    ['the account by the id of its one row', ['account', 'account'], '/state/account'],
    ['the stubs', ['stubs'], '/state/stubs'],
  ])('%s -> as lines, and with --format json as the control plane answers', async (_what, words, path) => {
    const { url, ask } = await asking()
    const body = await (await fetch(`${url}/_sandbox${path}`)).text()
    expect(await ask(['state', 'get', ...words])).toEqual(printed(lines(JSON.parse(body))))
    expect(await ask(['state', 'get', ...words, '--format', 'json'])).toEqual(printed(`${body.trimEnd()}\n`))
  })

  it('a page of a collection', async () => {
    const { url, ask } = await asking()
    const path = '/_sandbox/state/rewards?limit=1&after=rwd_ada_one_time&id_prefix=rwd_ada'
    const body = await (await fetch(`${url}${path}`)).json()
    const words = ['--limit', '1', '--after', 'rwd_ada_one_time', '--id-prefix', 'rwd_ada']
    expect(await ask(['state', 'get', 'rewards', ...words])).toEqual(printed(lines(body)))
    expect(body).toMatchObject({ rewards: [{ id: 'rwd_ada_pending' }] })
  })

  it('a text that a terminal would obey -> written as JSON escapes it', async () => {
    const { sandbox, ask } = await asking()
    sandbox.state.patch('customers', 'cus_ada', { metadata: { note: 'a\u009b31m\u007fb' } })
    const { stdout } = await ask(['state', 'get', 'customers', 'cus_ada'])
    expect(stdout).toContain(String.raw`"note": "a\u009b31m\u007fb"`)
    expect(JSON.parse(stdout)).toMatchObject({ metadata: { note: 'a\u009b31m\u007fb' } })
  })

  it('--workspace -> of that one', async () => {
    const { sandbox, ask } = await asking()
    sandbox.workspace('w1').state.patch('rewards', 'rwd_ada_pending', { amount: 7 })
    const { stdout } = await ask(['state', 'get', ...pending, '--workspace', 'w1'])
    expect(JSON.parse(stdout)).toMatchObject({ amount: 7 })
  })
})

describe('state put and patch', () => {
  it.each<[string, string[], string]>([
    ['as a word', ['{"first_name":"Ada"}'], ''],
    ['in a file', ['@row.json'], ''],
    ['in a file of YAML', ['@row.yaml'], ''],
    ['on stdin', ['-'], '{"first_name":"Ada"}'],
    ['on stdin, which is not named', [], '{"first_name":"Ada"}'],
  ])('a row %s -> prints it with its gaps filled', async (_how, words, stdin) => {
    const { sandbox, ask } = await asking({
      'row.json': '{"first_name":"Ada"}',
      'row.yaml': 'first_name: Ada\n',
    })
    const ran = await ask(['state', 'put', 'customers', 'cus_new', ...words], stdin)
    const row = sandbox.state.get('customers', 'cus_new')
    expect(row).toMatchObject({ id: 'cus_new', first_name: 'Ada', email: expect.any(String) })
    expect(ran).toEqual(printed(lines(row)))
  })

  it('--format json -> the body, numbers as they are', async () => {
    const { ask } = await asking()
    const words = ['state', 'patch', 'customers', 'cus_ada', '{"metadata":{"n":9007199254740993}}']
    expect((await ask([...words, '--format', 'json'])).stdout).toMatch(
      /^\{"id".*"n":9007199254740993\}.*\}\n$/,
    )
    expect((await ask(words)).stdout).toContain('"n": 9007199254740993')
  })

  it('patch -> lays fields over the row', async () => {
    const { sandbox, ask } = await asking()
    expect(await ask(['state', 'patch', ...pending, '{"amount":7}'])).toMatchObject({ code: 0, stderr: '' })
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ amount: 7, status: 'PENDING' })
  })

  it('account and stubs -> without an id', async () => {
    const { sandbox, ask } = await asking()
    const version = '{"saved_version":{"sandbox":"2025-05-05"}}'
    expect((await ask(['state', 'patch', 'account', version])).code).toBe(0)
    expect(sandbox.state.get('account', 'account')).toMatchObject({
      saved_version: { sandbox: '2025-05-05', production: '2025-05-05' },
    })
    expect((await ask(['state', 'patch', 'account', 'account'], '{}')).code).toBe(0)
    const stubs = '[{"method":"GET","path":"/v2/customers/{customer_id}/notes","body":{"data":[]}}]'
    expect((await ask(['state', 'put', 'stubs', '-'], stubs)).code).toBe(0)
    expect(sandbox.state.stubs()).toHaveLength(1)
  })

  it.each<[string, string[], Ran]>([
    [
      'a row that no fixture could hold',
      ['put', 'customers', 'cus_new', '{"first_name":1,"emial":"x"}'],
      refused(
        3,
        `JSON:1:15 first_name: must be a string
{"first_name":1,"emial":"x"}
              ^
JSON:1:25 emial: unknown field, did you mean 'email'?
{"first_name":1,"emial":"x"}
                        ^
`,
      ),
    ],
    [
      'a file with such a row',
      ['put', 'customers', 'cus_new', '@row.yaml'],
      refused(3, 'row.yaml:3:9 address.city: must be a string\n  city: 1\n        ^\n'),
    ],
    [
      'a patch by which the row could be no longer',
      ['patch', 'rewards', 'rwd_ada_pending', '{"customer_id":null}'],
      refused(3, 'JSON:1:16 customer_id: is required\n{"customer_id":null}\n               ^\n'),
    ],
    [
      'a row that lacks something',
      ['put', 'rewards', 'rwd_new', '{}'],
      refused(3, 'rewards customer_id: is required\n'),
    ],
    [
      'what is no JSON',
      ['put', 'customers', 'cus_new', '{"first_name":'],
      refused(
        3,
        'JSON:1:15 first_name: expected a value, but the file ends here\n{"first_name":\n              ^\n',
      ),
    ],
    [
      'a file that is not there',
      ['put', 'customers', 'cus_new', '@x'],
      refused(3, 'x: there is no such file\n'),
    ],
    [
      'no row of this id',
      ['patch', 'rewards', 'x', '{}'],
      refused(8, "error: rewards: no row has the id 'x'\n"),
    ],
    [
      'no row of this id, and one that is near',
      ['delete', 'rewards', 'rwd_ada_pendin'],
      refused(8, "error: rewards: no row has the id 'rwd_ada_pendin', did you mean 'rwd_ada_pending'?\n"),
    ],
    [
      'a mistyped collection',
      ['get', 'stub'],
      refused(8, "error: unknown collection 'stub', did you mean 'stubs'?\n"),
    ],
    [
      'no collection',
      ['get'],
      refused(
        2,
        `error: missing required argument 'collection'\nCollections: ${[...collectionNames, 'account', 'stubs'].join(', ')}.\n`,
      ),
    ],
    [
      'no such collection',
      ['put', 'reward', 'x', '{}'],
      refused(8, "error: unknown collection 'reward', did you mean 'rewards'?\n"),
    ],
    [
      'JSON in place of an id',
      ['put', 'customers', '{}'],
      refused(2, 'error: customers: expected an id, then the row\n'),
    ],
    ['an id for what has none', ['put', 'stubs', 'x', '[]'], refused(2, 'error: stubs takes no id\n')],
  ])('%s -> refused, and nothing changes', async (_what, words, ran) => {
    const { sandbox, ask } = await asking({ 'row.yaml': '# mine\naddress:\n  city: 1\n' })
    const before = sandbox.state.document()
    expect(await ask(['state', ...words])).toEqual(ran)
    expect(sandbox.state.document()).toEqual(before)
  })
})

describe('state delete', () => {
  it('a row -> gone, and said', async () => {
    const { sandbox, ask } = await asking()
    expect(await ask(['state', 'delete', ...pending])).toEqual(
      said("Deleted rewards 'rwd_ada_pending' of workspace 'default'\n"),
    )
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toBeUndefined()
    expect(await ask(['state', 'delete', ...pending])).toEqual(
      refused(8, "error: rewards: no row has the id 'rwd_ada_pending'\n"),
    )
  })

  it('a row that others name -> exit 2 with those that do', async () => {
    const { sandbox, ask } = await asking()
    const { code, stderr } = await ask(['state', 'delete', 'accounts', 'acct_ada'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^accounts\/acct_ada: cannot be deleted: /)])
    expect(sandbox.state.get('accounts', 'acct_ada')).toBeDefined()
  })
})

describe('state dump', () => {
  it('-> the document that validate and apply take', async () => {
    const { sandbox, ask } = await asking()
    sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 7 })
    const { code, stdout } = await ask(['state', 'dump'])
    expect([code, JSON.parse(stdout)]).toEqual([0, sandbox.state.document()])
  })

  it.each<[string, string[], Ran]>([
    [
      'no such snapshot',
      ['snapshot', 'dump', 'x'],
      refused(8, "error: no snapshot is called 'x': there is none\n"),
    ],
    [
      'a file that cannot be written',
      ['state', 'dump', '-o', 'none/x.json'],
      refused(2, "error: --output: cannot write 'none/x.json' (ENOENT)\n"),
    ],
  ])('%s', async (_what, words, ran) => {
    const { ask } = await asking()
    expect(await ask(words)).toEqual(ran)
  })

  it('an answer that breaks off -> exit 7', async () => {
    const server = createServer((_request, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('{"customers": [', () => answer.destroy())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const { code, stderr } = await cli(['state', 'dump', '--url', `http://127.0.0.1:${port}`])
    expect([code, stderr]).toEqual([7, expect.stringContaining('(the answer broke off: ')])
  })

  it('-o -> into a file; snapshot dump -> as it was then', async () => {
    const { sandbox, url } = await asking()
    const cwd = await folderWith()
    const run = (...argv: string[]): Promise<Ran> => cli(argv, { cwd, env: { SANDBOX_URL: url } })
    const before = sandbox.state.document()
    sandbox.snapshot('before')
    sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 7 })
    expect(await run('state', 'dump', '-o', 'now.json')).toEqual(
      said("Wrote the state of workspace 'default' to now.json\n"),
    )
    expect(await run('snapshot', 'dump', 'before', '-o', 'then.json')).toEqual(
      said("Wrote snapshot 'before' of workspace 'default' to then.json\n"),
    )
    const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(cwd, name), 'utf8'))
    expect([await read('now.json'), await read('then.json')]).toEqual([sandbox.state.document(), before])
    expect(await run('validate', 'now.json')).toEqual(said('No problems.\n'))
  })
})
