import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { addFiles, limits, packedPackage, programs, readJson, type Ended } from '../helpers/consumer.ts'

const user = packedPackage()

/** The calls of each test: over HTTP, in process, and over HTTP with an unknown key and one of `default`. */
const act = `
  const send = (path, key) => fetch(url + path, { headers: { authorization: 'Bearer ' + key } })
  await send('/v2/custmers?limit=1&api_key=sk_sandbox_full', workspace.apiKey)
  await workspace.fetch('/v2/rewards/rwd_ada_pending', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"status":"DEDUCTED"}',
  })
  await send('/v2/rewards/rwd_1', 'sk_nobody')
  await send('/v2/customers?limit=1', 'sk_sandbox_full')`
const matcher = `{ operation: 'updateReward', body: { status: 'AVAILABLE' } }`

/** Two tests at once, of which each fails once both have made their calls. */
const meet = `
let begun = 0
let go
const bothBegun = new Promise((resolve) => (go = resolve))
const fail = async (workspace, which) => {
  await workspace.fetch('/v2/' + which)
  begun += 1
  if (begun === 2) go()
  await bothBegun
  throw new Error(which + ' is wrong')
}`

/** For runners that hand out what a test names. */
const withFixtures = (runner: string, beside = ''): string => `
import { expect, test } from 'partner-rewards-sandbox/${runner}'
test('passes', async ({ workspace, server: { url } }) => { ${act} })
test('fails', async ({ workspace, server: { url } }) => { ${act}
  expect(workspace).toHaveReceived(${matcher})
})
${beside}`

/** For the others. */
const withBodies = (beside: string): string => `
test('passes', withWorkspace(async ({ workspace, server }) => { const { url } = await server; ${act} }))
test('fails', withWorkspace(async ({ workspace, server }) => { const { url } = await server; ${act}
  if (typeof expect === 'undefined') assertReceived(workspace, ${matcher})
  else expect(workspace).toHaveReceived(${matcher})
}))
${meet}
${beside}('first', withWorkspace(({ workspace }) => fail(workspace, 'first')))
${beside}('second', withWorkspace(({ workspace }) => fail(workspace, 'second')))`

/** The report of the test `fails`. @param left the text before each line. */
function calls(left: string): RegExp {
  const lines = [
    `What the sandbox saw in "fails" \\(workspace ws_\\w+\\):`,
    `  req_ws_\\w+_1  GET /v2/custmers\\?limit=1&api_key=\\*\\*\\*  404  No endpoint is GET /v2/custmers; .+`,
    `  req_ws_\\w+_2  PATCH /v2/rewards/rwd_ada_pending {5}200  success`,
    `Calls that reached no workspace, made by this test or a concurrent one:`,
    `  req_default_\\d+  GET /v2/rewards/rwd_1  401  No key here matches the one that was sent\\.`,
    `Calls that reached workspace default, made by this test or a concurrent one \\(use workspace\\.apiKey\\):`,
    `  req_default_\\d+  GET /v2/customers\\?limit=1  200  success: 1 of 26, more to come`,
  ]
  return new RegExp(lines.map((line) => `^${left}${line}`).join('\\n'), 'm')
}

const missed =
  /nearest:\s+req_ws_\w+_2 PATCH \/v2\/rewards\/rwd_ada_pending 200 updateReward\s+body\.status: expected "AVAILABLE", it was "DEDUCTED"/

const printed = ({ stdout, stderr }: Ended): string => stdout + stderr
const times = (text: string, what: RegExp): number => text.match(new RegExp(what, 'g'))?.length ?? 0

/** Each of the tests that failed concurrently reports only its own calls. */
function expectApart(text: string): void {
  for (const [own, other] of [
    ['first', 'second'],
    ['second', 'first'],
  ]) {
    const [, reported] =
      new RegExp(`What the sandbox saw in "${own}" .*\\n(.*(?:\\n.*/v2/.*)*)`).exec(text) ?? []
    expect(reported, own).toMatch(new RegExp(`GET /v2/${own} {2}404`))
    expect(reported, own).not.toContain(`/v2/${other}`)
  }
}

