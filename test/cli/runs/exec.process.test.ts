import { access, chmod, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchDisk } from '../../helpers/disk.ts'
import { openHandles } from '../../helpers/open-handles.ts'
import { packageRoot } from '../../../src/runtime/host.ts'
import { answerOf } from '../../../src/inspector/page/trace-source.ts'
import { partsOf } from '../../helpers/trace.ts'
import { xmlProblems } from '../../helpers/xml.ts'
import { cli, execute, folderWith, type CliContext } from '../../helpers/fake-io.ts'
import { caller, startSuite } from '../../helpers/suite-in-process.ts'

/** The suite: it calls `call(method, path, body, headers)` and prints. */
const suite = `
const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
const call = async (method, path, body, headers = {}) => {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json', ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return answer.status
}
`
const script = (text: string): Record<string, string> => ({ 'suite.mjs': suite + text })

/** Runs a suite in a folder of its own, with these options and files. */
async function run(
  text: string,
  options: readonly string[] = [],
  { files = {}, ...place }: Omit<CliContext, 'cwd'> & { files?: Record<string, string | object> } = {},
  act?: Parameters<typeof execute>[2],
): Promise<Awaited<ReturnType<typeof execute>> & { cwd: string }> {
  const cwd = await folderWith({ ...script(text), ...files })
  const env = { PATH: process.env['PATH'] ?? '', ...place.env }
  const argv = ['exec', ...options, '--', process.execPath, 'suite.mjs']
  return { ...(await execute(argv, { ...place, env, cwd }, act)), cwd }
}

const reward = '/v2/rewards/rwd_ada_pending'
const nowhere = '/v2/reward/x'
const read = `await call('GET', '${reward}')\n`
const lost = `await call('GET', '${nowhere}')\n`

/** Runs a suite that only calls these paths, in this process. */
async function runCalls(
  paths: readonly string[],
  options: readonly string[] = [],
  { files = {}, env = {} }: { env?: CliContext['env'] & {}; files?: Record<string, string> } = {},
): ReturnType<typeof run> {
  const cwd = await folderWith(files)
  const startProgram = startSuite(async (suiteEnv) => {
    const call = caller(suiteEnv)
    for (const path of paths) await (await call('GET', path)).arrayBuffer()
  })
  return { ...(await execute(['exec', ...options, '--', 'suite'], { env, cwd, startProgram })), cwd }
}

