import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerProject, saveFile } from '../helpers/partner-project.ts'
import { codeCache } from '../helpers/processes.ts'
import { httpReceiver } from '../helpers/receiver.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const blocks = blocksOf(readFileSync(join(packageRoot(), 'docs/python.md'), 'utf8'))

/** The section whose tests need a sandbox with events. */
const events = 'Events'

/** A project with the files of the page, without those of the section of events, and no other. */
async function pythonProject(
  more: Readonly<Record<string, string>> = {},
  hasEvents = false,
): Promise<string> {
  const folder = await partnerProject()
  for (const { language, code, heading } of blocks) {
    const [, file] = /^# (\S+)\n/.exec(code) ?? []
    if (language !== 'python' || file === undefined || (heading === events && !hasEvents)) continue
    await saveFile(folder, file, code)
  }
  for (const [name, text] of Object.entries(more)) await saveFile(folder, name, text)
  return folder
}

/** The command under a heading of the page. */
function commandUnder(heading: string): string {
  const found = blocks.find((block) => block.language === 'sh' && block.heading === heading)
  if (!found) throw new Error(`docs/python.md has no command under '${heading}'`)
  return found.code.trim()
}

/** The results of the tests in the journal of a run. */
function resultsIn(folder: string): Record<string, string | null> {
  const { requests } = JSON.parse(readFileSync(join(folder, 'journal.json'), 'utf8')) as {
    requests: { test: { name: string; result: string | null } }[]
  }
  return Object.fromEntries(requests.map(({ test: { name, result } }) => [name, result]))
}

