import { describe, expect, it } from 'vitest'
import { startSandbox, testNow } from '../../helpers/sandbox.ts'
import { answering } from '../../helpers/answering.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

const noToken =
  'error: the sandbox requires a token: set --admin-token, SANDBOX_ADMIN_TOKEN or SANDBOX_ADMIN_TOKEN_FILE\n'
const wrongToken =
  'error: the token is not accepted: Send Authorization: Bearer with the token of --admin-token.\n'
const wellDone = `Reset workspace 'default': 105 rows, clock ${testNow} (frozen)\n`

describe('where a running sandbox is', () => {
  it.each<[string, string[], Record<string, string>, string]>([
    ['no URL', ['--url', 'nonsense'], {}, "--url: 'nonsense' is not a URL such as http://127.0.0.1:4010"],
    [
      'no URL in the variable',
      [],
      { SANDBOX_URL: 'x' },
      "SANDBOX_URL: 'x' is not a URL such as http://127.0.0.1:4010",
    ],
    [
      'no scheme',
      ['--url', 'localhost:4010'],
      {},
      "--url: 'localhost:4010' is not a URL such as http://127.0.0.1:4010",
    ],
    [
      'another scheme',
      ['--url', 'ftp://h'],
      {},
      "--url: 'ftp://h' is not a URL such as http://127.0.0.1:4010",
    ],
    [
      'a query',
      ['--url', 'http://h/?a=1'],
      {},
      "--url: 'http://h/?a=1' must end with its path, without ? and #",
    ],
    [
      'a password, which is not shown',
      ['--url', 'http://me:pass@h'],
      {},
      '--url: must have no user and no password: set the token by --admin-token',
    ],
    [
      'a workspace that can have no such name',
      ['--workspace', 'a b'],
      {},
      "workspace 'a b': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -",
    ],
    [
      'a URL and a port',
      ['--url', 'http://h', '--port', '1'],
      {},
      '--url and --port exclude each other: use one of them',
    ],
    ['no port', ['--port', 'x'], {}, "--port: 'x' must be an integer from 0 to 65535"],
    [
      'a token with a space, which is not shown',
      ['--admin-token', 'a b'],
      {},
      '--admin-token: must be 1 to 200 characters without spaces',
    ],
    [
      'a token in the variable that no header takes',
      [],
      { SANDBOX_ADMIN_TOKEN: 'ключ' },
      'SANDBOX_ADMIN_TOKEN: must be ASCII to be sent in a header',
    ],
  ])('%s -> exit 2', async (_what, argv, env, message) => {
    expect(await cli(['reset', ...argv], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${message}\n`,
    })
  })

  const reachedBy = async (
    settings: Record<string, string>,
    files: Record<string, string> = {},
  ): Promise<{ code: number; stderr: string }> => {
    const { code, stderr } = await cli(['reset'], { cwd: await folderWith(files), env: settings })
    return { code, stderr }
  }

  it('no URL -> the sandbox that start would serve from here', async () => {
    const server = await (await startSandbox()).listen()
    const port = new URL(server.url).port
    const well = { code: 0, stderr: wellDone }
    expect(await reachedBy({ SANDBOX_PORT: port })).toEqual(well)
    expect(await reachedBy({ SANDBOX_PORT: port, SANDBOX_HOST: '0.0.0.0' })).toEqual(well)
    expect(await reachedBy({ SANDBOX_OPTIONS: `--port ${port}` })).toEqual(well)
    expect(await reachedBy({}, { 'sandbox.config.yaml': `port: ${port}` })).toEqual(well)
    expect(await reachedBy({ SANDBOX_PORT: '1', SANDBOX_URL: server.url })).toEqual(well)
    expect(await reachedBy({}, { 'sandbox.config.yaml': 'prt: 1' })).toEqual({
      code: 3,
      stderr: expect.stringContaining(
        "sandbox.config.yaml:1:1 prt: unknown option 'prt', did you mean 'port'?",
      ),
    })
    await server.close()
  })

  it('--port -> that port of the configured host, before the variables', async () => {
    const server = await (await startSandbox()).listen()
    const { port } = new URL(server.url)
    for (const env of [{}, { SANDBOX_URL: 'http://h' }, { SANDBOX_PORT: '1' }] as Record<string, string>[])
      expect(await cli(['reset', '--port', port], { env })).toMatchObject({ code: 0, stderr: wellDone })
    const elsewhere = await cli(['health', '--port', port], { env: { SANDBOX_HOST: '127.0.0.9' } })
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      7,
      expect.stringContaining(`http://127.0.0.9:${port} `),
    ])
    await server.close()
  })

  it.each<[string, string[], number, object]>([
    ['no such workspace', ['clock', '--workspace', 'nope'], 8, { type: 'NOT_FOUND' }],
    ['no such row', ['state', 'get', 'customers', 'nope'], 8, { type: 'NOT_FOUND' }],
    ['a bad row', ['state', 'put', 'customers', 'c', '{"x":1}'], 3, { type: 'INVALID' }],
    ['no such snapshot', ['snapshot', 'restore', 'nope'], 8, { type: 'NOT_FOUND' }],
    ['an instant in the past', ['clock', 'set', '2020-01-01T00:00:00Z'], 2, {}],
  ])(
    '--format json, refused: %s -> the error on stdout, exit code as without',
    async (_what, words, code, error) => {
      const { url } = await (await startSandbox()).listen()
      const asText = await cli([...words, '--url', url])
      const asJson = await cli([...words, '--url', url, '--format', 'json'])
      expect(asText).toMatchObject({ code, stdout: '' })
      expect([asJson.code, asJson.stderr]).toEqual([code, asText.stderr])
      expect(JSON.parse(asJson.stdout)).toMatchObject({ error })
    },
  )

  it.each<[string, string[], Record<string, string>, number, string]>([
    ['no token', [], {}, 7, noToken],
    ['another token', ['--admin-token', 'other'], {}, 7, wrongToken],
    ['the token', ['--admin-token', 'right'], {}, 0, wellDone],
    ['the token in the variable', [], { SANDBOX_ADMIN_TOKEN: 'right' }, 0, wellDone],
    [
      'the flag before the variable',
      ['--admin-token', 'other'],
      { SANDBOX_ADMIN_TOKEN: 'right' },
      7,
      wrongToken,
    ],
  ])('%s', async (_what, argv, env, code, stderr) => {
    const { url } = await (await startSandbox({ adminToken: 'right' })).listen()
    expect(await cli(['reset', '--url', url, ...argv], { env })).toEqual({ code, stdout: '', stderr })
  })

  it('a path that no --base-url has -> exit 7, and where it is', async () => {
    const { url } = await (await startSandbox()).listen()
    const next = 'start one with `partner-rewards-sandbox start`, or name another with --url'
    const why = `only its API answers here: the sandbox is at ${url}, unless its --base-url has a path`
    expect(await cli(['reset', '--url', `${url}/v2`])).toEqual({
      code: 7,
      stdout: '',
      stderr: `error: no sandbox answers at ${url}/v2 (${why}): ${next}\n`,
    })
  })

  it.each([
    ['state', 'get', 'customers'],
    ['state', 'dump'],
    ['clock'],
    ['requests'],
    ['requests', 'verify', '{"count":0}'],
    ['coverage'],
    ['snapshot', 'list'],
    ['snapshot', 'dump', 'x'],
    ['snapshot', 'diff', 'x'],
    ['scenarios', 'active'],
    ['explain', 'req_x_1'],
  ])('%s %s of a mistyped workspace -> exit 8, and it is not made', async (...words) => {
    const sandbox = await startSandbox()
    sandbox.workspace('checkout')
    const { url } = await sandbox.listen()
    expect(await cli([...words, '--workspace', 'chekout', '--url', url])).toEqual({
      code: 8,
      stdout: '',
      stderr: "error: no workspace is called 'chekout', did you mean 'checkout'?\n",
    })
    expect(sandbox.workspaces.list().map(({ name }) => name)).not.toContain('chekout')
  })

  it('below a path, as a gateway serves it', async () => {
    const sandbox = await startSandbox({ baseUrl: 'http://gw.example/rewards' })
    const { url } = await sandbox.listen()
    expect(await cli(['reset'], { env: { SANDBOX_URL: `${url}/rewards/` } })).toMatchObject({
      code: 0,
      stderr: wellDone,
    })
  })

  it.each([
    ['200 without what a reset answers', 200, '{}'],
    ['an error of its own', 500, '{"message":"no"}'],
    ['a redirect, which is not followed', 301, ''],
  ])('another server that answers %s -> exit 7, asked once', async (_what, status, body) => {
    const requests: string[] = []
    const url = await answering((method, path) => {
      requests.push(`${method} ${path}`)
      return { status, body }
    })
    const { code, stderr } = await cli(['reset', '--url', url])
    expect([code, requests]).toEqual([7, ['POST /_sandbox/reset?workspace=default']])
    expect(stderr).toContain(`(the server is not a sandbox: status ${status} for POST /_sandbox/reset)`)
  })

  it('what a server says cannot drive the terminal', async () => {
    const url = await answering(() => ({
      status: 409,
      body: '{"error":{"type":"X","message":"a\\u001b[31mb"}}',
    }))
    expect(await cli(['reset', '--url', url])).toMatchObject({ code: 2, stderr: 'error: a?[31mb\n' })
  })
})
