import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { optionNames, optionOf, flagOf } from '../../src/options/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { cli, folderWith } from '../helpers/fake-io.ts'
import { unbalanced } from './unbalanced.ts'

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }

const good = { customers: [{ id: 'cus_1' }] }
const bad =
  '{\n  "customers": [{ "id": "cus_1", "first_name": 1 }],\n  "accounts": [{ "id": "a", "customer_id": "cus_2" }]\n}\n'

describe('help and version', () => {
  it.each(['--version', '-V'])('%s -> exit 0, the version on stdout', async (flag) => {
    expect(await cli([flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each(['--help', '-h'])('%s -> exit 0, every verb on stdout', async (flag) => {
    const { code, stdout, stderr } = await cli([flag])
    expect([code, stderr]).toEqual([0, ''])
    for (const verb of [
      'start',
      'exec',
      'matrix',
      'validate',
      'generate',
      'init',
      'openapi',
      'schema',
      'coverage',
      'explain',
      'health',
      'wait',
      'reset',
      'apply',
      'snapshot',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${verb} `, 'm'))
    }
  })

  it('start --help -> every option with its default, and how else it can be set', async () => {
    const { code, stdout } = await cli(['start', '--help'])
    expect(code).toBe(0)
    for (const name of optionNames) {
      const isOfStart = optionOf(name).verbs === undefined
      expect([name, stdout.includes(`${flagOf(name)} `)]).toEqual([name, isOfStart])
    }
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'port to listen on; 0 takes any free one (default: 4010)',
    )
    expect((await cli(['--help'])).stdout).toContain('SANDBOX_MAX_WORKSPACES')
  })

  it('events listen --help -> the fields of a line of JSON', async () => {
    expect((await cli(['events', 'listen', '--help'])).stdout).toContain(
      '{"event_id", "n", "type", "status", "duration_ms", "location"?, "body"?, "retry_after"?, "error"?}',
    )
  })

  it('exec --help -> every option, its own port, and its exit codes', async () => {
    const { code, stdout } = await cli(['exec', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('exec [options] -- <command> [arguments...]')
    for (const name of optionNames) expect(stdout).toContain(`${flagOf(name)} `)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('port to listen on; 0 takes any free one (default: 0)')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '127 if the program does not exist, 126 if it cannot be run',
    )
  })

  it.each([
    ['reset', "the workspace (default: that of a partner's token, or default)"],
    ['coverage', 'only the calls in this workspace (default: those in all workspaces)'],
    ['explain', 'the workspace of the request or event (default: the one that its id names)'],
  ])('%s --help -> which workspace it is about', async (verb, about) => {
    const { stdout } = await cli([verb, '--help'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`--workspace <name> ${about}`)
  })

  it('matrix --help -> what decides on the state and what is asked for, and nothing of one run', async () => {
    const { code, stdout } = await cli(['matrix', '--help'])
    expect(code).toBe(0)
    for (const flag of ['--only', '--fixtures', '--assume', '--scenario', '--config', '--host']) {
      expect(stdout).toContain(`  ${flag} `)
    }
    for (const flag of ['--data', '--port', '--watch', '--strict', '--report']) {
      expect(stdout).not.toContain(`  ${flag} `)
    }
  })
})

describe('validate', () => {
  it('case 136: of many warnings a hundred are told, and how many more there are', async () => {
    const [row] = unbalanced.statements
    const statements = Array.from({ length: 150 }, (_, at) => ({ ...row, statement_id: `stm_${at}` }))
    const cwd = await folderWith({ 'x.json': { ...unbalanced, statements } })
    const { stdout } = await cli(['validate', 'x.json'], { cwd })
    expect(stdout.match(/^warning: /gm)).toHaveLength(101)
    expect(stdout.endsWith(`\nwarning: ${join(cwd, 'x.json')}: has 50 more of these\n`)).toBe(true)
  })

  it('nothing given, nothing around -> the built-in fixtures are fine', async () => {
    expect(await cli(['validate'], { cwd: await folderWith() })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No problems.\n',
    })
  })

  it.each([
    ['a file', ['validate', 'good.json']],
    ['a folder', ['validate', 'folder']],
    ['several', ['validate', 'good.json', 'folder/a.yaml']],
    ['what --fixtures names', ['validate', '--fixtures', 'good.json']],
  ])('%s without problems -> exit 0', async (_what, argv) => {
    const cwd = await folderWith({ 'good.json': good, 'folder/a.yaml': 'customers: [{ id: cus_2 }]' })
    expect(await cli(argv, { cwd })).toEqual({ code: 0, stdout: '', stderr: 'No problems.\n' })
  })

  it('a file with problems -> exit 3, all of them on stdout with line, column and a caret', async () => {
    const cwd = await folderWith({ 'bad.json': bad })
    const file = join(cwd, 'bad.json')
    const { code, stdout, stderr } = await cli(['validate', 'bad.json'], { cwd })
    expect([code, stderr]).toEqual([3, ''])
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${file}:2:48 customers\\[0\\]\\.first_name: must be `)),
      '  "customers": [{ "id": "cus_1", "first_name": 1 }],',
      '                                               ^',
      expect.stringMatching(
        new RegExp(`^${file}:3:44 accounts\\[0\\]\\.customer_id: no customer has the id 'cus_2'`),
      ),
      '  "accounts": [{ "id": "a", "customer_id": "cus_2" }]',
      '                                           ^',
      '',
    ])
  })

  it('--format json -> the same for programs; without problems an empty list', async () => {
    const cwd = await folderWith({ 'bad.json': bad, 'good.json': good })
    const { code, stdout } = await cli(['validate', '--format', 'json', 'bad.json'], { cwd })
    expect(code).toBe(3)
    const { problems } = JSON.parse(stdout) as { problems: Record<string, unknown>[] }
    expect(problems.map(({ source, line, column, path }) => [source, line, column, path])).toEqual([
      [join(cwd, 'bad.json'), 2, 48, 'customers[0].first_name'],
      [join(cwd, 'bad.json'), 3, 44, 'accounts[0].customer_id'],
    ])
    const fine = await cli(['validate', '--format', 'json', 'good.json'], { cwd })
    expect([fine.code, JSON.parse(fine.stdout), fine.stderr]).toEqual([0, { problems: [] }, ''])
  })

  it('--format github -> annotations; without problems nothing', async () => {
    const cwd = await folderWith({ 'bad.json': bad, 'good.json': good })
    const { code, stdout } = await cli(['validate', '--format', 'github', 'bad.json'], { cwd })
    expect(code).toBe(3)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, line.indexOf(': '))),
    ).toEqual([
      `::error file=${join(cwd, 'bad.json')},line=2,col=48::customers[0].first_name`,
      `::error file=${join(cwd, 'bad.json')},line=3,col=44::accounts[0].customer_id`,
    ])
    expect(await cli(['validate', '--format', 'github', 'good.json'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('what start would load: variables and the config file count', async () => {
    const cwd = await folderWith({ 'bad.json': bad, 'sandbox.config.yaml': 'fixtures: bad.json\n' })
    expect((await cli(['validate'], { cwd })).code).toBe(3)
    expect(
      (await cli(['validate', '--fixtures', 'good.json'], { cwd: await folderWith({ 'good.json': good }) }))
        .code,
    ).toBe(0)
    expect(
      (
        await cli(['validate'], {
          cwd: await folderWith({ 'bad.json': bad }),
          env: { SANDBOX_FIXTURES: 'bad.json' },
        })
      ).code,
    ).toBe(3)
  })

  it('a bad config file -> exit 3 in the format asked for', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'sed: 1\n' })
    const { code, stdout } = await cli(['validate', '--format', 'json'], { cwd })
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [{ source: 'sandbox.config.yaml', line: 1, column: 1, path: 'sed' }],
    })
  })

  it('a card number that could be real -> exit 3, masked; with --allow-any-pan fine', async () => {
    const cwd = await folderWith({
      'pan.json': {
        ...good,
        payment_methods: [
          {
            id: 'pm',
            customer_id: 'cus_1',
            type: 'CARD',
            card: { pci_details: { pan: '4539578763621486' } },
          },
        ],
      },
    })
    const { code, stdout } = await cli(['validate', 'pan.json'], { cwd })
    expect(code).toBe(3)
    expect(stdout).not.toContain('4539578763621486')
    expect((await cli(['validate', '--allow-any-pan', 'pan.json'], { cwd })).code).toBe(0)
  })

  const scenario = (name: string, effect: string): string =>
    `name: ${name}\ndescription: d\nrules:\n  - on: '*'\n    effect: ${effect}\n`

  it('a scenario among the files -> checked as one, with the problems of all files at once', async () => {
    const cwd = await folderWith({
      'bad.json': bad,
      'scenarios/wrong.yaml': scenario('wrong', 'notfound'),
      'scenarios/fine.yaml': scenario('fine', 'not_found'),
    })
    const { code, stdout } = await cli(['validate', 'bad.json', 'scenarios'], { cwd })
    expect(code).toBe(3)
    expect(stdout).toContain(
      `${join(cwd, 'scenarios/wrong.yaml')}:5:13 rules[0].effect: unknown effect 'notfound', did you mean 'not_found'?\n    effect: notfound\n            ^\n`,
    )
    expect(stdout).toContain(`${join(cwd, 'bad.json')}:2:48 customers[0].first_name: must be `)
    expect(stdout.match(/:\d+:\d+ /g)).toHaveLength(3)
    expect((await cli(['validate', 'scenarios/fine.yaml'], { cwd })).code).toBe(0)
  })

  it('a file that is neither JSON nor YAML -> its own problem, once', async () => {
    const cwd = await folderWith({ 'odd.yaml': 'customers: [' })
    const { code, stdout } = await cli(['validate', 'odd.yaml'], { cwd })
    expect([code, stdout.match(/odd\.yaml:/g)]).toEqual([3, ['odd.yaml:']])
  })

  it('scenarios that start would load, and documents that name one of them, count', async () => {
    const keys = { api_keys: [{ id: 'key_1', secret: 's', api_key: 'sk_1', scenarios: ['mine'] }] }
    const cwd = await folderWith({
      'keys.json': keys,
      'mine.yaml': scenario('mine', 'unauthenticated'),
      'wrong.yaml': scenario('wrong', 'notfound'),
    })
    const validate = async (...argv: string[]) => (await cli(['validate', ...argv], { cwd })).code
    expect(await validate('--fixtures', 'keys.json')).toBe(3)
    expect(await validate('--fixtures', 'keys.json', '--scenario', 'mine.yaml')).toBe(0)
    expect(await validate('--fixtures', 'keys.json', '--scenario-library', 'mine.yaml')).toBe(0)
    expect(await validate('keys.json', 'mine.yaml')).toBe(0)
    expect(await validate('--scenario', 'wrong.yaml')).toBe(3)
  })

  it('a format that is none -> exit 2', async () => {
    const { code, stderr } = await cli(['validate', '--format', 'xml'])
    expect(code).toBe(2)
    expect(stderr).toContain("argument 'xml' is invalid. Allowed choices are text, json, github.")
  })
})

