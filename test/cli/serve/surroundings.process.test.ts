import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { start } from '../../../src/cli/serve/start.ts'
import { cli, fakeIo, folderWith, serve, withKey } from '../../helpers/fake-io.ts'
import { eventsOf } from '../../helpers/log.ts'

const mine = { customers: [{ id: 'cus_mine' }] }
const statusOf = async (url: string, id: string): Promise<number> =>
  (await fetch(`${url}/_sandbox/state/customers/${id}`)).status

describe('--fixtures default', () => {
  it.each<[string, string[], string[], Record<string, object>]>([
    ['flags', ['--fixtures', 'default', '--fixtures', 'mine.json'], [], {}],
    ['the variable', [], ['default, mine.json'], {}],
    ['the config file', [], [], { 'sandbox.config.json': { fixtures: ['default', 'mine.json'] } }],
  ])('beside a file, from %s -> the rows of both, and the banner says so', async (_how, argv, env, files) => {
    const cwd = await folderWith({ 'mine.json': mine, ...files })
    const [fixtures] = env
    const place = { cwd, ...(fixtures === undefined ? {} : { env: { SANDBOX_FIXTURES: fixtures } }) }
    const { stderr } = await serve(argv, place, async ({ url }) => {
      expect([await statusOf(url, 'cus_ada'), await statusOf(url, 'cus_mine')]).toEqual([200, 200])
    })
    expect(stderr.replaceAll(`${cwd}/`, '')).toMatch(/, from built-in rows, mine\.json\n/)
  })

  it('the later wins, also over the built-in rows', async () => {
    const cwd = await folderWith({ 'mine.json': { customers: [{ id: 'cus_ada', first_name: 'Mine' }] } })
    const nameOf = async (...order: string[]): Promise<unknown> => {
      let name: unknown
      await serve(
        order.flatMap((path) => ['--fixtures', path]),
        { cwd },
        async ({ url }) => {
          const row = (await (await fetch(`${url}/_sandbox/state/customers/cus_ada`)).json()) as object
          name = 'first_name' in row && row.first_name
        },
      )
      return name
    }
    expect([await nameOf('default', 'mine.json'), await nameOf('mine.json', 'default')]).toEqual([
      'Mine',
      'Ada',
    ])
  })

  it('./default is a path', async () => {
    const cwd = await folderWith({ 'default/mine.json': mine })
    await serve(['--fixtures', './default'], { cwd }, async ({ url }) => {
      expect([await statusOf(url, 'cus_ada'), await statusOf(url, 'cus_mine')]).toEqual([404, 200])
    })
  })

  it('validate and --watch know the word as well', async () => {
    const cwd = await folderWith({ 'sandbox.config.json': { fixtures: ['default'] } })
    expect((await cli(['validate'], { cwd })).code).toBe(0)
    const { stderr } = await serve(['--watch'], { cwd })
    expect(stderr).toMatch(/^--watch: nothing to watch/)
  })
})

describe('where the rows come from', () => {
  it.each<[string, string[], string]>([
    ['nothing is named', [], 'built-in rows'],
    ['a population', ['--generate', 'customers=3'], 'built-in rows, generated (3 customers)'],
    [
      'a folder of many files',
      ['--fixtures', 'many'],
      'many/1.json, many/2.json, many/3.json, many/4.json, many/5.json and 2 more',
    ],
  ])('%s', async (_what, argv, from) => {
    const cwd = await folderWith(
      Object.fromEntries(
        [1, 2, 3, 4, 5, 6, 7].map((at) => [`many/${at}.json`, { customers: [{ id: `c${at}` }] }]),
      ),
    )
    const { stderr } = await serve(argv, { cwd })
    expect(stderr.replaceAll(`${cwd}/`, '')).toContain(`, from ${from}\n`)
  })

  it('a data file that is there, and --log-format json', async () => {
    const cwd = await folderWith()
    const argv = ['--data', 'd.json', '--log-format', 'json']
    const from = async (): Promise<unknown> => {
      const { stderr } = await serve(argv, { cwd })
      return eventsOf(stderr.replaceAll(`${cwd}/`, '')).find((event) => 'rows_from' in event)
    }
    expect([await from(), await from()]).toMatchObject([
      { rows_from: ['built-in rows'] },
      { rows_from: ['d.json'] },
    ])
  })
})

