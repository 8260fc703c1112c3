import { describe, expect, it } from 'vitest'
import {
  flagOf,
  libraryNameOf,
  optionNames,
  optionOf,
  variableOf,
  type OptionName,
  type SandboxOptions,
} from '../../src/options/index.ts'
import { libraryDefaults, OptionsError, readOptions, unknownOption } from '../../src/options/read-options.ts'

const defaults = {
  port: 4010,
  host: '127.0.0.1',
  fixtures: [],
  generate: undefined,
  seed: undefined,
  environment: 'sandbox',
  scenarios: [],
  scenarioLibrary: [],
  clock: undefined,
  frozen: false,
  assume: {},
  webhooks: undefined,
  webhookSecret: undefined,
  eventsSize: 1_000,
  webhookAllow: [],
  calibrated: undefined,
  tls: undefined,
  tlsCert: undefined,
  tlsKey: undefined,
  tlsHost: [],
  tlsDir: undefined,
  data: undefined,
  store: 'memory',
  storePrefix: 'sandbox',
  baseUrl: undefined,
  corsOrigin: [],
  allowedHosts: [],
  journalSize: 1_000,
  maxBody: 1_048_576,
  maxWorkspaces: 10_000,
  workspaceTtl: 'none',
  isolation: 'test',
  isolationSecret: undefined,
  allowAnyPan: false,
  admin: undefined,
  adminToken: undefined,
  watch: false,
  quiet: false,
  logFormat: 'pretty',
  urlFile: undefined,
  coverageOnly: [],
  coverageSkip: [],
  coverageMin: [],
  coverageBaseline: undefined,
  coverageBaselineUpdate: false,
  report: [],
  strict: false,
  config: undefined,
  logFile: undefined,
  mount: undefined,
  traceDir: undefined,
}

/** One option as it was given, with the flag as its source. */
const read = (name: OptionName, value: unknown): Record<string, unknown> => ({
  ...readOptions({ [name]: { source: flagOf(name), value } }),
})

describe('the table', () => {
  it.each([
    ['port', '--port', 'SANDBOX_PORT'],
    ['journalSize', '--journal-size', 'SANDBOX_JOURNAL_SIZE'],
    ['maxBody', '--max-body', 'SANDBOX_MAX_BODY'],
    ['maxWorkspaces', '--max-workspaces', 'SANDBOX_MAX_WORKSPACES'],
    ['allowAnyPan', '--allow-any-pan', 'SANDBOX_ALLOW_ANY_PAN'],
    ['urlFile', '--url-file', 'SANDBOX_URL_FILE'],
    ['baseUrl', '--base-url', 'SANDBOX_BASE_URL'],
  ] as const)('%s is %s and %s', (name, flag, variable) => {
    expect([flagOf(name), variableOf(name)]).toEqual([flag, variable])
  })

  it('no two options have the same flag, short or long, or the same variable', () => {
    const flags = optionNames.map(flagOf)
    const shorts = optionNames.map((name) => optionOf(name).short).filter((short) => short !== undefined)
    expect(new Set(flags).size).toBe(flags.length)
    expect(new Set(shorts).size).toBe(shorts.length)
    expect(flags.map((flag) => flag.replace('--', ''))).not.toContain('options')
  })

  it('every option has help; every one that takes a value says what it is called', () => {
    for (const name of optionNames) {
      const { help, placeholder } = optionOf(name)
      expect(help).toMatch(/^[a-zA-Z/_].*[^.]$/)
      const isSwitch = [
        'frozen',
        'watch',
        'quiet',
        'allowAnyPan',
        'coverageBaselineUpdate',
        'strict',
      ].includes(name)
      expect([name, placeholder === undefined]).toEqual([name, isSwitch])
    }
  })
})