describe('exec', () => {
  it('--trace-dir -> test kits write there, traces of earlier runs are gone, and the JUnit report names the new one', async () => {
    const kit = pathToFileURL(join(packageRoot(), 'dist', 'node-test.mjs')).href
    const text = `const { test } = await import('node:test')
const { withWorkspace } = await import('${kit}')
test('reads', withWorkspace(({ workspace }) => workspace.fetch('${reward}')))
test('pays', withWorkspace(async ({ workspace }) => {
  await workspace.fetch('${reward}')
  throw new Error('not paid')
}))`
    const files = { 'traces/old-trace.html': '', 'traces/notes.txt': '' }
    const reports = ['--report', 'r.xml', '--report', 'journal.json']
    const { code, cwd } = await run(text, ['--trace-dir', 'traces', ...reports], { files })
    expect(code).toBe(1)
    expect((await readdir(join(cwd, 'traces'))).toSorted()).toEqual(['notes.txt', 'pays-trace.html'])
    const xml = await readFile(join(cwd, 'r.xml'), 'utf8')
    expect(xmlProblems(xml)).toEqual([])
    expect(xml).toContain(`<system-out>[[ATTACHMENT|${join(cwd, 'traces', 'pays-trace.html')}]]</system-out>`)
    const { requests } = JSON.parse(await readFile(join(cwd, 'journal.json'), 'utf8')) as {
      requests: { test: { name: string; result: string } }[]
    }
    expect(requests.map(({ test: { name, result } }) => [name, result]).toSorted()).toEqual([
      ['pays', 'failed'],
      ['reads', 'passed'],
    ])
  })

  it('a suite passes -> 0; stdout is its own, everything of ours is on stderr', async () => {
    const { code, stdout, stderr, programs } = await run(`${read}console.log('from the suite')`)
    expect([code, stdout, programs]).toEqual([0, '', 'from the suite\n'])
    expect(stderr).toMatch(
      /^Sandbox listening on http:\/\/127\.0\.0\.1:\d+\nAPI key: sk_sandbox_full .*\n.* customers \(26 of mk_summit\), .*\n200 GET \/v2\/rewards\/rwd_ada_pending \(default req_default_1\)\nContract coverage: \d/,
    )
    expect(stderr).toMatch(/\n {2}retrieveReward +\d+ of \d+\n/)
    expect(stderr).not.toContain('never fired')
    expect(stderr).not.toContain('no endpoint')
  })

  it.each([1, 3, 255])(
    'a suite exits with %i -> that, and the report is there all the same',
    async (code) => {
      const ran = await run(`${read}process.exit(${code})`, ['--report', 'c.json'])
      expect(ran.code).toBe(code)
      expect(ran.stderr).toContain('Contract coverage: ')
      await access(join(ran.cwd, 'c.json'))
    },
  )

  it('a suite that reads nothing and calls nothing -> 0, and nothing is covered', async () => {
    const { code, stderr } = await run('')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /The run saw no call of the API, .*\n.*\nContract coverage: 0 %, 0 of \d+ points, by 0 calls: /,
    )
  })

  it('words after -- are the command, whatever they look like', async () => {
    const { code, programs } = await execute(
      [
        'exec',
        '--quiet',
        '--',
        process.execPath,
        '-p',
        'process.argv.slice(1).join()',
        '--',
        'a b',
        '--strict',
        '--',
      ],
      { cwd: await folderWith() },
    )
    expect([code, programs]).toEqual([0, 'a b,--strict,--\n'])
  })

  it('nothing is left open', async () => {
    const before = await openHandles('TCPServerWrap')
    await run(read)
    expect(await openHandles('TCPServerWrap')).toBe(before)
  })
})

describe('a run without a folder for its reports', () => {
  it('none can be made -> told, and calls over HTTP count', async () => {
    const cwd = await folderWith(script(read))
    vi.stubEnv('TMPDIR', '/no/such/folder')
    onTestFinished(() => void vi.unstubAllEnvs())
    const ran = await execute(['exec', '--', process.execPath, 'suite.mjs'], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
    })
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(
      /^warning: cannot create a folder in \/no\/such\/folder \(ENOENT\), so .* set TMPDIR /,
    )
    expect(ran.stderr).toContain('by 1 call: 1 over HTTP')
  })

  it('the command removes it -> what came over HTTP is counted', async () => {
    const { code, stderr } = await run(
      `${read}await (await import('node:fs/promises')).rm(process.env.SANDBOX_RUN, { recursive: true })`,
    )
    expect([code, stderr.includes('by 1 call: 1 over HTTP')]).toEqual([0, true])
  })
})

