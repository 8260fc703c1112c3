import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { execute, type Ran } from '../helpers/fake-io.ts'
import { partnerProject, saveFile } from '../helpers/partner-project.ts'

// The command line loads a verb when it is asked for, which takes seconds here: no test is to wait for that.
await Promise.all([import('../../src/cli/runs/exec.ts'), import('../../src/cli/runs/matrix.ts')])

/**
 * Suites as partners have them, each with a mistake or a way to call of its own, and what `exec` and `matrix` say of
 * each: the exact verdict, the exit code, and the calls that were counted.
 */

const http = `
const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
const overHttp = (path, key_ = key) => fetch(url + path, { headers: { authorization: 'Bearer ' + key_ } })
`
const inProcess = `
import { createSandbox } from 'partner-rewards-sandbox'
const sandbox = await createSandbox()
const { apiKey } = sandbox
const inside = (path) => sandbox.fetch(path, { headers: { authorization: 'Bearer ' + apiKey } })
`
const create = `
await sandbox.fetch('/v2/transaction_intents', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + apiKey, 'content-type': 'application/json' },
  body: JSON.stringify({ customer_id: 'cus_ada', amount: 1250, currency: 'USD' }),
}).then((answer) => { if (answer.status !== 200) process.exit(9) })
`
const read = '/v2/rewards/rwd_ada_pending'

interface Planted {
  name: string
  files: Record<string, string>
  /** How it is run, in place of `node suite.mjs`. */
  command?: string[]
  run: { calls: number; http: number; in_process: number; verdict: string }
  /** Without a gate, with \`--coverage-min 0.1\`, and of matrix. */
  codes: [alone: number, gated: number, matrix: number]
  says?: RegExp
}

const planted: Planted[] = [
  {
    name: 'no calls',
    files: { 'suite.mjs': 'process.exitCode = 0' },
    run: { calls: 0, http: 0, in_process: 0, verdict: 'no_calls' },
    codes: [0, 6, 6],
    says: /The run saw no call of the API, .*\n {2}The command did not call SANDBOX_URL, and created no sandbox/,
  },
  {
    name: 'in process only',
    files: { 'suite.mjs': `${inProcess}await inside('${read}')\n${create}await sandbox.close()` },
    run: { calls: 2, http: 0, in_process: 2, verdict: 'covered' },
    codes: [0, 0, 6],
  },
  {
    name: 'over HTTP only',
    files: { 'suite.mjs': `${http}await overHttp('${read}')` },
    run: { calls: 1, http: 1, in_process: 0, verdict: 'covered' },
    codes: [0, 0, 0],
  },
  {
    name: 'both',
    files: { 'suite.mjs': `${inProcess}${http}await inside('${read}')\nawait overHttp('${read}')` },
    run: { calls: 2, http: 1, in_process: 1, verdict: 'covered' },
    codes: [0, 0, 0],
  },
  {
    name: 'two workers',
    files: {
      'suite.mjs': `
        import { Worker } from 'node:worker_threads'
        import { once } from 'node:events'
        await Promise.all([1, 2].map(() => once(new Worker('./work.mjs'), 'exit')))`,
      'work.mjs': `${inProcess}await inside('${read}')`,
    },
    run: { calls: 2, http: 0, in_process: 2, verdict: 'covered' },
    codes: [0, 0, 0],
  },
  {
    name: 'a killed worker',
    files: {
      'suite.mjs': `
        import { fork } from 'node:child_process'
        fork('./work.mjs').on('exit', () => process.exit(3))`,
      'work.mjs': `${inProcess}await inside('${read}')\nawait inside('${read}')\nprocess.kill(process.pid, 'SIGKILL')`,
    },
    run: { calls: 2, http: 0, in_process: 2, verdict: 'child_failed' },
    codes: [3, 3, 3],
  },
  {
    name: 'a wrong key',
    files: { 'suite.mjs': `${http}await overHttp('${read}', 'sk_sandbox_typo')` },
    run: { calls: 1, http: 1, in_process: 0, verdict: 'covered' },
    codes: [0, 0, 0],
    says: /Refused, though no scenario caused it:\n {2}1 × 401 retrieveReward: /,
  },
  {
    name: 'concurrent failures',
    files: {
      'suite.mjs': `
        import assert from 'node:assert/strict'
        import { describe, test } from 'node:test'
        import { withWorkspace } from 'partner-rewards-sandbox/node-test'
        describe('side by side', { concurrency: true }, () => {
          for (const name of ['a', 'b']) {
            test(name, withWorkspace(async ({ workspace }) => {
              await workspace.fetch('/v2/rewards/none_' + name)
              assert.fail('on purpose')
            }))
          }
        })`,
    },
    run: { calls: 2, http: 0, in_process: 2, verdict: 'child_failed' },
    codes: [1, 1, 1],
    says: /\n {2}2 × 404 retrieveReward: /,
  },
  {
    name: 'an empty test file',
    files: { 'empty.test.mjs': '' },
    command: ['--test', 'empty.test.mjs'],
    run: { calls: 0, http: 0, in_process: 0, verdict: 'no_calls' },
    codes: [0, 6, 6],
  },
  {
    name: 'a sandbox of its own, outside the kits',
    files: {
      'suite.mjs': `
        import { spawn } from 'node:child_process'
        import { once } from 'node:events'
        const program = '../node_modules/.bin/partner-rewards-sandbox'
        const child = spawn(program, ['start', '--port', '0', '--quiet'], { stdio: ['ignore', 'pipe', 'inherit'] })
        const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
        await fetch(line.trim().split(' ').pop() + '${read}', { headers: { authorization: 'Bearer sk_sandbox_full' } })
        child.kill()`,
    },
    run: { calls: 0, http: 0, in_process: 0, verdict: 'no_calls' },
    codes: [0, 6, 6],
    says: /The command started another sandbox \(start\), whose calls do not belong to this run: let it call SANDBOX_URL instead\./,
  },
]

