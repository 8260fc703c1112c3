import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings, type FlagValues } from '../../src/cli/settings.ts'
import type { Io } from '../../src/cli/io.ts'
import { OptionsError } from '../../src/options/read-options.ts'
import { allVerbs } from '../../src/cli/run.ts'
import { cli, folderWith } from '../helpers/fake-io.ts'

const verbNames = (await allVerbs()).map(({ name }) => name)

/** The settings that flags, variables and files make together. */
async function settings(
  flags: FlagValues,
  env: Record<string, string> = {},
  cwd = '/work-nowhere',
): ReturnType<typeof readSettings> {
  const io: Io = {
    stdout: () => undefined,
    stderr: () => undefined,
    env,
    cwd,
    pid: 1,
    colour: false,
    stopped: Promise.resolve(),
    stop: () => undefined,
  }
  return readSettings(flags, io)
}

describe('where a value comes from', () => {
  const flag = { seed: '5' }
  const variable = { SANDBOX_SEED: '4' }
  const line = { SANDBOX_OPTIONS: '--seed 3' }
  const config = { 'sandbox.config.yaml': 'seed: 2\n' }

  it.each([
    ['flag, then variable, SANDBOX_OPTIONS, config file', flag, { ...variable, ...line }, config, 5],
    ['variable, then SANDBOX_OPTIONS, config file', {}, { ...variable, ...line }, config, 4],
    ['SANDBOX_OPTIONS, then config file', {}, line, config, 3],
    ['config file', {}, {}, config, 2],
    ['default: that of a dump, or 1', {}, {}, {}, undefined],
    ['an empty variable is none', {}, { SANDBOX_SEED: '', SANDBOX_OPTIONS: ' ' }, config, 2],
  ])('%s', async (_what, flags, env, files, seed) => {
    expect((await settings(flags, env, await folderWith(files))).seed).toBe(seed)
  })

  it('options are taken one by one: each from where it was set first', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'seed: 2\nquiet: true\nport: 1\nhost: "::1"\n' })
    const env = { SANDBOX_OPTIONS: '--port 2 --host localhost', SANDBOX_PORT: '3' }
    const { seed, quiet, port, host } = await settings({ seed: '9' }, env, cwd)
    expect({ seed, quiet, port, host }).toEqual({ seed: 9, quiet: true, port: 3, host: 'localhost' })
  })

  it('PORT and HOST belong to the application under test', async () => {
    const { port, host } = await settings({}, { PORT: '3000', HOST: '0.0.0.0', SANDBOX_URL: 'x' })
    expect([port, host]).toEqual([4010, '127.0.0.1'])
  })

  it('a list of a flag replaces that of a file, and does not add to it', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'allowedHosts: [a, b]\n' })
    expect((await settings({}, {}, cwd)).allowedHosts).toEqual(['a', 'b'])
    expect((await settings({ allowedHosts: ['c'] }, {}, cwd)).allowedHosts).toEqual(['c'])
  })
})

describe('variables', () => {
  it.each([
    ['tcp://10.0.0.1:4010', 5],
    ['udp://10.0.0.1:4010', 5],
    ['6', 6],
  ])('SANDBOX_PORT=%s, which a service named sandbox may have set -> %d', async (value, port) => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'port: 5\n' })
    expect((await settings({}, { SANDBOX_PORT: value }, cwd)).port).toBe(port)
  })

  it.each([
    ['SANDBOX_PORT', '0', { port: 0 }],
    ['SANDBOX_HOST', '::1', { host: '::1' }],
    ['SANDBOX_FIXTURES', '/a.json, /b', { fixtures: ['/a.json', '/b'] }],
    ['SANDBOX_SEED', '7', { seed: 7 }],
    ['SANDBOX_ENVIRONMENT', 'production', { environment: 'production' }],
    ['SANDBOX_CLOCK', '2026-01-01T00:00:00Z', { clock: '2026-01-01T00:00:00Z' }],
    ['SANDBOX_FROZEN', 'true', { frozen: true }],
    ['SANDBOX_FROZEN', '1', { frozen: true }],
    ['SANDBOX_FROZEN', 'false', { frozen: false }],
    ['SANDBOX_FROZEN', '0', { frozen: false }],
    [
      'SANDBOX_ASSUME',
      'not_found_status=400,create_status=200',
      { assume: { not_found_status: '400', create_status: '200' } },
    ],
    ['SANDBOX_ADMIN', 'off', { admin: 'off' }],
    ['SANDBOX_ADMIN_TOKEN', 't', { adminToken: 't' }],
    ['SANDBOX_STORE', 'rediss://a:b@host', { store: 'rediss://a:b@host', workspaceTtl: '7d' }],
    ['SANDBOX_ALLOWED_HOSTS', 'a, b', { allowedHosts: ['a', 'b'] }],
    [
      'SANDBOX_CORS_ORIGIN',
      'https://a.example,https://b.example',
      { corsOrigin: ['https://a.example', 'https://b.example'] },
    ],
    ['SANDBOX_BASE_URL', 'https://a.example/b', { baseUrl: 'https://a.example/b' }],
    ['SANDBOX_QUIET', 'true', { quiet: true }],
    ['SANDBOX_LOG_FORMAT', 'json', { logFormat: 'json' }],
    ['SANDBOX_URL_FILE', '/url', { urlFile: '/url' }],
    ['SANDBOX_MAX_WORKSPACES', '5', { maxWorkspaces: 5 }],
    ['SANDBOX_ALLOW_ANY_PAN', 'true', { allowAnyPan: true }],
    ['SANDBOX_GENERATE', 'customers=5', { generate: { customers: 5 } }],
  ])('%s=%s', async (name, value, expected) => {
    expect(await settings({}, { [name]: value })).toMatchObject(expected)
  })
})

