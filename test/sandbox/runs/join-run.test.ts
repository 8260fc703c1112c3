import { reportToRun } from '../../../src/sandbox/runs/report-to-run.ts'
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SandboxOptions } from '../../../src/options/index.ts'
import { presets } from '../../../src/events/presets/index.ts'
import { receiverPointIds } from '../../../src/events/receiver-points.ts'
import { runCoverage } from '../../../src/cli/runs/run-coverage.ts'
import { createSandbox as createAlone, type Sandbox } from '../../../src/sandbox/index.ts'
import { createSandbox } from '../../../src/sandbox/runs/join-run.ts'
import {
  readReports,
  removeRunFolder,
  reportOutsideSandbox,
  runVariable,
  type ReportLine,
} from '../../../src/sandbox/runs/run-folder.ts'
import { runOf, tallyOf } from './join-run.ts'

afterEach(() => void vi.unstubAllEnvs())

const read = '/v2/rewards/rwd_ada_pending'

describe('what a sandbox of a run begins with', () => {
  const run: SandboxOptions = {
    fixtures: [{ customers: [{ id: 'cus_run' }] }],
    seed: 7,
    clock: '2026-01-01T00:00:00.000Z',
    frozen: true,
    assume: { create_status: 201, not_found_status: 410 },
    scenarios: ['unavailable'],
  }
  const seen = async (options?: SandboxOptions) => {
    const sandbox = await createSandbox(options)
    const values = new Map(sandbox.assumptions().map(({ id, value }) => [id, value]))
    return {
      customers: sandbox.state.list('customers').map(({ id }) => id),
      seed: sandbox.seed,
      clock: sandbox.clock.now(),
      scenarios: await sandbox.scenarios.active(),
      create_status: values.get('create_status'),
      not_found_status: values.get('not_found_status'),
    }
  }
  const ofRun = {
    customers: ['cus_run'],
    seed: 7,
    clock: '2026-01-01T00:00:00.000Z',
    scenarios: ['unavailable'],
    create_status: 201,
    not_found_status: 410,
  }

  it.each<[string, SandboxOptions | undefined, Partial<typeof ofRun>]>([
    ['nothing', undefined, {}],
    ['an option that is undefined', Object.fromEntries([['clock', undefined]]), {}],
    ['fixtures', { fixtures: { customers: [{ id: 'cus_own' }] } }, { customers: ['cus_own'] }],
    ['a seed', { seed: 9 }, { seed: 9 }],
    ['a clock', { clock: '2026-02-02T00:00:00Z', frozen: true }, { clock: '2026-02-02T00:00:00.000Z' }],
    ['no scenarios', { scenarios: [] }, { scenarios: [] }],
    ['one assumption', { assume: { create_status: 200 } }, { create_status: 200 }],
  ])('the test says %s -> that, and the rest of the run', async (_what, options, own) => {
    await runOf(run)
    expect(await seen(options)).toEqual({ ...ofRun, ...own })
  })

  it('a clock of its own moves, and rows of its own stand alone', async () => {
    await runOf({ ...run, generate: { customers: 5 } })
    const own = await createSandbox({
      clock: '2026-02-02T00:00:00Z',
      fixtures: { customers: [{ id: 'cus_own' }] },
    })
    expect([own.clock.read().frozen, own.state.size('customers')]).toEqual([false, 1])
    expect((await createSandbox()).state.size('customers')).toBe(6)
  })

  it('a bad option is told as ever', async () => {
    await runOf(run)
    await expect(createSandbox({ sed: 1 } as SandboxOptions)).rejects.toThrow(
      "createSandbox: unknown option 'sed', did you mean 'seed'?",
    )
  })

  it.each([
    ['SANDBOX_URL alone', 'SANDBOX_URL', 'http://127.0.0.1:1'],
    ['a run that is over', runVariable, '/nowhere/at/all'],
    ['an empty variable', runVariable, ''],
    ['a variable that names something else', runVariable, '/etc/passwd'],
  ])('%s -> as without a run', async (_what, name, value) => {
    vi.stubEnv(name, value)
    expect(await seen({ frozen: true, clock: ofRun.clock })).toMatchObject({ seed: 1, create_status: 200 })
  })

  it('the run of another version of the package -> as without a run', async () => {
    const folder = await runOf(run)
    const file = join(folder, 'run.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"version":"[^"]*"/, '"version":"0.0.9"'))
    expect(await seen()).toMatchObject({ seed: 1, create_status: 200 })
    expect(await readdir(folder)).toEqual(['run.json'])
  })
})

describe('the events of a run', () => {
  const token = 'a-token-of-the-provider'
  const run = {
    webhooks: 'documented',
    webhookSecret: token,
    assume: { webhook_events: 'documented' },
  } as const
  const hex = {
    ...presets.standard,
    signing: { ...presets.standard.signing, key: 'hex' },
  } as const
  const derived = expect.stringMatching(/^whsec_/)
  const derivedHex = expect.stringMatching(/^[0-9a-f]{64}$/)

  it.each<[string, SandboxOptions, SandboxOptions, unknown]>([
    ['nothing of its own', run, {}, token],
    ['the same preset', run, { webhooks: 'documented' }, token],
    ['the same assumption', run, { assume: { webhook_events: 'documented' } }, token],
    ['another preset', run, { webhooks: 'body_hmac' }, derived],
    ['another assumption', run, { assume: { webhook_events: 'body_hmac' } }, derived],
    ['a description', run, { webhooks: hex }, derivedHex],
    ['another preset and a secret', run, { webhooks: 'body_hmac', webhookSecret: 'own-token' }, 'own-token'],
    ['no events, so no secret matters', { seed: 1 }, { webhooks: 'thin' }, derived],
  ])('the test says %s', async (_what, ofRun, own, secret) => {
    await runOf(ofRun)
    expect((await createSandbox(own)).webhooks.secret).toEqual(secret)
  })

  it.each<[string, Record<string, string>, boolean]>([
    ['of the environment of a run', { SANDBOX_WEBHOOK_SECRET: token }, true],
    ['of its own', {}, false],
  ])('a secret of another form, %s, in a sandbox that does not join', async (_what, env, isIgnored) => {
    await runOf()
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const created = createAlone({ webhooks: hex, webhookSecret: token })
    if (isIgnored) expect((await created).webhooks.secret).toEqual(derivedHex)
    else await expect(created).rejects.toThrow('webhookSecret: must be hex digits, as signing.key is hex')
  })

  it('the secret that a run within a run ignored is ignored', async () => {
    await runOf({ webhooks: hex, webhookSecret: token, assume: { webhook_events: 'described' } })
    vi.stubEnv('SANDBOX_WEBHOOK_SECRET', '00'.repeat(32))
    expect((await createSandbox()).webhooks.secret).toEqual(derivedHex)
  })

  it('a secret of another form in the environment without a run is refused', async () => {
    vi.stubEnv('SANDBOX_WEBHOOK_SECRET', token)
    await expect(createAlone({ webhooks: hex, webhookSecret: token })).rejects.toThrow('must be hex digits')
  })
})

describe('what a run is told', () => {
  it('what a scenario asked for is no refusal; a rule that acted in one sandbox has fired', async () => {
    const folder = await runOf({ scenarios: ['reward-vanishes'] })
    const [idle, busy] = [await createSandbox(), await createSandbox()]
    await busy.workspace('w').fetch(read)
    await busy.workspace('w').fetch(read)
    expect((await tallyOf(folder)).unfiredRules()).toEqual([])
    await Promise.all([idle.close(), busy.close()])
    const tally = await tallyOf(folder)
    expect([tally.unfiredRules(), tally.refusals()]).toEqual([[], []])
  })

  it('a scenario that only takes time asks for no refusal', async () => {
    const rules = [{ on: 'retrieveReward', effect: { latency: 0 } }]
    const folder = await runOf({ scenarios: [{ name: 'calm', description: 'No wait.', rules }] })
    await (await createSandbox()).workspace('w').fetch('/v2/rewards/none')
    expect((await tallyOf(folder)).refusals().map(({ status }) => status)).toEqual([404])
  })

  it('money that was simulated', async () => {
    const folder = await runOf()
    const sandbox = await createSandbox()
    expect((await tallyOf(folder)).simulated).toBe(false)
    sandbox.workspace('w').simulate.transaction({ intent_id: 'int_ada_1' })
    expect((await tallyOf(folder)).simulated).toBe(true)
  })

  it('the points that its receivers covered, in the coverage of the run', async () => {
    const folder = await runOf()
    const own = await createAlone()
    const report = await own.coverage.get()
    expect(runCoverage(report, await tallyOf(folder))).not.toHaveProperty('receiver')
    const sandbox = await createSandbox({ webhooks: 'standard' })
    const workspace = sandbox.workspace('w')
    workspace.webhooks.add({ handler: () => new Response() })
    const event = workspace.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await workspace.events.drain()
    await workspace.events.resend(event.id)
    const { receiver = [] } = runCoverage(report, await tallyOf(folder))
    expect(receiver.map(({ id }) => id)).toEqual(receiverPointIds)
    expect(receiver.flatMap(({ id, hits }) => (hits > 0 ? [[id, hits]] : []))).toEqual([
      ['accepted', 2],
      ['duplicate_accepted', 1],
    ])
  })

  it('what it holds is for its user alone', async () => {
    const folder = await runOf()
    await (await createSandbox()).workspace('w').fetch(read)
    for (const file of await readdir(folder)) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
    }
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('sandboxes of one run generate other names of workspaces, and report actions and results of tests', async () => {
    const folder = await runOf()
    const names: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const sandbox = await createSandbox()
      const workspace = await sandbox.workspaces.create()
      names.push(workspace.name)
      workspace.clock.advance({ days: 1 })
    }
    expect(new Set(names).size).toBe(3)
    reportToRun({ test: { name: 'pays', file: null, result: 'failed', duration_ms: 3 } })
    reportToRun({ trace: 'pays-trace.html' })
    const tally = await tallyOf(folder)
    expect(tally.actions.map(({ workspace, entry: { kind } }) => [workspace, kind]).toSorted()).toEqual(
      names.map((name) => [name, 'clock']).toSorted(),
    )
    expect([tally.joined, tally.traces]).toEqual([3, ['pays-trace.html']])
    expect([...tally.tests.values()]).toEqual([
      { name: 'pays', file: null, result: 'failed', duration_ms: 3 },
    ])
  })

  it('sandboxes of one run write different ids of requests, also in `default` and after a reset; one alone keeps its own', async () => {
    const alone = await createAlone()
    const folder = await runOf({}, true)
    const ids: (string | null)[] = []
    const shared: Sandbox[] = [alone, await createSandbox(), await createSandbox()]
    for (const sandbox of shared) {
      const headers = { authorization: `Bearer ${sandbox.apiKey}` }
      await sandbox.fetch(read, { headers })
      sandbox.reset()
      const answers = [await sandbox.fetch(read, { headers }), await sandbox.workspace('w-1').fetch(read)]
      ids.push(...answers.map((answer) => answer.headers.get('x-sandbox-request-id')))
      expect(sandbox.requests.list().map(({ id }) => id)).toEqual([ids.at(-2)])
      expect(sandbox.requests.explain(ids.at(-2) ?? '')?.id).toBe(ids.at(-2))
    }
    expect(ids).toEqual([
      'req_default_1',
      'req_w-1_1',
      'req_2-default_1',
      'req_2-w-1_1',
      'req_3-default_1',
      'req_3-w-1_1',
    ])
    const reported = (await tallyOf(folder)).journal().entries.map(({ entry: { id } }) => id)
    expect(new Set(reported)).toEqual(new Set(ids.slice(2)))
    await expect(shared[1]?.requests.replay('req_2-default_9', {})).rejects.toThrow(
      /has the id 'req_2-default_9': a reset/,
    )
  })

  it('a rule that acted in none -> unfired, with all that asked', async () => {
    const folder = await runOf({ scenarios: ['reward-vanishes'] })
    for (const name of ['a', 'b']) {
      const sandbox = await createSandbox()
      await sandbox.workspace(name).fetch('/v2/customers')
      await sandbox.close()
    }
    expect((await tallyOf(folder)).unfiredRules()).toMatchObject([
      { id: 'reward-vanishes#1', reason: 'no call was for retrieveReward' },
    ])
  })

  it('whole calls only where the run keeps a journal, secrets hidden, numbers as their text', async () => {
    const light = await runOf()
    await (await createSandbox()).workspace('w').fetch(read)
    expect((await tallyOf(light)).journal()).toEqual({ entries: [], dropped: 1 })

    const whole = await runOf({}, true)
    const sandbox = await createSandbox()
    await sandbox.workspace('w').fetch('/v2/transaction_intents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"customer_id":"cus_ada","amount":1250,"currency":"USD","metadata":{"order":1e400,"cvv":"123"}}',
    })
    const { entries, dropped } = (await tallyOf(whole)).journal()
    expect([entries.length, dropped]).toEqual([1, 0])
    const text = (
      await Promise.all((await readdir(whole)).map((file) => readFile(join(whole, file), 'utf8')))
    ).join('')
    expect(text).toContain('"order":1e400')
    expect(text).not.toContain('"123"')
    expect(text).not.toContain(sandbox.workspace('w').apiKey)
  })

  it('a line that was cut by the end of its process is left out', async () => {
    const folder = await runOf()
    await (await createSandbox()).workspace('w').fetch(read)
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
    await appendFile(join(folder, file), '{"call":{"over_ht')
    expect((await tallyOf(folder)).calls).toBe(1)
  })

  it('the run is over -> calls are answered all the same', async () => {
    const folder = await runOf()
    const sandbox = await createSandbox()
    removeRunFolder(folder)
    expect((await tallyOf(folder)).calls).toBe(0)
    expect((await sandbox.workspace('w').fetch(read)).status).toBe(200)
  })

  it('a sandbox that is none of it', async () => {
    const folder = await runOf()
    reportOutsideSandbox({ [runVariable]: folder }, 'start')
    reportOutsideSandbox({}, 'start')
    const lines: ReportLine[] = []
    for await (const { line } of readReports(folder)) lines.push(line)
    expect(lines).toEqual([{ other: 'start' }])
  })
})
