import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../helpers/sandbox.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

/** A sandbox on a port that has answered one call in the default workspace and one in w1. */
async function served(): Promise<{ url: string; sandbox: Awaited<ReturnType<typeof startSandbox>> }> {
  const sandbox = await startSandbox()
  const { url } = await sandbox.listen()
  await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
  await sandbox.call('GET', '/v2/rewards/nobody', { key: 'sk_sandbox_full.w1' })
  return { url, sandbox }
}

describe('coverage', () => {
  it('prints the text report of a running sandbox', async () => {
    const { url, sandbox } = await served()
    const report = await sandbox.coverage.report('text', { url })
    expect(await cli(['coverage', '--url', url])).toEqual({ code: 0, stdout: report, stderr: '' })
    expect(await cli(['coverage'], { env: { SANDBOX_URL: `${url}/` } })).toEqual({
      code: 0,
      stdout: report,
      stderr: '',
    })
  })

  it('--workspace narrows it, --format says how it is written', async () => {
    const { url, sandbox } = await served()
    const { code, stdout } = await cli(['coverage', '--url', url, '--workspace', 'w1', '--format', 'json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, await sandbox.coverage.get({ workspace: 'w1', url })])
  })

  it('--coverage-only and --coverage-skip narrow it, also in the environment and the config file', async () => {
    const { url, sandbox } = await served()
    const narrowing = { only: ['retrieveReward'] as const, skip: ['auth', 'version'] }
    const stdout = await sandbox.coverage.report('html', { url, ...narrowing })
    const argv = ['coverage', '--url', url, '--format', 'html']
    const flags = [
      '--coverage-only',
      'retrieveReward',
      '--coverage-skip',
      'auth',
      '--coverage-skip',
      'version',
    ]
    expect(await cli([...argv, ...flags])).toEqual({ code: 0, stdout, stderr: '' })
    const env = { SANDBOX_COVERAGE_ONLY: 'retrieveReward', SANDBOX_COVERAGE_SKIP: 'auth,version' }
    expect(await cli(argv, { env })).toEqual({ code: 0, stdout, stderr: '' })
    const config = 'coverageOnly: [retrieveReward]\ncoverage-skip: auth, version\n'
    const cwd = await folderWith({ 'sandbox.config.yaml': config })
    expect(await cli(argv, { cwd })).toEqual({ code: 0, stdout, stderr: '' })
  })

  it.each([
    [
      ['--coverage-only', 'updateRewards'],
      "--coverage-only: unknown operation 'updateRewards', did you mean 'updateReward'?",
    ],
    [['--coverage-skip', 'versoin'], "--coverage-skip: unknown facet 'versoin', did you mean 'version'?"],
    [
      ['--coverage-min', 'updateRewards=1'],
      "--coverage-min: no contract point that counts belongs to operation 'updateRewards', did you mean 'updateReward'?",
    ],
    [
      ['--coverage-only', 'retrieveReward', '--coverage-min', 'updateReward=1'],
      "--coverage-min: no contract point that counts belongs to operation 'updateReward', expected one of: retrieveReward",
    ],
    [['--coverage-baseline-update'], '--coverage-baseline-update: needs the file: set --coverage-baseline'],
  ])('%j -> exit 2, and nothing is printed', async (flags, message) => {
    const { url } = await served()
    expect(await cli(['coverage', '--url', url, ...flags])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${message}\n`,
    })
  })

  it.each<[string, string[], string[]]>([
    ['enough', ['--coverage-min', '0.1,retrieveReward=10'], []],
    ['a minimum of none', ['--coverage-min', '0'], []],
    [
      'not enough',
      ['--coverage-min', '90', '--coverage-min', 'updateReward=100'],
      [
        '--coverage-min 90: coverage is 2.1 %; points still needed: 285',
        '--coverage-min updateReward=100: coverage of it is 0 %; points still needed: 33',
      ],
    ],
  ])('%s -> the report, then exit 6 with each gate that failed', async (_what, flags, failed) => {
    const { url, sandbox } = await served()
    expect(await cli(['coverage', '--url', url, ...flags])).toEqual({
      code: failed.length > 0 ? 6 : 0,
      stdout: await sandbox.coverage.report('text', { url }),
      stderr: failed.map((sentence) => `error: ${sentence}\n`).join(''),
    })
  })

  it('--coverage-baseline -> written where it is not there, then nothing of it may be lost', async () => {
    const { url, sandbox } = await served()
    const cwd = await folderWith()
    const check = async (...more: string[]): Promise<[number, string]> => {
      const argv = ['coverage', '--url', url, '--coverage-baseline', 'baseline.json', ...more]
      const { code, stderr } = await cli(argv, { cwd })
      return [code, stderr]
    }
    const kept = async (): Promise<unknown> => JSON.parse(await readFile(join(cwd, 'baseline.json'), 'utf8'))
    const covered = async (): Promise<string[]> =>
      (await sandbox.coverage.get()).points.filter((point) => point.covered).map(({ id }) => id)

    expect([await check(), await kept()]).toEqual([[0, ''], { covered: await covered() }])
    const before = await kept()
    await sandbox.call('GET', '/v2/customers')
    expect([await check(), await kept()]).toEqual([[0, ''], before])
    sandbox.coverage.clear({ workspace: 'w1' })
    const lost = 'retrieveReward/error/REWARD_NOT_FOUND_ERROR is no longer covered'
    const hint = '--coverage-baseline-update rewrites it'
    expect(await check()).toEqual([6, `error: --coverage-baseline baseline.json: ${lost}; ${hint}\n`])
    expect(await check('--coverage-skip', 'error')).toEqual([0, ''])
    expect([await check('--coverage-baseline-update'), await kept()]).toEqual([
      [0, ''],
      { covered: await covered() },
    ])
    expect(await check()).toEqual([0, ''])
  })

  it('nothing was covered -> exit 6, as a baseline of nothing could never fail', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    const cwd = await folderWith()
    const { code, stderr } = await cli(['coverage', '--url', url, '--coverage-baseline', 'b.json'], { cwd })
    expect([code, stderr]).toEqual([
      6,
      'error: --coverage-baseline b.json: it was not written, as no point is covered\n',
    ])
    await expect(readFile(join(cwd, 'b.json'))).rejects.toThrow('ENOENT')
  })

  it.each([
    ['no JSON', '{"covered": [', /^b\.json:1:14 covered\[0\]: expected a value or \]/],
    ['no baseline', '{"points": []}', /^b\.json:1:2 points: unknown field/m],
    ['no ids', '{"covered": [1]}', /^b\.json:1:14 covered\[0\]: must be a string/],
  ])('a file that is %s -> exit 3, and it stays', async (_what, text, message) => {
    const { url } = await served()
    const cwd = await folderWith({ 'b.json': text })
    const { code, stderr } = await cli(['coverage', '--url', url, '--coverage-baseline', 'b.json'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toMatch(message)
    expect(await readFile(join(cwd, 'b.json'), 'utf8')).toBe(text)
  })

  it('a baseline that cannot be written -> exit 2, naming it', async () => {
    const { url } = await served()
    const cwd = await folderWith()
    const { code, stderr } = await cli(['coverage', '--url', url, '--coverage-baseline', 'no/b.json'], {
      cwd,
    })
    expect([code, stderr]).toEqual([
      2,
      "error: --coverage-baseline: cannot write 'no/b.json' (there is no folder 'no')\n",
    ])
  })

  it('-o writes it into a file', async () => {
    const { url, sandbox } = await served()
    const cwd = await folderWith()
    const argv = ['coverage', '--url', url, '--format', 'html', '-o', 'report.html']
    expect(await cli(argv, { cwd })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Wrote the coverage report to report.html\n',
    })
    expect(await readFile(join(cwd, 'report.html'), 'utf8')).toBe(
      await sandbox.coverage.report('html', { url }),
    )
  })

  it('a file that cannot be written -> exit 2, naming it', async () => {
    const { url } = await served()
    const { code, stderr } = await cli(['coverage', '--url', url, '-o', 'no/such/folder/x.txt'], {
      cwd: await folderWith(),
    })
    expect([code, stderr]).toEqual([2, "error: --output: cannot write 'no/such/folder/x.txt' (ENOENT)\n"])
  })

  it('an unknown format -> exit 2, listing what there is', async () => {
    const { code, stderr } = await cli(['coverage', '--format', 'pdf'])
    expect(code).toBe(2)
    expect(stderr).toContain('Allowed choices are json, text, html, junit.')
  })

  it('what can be no workspace -> exit 2, before anything is asked', async () => {
    const { url } = await served()
    const { code, stdout, stderr } = await cli(['coverage', '--url', url, '--workspace', 'a b'])
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `error: workspace 'a b': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -\n`,
    ])
  })

  it('nobody there -> exit 7 with the next step', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    await server.close()
    const { code, stderr } = await cli(['coverage', '--url', server.url])
    expect([code, stderr]).toEqual([
      7,
      `error: no sandbox answers at ${server.url} (ECONNREFUSED): start one with \`partner-rewards-sandbox start\`, or name another with --url\n`,
    ])
  })

  it('what is no URL -> exit 2', async () => {
    const { code, stderr } = await cli(['coverage', '--url', 'nowhere'])
    expect([code, stderr]).toEqual([
      2,
      "error: --url: 'nowhere' is not a URL such as http://127.0.0.1:4010\n",
    ])
  })
})