describe('an option and the one that it needs', () => {
  it.each<[string, FlagValues, Record<string, string>, string]>([
    ['a flag and a variable', { storePrefix: 'p' }, { SANDBOX_STORE: 'redis://h' }, ''],
    ['a variable and the config file', {}, { SANDBOX_STORE_PREFIX: 'p' }, 'store: redis://h\n'],
    ['SANDBOX_OPTIONS and a flag', { store: 'redis://h' }, { SANDBOX_OPTIONS: '--store-prefix p' }, ''],
  ])('%s together', async (_what, flags, env, config) => {
    const cwd = await folderWith({ 'sandbox.config.yaml': config || '{}' })
    expect(await settings(flags, env, cwd)).toMatchObject({ store: 'redis://h', storePrefix: 'p' })
  })
})

describe('SANDBOX_STORE_PASSWORD', () => {
  it.each([
    ['redis://app@h', 'redis://app:p%40ss@h'],
    ['redis://app:other@h/1', 'redis://app:p%40ss@h/1'],
    ['memory', 'memory'],
  ])('goes with the store %s, wherever that is named', async (store, expected) => {
    const env = { SANDBOX_STORE_PASSWORD: 'p@ss' }
    const cwd = await folderWith({ 'sandbox.config.yaml': `store: ${store}\n` })
    expect((await settings({}, env, cwd)).store).toBe(expected)
    expect((await settings({ store }, env)).store).toBe(expected)
  })
})

describe('SANDBOX_OPTIONS', () => {
  it.each([
    ['-p 5', { port: 5 }],
    ['--port=5', { port: 5 }],
    ['--frozen  --quiet', { frozen: true, quiet: true }],
    ['--allowed-hosts a --allowed-hosts b', { allowedHosts: ['a', 'b'] }],
    [`--fixtures "/my fixtures/a.json" --host '::1'`, { fixtures: ['/my fixtures/a.json'], host: '::1' }],
    [`--admin-token=a"b c"d`, { port: 4010 }],
  ])('%s', async (line, expected) => {
    const attempt = settings({}, { SANDBOX_OPTIONS: line })
    if (line.includes('b c')) await expect(attempt).rejects.toThrow(OptionsError)
    else expect(await attempt).toMatchObject(expected)
  })
})