describe('openapi', () => {
  it('prints the document, as a sandbox on the default port would serve it', async () => {
    const { code, stdout, stderr } = await cli(['openapi'], { cwd: await folderWith() })
    expect([code, stderr]).toEqual([0, ''])
    const sandbox = await startSandbox()
    expect(JSON.parse(stdout)).toEqual(
      JSON.parse(JSON.stringify(await sandbox.openapi('http://127.0.0.1:4010'))),
    )
    expect(stdout.endsWith('}\n')).toBe(true)
  })

  it('adds the headers of the sandbox', async () => {
    const { code, stdout } = await cli(['openapi', '--sandbox'], { cwd: await folderWith() })
    const sandbox = await startSandbox()
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      JSON.parse(JSON.stringify(await sandbox.openapi('http://127.0.0.1:4010', { sandbox: true }))),
    ])
  })

  it.each([
    [['--base-url', 'https://gw.example/api'], {}, 'https://gw.example/api'],
    [[], { SANDBOX_PORT: '5000' }, 'http://127.0.0.1:5000'],
    [[], { SANDBOX_BASE_URL: 'https://gw.example' }, 'https://gw.example'],
  ])('%j and %j -> servers has %s', async (argv, env, url) => {
    const { stdout } = await cli(['openapi', ...argv], {
      env: env as Record<string, string>,
      cwd: await folderWith(),
    })
    expect((JSON.parse(stdout) as { servers: object[] }).servers).toMatchObject([{ url }])
  })

  it('--assume and --environment decide what is in it', async () => {
    const { stdout } = await cli(['openapi', '--assume', 'create_status=200'])
    expect(Object.keys(JSON.parse(stdout).paths['/v2/transaction_intents'].post.responses)).toContain('200')
    const production = await cli(['openapi', '--environment', 'production'])
    expect(production.stdout).not.toBe((await cli(['openapi'])).stdout)
  })

  it.each(['-o', '--output'])('%s -> into that file, relative to the working directory', async (flag) => {
    const cwd = await folderWith()
    expect(await cli(['openapi', flag, 'api.json'], { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Wrote the OpenAPI document to api.json\n',
    })
    expect(JSON.parse(await readFile(join(cwd, 'api.json'), 'utf8'))).toHaveProperty('openapi')
  })

  it('a file that cannot be written -> exit 2', async () => {
    const { code, stderr } = await cli(['openapi', '-o', 'none/api.json'], { cwd: await folderWith() })
    expect([code, stderr]).toEqual([2, "error: --output: cannot write 'none/api.json' (ENOENT)\n"])
  })
})