describe.concurrent('a test that fails says what the sandbox saw of it', { timeout: 240_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await user.examples()
  }, 60_000)

  it('vitest: below the message, in each reporter, and nowhere else', async () => {
    const place = join(folder, 'failing-vitest')
    const beside = `${meet}
test.concurrent('first', ({ workspace }) => fail(workspace, 'first'))
test.concurrent('second', ({ workspace }) => fail(workspace, 'second'))
test('softly, twice', async ({ workspace }) => {
  const { status } = await workspace.fetch('/v2/softly')
  expect.soft(status).toBe(200)
  expect.soft(status).toBe(201)
})`
    await addFiles(place, { 'a.test.ts': withFixtures('vitest', beside) })
    const run = (...args: string[]): Promise<Ended> =>
      user.node([programs.vitest, 'run', '--root', place, ...limits.vitest, ...args], place)
    const reports = ['--outputFile.json=report.json', '--outputFile.junit=report.xml']
    for (const ended of [
      await run(),
      await run('--reporter=verbose', '--reporter=json', '--reporter=junit', ...reports),
    ]) {
      const text = printed(ended)
      expect(ended.code).toBe(1)
      expect(text).toContain('4 failed | 1 passed')
      expect(text).toMatch(missed)
      expect(text).toMatch(calls(''))
      expect(text).toMatch(/^Trace: .*\/partner-rewards-traces\/fails(?:-2)?-trace\.html$/m)
      expect(times(text, /What the sandbox saw/)).toBe(4)
      expectApart(text)
      // Nothing was written to the console of a test.
      expect(text).not.toMatch(/^std(out|err) \|/m)
    }
    expect(await readFile(join(place, 'report.xml'), 'utf8')).toMatch(
      /^What the sandbox saw in &quot;fails&quot; .*\n.* GET \/v2\/custmers\?limit=1&amp;api_key=\*\*\* /m,
    )
    const { testResults } = (await readJson(join(place, 'report.json'))) as {
      testResults: { assertionResults: { title: string; failureMessages: string[] }[] }[]
    }
    const [passes, fails] = testResults[0]?.assertionResults ?? []
    expect(passes).toMatchObject({ title: 'passes', failureMessages: [] })
    expect(fails).toMatchObject({
      title: 'fails',
      failureMessages: [
        expect.stringMatching(new RegExp(`^Error: expected .*[^]*${calls('').source}$`, 'm')),
      ],
    })
  })

  it('Playwright: at the end of its stack, with the journal attached', async () => {
    const place = join(folder, 'failing-playwright')
    await addFiles(place, {
      'a.spec.ts': withFixtures('playwright'),
      'package.json': { type: 'module' },
      'playwright.config.ts': `export default { reporter: [['list'], ['json', { outputFile: 'report.json' }]] }`,
    })
    const ended = await user.node([programs.playwright, 'test', ...limits.playwright], place)
    const text = printed(ended)
    expect(ended.code).toBe(1)
    expect(text).toMatch(missed)
    expect(text).toMatch(calls('    '))
    expect(times(text, /What the sandbox saw/)).toBe(1)
    const attached = JSON.stringify(await readJson(join(place, 'report.json')))
    const [, body = ''] =
      /"name":"sandbox journal","contentType":"application\/json","body":"([^"]+)"/.exec(attached) ?? []
    expect(JSON.parse(Buffer.from(body, 'base64').toString())).toMatchObject([
      { operation: 'updateReward', status: 200 },
      { operation: null, status: 404 },
    ])
    expect(times(attached, /"name":"sandbox journal"/)).toBe(1)
    expect(attached).toMatch(
      /"name":"sandbox trace","contentType":"text\/html","path":"[^"]*sandbox-trace-[^"]*\.html"/,
    )
  })

  /** Tests that take the server alone, with the key of `default`. */
  const withServer = (runner: string): string => `
import { expect, test as base } from 'partner-rewards-sandbox/${runner}'
${
  runner === 'vitest'
    ? `const test = base.extend({ sandboxOptions: { traceDir: 'traces' } })`
    : `const test = base