describe('paths are relative to what names them', () => {
  it('flags and variables to the working directory, a file to its own folder', async () => {
    const cwd = await folderWith({
      'conf/sandbox.yaml': 'fixtures: [f.json, sub/g.yaml, /abs.json]\nurlFile: url.txt\n',
    })
    expect(await settings({ fixtures: ['a.json', '/b.json'], urlFile: 'u' }, {}, cwd)).toMatchObject({
      fixtures: [join(cwd, 'a.json'), '/b.json'],
      urlFile: join(cwd, 'u'),
    })
    expect(await settings({}, { SANDBOX_FIXTURES: 'a.json' }, cwd)).toMatchObject({
      fixtures: [join(cwd, 'a.json')],
    })
    expect(await settings({}, { SANDBOX_OPTIONS: '--fixtures a.json' }, cwd)).toMatchObject({
      fixtures: [join(cwd, 'a.json')],
    })
    const fromFile = { fixtures: [join(cwd, 'conf/f.json'), join(cwd, 'conf/sub/g.yaml'), '/abs.json'] }
    for (const [flags, env] of [
      [{ config: 'conf/sandbox.yaml' }, {}],
      [{}, { SANDBOX_CONFIG: 'conf/sandbox.yaml' }],
      [{}, { SANDBOX_OPTIONS: '--config conf/sandbox.yaml' }],
    ] as const) {
      expect(await settings(flags, env, cwd)).toMatchObject({
        ...fromFile,
        urlFile: join(cwd, 'conf/url.txt'),
      })
    }
  })

  it('a config file may hold state documents themselves', async () => {
    const cwd = await folderWith({
      'sandbox.config.yaml': 'fixtures:\n  - customers: [{ id: cus_1 }]\n  - a.json\n',
    })
    expect((await settings({}, {}, cwd)).fixtures).toEqual([
      { customers: [{ id: 'cus_1' }] },
      join(cwd, 'a.json'),
    ])
  })
})