describe('off loopback without a decision', () => {
  const closed = /^The control plane is closed, .* --admin-token TOKEN, or with --admin open$/m

  it.each<[string, string[], boolean]>([
    ['off loopback', ['--host', '0.0.0.0'], true],
    ['on loopback', [], false],
    ['open', ['--host', '0.0.0.0', '--admin', 'open'], false],
    ['with a token', ['--host', '0.0.0.0', '--admin-token', 't'], false],
  ])('%s', async (_what, argv, isSaid) => {
    const { stderr } = await serve(argv, {})
    expect(closed.test(stderr)).toBe(isSaid)
  })
})

describe('misspelt variables', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'one letter',
      { SANDBOX_SCENARO: 'slow' },
      'SANDBOX_SCENARO is not a variable of the sandbox, did you mean SANDBOX_SCENARIO?',
    ],
    [
      'an underscore',
      { SANDBOX_ADMINTOKEN: 't' },
      'SANDBOX_ADMINTOKEN is not a variable of the sandbox, did you mean SANDBOX_ADMIN_TOKEN?',
    ],
    [
      'one that is no option',
      { SANDBOX_OPTION: '--quiet' },
      'SANDBOX_OPTION is not a variable of the sandbox, did you mean SANDBOX_OPTIONS?',
    ],
  ])('%s -> a warning, also with --quiet, and the start goes on', async (_what, env, message) => {
    const pretty = await serve(['--quiet'], { env })
    expect([pretty.code, pretty.stderr]).toEqual([0, `warning: ${message}\n`])
    const json = await serve(['--quiet', '--log-format', 'json'], { env })
    expect(eventsOf(json.stderr)).toEqual([{ level: 'warn', event: 'warning', message }])
  })

  it.each([
    'SANDBOX_URL',
    'SANDBOX_API_KEY',
    'SANDBOX_RUN',
    'SANDBOX_SERVICE_HOST',
    'SANDBOX_SERVICE_PORT',
    'SANDBOX_SERVICE_PORT_HTTP',
    'SANDBOX_PORT_4010_TCP',
    'SANDBOX_PORT_4010_TCP_ADDR',
    'SANDBOX_SOMETHING_ELSE',
    'SANDBOXES',
    'MY_SANDBOX_PORT',
  ])('%s -> nobody said it was ours', async (name) => {
    expect((await serve(['--quiet'], { env: { [name]: 'x' } })).stderr).toBe('')
  })
})