describe('what is refused before anything runs', () => {
  const usage = 'partner-rewards-sandbox exec --'

  it.each([
    [['exec'], 2, `error: exec: no command to run: write it after --, as in ${usage} npm test\n`],
    [['exec', '--'], 2, `error: exec: no command to run: write it after --, as in ${usage} npm test\n`],
    [['exec', '--', ''], 2, `error: exec: no command to run: write it after --, as in ${usage} npm test\n`],
    [['exec', 'npm', 'test'], 2, `error: exec: put -- before the command: ${usage} npm test\n`],
    [['exec', 'npm', '--', 'x'], 2, `error: exec: put -- before the command: ${usage} npm x\n`],
    [['exec', '--strickt', '--', 'x'], 2, "error: unknown option '--strickt'\n(Did you mean --strict?)\n"],
    [['start', '--strict'], 2, "error: unknown option '--strict'\n"],
    [
      ['exec', '--coverage-min', '101', '--', 'x'],
      2,
      "error: --coverage-min: '101' must be a number from 0 to 100, such as 90 or 87.5, or one of an operation, such as updateReward=100\n",
    ],
    [
      ['exec', '--coverage-min', 'many', '--', 'x'],
      2,
      "error: --coverage-min: 'many' must be a number from 0 to 100, such as 90 or 87.5, or one of an operation, such as updateReward=100\n",
    ],
    [
      ['exec', '--report', '/r.pdf', '--', 'x'],
      2,
      "error: --report: '/r.pdf' must end in one of .json, .txt, .html, .xml, .har, journal.json, trace.html\n",
    ],
    [
      ['exec', '--report', 'none/r.txt', '--', 'x'],
      2,
      "error: --report: cannot write 'none/r.txt' (there is no folder 'none')\n",
    ],
    [
      ['exec', '--report', 'folder.txt', '--', 'x'],
      2,
      "error: --report: cannot write 'folder.txt' (it is a folder)\n",
    ],
    ...['exec', 'matrix'].map((verb): [string[], number, string] => [
      [verb, '--config', 'partners.yaml', '--', 'x'],
      2,
      `error: --isolation: 'partner' is for an instance that several partners share, and ${verb} starts one for a single command: omit it\n`,
    ]),
    [['exec', '--fixtures', 'none.json', '--', 'x'], 3, /none\.json: /],
  ])('%j -> %i', async (argv, code, message) => {
    const cwd = await folderWith({ 'folder.txt/x': '', 'partners.yaml': 'isolation: partner\n' })
    const ran = await cli(argv, { cwd })
    expect([ran.code, ran.stdout]).toEqual([code, ''])
    expect(ran.stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  it('a port in use -> exit 4', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as { port: number }
    const { code, stderr } = await run(read, ['--port', String(port)])
    expect([code, stderr]).toEqual([
      4,
      `error: cannot listen on 127.0.0.1:${port}: it is in use. Choose another with --port, or --port 0 for any free one.\n`,
    ])
    busy.close()
  })
})

describe('a command that cannot be run', () => {
  it.each([
    [
      'no-such-program',
      127,
      'no folder of PATH has this program. Run a program of your project as -- npx no-such-program',
    ],
    ['./none.sh', 127, 'the file does not exist, or the interpreter in its first line does not'],
    ['./lost.sh', 127, 'the file does not exist, or the interpreter in its first line does not'],
    [
      'npm test',
      127,
      "no program has this name. Remove the quotes (-- npm test), or let a shell run the line (-- sh -c 'npm test')",
    ],
  ])('%s -> %i', async (file, code, why) => {
    const cwd = await folderWith({ 'lost.sh': '#!/no/such/shell\n' })
    await chmod(join(cwd, 'lost.sh'), 0o755)
    const before = await openHandles('TCPServerWrap')
    const ran = await execute(['exec', '--quiet', '--', file], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
    })
    expect([ran.code, ran.stderr.split('\n').slice(1)]).toEqual([
      code,
      [`error: cannot run '${file}': ${why}`, ''],
    ])
    expect(await openHandles('TCPServerWrap')).toBe(before)
  })

  it('a misspelt variable -> one warning, in the format of the log', async () => {
    const { stderr } = await runCalls([reward], ['--log-format', 'json'], {
      env: { SANDBOX_SCENARO: 'slow' },
    })
    const warning = 'SANDBOX_SCENARO is not a variable of the sandbox, did you mean SANDBOX_SCENARIO?'
    expect(stderr.split(warning)).toHaveLength(2)
    expect(stderr).toContain(`"level":"warn","event":"warning","message":"${warning}"}\n`)
  })

  it('a file that may not be executed -> 126', async () => {
    const cwd = await folderWith({ 'suite.sh': 'exit 0\n' })
    const { code, stderr } = await execute(['exec', '--quiet', '--', './suite.sh'], { cwd })
    expect([code, stderr.split('\n')[1]]).toEqual([
      126,
      "error: cannot run './suite.sh' (EACCES): it is not executable. Name its interpreter, as in -- node ./suite.sh, or allow it with chmod +x",
    ])
  })
})

describe('what the command finds in its environment', () => {
  const print = (...names: string[]): string =>
    `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name] ?? null)))`

  it('the address, a key, and all that was there, options of ours too', async () => {
    const { programs } = await run(
      `${print('SANDBOX_API_KEY', 'OWN', 'SANDBOX_SEED')}\n${print('SANDBOX_URL')}`,
      [],
      {
        env: { OWN: 'mine', SANDBOX_SEED: '5', SANDBOX_URL: 'http://127.0.0.1:1', SANDBOX_API_KEY: 'other' },
      },
    )
    const [rest, url] = programs.split('\n')
    expect(JSON.parse(rest ?? '')).toEqual(['sk_sandbox_full', 'mine', '5'])
    expect(url).toMatch(/^\["http:\/\/127\.0\.0\.1:\d{4,5}"\]$/)
    expect(url).not.toContain(':4010"')
  })

  it.each<[string, string[], string]>([
    ['events that are served', ['--webhooks', 'standard'], '["whsec_'],
    ['events of an assumption', ['--assume', 'webhook_events=body_hmac'], '["whsec_'],
    ['no events', [], '[null]'],
  ])('with %s: the secret that signs requests', async (_what, options, printed) => {
    const { programs } = await run(print('SANDBOX_WEBHOOK_SECRET'), options)
    expect(programs.slice(0, printed.length)).toBe(printed)
  })

  it.each<[string, string[], string]>([
    ['production', ['--environment', 'production'], '["sk_production_full",null]'],
    ['with a token', ['--admin-token', 'letmein'], '["sk_sandbox_full","letmein"]'],
  ])('%s', async (_what, options, printed) => {
    const { programs } = await run(print('SANDBOX_API_KEY', 'SANDBOX_ADMIN_TOKEN'), options)
    expect(programs).toBe(`${printed}\n`)
  })

  it.each<[string, object[]]>([
    ['no key for the environment', []],
    [
      'only a key of two products',
      [{ id: 'k', api_key: 'sk_1', secret: 's_1', products: ['mk_summit', 'mk_harbor'] }],
    ],
  ])('%s -> none is set, not even one that was there, and that is told', async (_what, keys) => {
    const api_keys =
      keys.length > 0 ? keys : [{ id: 'k', api_key: 'sk_1', secret: 's_1', environment: 'production' }]
    const { code, programs, stderr } = await run(
      print('SANDBOX_API_KEY'),
      ['--quiet', '--fixtures', 'rows.json'],
      {
        files: { 'rows.json': { api_keys } },
        env: { SANDBOX_API_KEY: 'other' },
      },
    )
    expect([code, programs]).toEqual([0, '[null]\n'])
    expect(stderr.split('\n')[1]).toBe(
      'SANDBOX_API_KEY is not set: no API key of environment sandbox is for exactly one product; add one to api_keys',
    )
  })

  it('--host 0.0.0.0 -> an address that can be called, control plane included', async () => {
    const { programs } = await run(
      "console.log(url.replace(/\\d+$/, ''), await call('GET', '/v2/customers'), await call('POST', '/_sandbox/reset'))",
      ['--host', '0.0.0.0', '--admin', 'open'],
    )
    expect(programs).toBe('http://127.0.0.1: 200 200\n')
  })

  it('--admin token -> the token lets the command at the control plane', async () => {
    const { programs } = await run(
      `const health = await fetch(url + '/_sandbox/requests', { headers: { authorization: 'Bearer ' + process.env.SANDBOX_ADMIN_TOKEN } })
       console.log(health.status)`,
      ['--admin', 'token', '--admin-token', 'letmein'],
    )
    expect(programs).toBe('200\n')
  })
})

describe('where options come from', () => {
  it('--port -> that one; --url-file, --scenario and --assume work as in start', async () => {
    const { code, programs, cwd } = await run(
      `console.log(await call('GET', '/v2/rewards/nobody'), await call('GET', '/v2/customers'))
      const { readFileSync } = await import('node:fs')
      console.log(readFileSync('url.txt', 'utf8') === process.env.SANDBOX_URL + '\\n')`,
      ['--url-file', 'url.txt', '--scenario', 'unavailable', '--assume', 'not_found_status=410'],
    )
    expect([code, programs]).toEqual([0, '503 503\ntrue\n'])
    await expect(access(join(cwd, 'url.txt'))).rejects.toThrow('ENOENT')
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['variables', { SANDBOX_STRICT: '1', SANDBOX_REPORT: 'a.txt, b.xml', SANDBOX_COVERAGE_MIN: '99.5' }, {}],
    [
      'SANDBOX_OPTIONS',
      { SANDBOX_OPTIONS: '--strict --report a.txt --report b.xml --coverage-min 99.5' },
      {},
    ],
    [
      'the config file',
      {},
      { 'sandbox.config.yaml': 'strict: true\nreport: [a.txt, b.xml]\ncoverageMin: 99.5\n' },
    ],
  ])('%s', async (_what, env, files) => {
    const { code, stderr, cwd } = await runCalls([nowhere], [], { env, files })
    expect(code).toBe(6)
    expect(stderr).toMatch(
      /error: --coverage-min 99\.5: coverage is .*\nerror: --strict: 1 call met no endpoint\n$/,
    )
    for (const file of ['a.txt', 'b.xml']) await access(join(cwd, file))
  })

  it('the same config file is fine for start, which takes no notice of them', async () => {
    const cwd = await folderWith({ 'sandbox.config.yaml': 'strict: true\nreport: none/r.txt\nport: 0\n' })
    expect((await cli(['start'], { cwd })).code).toBe(0)
  })

  it('--quiet -> no line per request; the summary stays', async () => {
    const { stderr } = await runCalls([nowhere], ['--quiet'])
    expect(stderr).toMatch(/^Sandbox listening on .*\nContract coverage: /)
    expect(stderr).toContain('\nCalls that met no endpoint:\n  GET /v2/reward/x; the nearest is ')
  })

  it('--log-format json -> events, with all of the summary in one', async () => {
    const { code, stderr, stdout } = await runCalls(
      [nowhere],
      ['--log-format', 'json', '--strict', '--scenario', 'reward-vanishes'],
    )
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string })
    expect([code, stdout, events.map(({ event }) => event)]).toEqual([
      6,
      '',
      ['listening', 'ready', 'request', 'summary'],
    ])
    expect(events.at(-1)).toEqual({
      event: 'summary',
      command_exit_code: 0,
      calls: { total: 1, http: 1, in_process: 0 },
      refusals: [],
      coverage: { total: expect.any(Number), covered: expect.any(Number), percent: expect.any(Number) },
      unfired_rules: [
        {
          id: 'reward-vanishes#1',
          scenario: 'reward-vanishes',
          operations: ['retrieveReward'],
          asked: 0,
          calls: 0,
          reason: 'no call was for retrieveReward',
        },
      ],
      unmatched_calls: {
        total: 1,
        kinds: [
          {
            method: 'GET',
            path: '/v2/reward/x',
            count: 1,
            nearest: 'GET /v2/rewards/{reward_id}',
            differs: ["'reward' should be 'rewards'"],
          },
        ],
      },
      failed_gates: ['--strict: 1 call met no endpoint', '--strict: 1 rule of active scenarios never fired'],
    })
  })
})