describe('config files', () => {
  it.each([
    ['sandbox.config.yaml', 'seed: 2\n'],
    ['sandbox.config.yml', 'seed: 2\n'],
    ['sandbox.config.json', '{ "seed": 2 }'],
  ])('%s in the working directory is read', async (name, text) => {
    expect((await settings({}, {}, await folderWith({ [name]: text }))).seed).toBe(2)
  })

  it('of several, yaml is read before yml and json', async () => {
    const cwd = await folderWith({
      'sandbox.config.json': '{"seed": 4}',
      'sandbox.config.yml': 'seed: 3',
      'sandbox.config.yaml': 'seed: 2',
    })
    expect((await settings({}, {}, cwd)).seed).toBe(2)
  })

  it('one that is named is read instead', async () => {
    const cwd = await folderWith({
      'sandbox.config.yaml': 'seed: 2\nhost: "::1"',
      'other.json': '{"seed": 3}',
    })
    expect(await settings({ config: 'other.json' }, {}, cwd)).toMatchObject({ seed: 3, host: '127.0.0.1' })
  })

  it('names are those of the library or those of the flags', async () => {
    const cwd = await folderWith({
      'sandbox.config.yaml': 'max-workspaces: 5\nlogFormat: json\nurl-file: u\n',
    })
    expect(await settings({}, {}, cwd)).toMatchObject({
      maxWorkspaces: 5,
      logFormat: 'json',
      urlFile: join(cwd, 'u'),
    })
  })

  it('assumptions are id: value', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'assume:\n  not_found_status: 400\n' })
    expect((await settings({}, {}, cwd)).assume).toEqual({ not_found_status: 400 })
  })

  it.each<[string, Record<string, string>, string[]]>([
    [
      'an unknown option',
      { 'sandbox.config.yaml': 'port: 0\nsed: 1\n' },
      ["sandbox.config.yaml:2:1 sed: unknown option 'sed', did you mean 'seed'?", 'sed: 1', '^'],
    ],
    [
      'a bad value',
      { 'sandbox.config.yaml': 'seed: 1\nport:   many\n' },
      [
        "sandbox.config.yaml:2:9 port: 'many' must be an integer from 0 to 65535",
        'port:   many',
        '        ^',
      ],
    ],
    [
      'a bad value in JSON',
      { 'sandbox.config.json': '{\n  "environment": "staging"\n}\n' },
      [
        "sandbox.config.json:2:18 environment: 'staging' must be one of sandbox, production",
        '  "environment": "staging"',
        '                 ^',
      ],
    ],
    [
      'a bad assumption',
      { 'sandbox.config.yaml': 'assume: { not_found_status: 999 }\n' },
      [
        "sandbox.config.yaml:1:9 assume: assumption 'not_found_status': unknown value '999', expected one of: 404, 400, 410",
        'assume: { not_found_status: 999 }',
        '        ^',
      ],
    ],
    [
      'a config in a config',
      { 'sandbox.config.yaml': 'config: other.yaml\n' },
      [
        "sandbox.config.yaml:1:1 config: unknown option 'config', expected one of: port, host, tls, tlsCert, tlsKey, tlsHost, tlsDir, fixtures, generate, seed, environment, scenario, scenarioLibrary, clock, frozen, assume, webhooks, webhookSecret, eventsSize, webhookAllow, calibrated, data, store, storePrefix, admin, adminToken, isolation, isolationSecret, allowedHosts, corsOrigin, baseUrl, watch, quiet, logFormat, logFile, urlFile, journalSize, maxBody, maxWorkspaces, workspaceTtl, allowAnyPan, coverageOnly, coverageSkip, coverageMin, coverageBaseline, coverageBaselineUpdate, report, traceDir, strict",
        'config: other.yaml',
        '^',
      ],
    ],
    [
      'a list',
      { 'sandbox.config.yaml': '- seed: 1\n' },
      ['sandbox.config.yaml:1:1: must be an object of options', '- seed: 1', '^'],
    ],
  ])('%s -> exit 3 at line and column', async (_what, files, lines) => {
    const cwd = await folderWith(files)
    const { code, stdout, stderr } = await cli(['start'], { cwd })
    expect(stderr.trimEnd().split('\n')).toEqual(lines)
    expect([code, stdout]).toEqual([3, ''])
  })

  it('several unknown options -> all of them', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'sed: 1\nhots: x\n' })
    const { code, stderr } = await cli([], { cwd })
    expect(code).toBe(3)
    expect(stderr.match(/^sandbox\.config\.yaml:\d:1 /gm)).toHaveLength(2)
  })

  it('several bad values -> all of them, each at its place', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'seed: x\njournal-size: -1\n' })
    expect(await cli([], { cwd })).toEqual({
      code: 3,
      stdout: '',
      stderr: `sandbox.config.yaml:1:7 seed: 'x' must be an integer from 0 to 9007199254740991
seed: x
      ^
sandbox.config.yaml:2:15 journal-size: -1 must be an integer from 0 to 1000000
journal-size: -1
              ^
`,
    })
  })

  it('a bad value that is secret -> its place without its line', async () => {
    const cwd = await folderWith({
      'sandbox.config.yaml': 'store: redis://app:s3cret@host:0\nadmin-token: "s3 cret"\n',
    })
    expect(await cli([], { cwd })).toEqual({
      code: 3,
      stdout: '',
      stderr: `sandbox.config.yaml:1:8 store: must have ports from 1 to 65535
sandbox.config.yaml:2:14 admin-token: must be 1 to 200 characters without spaces
`,
    })
  })

  it('bad values from everywhere -> exit 2 with all of them', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'seed: x\n' })
    const env = { SANDBOX_MAX_WORKSPACES: 'y', SANDBOX_OPTIONS: '--journal-size z' }
    const argv = ['--port', 'w', '--admin', 'token', '--assume', 'a=b']
    const { code, stderr } = await cli(argv, { cwd, env })
    expect(code).toBe(2)
    expect(stderr.trimEnd().split('\n')).toEqual([
      "error: --port: 'w' must be an integer from 0 to 65535",
      "error: sandbox.config.yaml:1:7 seed: 'x' must be an integer from 0 to 9007199254740991",
      "error: SANDBOX_OPTIONS: --journal-size: 'z' must be an integer from 0 to 1000000",
      "error: SANDBOX_MAX_WORKSPACES: 'y' must be an integer from 0 to 1000000",
      "error: --admin: 'token' needs a token: set --admin-token or SANDBOX_ADMIN_TOKEN",
      expect.stringMatching(/^error: --assume: .*'a'/),
    ])
  })

  it.each([
    ['a file that is not there', {}, 'none.yaml: there is no such file\n'],
    ['an empty file', { 'none.yaml': '' }, 'none.yaml: is empty; expected a JSON or YAML document\n'],
  ])('%s -> exit 3', async (_what, files, message) => {
    const cwd = await folderWith(files)
    const { code, stderr } = await cli(['--config', 'none.yaml'], { cwd })
    expect([code, stderr]).toEqual([3, message])
  })

  it('text that is no YAML -> exit 3 with line and column', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'seed: 1\nport: [\n' })
    const { code, stderr } = await cli([], { cwd })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^sandbox\.config\.yaml:\d+:\d+/)
  })
})

