import assert from 'node:assert'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { matrix } from '../../../src/cli/runs/matrix.ts'
import { alternativesTo, alternativeText } from '../../../src/cli/runs/alternatives.ts'
import { openReport } from '../../../src/sandbox/runs/run-folder.ts'
import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import type { Program, ProgramOptions } from '../../../src/runtime/program.ts'
import { cli, execute, folderWith, type Ran } from '../../helpers/fake-io.ts'
import { caller, startSuite, type Env, type Suite } from '../../helpers/suite-in-process.ts'

const all = alternativesTo(resolveAssumptions()).map(alternativeText)

/** A suite as a partner might have it: it creates an intent and reads it back, and takes any 2xx for a success. */
async function journey(env: Env): Promise<{ created: Response; missing: Response; id: string }> {
  const call = caller(env)
  const intent = {
    customer_id: 'cus_ada',
    amount: 1250,
    currency: 'USD',
    payment_method_id: 'pm_ada_card',
    network_transaction_id: 'n_1',
  }
  const created = await call('POST', '/v2/transaction_intents', intent)
  assert.ok(created.ok, 'created')
  const { id } = (await created.json()) as { id: string }
  const read = (await (await call('GET', `/v2/transaction_intents/${id}`)).json()) as { amount: number }
  assert.equal(read.amount, 1250)
  const missing = await call('GET', '/v2/rewards/nobody')
  assert.ok(!missing.ok, 'missing')
  return { created, missing, id }
}

/** It takes no other status of a created intent than this. */
const needsCreated =
  (status: number): Suite =>
  async (env) =>
    assert.equal((await journey(env)).created.status, status)

/** Runs a suite against each value, in this process: programs take a second for every ten of them. */
async function run(suite: Suite, options: readonly string[] = [], cwd?: string): Promise<Ran> {
  const startProgram = startSuite(suite)
  return execute(['matrix', ...options, '--', 'suite'], { cwd: cwd ?? (await folderWith()), startProgram })
}

/** Runs a program of Node against each value. */
async function runNode(text: string, options: readonly string[] = []): Promise<Ran> {
  const cwd = await folderWith({ 'suite.mjs': text })
  const argv = ['matrix', ...options, '--', process.execPath, 'suite.mjs']
  return execute(argv, { cwd, env: { PATH: process.env['PATH'] ?? '' } })
}

/** The lines that came as the runs went, before the table. */
const linesOf = ({ stdout }: Ran): string[] => stdout.split('\n\n')[0]?.split('\n') ?? []