describe('help', () => {
  it.each([
    [['help'], ['--help']],
    [['help', 'help'], ['--help']],
    [
      ['help', 'exec'],
      ['exec', '--help'],
    ],
    [
      ['help', 'clock', 'advance'],
      ['clock', 'advance', '--help'],
    ],
    [
      ['help', 'clokc'],
      ['clokc', '--help'],
    ],
  ])('%j -> as %j', async (words, same) => {
    const { stdout, ...rest } = await cli(words)
    expect({ stdout, ...rest }).toEqual(await cli(same))
    expect(stdout === '').toBe(rest.code !== 0)
  })

  it('options of a command without -- -> exit 2, and where -- stands', async () => {
    expect(await cli(['exec', 'npm', 'test', '--foo'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: unknown option '--foo'\nPut -- before the command: partner-rewards-sandbox exec -- npm test\n",
    })
  })
})

describe('schema', () => {
  it('fixtures -> the JSON Schema', async () => {
    const { code, stdout, stderr } = await cli(['schema', 'fixtures'])
    expect([code, stderr]).toEqual([0, ''])
    const sandbox = await startSandbox()
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(await sandbox.schema('fixtures'))))
  })

  it.each([
    [['schema', 'fixture'], "error: unknown kind 'fixture', did you mean 'fixtures'?\n"],
    [['schema', 'zzz'], "error: unknown kind 'zzz', expected one of: fixtures, scenario, webhooks, target\n"],
    [['schema'], "error: missing required argument 'kind'\n"],
  ])('%j -> exit 2', async (argv, message) => {
    expect(await cli(argv)).toEqual({ code: 2, stdout: '', stderr: message })
  })
})