describe('readOptions', () => {
  it('nothing given -> every default', () => {
    expect(readOptions({})).toEqual(defaults)
  })

  it('a default that is given -> the same: it is what its schema makes of it', () => {
    const settings: Readonly<Record<string, unknown>> = defaults
    const set = optionNames.filter((name) => settings[libraryNameOf(name)] !== undefined)
    const sources = set.map((name) => [name, { source: flagOf(name), value: settings[libraryNameOf(name)] }])
    expect(set.length).toBeGreaterThan(15)
    expect(readOptions(Object.fromEntries(sources))).toEqual(defaults)
  })

  it.each<[OptionName, unknown, unknown]>([
    ['port', '0', 0],
    ['port', 65_535, 65_535],
    ['host', '::', '::'],
    ['fixtures', 'a.json', ['a.json']],
    ['fixtures', ['a.json', { customers: [] }], ['a.json', { customers: [] }]],
    ['fixtures', { customers: [] }, [{ customers: [] }]],
    ['generate', 'customers=1000', { customers: 1000 }],
    ['generate', { customers: 1000 }, { customers: 1000 }],
    ['seed', '0', 0],
    ['seed', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['environment', 'production', 'production'],
    ['clock', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['clock', '2026-01-01t00:00:00.5+01:00', '2026-01-01t00:00:00.5+01:00'],
    ['frozen', true, true],
    ['frozen', '', true],
    ['assume', 'a_b=c', undefined],
    [
      'assume',
      ['create_status=200', 'not_found_status=400'],
      { create_status: '200', not_found_status: '400' },
    ],
    ['assume', { create_status: 200 }, { create_status: 200 }],
    ['eventsSize', '20', 20],
    ['calibrated', 'state/calibrated.yaml', 'state/calibrated.yaml'],
    ['data', 'state/data.json', 'state/data.json'],
    ['store', 'memory', 'memory'],
    ['baseUrl', 'http://a.example:8080/b/', 'http://a.example:8080/b/'],
    ['corsOrigin', 'https://a.example', ['https://a.example']],
    ['corsOrigin', ['http://a.example:8080'], ['http://a.example:8080']],
    ['corsOrigin', ['capacitor://localhost', 'app://a:1'], ['capacitor://localhost', 'app://a:1']],
    ['allowedHosts', 'Sandbox.Example', ['sandbox.example']],
    ['allowedHosts', ['a', 'b:80'], ['a', 'b:80']],
    ['journalSize', '0', 0],
    ['maxBody', '1024', 1024],
    ['journalSize', 1_000_000, 1_000_000],
    ['maxWorkspaces', '0', 0],
    ['workspaceTtl', '30s', '30s'],
    ['workspaceTtl', '7d', '7d'],
    ['workspaceTtl', 'none', 'none'],
    ['isolation', 'test', 'test'],
    ['admin', 'open', 'open'],
    ['adminToken', 'a-b_c.d~', 'a-b_c.d~'],
    ['allowAnyPan', 'true', true],
    ['logFormat', 'json', 'json'],
    ['urlFile', '/tmp/url', '/tmp/url'],
    ['watch', true, true],
    ['watch', '1', true],
    ['watch', 'false', false],
    ['coverageOnly', 'updateReward', ['updateReward']],
    ['coverageOnly', ['updateReward, listStatements', 'x'], ['updateReward', 'listStatements', 'x']],
    ['coverageSkip', 'auth,version', ['auth', 'version']],
    ['coverageMin', '90', [{ percent: 90 }]],
    ['coverageMin', '87.5', [{ percent: 87.5 }]],
    ['coverageMin', 0, [{ percent: 0 }]],
    ['coverageMin', '100', [{ percent: 100 }]],
    ['coverageMin', '80,updateReward=100', [{ percent: 80 }, { percent: 100, operation: 'updateReward' }]],
    [
      'coverageMin',
      [80, 'updateReward=99.5'],
      [{ percent: 80 }, { percent: 99.5, operation: 'updateReward' }],
    ],
    ['coverageBaseline', 'a.json', 'a.json'],
    ['report', 'a.html', ['a.html']],
    ['report', ['a.html', 'b.JSON', 'c.xml', 'd.txt'], ['a.html', 'b.JSON', 'c.xml', 'd.txt']],
    ['strict', '', true],
  ])('%s %j -> %j', (name, value, expected) => {
    if (expected === undefined) expect(() => read(name, value)).toThrow(OptionsError)
    else expect(read(name, value)).toEqual({ ...defaults, [name]: expected })
  })

  it('null counts as left out: it is what YAML makes of a key without a value', () => {
    for (const name of optionNames) expect(read(name, null)).toEqual(defaults)
  })

  it.each([
    ['thin', 'thin'],
    ['state/webhooks.yaml', 'described'],
    [{ names: 'resource.action' }, 'described'],
  ])('webhooks %j sets the assumption webhook_events to %s', (webhooks, value) => {
    expect(read('webhooks', webhooks)).toEqual({ ...defaults, webhooks, assume: { webhook_events: value } })
  })

  const set = (webhooks: string | object, assume: string) =>
    readOptions({
      webhooks: { source: '--webhooks', value: webhooks },
      assume: { source: '--assume', value: assume },
    })

  it('webhooks and assume may agree', () => {
    expect(set('thin', 'webhook_events=thin')).toMatchObject({ assume: { webhook_events: 'thin' } })
  })

  it.each([
    [
      'thin',
      'webhook_events=standard',
      "--webhooks: 'thin' sets webhook_events=thin, and --assume sets standard: omit one of the two",
    ],
    [
      'hooks.yaml',
      'webhook_events=not_served',
      "--webhooks: 'hooks.yaml' sets webhook_events=described, and --assume sets not_served: omit one of the two",
    ],
    [
      {},
      'webhook_events=thin',
      '--webhooks: the description sets webhook_events=described, and --assume sets thin: omit one of the two',
    ],
  ])('webhooks %j and assume %s contradict each other', (webhooks, assume, message) => {
    expect(() => set(webhooks, assume)).toThrow(new OptionsError(message, '--webhooks'))
  })

  it('a described event needs its description', () => {
    expect(() => read('assume', 'webhook_events=described')).toThrow(
      new OptionsError(
        '--assume: webhook_events=described needs the description: set --webhooks FILE',
        '--assume',
      ),
    )
  })

  it('the last value of an assumption counts', () => {
    expect(read('assume', ['create_status=200', 'create_status=201'])).toMatchObject({
      assume: { create_status: '201' },
    })
  })

  const duration = 'must be a duration, such as 30s, 15m, 24h or 7d, at most 999999d, or none'
  const percent =
    'must be a number from 0 to 100, such as 90 or 87.5, or one of an operation, such as updateReward=100'
  const extension = 'must end in one of .json, .txt, .html, .xml, .har, journal.json, trace.html'
  const port = 'must be an integer from 0 to 65535'
  it.each<[OptionName, unknown, string]>([
    ['port', '-1', `--port: '-1' ${port}`],
    ['port', 65_536, `--port: 65536 ${port}`],
    ['port', '1.5', `--port: '1.5' ${port}`],
    ['port', '0x10', `--port: '0x10' ${port}`],
    ['port', ' 1', `--port: ' 1' ${port}`],
    ['port', '', `--port: '' ${port}`],
    ['port', true, `--port: true ${port}`],
    ['port', Number.NaN, `--port: null ${port}`],
    ['seed', 1.5, '--seed: 1.5 must be an integer from 0 to 9007199254740991'],
    ['seed', 'abc', "--seed: 'abc' must be an integer from 0 to 9007199254740991"],
    ['host', '', "--host: '' must not be empty"],
    ['fixtures', [1], '--fixtures: 1 must be a path or a state document'],
    ['fixtures', [''], "--fixtures: '' must be a path or a state document"],
    ['generate', 'customers=0', "--generate: 'customers=0' must be customers=N with N from 1 to 10000000"],
    ['generate', 'rewards=5', "--generate: 'rewards=5' must be customers=N with N from 1 to 10000000"],
    [
      'generate',
      { customers: 1.5 },
      '--generate: {"customers":1.5} must be customers=N with N from 1 to 10000000',
    ],
    [
      'environment',
      'Sandbox',
      "--environment: 'Sandbox' must be one of sandbox, production, did you mean 'sandbox'?",
    ],
    ['clock', '2026-01-01', "--clock: '2026-01-01' must be an RFC 3339 date-time"],
    ['clock', '2026-02-30T00:00:00Z', "--clock: '2026-02-30T00:00:00Z' must be an RFC 3339 date-time"],
    ['clock', '2026-01-01T00:00:00', "--clock: '2026-01-01T00:00:00' must be an RFC 3339 date-time"],
    ['frozen', 'yes', "--frozen: 'yes' must be true or false"],
    ['frozen', 1, '--frozen: 1 must be true or false'],
    ['watch', 'yes', "--watch: 'yes' must be true or false"],
    ['assume', 'create_status', "--assume: 'create_status' must be id=value, such as not_found_status=400"],
    ['assume', '=200', "--assume: '=200' must be id=value, such as not_found_status=400"],
    ['assume', 1, '--assume: 1 must be id=value, such as not_found_status=400'],
    [
      'baseUrl',
      'ftp://a',
      "--base-url: 'ftp://a' must be an http or https URL, such as https://sandbox.example",
    ],
    ['baseUrl', '/api', "--base-url: '/api' must be an http or https URL, such as https://sandbox.example"],
    ['data', '', "--data: '' must not be empty"],
    ['data', 1, '--data: 1 must be a path'],
    ['storePrefix', 'a:b', "--store-prefix: 'a:b' must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"],
    ['storePrefix', '', "--store-prefix: '' must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"],
    ['allowedHosts', '', "--allowed-hosts: '' must not be empty"],
    ['maxBody', '1023', "--max-body: '1023' must be an integer from 1024 to 16777216"],
    ['journalSize', '-1', "--journal-size: '-1' must be an integer from 0 to 1000000"],
    ['journalSize', 1_000_001, '--journal-size: 1000001 must be an integer from 0 to 1000000'],
    ['journalSize', '1e3', "--journal-size: '1e3' must be an integer from 0 to 1000000"],
    ['maxWorkspaces', '-1', "--max-workspaces: '-1' must be an integer from 0 to 1000000"],
    ['workspaceTtl', '0s', `--workspace-ttl: '0s' ${duration}`],
    ['workspaceTtl', '9999999d', `--workspace-ttl: '9999999d' ${duration}`],
    ['workspaceTtl', '1w', `--workspace-ttl: '1w' ${duration}`],
    ['workspaceTtl', '15', `--workspace-ttl: '15' ${duration}`],
    ['workspaceTtl', 30, `--workspace-ttl: 30 must be a text`],
    [
      'isolation',
      'partners',
      "--isolation: 'partners' must be one of test, partner, did you mean 'partner'?",
    ],
    [
      'isolationSecret',
      'a b',
      '--isolation-secret: must be 16 to 200 characters without spaces, hard to guess',
    ],
    [
      'webhookSecret',
      'too few',
      '--webhook-secret: must be 8 to 200 printable ASCII characters without spaces',
    ],
    ['admin', 'yes', "--admin: 'yes' must be one of token, open, off"],
    ['logFormat', 'xml', "--log-format: 'xml' must be one of pretty, json"],
    ['coverageMin', '', `--coverage-min: '' ${percent}`],
    ['coverageMin', '-1', `--coverage-min: '-1' ${percent}`],
    ['coverageMin', '100.1', `--coverage-min: '100.1' ${percent}`],
    ['coverageMin', 101, `--coverage-min: 101 ${percent}`],
    ['coverageMin', '9e1', `--coverage-min: '9e1' ${percent}`],
    ['coverageMin', '90%', `--coverage-min: '90%' ${percent}`],
    ['coverageMin', '90,', `--coverage-min: '90,' ${percent}`],
    ['coverageMin', ['90', 'x=y'], `--coverage-min: 'x=y' ${percent}`],
    ['coverageMin', [['90']], `--coverage-min: ["90"] ${percent}`],
    ['coverageOnly', 'updateReward,', "--coverage-only: 'updateReward,' must be names, separated by commas"],
    ['coverageSkip', ['auth', ''], "--coverage-skip: '' must be names, separated by commas"],
    ['coverageBaseline', '', "--coverage-baseline: '' must not be empty"],
    ['coverageBaselineUpdate', true, '--coverage-baseline-update: needs the file: set --coverage-baseline'],
    ['report', 'a.pdf', `--report: 'a.pdf' ${extension}`],
    ['report', ['a.txt', 'b.md'], `--report: 'b.md' ${extension}`],
    ['report', '', `--report: '' ${extension}`],
    ['report', 1, '--report: 1 must be a path or a list of paths'],
    ['strict', 'yes', "--strict: 'yes' must be true or false"],
  ])('%s %j -> refused, naming the value and the rule', (name, value, message) => {
    expect(() => read(name, value)).toThrow(new OptionsError(message, flagOf(name)))
  })

  it.each([
    ['*', 'must be an origin, such as https://app.example: each origin must be named'],
    ['null', 'must be an origin, such as https://app.example: any page can send null'],
    ['app.example', 'must be an origin, such as https://app.example'],
    ['https://a/', 'must be https://a, as browsers send this origin'],
    ['https://a.example/app?x#y', 'must be https://a.example, as browsers send this origin'],
    ['https://A.example:443', 'must be https://a.example, as browsers send this origin'],
    ['https://me@a.example', 'must be https://a.example, as browsers send this origin'],
    ['capacitor://localhost/', 'must be capacitor://localhost, as browsers send this origin'],
    ['Capacitor://localhost', 'must be capacitor://localhost, as browsers send this origin'],
    ['capacitor:localhost', 'must be an origin, such as https://app.example'],
    ['ws://a.example', 'can never match: browsers send no origin of ws:'],
    ['wss://a.example', 'can never match: browsers send no origin of wss:'],
    ['ftp://a.example', 'can never match: browsers send no origin of ftp:'],
    ['file:///a', 'can never match: browsers send no origin of file:'],
    ['data:text/html,a', 'can never match: browsers send no origin of data:'],
  ])('an origin that never matches, %s, is refused with %s', (origin, words) => {
    expect(() => read('corsOrigin', origin)).toThrow(
      new OptionsError(`--cors-origin: '${origin}' ${words}`, '--cors-origin'),
    )
  })

  it.each(['', 'a b', 'x'.repeat(201), 'a\nb'])('a bad token, %j, is refused and never repeated', (token) => {
    expect(() => read('adminToken', token)).toThrow(
      new OptionsError('--admin-token: must be 1 to 200 characters without spaces', '--admin-token'),
    )
  })

  it.each([
    'redis://app:s3cret@host:0',
    'redis://app:s3cret@host,b/1',
    'redis://app:s3/cret@host',
    'http://app:s3cret@host',
    's3cret',
    '',
  ])('a bad store, %j, is refused and never repeated', (store) => {
    const attempt = (): unknown => read('store', store)
    expect(attempt).toThrow(/^--store: must [^']+$/)
    expect(attempt).not.toThrow(/s3/)
  })

  it('a store -> idle workspaces are deleted, unless it is said that they are not', () => {
    const store = { source: '--store', value: 'redis://host' }
    expect(readOptions({ store })).toMatchObject({ store: 'redis://host', workspaceTtl: '7d' })
    const workspaceTtl = { source: '--workspace-ttl', value: 'none' }
    expect(readOptions({ store, workspaceTtl })).toMatchObject({ workspaceTtl: 'none' })
  })

  it.each<[OptionName, unknown]>([
    ['data', 'a.json'],
    ['watch', true],
  ])('a store beside --%s -> refused; memory is none', (name, value) => {
    const attempt = (store: string): unknown =>
      readOptions({
        store: { source: 'SANDBOX_STORE', value: store },
        [name]: { source: flagOf(name), value },
      })
    expect(() => attempt('redis://host')).toThrow(
      expect.objectContaining({
        source: 'SANDBOX_STORE',
        message: expect.stringMatching(`^SANDBOX_STORE: excludes --${name}: `),
      }),
    )
    expect(attempt('memory')).toMatchObject({ [name]: value })
  })

  it('the source of a value is named, whatever it is', () => {
    const attempt = (): unknown => readOptions({ seed: { source: 'SANDBOX_SEED', value: 'x' } })
    expect(attempt).toThrow(/^SANDBOX_SEED: 'x' must be /)
    try {
      attempt()
    } catch (error) {
      expect((error as OptionsError).source).toBe('SANDBOX_SEED')
    }
  })

  it('--admin token needs a token, from wherever', () => {
    const token = { source: 'SANDBOX_ADMIN_TOKEN', value: 't' }
    const admin = { source: '--admin', value: 'token' }
    expect(() => readOptions({ admin })).toThrow(
      new OptionsError("--admin: 'token' needs a token: set --admin-token or SANDBOX_ADMIN_TOKEN", '--admin'),
    )
    expect(readOptions({ admin, adminToken: token })).toMatchObject({ admin: 'token', adminToken: 't' })
  })
})

describe('what an option needs beside it', () => {
  const needsStore = 'needs a store: set --store redis://HOST:PORT, or omit it'
  const needsPartners = 'needs --isolation partner: set both, or omit it'

  it.each([undefined, 'start', 'exec', 'matrix'])(
    '%s: --store-prefix needs --store, from wherever',
    (verb) => {
      const storePrefix = { source: 'storePrefix', value: 'team-A_2' }
      const refused = new OptionsError(`storePrefix: ${needsStore}`, 'storePrefix')
      const store = { source: 'SANDBOX_STORE', value: 'redis://host' }
      expect(() => readOptions({ storePrefix }, verb)).toThrow(refused)
      const memory = { source: '--store', value: 'memory' }
      expect(() => readOptions({ storePrefix, store: memory }, verb)).toThrow(refused)
      expect(readOptions({ storePrefix, store }, verb)).toMatchObject({ storePrefix: 'team-A_2' })
    },
  )

  it.each([undefined, 'start', 'exec', 'matrix'])(
    '%s: --isolation-secret needs --isolation partner, from wherever',
    (verb) => {
      const source = 'SANDBOX_ISOLATION_SECRET_FILE'
      const isolationSecret = { source, value: 'sixteen-or-more.' }
      const refused = new OptionsError(`${source}: ${needsPartners}`, source)
      const adminToken = { source: '--admin-token', value: 't' }
      const isolation = { source: 'isolation', value: 'partner' }
      expect(() => readOptions({ isolationSecret, adminToken }, verb)).toThrow(refused)
      const test = { source: '--isolation', value: 'test' }
      expect(() => readOptions({ isolationSecret, isolation: test }, verb)).toThrow(refused)
      expect(readOptions({ isolationSecret, adminToken, isolation }, verb)).toMatchObject({
        isolationSecret: 'sixteen-or-more.',
      })
    },
  )

  it('the library refuses both', () => {
    expect(() => libraryDefaults({ storePrefix: 'p', isolationSecret: 'sixteen-or-more.' })).toThrow(
      `createSandbox: storePrefix: ${needsStore}\ncreateSandbox: isolationSecret: ${needsPartners}`,
    )
  })

  it('a secret of webhooks needs events, unless exec has set its variable', () => {
    const value = 'a-token-of-the-provider'
    const refused = 'needs webhook events: set --webhooks PRESET or FILE, or omit it'
    for (const source of ['--webhook-secret', 'SANDBOX_WEBHOOK_SECRET_FILE'])
      expect(() => readOptions({ webhookSecret: { source, value } })).toThrow(`${source}: ${refused}`)
    const inherited = { source: 'SANDBOX_WEBHOOK_SECRET', value }
    expect(readOptions({ webhookSecret: inherited })).toMatchObject({ webhookSecret: value })
    const webhookSecret = { source: '--webhook-secret', value }
    const webhooks = { source: '--webhooks', value: 'documented' }
    expect(readOptions({ webhookSecret, webhooks })).toMatchObject({ webhookSecret: value })
    const assume = { source: '--assume', value: 'webhook_events=thin' }
    expect(readOptions({ webhookSecret, assume })).toMatchObject({ webhookSecret: value })
  })

  it('--isolation partner needs a token, from wherever', () => {
    const isolation = { source: '--isolation', value: 'partner' }
    const adminToken = { source: 'SANDBOX_ADMIN_TOKEN', value: 't' }
    expect(() => readOptions({ isolation })).toThrow(
      new OptionsError(
        "--isolation: 'partner' needs a token to create workspaces: set --admin-token or SANDBOX_ADMIN_TOKEN",
      ),
    )
    expect(readOptions({ isolation, adminToken })).toMatchObject({ isolation: 'partner', adminToken: 't' })
    const admin = { source: '--admin', value: 'off' }
    const closed = new OptionsError(
      "--admin: 'off' closes the control plane, and it is needed to create workspaces for --isolation partner: omit one of the two",
      '--admin',
    )
    expect(() => readOptions({ isolation, adminToken, admin }, 'start')).toThrow(closed)
    expect(() => readOptions({ isolation, admin }, 'start'), 'a token would not help').toThrow(closed)
    expect(readOptions({ isolation, adminToken, admin })).toMatchObject({ admin: 'off' })
  })

  it.each(['exec', 'matrix'])(
    '%s refuses --isolation partner itself, whatever is missing beside it',
    (verb) => {
      const isolation = { source: '--isolation', value: 'partner' }
      expect(readOptions({ isolation }, verb)).toMatchObject({ isolation: 'partner' })
    },
  )
})

describe('several bad options of the library', () => {
  it.each([
    [
      { seed: -1, clock: 'now' },
      "createSandbox: seed: -1 must be an integer from 0 to 9007199254740991\ncreateSandbox: clock: 'now' must be an RFC 3339 date-time",
    ],
    [
      { sed: 1, fixture: 'x' },
      "createSandbox: unknown option 'sed', did you mean 'seed'?\ncreateSandbox: unknown option 'fixture', did you mean 'fixtures'?",
    ],
  ])('%j -> all of them', (options, message) => {
    expect(() => libraryDefaults(options as SandboxOptions)).toThrow(
      expect.objectContaining({ message, source: undefined }),
    )
  })
})

const libraryOptions =
  'expected one of: fixtures, generate, seed, environment, scenarios, scenarioLibrary, clock, frozen, assume, webhooks, webhookSecret, eventsSize, webhookAllow, calibrated, data, store, storePrefix, admin, adminToken, isolation, isolationSecret, allowedHosts, corsOrigin, baseUrl, journalSize, maxBody, maxWorkspaces, workspaceTtl, allowAnyPan'

describe('libraryDefaults', () => {
  it('nothing -> the defaults', () => {
    expect(libraryDefaults({})).toMatchObject({
      seed: undefined,
      environment: 'sandbox',
      fixtures: [],
      maxWorkspaces: 10_000,
    })
  })

  it.each([
    ['sed', "createSandbox: unknown option 'sed', did you mean 'seed'?"],
    ['fixture', "createSandbox: unknown option 'fixture', did you mean 'fixtures'?"],
    ['max-workspaces', "createSandbox: unknown option 'max-workspaces', did you mean 'maxWorkspaces'?"],
    ['port', `createSandbox: unknown option 'port', ${libraryOptions}`],
    ['quiet', `createSandbox: unknown option 'quiet', ${libraryOptions}`],
    ['watch', `createSandbox: unknown option 'watch', ${libraryOptions}`],
    ['config', `createSandbox: unknown option 'config', ${libraryOptions}`],
    ['strict', `createSandbox: unknown option 'strict', ${libraryOptions}`],
    ['report', `createSandbox: unknown option 'report', ${libraryOptions}`],
    ['constructor', `createSandbox: unknown option 'constructor', ${libraryOptions}`],
  ])('%s -> refused', (name, message) => {
    expect(() => libraryDefaults({ [name]: 1 } as SandboxOptions)).toThrow(new OptionsError(message))
  })

  it('undefined counts as left out', () => {
    expect(libraryDefaults({ seed: undefined } as unknown as SandboxOptions).seed).toBe(undefined)
  })
})

describe('unknownOption', () => {
  it.each([
    ['seed', ['sed'], "unknown option 'seed', did you mean 'sed'?"],
    ['zzz', ['seed', 'port'], "unknown option 'zzz', expected one of: seed, port"],
  ])('%s among %j -> %s', (name, known, text) => {
    expect(unknownOption(name, known)).toBe(text)
  })
})