function run(command: string, cwd: string): Promise<{ code: number; printed: string }> {
  const env = {
    PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`,
    HOME: cwd,
    PYTHONDONTWRITEBYTECODE: '1',
    ...codeCache,
  }
  return new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
    )
  })
}

const canRun = (...args: string[]): boolean => spawnSync('python3', args).status === 0
const hasPython = canRun('--version')
const hasPytest = canRun('-m', 'pytest', '--version')

describe('the files and commands of docs/python.md', { timeout: 60_000 }, () => {
  it('unittest, also in two processes that share a sandbox', async ({ skip }) => {
    skip(!hasPython, 'not checked: python3 cannot be run here')
    const command = commandUnder('unittest')
    const folder = await pythonProject()
    const alone = await run(command, folder)
    expect(alone).toEqual({ code: 0, printed: expect.stringMatching(/^Ran 3 tests .*\n\nOK$/m) })
    const [before = '', suite = ''] = command.split(' -- ')
    // Each prints into a file of its own: two that write into one pipe can write into one line.
    const both = `(${suite}) >one.log 2>&1 & one=$!; ${suite} >two.log 2>&1; two=$?; wait $one && exit $two`
    const two = await run(`${before} -- bash -c '${both}'; code=$?; cat one.log two.log; exit $code`, folder)
    expect(two.code).toBe(0)
    expect(two.printed.match(/^OK$/gm)).toHaveLength(2)
  })

  it('unittest, what stands under a test that fails, and quietly', async ({ skip }) => {
    skip(!hasPython, 'not checked: python3 cannot be run here')
    const fails = [
      '    def test_fails(self):',
      '        reward = self.client.settle_reward("rwd_ada_pending")',
      '        given.sandbox.urllib.request.urlopen(',
      '            given.sandbox.urllib.request.Request(',
      '                given.sandbox.URL + "/v2/rewards/rwd_ada_pending?a=b",',
      '                headers={"Authorization": "Bearer " + given.sandbox.KEY, "x-service-merchant-key": "mk_summit"},',
      '            )',
      '        ).close()',
      '        self.assertEqual(reward["status"], "DEDUCTED")',
      '    def test_ends_with_an_error(self):',
      '        self.client.settle_reward("rwd_nobody")',
    ]
    const folder = await pythonProject({
      'tests/test_fails.py': [
        'import test_rewards_unittest as given',
        'class Fails(given.Rewards):',
        ...fails,
        '',
      ].join('\n'),
    })
    const quietly = commandUnder('unittest').replace(' -- ', ' --quiet --report journal.json -- ')
    const { code, printed } = await run(quietly, folder)
    expect(code).toBe(1)
    expect(printed).toMatch(/^EF\.{6}\n/m)
    expect(printed).toMatch(
      /\nCalls to the sandbox:\n {2}req_py\d+_1 {2}PATCH \/v2\/rewards\/rwd_nobody {2}404 {2}There was no reward 'rwd_nobody'.*\nTrace: \/.*test_ends_with_an_error-trace\.html\n\n=+\nFAIL/,
    )
    expect(printed).toMatch(
      /\nCalls to the sandbox:\n {2}req_py\d+_1 {2}PATCH \/v2\/rewards\/rwd_ada_pending {2}200 {2}success\n {2}req_py\d+_2 {2}GET \/v2\/rewards\/rwd_ada_pending\?a=b {2}200 {2}success\nTrace: \/.*-trace\.html\n\n-+\nRan 8/,
    )
    for (const [, file = ''] of printed.matchAll(/^Trace: (.*)$/gm))
      expect(readFileSync(file, 'utf8')).toContain('rwd_')
    expect(resultsIn(folder)).toMatchObject({
      'test_fails.Fails.test_fails': 'failed',
      'test_fails.Fails.test_ends_with_an_error': 'failed',
      'test_fails.Fails.test_settles_a_reward': 'passed',
    })
  })

  it('unittest, a test that passes unexpectedly has failed', async ({ skip }) => {
    skip(!hasPython, 'not checked: python3 cannot be run here')
    const folder = await pythonProject({
      'tests/test_unexpected.py': [
        'import test_rewards_unittest as given',
        'class Unexpected(given.Rewards):',
        '    @given.unittest.expectedFailure',
        '    def test_passes(self):',
        '        self.client.settle_reward("rwd_ada_pending")',
        '',
      ].join('\n'),
    })
    const { code } = await run(commandUnder('unittest').replace(' -- ', ' --report journal.json -- '), folder)
    expect(code).toBe(1)
    expect(resultsIn(folder)).toMatchObject({
      'test_unexpected.Unexpected.test_passes': 'failed',
      'test_unexpected.Unexpected.test_settles_a_reward': 'passed',
    })
  })

  it('a receiver of events, with the other tests', async ({ skip }) => {
    skip(!hasPython, 'not checked: python3 cannot be run here')
    expect(await run(commandUnder(events), await pythonProject({}, true))).toEqual({
      code: 0,
      printed: expect.stringMatching(/^Ran 6 tests .*\n\nOK$/m),
    })
  })

  it('unittest with a sandbox that runs already, where the network has a proxy', async ({ skip }) => {
    skip(!hasPython, 'not checked: python3 cannot be run here')
    const { url, connections } = await httpReceiver((_request, answer) => answer.writeHead(502).end())
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const [, suite = ''] = commandUnder('unittest').split(' -- ')
    const addresses = `http_proxy=${new URL(url).origin} NO_PROXY=a.example SANDBOX_URL=${server.url}`
    const { code, printed } = await run(
      `${addresses} SANDBOX_API_KEY=${sandbox.apiKey} ${suite}`,
      await pythonProject(),
    )
    expect([code, printed, connections()]).toEqual([0, expect.stringMatching(/\n\nOK$/m), 0])
  })

  it.for([
    ['unittest', hasPython],
    ['pytest', hasPytest],
  ] as const)('%s without exec -> how to start it', async ([runner, has], { skip }) => {
    skip(!has, `not checked: ${runner} cannot be run here`)
    const [, suite = ''] = commandUnder(runner).split(' -- ')
    expect(await run(suite, await pythonProject())).toEqual({
      code: 1,
      printed: expect.stringMatching(
        /^(SystemExit: )?No SANDBOX_URL and SANDBOX_API_KEY: start me with npx partner-rewards-sandbox exec -- /m,
      ),
    })
  })

  it('pytest, also as a worker of pytest-xdist, and what stands under a test that fails', async ({
    skip,
  }) => {
    skip(!hasPytest, 'not checked: pytest is not installed here (apt-get install python3-pytest)')
    const command = commandUnder('pytest')
    const alone = await run(command, await pythonProject())
    // Those of unittest are tests of pytest, too.
    expect(alone).toEqual({ code: 0, printed: expect.stringMatching(/^6 passed/m) })

    const fails = [
      'def test_fails(client, sandbox_key):',
      '    client.settle_reward("rwd_ada_pending")',
      '    assert sandbox_key == "another"',
    ]
    const folder = await pythonProject({
      'tests/test_fails.py': ['from test_rewards import client', '', '', ...fails, ''].join('\n'),
    })
    const failing = command.replace(/tests$/, 'tests/test_fails.py')
    expect(failing).not.toBe(command)
    const { code, printed } = await run(
      failing.replace(' -- ', ' --report journal.json -- env PYTEST_XDIST_WORKER=gw7 '),
      folder,
    )
    expect(code).toBe(1)
    expect(printed).toMatch(/^E +AssertionError: assert 'sk_sandbox_full\.gw7' == 'another'$/m)
    expect(printed).toMatch(
      /^-+ Calls to the sandbox -+\n {2}req_gw7_1 {2}PATCH \/v2\/rewards\/rwd_ada_pending {2}200 {2}success\nTrace: .*test_fails-trace\.html$/m,
    )
    expect(resultsIn(folder)).toEqual({ test_fails: 'failed' })
  })
})