describe('matrix', () => {
  it('a suite that rests on one assumption -> 6; only what its calls rested on is run', async () => {
    const ran = await run(needsCreated(200))
    expect(ran.code).toBe(6)
    const tried = linesOf(ran).map((line) => line.split(' ')[0])
    expect(linesOf(ran)).toEqual(
      tried.map((setting) => `${setting} ${setting === 'create_status=201' ? 'fail' : 'pass'}`),
    )
    expect(tried).toEqual([
      'create_status=201',
      'not_found_status=400',
      'not_found_status=410',
      'refund_reward=same_reward',
      'reward_rounding=half_up',
      'intent_network_id_reuse=refuse',
    ])
    expect(ran.stdout).toMatch(
      /\nNot exercised, as no call rested on them; .*:\n {2}merchant_key_required, link_response, /,
    )
    expect(ran.stdout).not.toMatch(/Not exercised[^]*(create_status|reward_rounding)/)
    expect(ran.stdout).toContain(`
The suite rests on what the contract does not promise:
  create_status: Which status answers a created transaction intent?
    The contract leaves it open (Endpoints). It passes with 200 and fails with 201.
`)
    expect(ran.stderr).toMatch(/^As it is: pass \(\d+\.\d s\)\n\[1\/\d+\] create_status=201, after 0\.0 s\n/)
    expect(ran.stderr).toMatch(
      /create_status=201, after .*\ncreate_status=201 fails:\n(?: {2}\| .*\n)* {2}\| .*AssertionError/,
    )
  })

  it.each<[string, string[], string[]]>([
    ['not exercised where none are served', [], []],
    [
      'the other presets, and none at all',
      ['--webhooks', 'standard'],
      ['not_served', 'thin', 'timestamped_hmac', 'body_hmac', 'documented'],
    ],
    [
      'the presets, by name',
      ['--only', 'webhook_events'],
      ['standard', 'thin', 'timestamped_hmac', 'body_hmac', 'documented'],
    ],
  ])('webhook events: %s', async (_what, options, values) => {
    const ran = await run(journey, options)
    const tried = linesOf(ran).filter((line) => line.startsWith('webhook_events='))
    expect([ran.code, tried]).toEqual([0, values.map((value) => `webhook_events=${value} pass`)])
  })

  it('--all -> the values of all', async () => {
    const ran = await run(journey, ['--all', '--jobs', '4'])
    expect([ran.code, linesOf(ran).toSorted()]).toEqual([
      0,
      all.map((setting) => `${setting} pass`).toSorted(),
    ])
    expect(ran.stdout).not.toContain('Not exercised')
  })

  it('--format json -> one object, and nothing beside it', async () => {
    const { code, stdout } = await run(needsCreated(200), [
      '--only',
      'create_status,negative_amount',
      '--format',
      'json',
    ])
    expect([code, JSON.parse(stdout)]).toEqual([
      6,
      {
        base: 'pass',
        calls: 3,
        results: [
          { id: 'create_status', value: 201, verdict: 'fail', tests: [] },
          { id: 'negative_amount', value: 'accept', verdict: 'pass', tests: [] },
        ],
        not_exercised: [],
      },
    ])
  })

  describe('tests', () => {
    const both = ['--only', 'create_status,negative_amount']
    /** Two tests, each with calls that name it. @param reports whether their kit reports results. */
    const twoTests =
      (reports: boolean): Suite =>
      async (env) => {
        const report = openReport(env['SANDBOX_RUN'] ?? '')
        const send = async (name: string, amount: number): Promise<number> => {
          const { status } = await fetch(`${env['SANDBOX_URL']}/v2/transaction_intents`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${env['SANDBOX_API_KEY']}`,
              'content-type': 'application/json',
              'x-sandbox-test': `${encodeURIComponent(name)}; file=pay.test.ts`,
            },
            body: JSON.stringify({ customer_id: 'cus_ada', amount, currency: 'USD' }),
          })
          return status
        }
        const strict = await send('pays', 100)
        const tolerant = await send('pays twice', 201)
        if (reports) {
          const result = strict === 200 ? 'passed' : 'failed'
          report({ test: { name: 'pays', file: 'pay.test.ts', result, duration_ms: 1 } })
          report({ test: { name: 'pays twice', file: 'pay.test.ts', result: 'passed', duration_ms: 1 } })
        }
        assert.ok(tolerant < 300)
        assert.equal(strict, 200)
      }

    it.each([
      [true, '  create_status=201: 1 test: pays\n'],
      [false, '  create_status=201: 2 tests: pays, pays twice\n'],
    ])('results of a kit: %s -> those that failed, or else those that rest on it', async (reports, line) => {
      const { stdout } = await run(twoTests(reports), both)
      expect(stdout).toContain(`\nThe tests that failed with a value, or rest on it:\n${line}`)
    })

    it('--format html -> one page, and nothing beside it', async () => {
      const { stdout } = await run(twoTests(true), [...both, '--format', 'html'])
      expect(stdout).toMatch(/^<!doctype html>/i)
      expect(stdout).toContain('pays (pay.test.ts)')
    })
  })

  it('a suite that rests on none -> 0, and it is said', async () => {
    const tried = [
      'create_status=201',
      'not_found_status=410',
      'customers_order=id',
      'negative_amount=accept',
    ]
    const ran = await run(journey, ['--only', tried.join()])
    expect([ran.code, linesOf(ran)]).toEqual([0, tried.map((setting) => `${setting} pass`)])
    expect(ran.stdout).toMatch(
      new RegExp(
        `\n\nThe suite passes with all ${tried.length} other values\\. It rests on nothing that the contract leaves open in:\n {2}create_status, not_found_status\nNo call rested on these, so a pass proves nothing:\n {2}customers_order, negative_amount\n$`,
      ),
    )
    expect(ran.stderr).not.toContain('|')
  })

  it.each<[string, string, number]>([
    ['no call', '', 6],
    ['one call', "await fetch(process.env.SANDBOX_URL + '/v2/customers')", 0],
    ['one call to no endpoint', "await fetch(process.env.SANDBOX_URL + '/v3')", 0],
  ])('a program that makes %s', async (_, text, code) => {
    const ran = await runNode(text, ['--only', 'create_status'])
    expect(ran.code).toBe(code)
    expect(
      ran.stderr.includes(
        'error: the suite makes no call, so no value can make a difference: let it call SANDBOX_URL\n',
      ),
    ).toBe(code === 6)
    expect(linesOf(ran)).toEqual(code === 6 ? [''] : ['create_status=201 pass'])
  })

  it('simulated money rests on how rewards are rounded, though no call shows a reward', async () => {
    const suite: Suite = async (env) => {
      const call = caller(env)
      await call('GET', '/v2/customers')
      const purchase = { customer_id: 'cus_ben', amount: 1260, currency: 'USD', merchant_name: 'Anything' }
      const simulated = await call('POST', '/_sandbox/simulate/transaction', purchase)
      const { reward } = (await simulated.json()) as { reward: { amount: number } }
      assert.equal(reward.amount, 12)
    }
    const ran = await run(suite, ['--jobs', '2'])
    expect([ran.code, linesOf(ran).filter((line) => line.endsWith('fail'))]).toEqual([
      6,
      ['reward_rounding=half_up fail'],
    ])
  })

  it('--only -> these, and every alternative of one that has several', async () => {
    const needsMissing: Suite = async (env) => assert.equal((await journey(env)).missing.status, 404)
    const ran = await run(needsMissing, [
      '--only',
      'not_found_status,negative_amount=accept',
      '--only',
      'default_page_size=3',
    ])
    expect([ran.code, linesOf(ran)]).toEqual([
      6,
      [
        'not_found_status=400 fail',
        'not_found_status=410 fail',
        'negative_amount=accept pass',
        'default_page_size=3 pass',
      ],
    ])
  })

  it('--assume -> what it says is in force, and the default is another value', async () => {
    const only = ['--only', 'create_status', '--assume', 'create_status=201']
    const ran = await run(needsCreated(201), only)
    expect([ran.code, linesOf(ran)]).toEqual([6, ['create_status=200 fail']])
    expect(ran.stdout).toContain('It passes with 201 and fails with 200.')
  })

  it('a value that does not fit a set one -> is run all the same, with one that fits', async () => {
    const suite: Suite = async (env) => {
      const answer = await caller(env)('GET', '/v2/customers/cus_ada/rewards_balance')
      assert.strictEqual(((await answer.json()) as { reward_balance: number }).reward_balance, 34_590)
    }
    const only = ['--only', 'refund_reward', '--assume', 'balance_statuses=AVAILABLE']
    const ran = await run(suite, only)
    expect([ran.code, linesOf(ran)]).toEqual([6, ['refund_reward=own_row fail']])
    expect(ran.stderr).toContain('29590 !== 34590')
  })

  const calibrated = JSON.stringify({
    calibrated: { target: 'sandbox.example.com', at: '2026-11-22T10:00:00Z', version: '0.0.1', package: 'x' },
    assume: { create_status: 201, not_found_status: 404, customers_order: 'id' },
  })

  it('--calibrated -> what was observed is in force, and its other values are left out, which is said', async () => {
    const cwd = await folderWith({ 'c.json': calibrated })
    const ran = await run(needsCreated(201), ['--calibrated', 'c.json'], cwd)
    expect([ran.code, linesOf(ran).filter((line) => /^(create|not_found)_status/.test(line))]).toEqual([
      0,
      [],
    ])
    expect(ran.stdout).toContain(
      'Calibrated, so their other values are not run; --all runs them, too:\n  create_status, not_found_status, customers_order\n',
    )
    expect(ran.stdout).not.toMatch(/Not exercised[^]*customers_order[^]*Calibrated/)
    expect(ran.stderr).toMatch(/^warning: .*c\.json:1:85 calibrated\.version: /)
  })

  it('--calibrated with --only -> the values that it asks for', async () => {
    const cwd = await folderWith({ 'c.json': calibrated })
    const options = ['--calibrated', 'c.json', '--only', 'create_status']
    const ran = await run(needsCreated(201), options, cwd)
    expect([ran.code, linesOf(ran)]).toEqual([6, ['create_status=200 fail']])
    const json = await run(
      journey,
      ['--calibrated', 'c.json', '--only', 'create_status', '--format', 'json'],
      cwd,
    )
    expect(JSON.parse(json.stdout)).not.toHaveProperty('calibrated')
  })

  it('each run has a state of its own, and none is kept', async () => {
    const cwd = await folderWith({
      'sandbox.config.yaml': 'data: state.json\nport: 1\nwatch: true\nstrict: true\n',
    })
    const ids: string[] = []
    const suite: Suite = async (env) => ids.push((await journey(env)).id)
    const ran = await run(suite, ['--only', 'create_status,link_replaces'], cwd)
    expect([ran.code, linesOf(ran)]).toEqual([0, ['create_status=201 pass', 'link_replaces=replace pass']])
    expect([ids.length, new Set(ids).size]).toEqual([3, 1])
    await expect(readFile(join(cwd, 'state.json'))).rejects.toThrow('ENOENT')
  })
})

describe('a suite that tells nothing', () => {
  it('it fails as it is -> its own code, its output, and no other run', async () => {
    const ran = await runNode("console.log('out'); console.error('err'); process.exit(7)")
    expect([ran.code, ran.stdout]).toEqual([7, ''])
    expect(ran.stderr).toMatch(
      /^As it is: fail \(.* s\)\n {2}\| out\n {2}\| err\nerror: the suite fails with the current values \(exit 7\): make it pass first\n$/,
    )
  })

  it('it cannot be started -> 127', async () => {
    const { code, stderr } = await cli(['matrix', '--', 'no-such-program'], { cwd: await folderWith() })
    expect([code, stderr]).toEqual([
      127,
      "error: cannot run 'no-such-program': no folder of PATH has this program. Run a program of your project as -- npx no-such-program\n",
    ])
  })

  it.each([
    [
      ['matrix'],
      /^error: matrix: no command to run: write it after --, as in partner-rewards-sandbox matrix -- npm test\n$/,
    ],
    [
      ['matrix', 'npm', 'test'],
      /^error: matrix: put -- before the command: partner-rewards-sandbox matrix -- npm test\n$/,
    ],
    [
      ['matrix', '--only', 'create_statu', '--', 'x'],
      /^error: --only: unknown assumption 'create_statu', did you mean 'create_status'\? Valid ids: /,
    ],
    [
      ['matrix', '--only', 'rate_limits', '--', 'x'],
      /^error: --only: assumption 'rate_limits' has no alternatives\n$/,
    ],
    [['matrix', '--data', 'x', '--', 'x'], /^error: unknown option '--data'\n/],
    [['matrix', '--jobs', '0', '--', 'x'], /^error: --jobs: '0' must be an integer from 1 to 64\n$/],
  ])('%j -> exit 2', async (argv, message) => {
    const { code, stdout, stderr } = await cli(argv, { cwd: await folderWith() })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})

/** A suite that is not run: it ends as the table says, by the values that differ. */
function played(endings: Readonly<Record<string, number | 'hangs' | 'stops'>>) {
  const ran: string[] = []
  let stop: () => void = () => undefined
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const listeners = new Set<(signal: 'SIGTERM') => void>()
  let out = ''
  let err = ''
  const startProgram = async (_command: unknown, { env }: ProgramOptions): Promise<Program> => {
    const headers = { authorization: `Bearer ${env['SANDBOX_ADMIN_TOKEN'] ?? 'none'}` }
    const answer = await fetch(`${env['SANDBOX_URL']}/_sandbox/assumptions`, { headers })
    const { assumptions } = (await answer.json()) as {
      assumptions: { id: string; value: unknown; default: unknown }[]
    }
    await fetch(`${env['SANDBOX_URL']}/v2/customers`)
    const other = assumptions
      .filter(({ value, default: defaultValue }) => value !== defaultValue)
      .map(({ id, value }) => `${id}=${value}`)
    const name = other.join() || 'as it is'
    ran.push(name)
    const ending = endings[name] ?? 0
    let end: (code: number) => void = () => undefined
    const ended = new Promise<number>((resolve) => (end = resolve))
    if (typeof ending === 'number') end(ending)
    if (ending === 'stops') {
      for (const listener of listeners) listener('SIGTERM')
      stop()
    }
    return { ended, kill: (signal) => end(signal === 'SIGKILL' ? 137 : 143) }
  }
  let now = 0
  return {
    ran,
    out: () => out,
    err: () => err,
    /** Runs the matrix; time passes only while a caller waits for it. */
    run: async (flags: Record<string, unknown>, cwd: string): Promise<number> => {
      const io = {
        stdout: (text: string) => void (out += text),
        stderr: (text: string) => void (err += text),
        env: {},
        cwd,
        pid: 1,
        colour: false,
        terminal: false,
        stopped,
        stop: () => undefined,
        onSignal: (listener: (signal: 'SIGTERM') => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        startProgram,
      }
      return matrix(['suite'], flags, io, {
        now: () => now,
        wait: async (milliseconds, signal) => {
          await new Promise((resolve) => setImmediate(resolve))
          if (signal?.aborted) return false
          now += milliseconds
          return true
        },
      })
    },
  }
}

const three = { only: ['create_status', 'negative_amount', 'link_replaces'] }

describe('interrupted', () => {
  it('-> 130, the table so far, and the --only that runs the rest', async () => {
    const cwd = await folderWith()
    const first = played({ 'negative_amount=accept': 'stops', 'create_status=201': 1 })
    expect(await first.run(three, cwd)).toBe(130)
    expect(first.ran).toEqual(['as it is', 'create_status=201', 'negative_amount=accept'])
    expect(first.out()).toBe(`create_status=201 fail

assumption       value    result
create_status    201      fail
negative_amount  accept   not run
link_replaces    replace  not run

The suite rests on what the contract does not promise:
  create_status: Which status answers a created transaction intent?
    The contract leaves it open (Endpoints). It passes with 200 and fails with 201.
2 of 3 values were not run.
`)
    const rest = 'negative_amount=accept,link_replaces=replace'
    expect(first.err()).toMatch(new RegExp(`Interrupted: --only ${rest} runs the rest\\.\n$`))

    const second = played({})
    expect(await second.run({ only: rest.split(',') }, cwd)).toBe(0)
    expect(second.ran).toEqual(['as it is', 'negative_amount=accept', 'link_replaces=replace'])
  })

  it('in the first run -> 130, and no table', async () => {
    const interrupted = played({ 'as it is': 'stops' })
    expect(await interrupted.run(three, await folderWith())).toBe(130)
    expect([interrupted.out(), interrupted.err()]).toEqual(['', ''])
  })
})

describe('a suite that does not end with another value', () => {
  it('-> killed after a minute at least, and it fails with that value', async () => {
    const hanging = played({ 'negative_amount=accept': 'hangs' })
    expect(await hanging.run(three, await folderWith())).toBe(6)
    expect(hanging.out().split('\n\n')[0]).toBe(
      'create_status=201 pass\nnegative_amount=accept fail\nlink_replaces=replace pass',
    )
    expect(hanging.err()).toContain('It did not end within 60 s, and was killed.\n')
  })
})