describe('wrong usage -> exit 2, nothing on stdout', () => {
  it.each<[string, string[], Record<string, string>, string | RegExp]>([
    [
      'an unknown flag',
      ['start', '--prot', '0'],
      {},
      "error: unknown option '--prot'\n(Did you mean --port?)\n",
    ],
    [
      'an unknown flag without a verb',
      ['--prot', '0'],
      {},
      "error: unknown option '--prot'\n(Did you mean --port?)\n",
    ],
    ['an unknown flag that is like none', ['--xyzzy'], {}, "error: unknown option '--xyzzy'\n"],
    [
      'an unknown flag of validate',
      ['validate', '--fixture', 'x'],
      {},
      "error: unknown option '--fixture'\n(Did you mean --fixtures?)\n",
    ],
    ['an unknown verb', ['strat'], {}, "error: unknown verb 'strat', did you mean 'start'?\n"],
    [
      'an unknown verb that is like none',
      ['zzzzzzzz'],
      {},
      `error: unknown verb 'zzzzzzzz', expected one of: ${verbNames.join(', ')}\n`,
    ],
    ['a word too many', ['start', 'now'], {}, /^error: too many arguments for 'start'/],
    ['a flag without its value', ['--port'], {}, /^error: option '-p, --port <number>' argument missing\n$/],
    ['a bad value', ['--port', 'abc'], {}, "error: --port: 'abc' must be an integer from 0 to 65535\n"],
    [
      'a port out of range',
      ['-p', '65536'],
      {},
      "error: --port: '65536' must be an integer from 0 to 65535\n",
    ],
    [
      'a bad value in a variable',
      [],
      { SANDBOX_PORT: 'abc' },
      "error: SANDBOX_PORT: 'abc' must be an integer from 0 to 65535\n",
    ],
    [
      'a link to a service where no port stands',
      [],
      { SANDBOX_HOST: 'localhost', SANDBOX_JOURNAL_SIZE: 'tcp://10.0.0.1:4010' },
      "error: SANDBOX_JOURNAL_SIZE: 'tcp://10.0.0.1:4010' must be an integer from 0 to 1000000\n",
    ],
    [
      'a bad value in SANDBOX_OPTIONS',
      [],
      { SANDBOX_OPTIONS: '--port abc' },
      "error: SANDBOX_OPTIONS: --port: 'abc' must be an integer from 0 to 65535\n",
    ],
    [
      'an unknown flag in SANDBOX_OPTIONS',
      [],
      { SANDBOX_OPTIONS: '--prot 1' },
      /^error: SANDBOX_OPTIONS: unknown option '--prot'\n?.*--port/,
    ],
    [
      'a word in SANDBOX_OPTIONS',
      [],
      { SANDBOX_OPTIONS: 'start' },
      /^error: SANDBOX_OPTIONS: too many arguments/,
    ],
    [
      'an assumption without a value',
      ['--assume', 'not_found_status'],
      {},
      "error: --assume: 'not_found_status' must be id=value, such as not_found_status=400\n",
    ],
    [
      'an unknown assumption',
      ['--assume', 'not_found_statu=400'],
      {},
      /^error: --assume: unknown assumption 'not_found_statu', did you mean 'not_found_status'\? Valid ids: /,
    ],
    [
      'an assumption that is like none',
      ['--assume', 'x=1'],
      {},
      /^error: --assume: unknown assumption 'x'\. Valid ids: create_status, /,
    ],
    [
      'a value that an assumption does not have',
      ['--assume', 'not_found_status=418'],
      {},
      /^error: --assume: assumption 'not_found_status': unknown value '418', expected one of: 404, 400, 410\n$/,
    ],
    [
      '--admin token without a token',
      ['--admin', 'token'],
      {},
      "error: --admin: 'token' needs a token: set --admin-token or SANDBOX_ADMIN_TOKEN\n",
    ],
    ['a bad clock', ['--clock', 'noon'], {}, "error: --clock: 'noon' must be an RFC 3339 date-time\n"],
    [
      'a bad origin',
      ['--cors-origin', 'https://a.example/path'],
      {},
      "error: --cors-origin: 'https://a.example/path' must be https://a.example, as browsers send this origin\n",
    ],
    [
      'a bad switch in a variable',
      [],
      { SANDBOX_FROZEN: 'maybe' },
      "error: SANDBOX_FROZEN: 'maybe' must be true or false\n",
    ],
    [
      'a bad population',
      ['--generate', '100'],
      {},
      "error: --generate: '100' must be customers=N with N from 1 to 10000000\n",
    ],
  ])('%s', async (_what, argv, env, message) => {
    const { code, stdout, stderr } = await cli(argv, { env })
    expect([code, stdout]).toEqual([2, ''])
    if (typeof message === 'string') expect(stderr).toBe(message)
    else expect(stderr).toMatch(message)
  })

  it('a bad token is not repeated', async () => {
    const { code, stderr } = await cli(['--admin-token', 'my secret'])
    expect([code, stderr]).toEqual([2, 'error: --admin-token: must be 1 to 200 characters without spaces\n'])
  })
})