describe('gates', () => {
  const errorsOf = ({ stderr }: { stderr: string }): string[] =>
    stderr.split('\n').filter((line) => line.startsWith('error: '))

  it.each<[string, string[], string[], number, string[]]>([
    ['no gate', [nowhere], [], 0, []],
    ['enough coverage', [reward], ['--coverage-min', '0.1'], 0, []],
    ['not enough', [reward], ['--coverage-min', '90'], 6, ['error: --coverage-min 90: ']],
    ['an unmatched call', [nowhere], ['--strict'], 6, ['error: --strict: 1 call met no endpoint']],
    ['a rule that fired', [reward, reward], ['--strict', '--scenario', 'reward-vanishes'], 0, []],
    [
      'one that did not',
      [reward],
      ['--strict', '--scenario', 'reward-vanishes'],
      6,
      ['error: --strict: 1 rule of active scenarios never fired'],
    ],
    ['nothing to find', [reward], ['--strict'], 0, []],
  ])('%s', async (_what, paths, options, code, errors) => {
    const ran = await runCalls(paths, options)
    expect(ran.code).toBe(code)
    expect(errorsOf(ran)).toEqual(errors.map((error) => expect.stringContaining(error)))
  })

  it('the code of the suite counts first', async () => {
    const ran = await run(`${lost}process.exit(9)`, ['--strict'])
    expect([ran.code, errorsOf(ran)]).toEqual([9, ['error: --strict: 1 call met no endpoint']])
  })

  it('workspaces that are reset or deleted on the way take nothing with them', async () => {
    const { code, stderr } = await run(
      `const own = { authorization: 'Bearer ' + key + '.w1' }
       await call('GET', '/v2/rewards/rwd_ada_pending', undefined, own)
       await call('GET', '/v2/reward/x', undefined, own)
       await call('GET', '/v2/customers', undefined, { ...own, 'x-sandbox-scenario': 'reward-vanishes' })
       await call('POST', '/_sandbox/reset?workspace=w1')
       await call('DELETE', '/_sandbox/workspaces/w1')
       await call('POST', '/_sandbox/reset')`,
      ['--strict'],
    )
    expect(code).toBe(6)
    expect(stderr).not.toContain('Contract coverage: 0 %')
    expect(stderr).toContain('  reward-vanishes#1: no call was for retrieveReward\n')
    expect(stderr).toContain('  GET /v2/reward/x; the nearest is ')
  })
})