let project: string
beforeAll(async () => {
  project = await partnerProject()
})

/** Runs a verb in front of a planted suite. */
async function runPlanted(
  { name, files, command = ['suite.mjs'] }: Planted,
  verb: string,
  ...options: string[]
): Promise<Ran & { cwd: string }> {
  const cwd = join(project, name.replaceAll(/\W+/g, '-'))
  for (const [file, text] of Object.entries(files)) await saveFile(cwd, file, text)
  await saveFile(cwd, 'package.json', '{"type":"module"}')
  const argv = [verb, ...options, '--', process.execPath, ...command]
  return { ...(await execute(argv, { cwd, env: { PATH: process.env['PATH'] ?? '' } })), cwd }
}

describe.each(planted)('$name', (suite) => {
  const [alone, gated, ofMatrix] = suite.codes

  it(`exec -> ${alone}, ${gated} with a gate, and what it saw`, async () => {
    const plain = await runPlanted(suite, 'exec', '--quiet')
    expect(plain.code).toBe(alone)
    if (suite.says) expect(plain.stderr).toMatch(suite.says)
    const ran = await runPlanted(suite, 'exec', '--quiet', '--coverage-min', '0.1', '--report', 'c.json')
    const { run } = JSON.parse(await readFile(join(ran.cwd, 'c.json'), 'utf8')) as { run: object }
    expect([ran.code, run]).toEqual([gated, suite.run])
  })

  it(`matrix -> ${ofMatrix}`, async () => {
    const { code, stdout } = await runPlanted(suite, 'matrix', '--only', 'create_status', '--format', 'json')
    expect(code).toBe(ofMatrix)
    const fails = suite.name === 'in process only'
    const isTried = suite.run.calls > 0 && alone === 0
    expect(JSON.parse(stdout)).toEqual({
      base: alone === 0 ? 'pass' : 'fail',
      calls: suite.run.calls,
      results: isTried
        ? [{ id: 'create_status', value: 201, verdict: fails ? 'fail' : 'pass', tests: [] }]
        : [],
      not_exercised: suite.run.calls > 0 || alone !== 0 ? [] : ['create_status'],
    })
  })
})