describe('SANDBOX_ADMIN_TOKEN_FILE', () => {
  it('-> the token, without one end of line; remote verbs read it too', async () => {
    const cwd = await folderWith({ token: 's3cret\n' })
    const env = { SANDBOX_ADMIN_TOKEN_FILE: 'token' }
    await serve([], { cwd, env }, async ({ url }) => {
      expect((await fetch(`${url}/_sandbox/clock`)).status).toBe(401)
      expect((await fetch(`${url}/_sandbox/clock`, withKey('s3cret'))).status).toBe(200)
      expect((await cli(['clock', '--url', url], { cwd, env })).code).toBe(0)
      expect((await cli(['clock'], { cwd, env: { ...env, SANDBOX_PORT: new URL(url).port } })).code).toBe(0)
      expect((await cli(['clock', '--url', url], { cwd })).code).toBe(7)
      const flag = ['clock', '--url', url, '--admin-token', 'other']
      expect((await cli(flag, { cwd, env })).code).toBe(7)
    })
  })

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['not there', {}, {}, "'token' there is no such file"],
    ['empty', { token: '\n' }, {}, "'token' is empty, expected the token"],
    ['two lines', { token: 'a\n\n' }, {}, 'must be 1 to 200 characters without spaces'],
    [
      'beside the token',
      { token: 'a' },
      { SANDBOX_ADMIN_TOKEN: 'b' },
      'must be omitted with SANDBOX_ADMIN_TOKEN',
    ],
  ])('%s -> exit 2, of start as of the verbs that ask', async (_what, files, more, message) => {
    const cwd = await folderWith(files)
    const env = { SANDBOX_ADMIN_TOKEN_FILE: 'token', ...more }
    for (const argv of [['start'], ['clock'], ['clock', '--url', 'http://127.0.0.1:9']])
      expect(await cli(argv, { cwd, env })).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: SANDBOX_ADMIN_TOKEN_FILE: ${message}\n`,
      })
  })
})

describe('SANDBOX_ISOLATION_SECRET_FILE', () => {
  it('-> the secret: the same keys at each start', async () => {
    const cwd = await folderWith({ secret: 'sixteen-or-more.\n' })
    const env = { SANDBOX_ISOLATION_SECRET_FILE: 'secret', SANDBOX_ADMIN_TOKEN: 'token' }
    const keys: unknown[] = []
    for (let starts = 0; starts < 2; starts++) {
      await serve(['--isolation', 'partner'], { cwd, env }, async ({ url }) => {
        const made = await cli(['workspaces', 'create', 'acme', '--url', url, '--format', 'json'], {
          cwd,
          env,
        })
        keys.push(JSON.parse(made.stdout).api_key)
      })
    }
    expect(keys).toEqual([expect.stringMatching(/^sk_sandbox_.*\.acme$/), keys[0]])
  })

  it('too short -> exit 2, without its text', async () => {
    const cwd = await folderWith({ secret: 'short' })
    const env = { SANDBOX_ISOLATION_SECRET_FILE: 'secret' }
    const { code, stderr } = await cli(['start'], { cwd, env })
    expect([code, stderr]).toEqual([
      2,
      'error: SANDBOX_ISOLATION_SECRET_FILE: must be 16 to 200 characters without spaces, hard to guess\n',
    ])
  })
})

describe('--log-file', () => {
  it('-> takes the log in place of stderr, and is added to', async () => {
    const cwd = await folderWith({ 'my.log': 'before\n' })
    const { stderr, stdout } = await serve(
      ['--log-file', 'my.log'],
      { cwd, colour: true },
      async ({ fetch: call }) => {
        await call('/v2/customers', withKey())
      },
    )
    expect([stderr, stdout]).toEqual(['', expect.stringMatching(/^Sandbox listening/)])
    expect(await readFile(join(cwd, 'my.log'), 'utf8')).toMatch(
      /^before\nAPI key: .*\nInspector: .*\n.* customers \(26 of mk_summit\), .*\n200 GET \/v2\/customers \(default req_default_1\) 10 of 26, more to come\nStopped by a signal\.\n$/,
    )
  })

  it('one that cannot be written -> exit 2, before anything is loaded', async () => {
    const cwd = await folderWith()
    expect(await cli(['start', '--log-file', 'none/x.log'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: --log-file: cannot write '${join(cwd, 'none/x.log')}' (ENOENT)\n`,
    })
  })
})

it('--url-file that another sandbox has written meanwhile -> left to that one', async () => {
  const cwd = await folderWith()
  await serve(['--url-file', 'url.txt'], { cwd }, async () => {
    await writeFile(join(cwd, 'url.txt'), 'http://127.0.0.1:1\n')
  })
  expect(await readFile(join(cwd, 'url.txt'), 'utf8')).toBe('http://127.0.0.1:1\n')
})

describe('--stop-with-parent', () => {
  it('the parent is another one than at first -> it ends as by SIGTERM, and says why', async () => {
    const parents = [7, 7, 7, 1]
    const { io, printed } = fakeIo({ env: { SANDBOX_PORT: '0' }, parent: () => parents.shift() ?? 1 })
    const pauses: number[] = []
    const wait = async (milliseconds: number): Promise<boolean> => {
      pauses.push(milliseconds)
      return true
    }
    await start({ stopWithParent: true }, io, [], { wait, now: () => 0 })
    expect(printed().stderr).toMatch(/\nStopped the parent process has ended\.\n$/)
    expect(pauses).toEqual([500, 500])
  })

  it('with --detach -> exit 2: the process that starts it ends at once', async () => {
    expect(await cli(['start', '--detach', '--stop-with-parent'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --detach and --stop-with-parent exclude each other\n',
    })
  })
})