describe('--report', () => {
  it('each format by its extension, all with the same coverage', async () => {
    const files = ['r.json', 'r.txt', 'R.HTML', 'r.xml']
    const { code, cwd } = await run(
      `${read}
       const { writeFile } = await import('node:fs/promises')
       await writeFile('seen.json', await (await fetch(url + '/_sandbox/coverage')).text())`,
      files.flatMap((file) => ['--report', file]),
    )
    expect(code).toBe(0)
    const [json = '', text, html = '', xml = '', seen = ''] = await Promise.all(
      [...files, 'seen.json'].map((file) => readFile(join(cwd, file), 'utf8')),
    )
    // The sandbox of the run is gone: what can be pasted is for one that is started again.
    const coverage = JSON.parse(
      seen.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://localhost:4010'),
    ) as object
    const run_ = { calls: 1, http: 1, in_process: 0, verdict: 'covered' }
    expect(JSON.parse(json)).toEqual({ run: run_, ...coverage })
    expect(json).toContain('http://localhost:4010')
    const { percent } = JSON.parse(json) as { percent: number }
    expect(text).toMatch(new RegExp(`^Contract coverage: ${percent} %`))
    expect(html).toMatch(/^<!doctype html>/i)
    expect(html).toContain(`${percent} %`)
    const loaded = /(?:src|href)="(?!#|data:)[^"]*|<script|@import/i
    expect(loaded.exec(html.replaceAll(/<pre>[\s\S]*?<\/pre>/g, ''))?.[0]).toBeUndefined()
    expect(xmlProblems(xml)).toEqual([])
    expect(xml).toContain('<testsuites name="contract coverage"')
  })

  it('.har and journal.json -> the calls, newest first, secrets hidden', async () => {
    const { code, cwd } = await runCalls(
      [reward, nowhere],
      ['--report', 'r.har', '--report', 'the-journal.json'],
    )
    expect(code).toBe(0)
    const [har, journal] = await Promise.all(
      ['r.har', 'the-journal.json'].map((file) => readFile(join(cwd, file), 'utf8')),
    )
    expect(JSON.parse(journal ?? '')).toMatchObject({
      requests: [
        { method: 'GET', path: '/v2/reward/x', status: 404, operation: null },
        {
          operation: 'retrieveReward',
          status: 200,
          request: { headers: { authorization: '***' } },
          response: { body: { id: 'rwd_ada_pending' } },
        },
      ],
      dropped: 0,
    })
    const { log } = JSON.parse(har ?? '') as { log: { entries: { request: { url: string } }[] } }
    expect(log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
      '/v2/rewards/rwd_ada_pending',
      '/v2/reward/x',
    ])
    expect(`${har}${journal}`).not.toContain('sk_sandbox_full')
  })

  it('trace.html -> the calls of every workspace, also of one that is gone, why, and the rows at the end', async () => {
    const { code, stderr, cwd } = await run(
      `${read}
       const more = (suffix) => fetch(url + '/v2/customers?limit=1', { headers: { authorization: 'Bearer ' + key + suffix } })
       const control = (method, path) => fetch(url + '/_sandbox' + path, { method })
       await more('.w1')
       await more('.gone')
       await control('DELETE', '/workspaces/gone')
       await control('POST', '/reset')
       ${read}${lost}
       await control('POST', '/workspaces')`,
      ['--report', 'my-trace.html', '--report', 'coverage.html'],
    )
    expect(code).toBe(0)
    expect(stderr).toMatch(/coverage\.html shows each with a request/)
    const html = await readFile(join(cwd, 'my-trace.html'), 'utf8')
    expect(html).not.toContain('sk_sandbox_full')
    const { trace, policy, script: hash } = partsOf(html)
    expect(policy).toContain(hash)
    const shown = trace.workspaces.map(({ name, requests, remains }) => [
      name.replace(/^ws_.*/, 'ws'),
      requests.map((call) => `${call.id}: ${call.explanation.summary}`),
      remains !== undefined,
    ])
    expect(shown).toEqual([
      [
        'default',
        [
          expect.stringMatching(/^req_default_2: No endpoint is GET \/v2\/reward\/x/),
          'req_default_1: retrieveReward answered 200.',
          'req_default_1 (earlier 1): retrieveReward answered 200.',
        ],
        true,
      ],
      ['gone', ['req_gone_1: searchCustomers answered 200: 1 of 26, more to come.'], false],
      ['w1', ['req_w1_1: searchCustomers answered 200: 1 of 26, more to come.'], true],
      ['ws', [], true],
    ])
    expect(await readFile(join(cwd, 'coverage.html'), 'utf8')).not.toContain('id="trace"')
  })

  it('trace.html has the calls of sandboxes that the command makes itself, too', async () => {
    const library = join(packageRoot(), 'dist/index.mjs')
    const { cwd, programs } = await run(
      `${read}
       const { createSandbox } = await import(${JSON.stringify(library)})
       for (const path of ['/v2/rewards/rwd_nope', '/v2/customers/cus_nope/rewards_balance']) {
         const own = await createSandbox()
         await own.workspace('w5').fetch(path)
         const answer = await own.fetch(path, { headers: { authorization: 'Bearer ' + own.apiKey } })
         console.log(answer.headers.get('x-sandbox-request-id'), path)
       }`,
      ['--report', 'trace.html'],
    )
    const { trace } = partsOf(await readFile(join(cwd, 'trace.html'), 'utf8'))
    expect(
      trace.workspaces
        .map<[string, ...unknown[]]>(({ name, requests, remains }) => [
          name,
          requests.map(({ explanation }) => explanation.summary),
          remains !== undefined,
        ])
        .toSorted(([a], [b]) => Number(a > b) - Number(a < b)),
    ).toEqual([
      ['default', ['retrieveReward answered 200.'], true],
      ...['default (sandbox 2)', 'default (sandbox 3)', 'w5 (sandbox 2)', 'w5 (sandbox 3)'].map((name) => [
        name,
        [
          expect.stringMatching(
            name.endsWith('2)') ? /^There was no reward 'rwd_nope'/ : /^There was no customer 'cus_nope'/,
          ),
        ],
        false,
      ]),
    ])
    // An id that a suite prints opens its call.
    const calls = trace.workspaces.flatMap(({ requests }) => requests)
    const printed = programs.trim().split('\n')
    expect(printed).toEqual([
      'req_2-default_1 /v2/rewards/rwd_nope',
      'req_3-default_1 /v2/customers/cus_nope/rewards_balance',
    ])
    for (const line of printed) {
      const [id = '', path] = line.split(' ')
      expect(answerOf(trace, `/requests/${id}`, 'default', {})).toMatchObject({ id, path })
    }
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  })

  it('a folder that goes away meanwhile -> exit 2, and the others are written', async () => {
    const { code, stderr, cwd } = await run(
      "await (await import('node:fs/promises')).rm('gone', { recursive: true })",
      ['--report', 'gone/r.txt', '--report', 'r.txt'],
      { files: { 'gone/x': '' } },
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/error: --report: cannot write 'gone\/r\.txt' \(there is no folder 'gone'\)\n$/)
    expect((await stat(join(cwd, 'r.txt'))).size).toBeGreaterThan(0)
  })
})