test.use({ sandboxOptions: { traceDir: 'traces' } })`
}
test('asks the server', async ({ server: { url } }) => {
  await fetch(url + '/v2/custmers', { headers: { authorization: 'Bearer sk_sandbox_full' } })
  expect(1).toBe(2)
})
test('asks nobody', () => expect(1).toBe(2))`

  it.each([
    [
      'vitest',
      'a.test.ts',
      ['run', '--root', '.', '--reporter=default', '--reporter=junit', '--outputFile.junit=report.xml'],
    ],
    ['playwright', 'a.spec.ts', ['test']],
  ] as const)(
    '%s, of a test that takes only the server: its calls and its trace, which junit names',
    async (runner, file, words) => {
      const place = join(folder, `server-${runner}`)
      await addFiles(place, {
        [file]: withServer(runner),
        'package.json': { type: 'module' },
        'playwright.config.ts': `export default { reporter: [['line'], ['junit', { outputFile: 'report.xml' }]] }`,
      })
      const ended = await user.node([programs[runner], ...words, ...limits[runner]], place)
      const text = printed(ended)
      expect(ended.code).toBe(1)
      expect(text).toMatch(
        /What the sandbox saw during "(?:a\.spec\.ts > )?asks the server" \(workspace default\)/,
      )
      expect(times(text, /What the sandbox saw/)).toBe(1)
      expect(text).not.toContain('<!doctype')
      const [trace, ...others] = await readdir(join(place, 'traces'))
      expect(trace).toMatch(/asks-the-server-trace\.html$/)
      expect(others).toEqual([])
      const report = await readFile(join(place, 'report.xml'), 'utf8')
      expect(report).toContain(`traces/${trace}`)
      expect(report).not.toContain('<!doctype')
    },
  )

  const outcomes = (head: string, around: (body: string) => string): string => `${head}
test('passes', ${around("await workspace.fetch('/v2/customers')")})
test('fails', ${around("await workspace.fetch('/v2/customers'); throw new Error('no')")})`
  const fixture = (body: string): string => `async ({ workspace }) => { ${body} }`
  const wrapped = (body: string): string => `withWorkspace(${fixture(body)})`

  it.each([
    [
      'vitest',
      'a.test.ts',
      outcomes("import { test } from 'partner-rewards-sandbox/vitest'", fixture),
      ['run', '--root', '.'],
    ],
    [
      'playwright',
      'a.spec.ts',
      outcomes("import { test } from 'partner-rewards-sandbox/playwright'", fixture),
      ['test'],
    ],
    [
      'jest',
      'a.test.js',
      outcomes("const { withWorkspace } = require('partner-rewards-sandbox/jest')", wrapped),
      [],
    ],
  ] as const)('%s reports how each test ended to the run of exec', async (runner, file, suite, words) => {
    const place = join(folder, `results-${runner}`)
    const type = runner === 'jest' ? 'commonjs' : 'module'
    await addFiles(place, { [file]: suite, 'package.json': { type } })
    const bin = join(folder, 'node_modules', 'partner-rewards-sandbox', 'dist', 'bin.cjs')
    const command = [process.execPath, programs[runner], ...words, ...limits[runner]]
    const ended = await user.node([bin, 'exec', '--report', 'journal.json', '--', ...command], place)
    expect(ended.code).toBe(1)
    const { requests } = (await readJson(join(place, 'journal.json'))) as {
      requests: { test: { name: string; result: string } }[]
    }
    const results = requests.map(({ test: { name, result } }) => [name.replace(/^.* > /, ''), result])
    expect(results.toSorted()).toEqual([
      ['fails', 'failed'],
      ['passes', 'passed'],
    ])
  })

  it('Jest: at the end of its stack, which the JSON report has, too', async () => {
    const place = join(folder, 'failing-jest')
    await addFiles(place, {
      'a.test.js': `
const { matchers, withWorkspace } = require('partner-rewards-sandbox/jest')
expect.extend(matchers)
${withBodies('test.concurrent')}`,
      'package.json': {},
    })
    const words = ['--json', '--outputFile=report.json', ...limits.jest]
    const ended = await user.node([programs.jest, ...words], place)
    const text = printed(ended)
    expect(ended.code).toBe(1)
    expect(text).toMatch(missed)
    expect(text).toMatch(calls('      '))
    expect(text).toMatch(/^ +Trace: .*\/partner-rewards-traces\/fails-trace\.html$/m)
    expectApart(text)
    const { testResults } = (await readJson(join(place, 'report.json'))) as {
      testResults: { assertionResults: { title: string; failureMessages: string[] }[] }[]
    }
    const [passes, fails] = testResults[0]?.assertionResults ?? []
    expect(passes).toMatchObject({ title: 'passes', failureMessages: [] })
    expect(fails?.failureMessages).toEqual([expect.stringMatching(new RegExp(`${calls('').source}$`, 'm'))])
  })

  it('Jest, when a test waits for an answer that never comes: beside the timeout, and it ends', async () => {
    const place = join(folder, 'waiting-jest')
    await addFiles(place, {
      'a.test.js': `
const { withWorkspace } = require('partner-rewards-sandbox/jest')
const ask = async ({ workspace, server }) => {
  const { url } = await server
  await fetch(url + '/v2/customers', { headers: { authorization: 'Bearer ' + workspace.apiKey } })
}
const wait = withWorkspace(ask, { scenarios: ['hang'] })
// Whatever takes long the first time is done by then, so that the next one makes its call in time.
test('passes', withWorkspace(ask, { scenarios: ['null-optionals'] }))
test('waits', wait, 6_000)
test.concurrent('waits beside', wait, 6_000)
test('passes again', withWorkspace(() => undefined))`,
      'package.json': {},
    })
    const { code, stderr } = await user.node([programs.jest, ...limits.jest], place)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Tests: +2 failed, 2 passed, 4 total$/m)
    expect(stderr).toContain('Exceeded timeout of 6000 ms for a test')
    expect(stderr).toMatch(
      /Jest ended this test before its body had ended\.[^]*What the sandbox saw in "waits" .*\n +req_ws_\w+_1 {2}GET \/v2\/customers {2}lost {2}/,
    )
    expect(stderr).not.toContain('did not exit')
  })

  it('node:test: at the end of its stack, and as a diagnostic', async () => {
    const place = join(folder, 'failing-node-test')
    const head = `
import { describe, test } from 'node:test'
import { assertReceived, withWorkspace } from 'partner-rewards-sandbox/node-test'`
    await addFiles(place, {
      'a.test.mjs': head + withBodies('test'),
      'b.test.mjs': `${head}
describe('at once', { concurrency: true }, () => { ${withBodies('test')} })`,
    })
    const run = (reporter: string, file: string): Promise<Ended> =>
      user.node(['--test', `--test-reporter=${reporter}`, '--test-name-pattern=/fails|passes/', file], place)
    const spec = await run('spec', 'a.test.mjs')
    expect(spec.code).toBe(1)
    expect(spec.stdout).toMatch(missed)
    expect(spec.stdout).toMatch(calls('  '))
    expect(spec.stdout).toMatch(calls('ℹ '))
    expect(spec.stdout).toMatch(/^ℹ Trace: .*\/partner-rewards-traces\/fails-trace\.html$/m)
    expect((await run('tap', 'a.test.mjs')).stdout).toMatch(calls('# '))
    const atOnce = await user.node(['--test', '--test-reporter=spec', 'b.test.mjs'], place)
    expectApart(atOnce.stdout.replaceAll('at once > ', ''))
  })

  it('node:test, when it waits for an answer that never comes', async () => {
    const place = join(folder, 'waiting-node-test')
    await addFiles(place, {
      'a.test.mjs': `
import { test } from 'node:test'
import { withWorkspace } from 'partner-rewards-sandbox/node-test'
const ask = async ({ workspace, server }) => {
  const { url } = await server
  await fetch(url + '/v2/customers', { headers: { authorization: 'Bearer ' + workspace.apiKey } })
}
// Whatever takes long the first time is done by then, so that the next one makes its call in time.
test('passes', withWorkspace(ask, { scenarios: ['null-optionals'] }))
test('waits', { timeout: 6_000 }, withWorkspace(ask, { scenarios: ['hang'] }))`,
    })
    const waiting = await user.node(['--test', '--test-reporter=spec', 'a.test.mjs'], place)
    expect(waiting.stdout).toContain('test timed out after 6000ms')
    expect(waiting.stdout).toMatch(/ {2}req_ws_\w+_1 {2}GET \/v2\/customers {2}lost {2}/)
  })
})