describe('signals', () => {
  const waits = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => { console.log(signal); END })
    console.log('ready'); setInterval(() => {}, 1000)`

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s -> handed on; the suite decides', async (signal) => {
    const { code, programs, stderr } = await run(
      read + waits.replace('END', 'process.exit(0)'),
      [],
      {},
      async (running) => {
        await running.programUntil(/ready/)
        running.signal(signal)
      },
    )
    expect([code, programs]).toEqual([0, `ready\n${signal}\n`])
    expect(stderr).toContain('Contract coverage: ')
  })

  it('a suite that does not listen -> 128 and the number of the signal, and the report', async () => {
    const { code, stderr } = await run(
      "console.log('ready'); setInterval(() => {}, 1000)",
      [],
      {},
      async (running) => {
        await running.programUntil(/ready/)
        running.signal('SIGTERM')
      },
    )
    expect(code).toBe(143)
    expect(stderr).toContain('Contract coverage: ')
  })

  it('a suite that kills itself -> 137', async () => {
    expect((await run("process.kill(process.pid, 'SIGKILL')")).code).toBe(137)
  })

  it('a suite that ignores it -> killed on the second one', async () => {
    const { code } = await run(waits.replace('END', ''), [], {}, async (running) => {
      await running.programUntil(/ready/)
      running.signal('SIGTERM')
      await running.programUntil(/SIGTERM/)
      running.signal('SIGINT')
    })
    expect(code).toBe(137)
  })

  it('stopped while it still loads -> 130, and nothing ran', async () => {
    const { code, programs, stderr } = await run(
      "console.log('ran')",
      ['--generate', 'customers=200000'],
      {},
      async (running) => running.signal('SIGTERM'),
    )
    expect([code, programs]).toEqual([130, ''])
    expect(stderr).not.toContain('Contract coverage')
  })
})

describe('--data', () => {
  const intent = "{ customer_id: 'cus_ada', amount: 731, currency: 'USD' }"
  const create = `console.log(await call('POST', '/v2/transaction_intents', ${intent}))\n`

  it('what the suite changed is saved when it is over', async () => {
    const { code, cwd } = await run(create, ['--data', 'state.json'])
    expect(code).toBe(0)
    expect(await readFile(join(cwd, 'state.json'), 'utf8')).toContain('731')
    await expect(access(join(cwd, 'state.json.lock'))).rejects.toThrow('ENOENT')
  })

  it('the disk fails for good -> the suite is asked to end, and 74', async () => {
    const disk = await watchDisk()
    disk.judge = (step) => (step.startsWith('fdatasync') ? 'EIO' : undefined)
    const { code, stderr, programs } = await run(
      `const over = new Promise((resolve) => process.once('SIGTERM', resolve))
       const alive = setInterval(() => {}, 1000)
       ${create}await over; clearInterval(alive)`,
      ['--data', disk.path('state.json'), '--quiet'],
    )
    expect([code, programs]).toEqual([74, '500\n'])
    expect(stderr).toMatch(/\nerror: .*state\.json cannot be written any more: the disk reported an error\./)
  })
})
