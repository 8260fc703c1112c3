// Running probes: what is planned is what is sent, who may run, two passes, and an end at any time.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeFile, type MadeLine } from '../../src/probe/created-objects.ts'
import { planOf } from '../../src/probe/planning.ts'
import { cannotTell, other, value, type Probe } from '../../src/probe/probe.ts'
import { runProbes, type Progress, type RunOptions } from '../../src/probe/run.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import { need, type Target } from '../../src/probe/target.ts'
import { fakeService, madeLines, testTarget, testTime } from '../helpers/probing.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const options = (change: Partial<RunOptions> = {}): RunOptions => ({
  run: 'test-1',
  timing: testTime(),
  made: madeLines(),
  ...change,
})

const notFoundStatus: Probe<number> = {
  id: 'not_found_status',
  needs: [],
  steps: [
    {
      name: 'unknown',
      risk: 'refusal',
      method: 'GET',
      path: () => '/v2/rewards/rwd_cannot_exist',
      request: () => ({}),
    },
  ],
  read(context) {
    const status = context.answer('unknown')?.status
    if (status === 404 || status === 400) return value(status)
    return status === undefined || status === 403
      ? cannotTell('the key may not read rewards')
      : other(`status ${status}`)
  },
}

/** A probe of many requests. */
const many: Probe<number> = {
  id: 'many',
  needs: [],
  steps: Array.from({ length: 25 }, (_, index) => ({
    name: `read ${index}`,
    risk: 'read' as const,
    method: 'GET',
    path: () => `/v2/rewards/rwd_${index}`,
    request: () => ({}),
  })),
  read: () => value(25),
}

const createStatus: Probe<number> = {
  id: 'create_status',
  needs: ['ids.customer', 'ids.payment_method'],
  steps: [
    {
      name: 'create',
      risk: 'write',
      method: 'POST',
      path: () => '/v2/transaction_intents',
      request: ({ target, run }) => ({
        json: {
          customer_id: need(target, 'ids.customer'),
          payment_method_id: need(target, 'ids.payment_method'),
          amount: 100,
          currency: 'USD',
          network_transaction_id: run,
          metadata: { made_by: run },
        },
      }),
    },
    {
      name: 'read',
      risk: 'read',
      method: 'GET',
      path: () => '/v2/transaction_intents/<intent>',
      request(context) {
        const json = context.answer('create')?.json
        return typeof json === 'object' && json && 'id' in json
          ? { path: `/v2/transaction_intents/${String(json.id)}` }
          : undefined
      },
    },
  ],
  read: (context) => value(context.answer('create')?.status ?? 0),
}

const usesUp = (id: string, count: number): Probe<string> => ({
  id,
  needs: [],
  uses: { pending_rewards: count },
  steps: [
    {
      name: 'change',
      risk: 'irreversible',
      method: 'PATCH',
      path: ({ rows }) => `/v2/rewards/${rows.pending_rewards[0]}`,
      request: () => ({ json: { status: 'AVAILABLE' } }),
    },
  ],
  read: (context) => value(context.rows.pending_rewards.join()),
})

const get = (id: string, path: string): Probe<number> => ({
  id,
  needs: [],
  steps: [{ name: 'it', risk: 'read', method: 'GET', path: () => path, request: () => ({}) }],
  read: (context) => value(context.answer('it')?.status ?? 0),
})

/** Counts what a sandbox is sent. */
async function sandboxTarget(
  assume: Record<string, string | number> = {},
  targetOptions: Partial<Omit<GivenTarget, 'fetch' | 'budget'>> & { budget?: { requests: number } } = {},
) {
  const sandbox = await startSandbox({ assume })
  const service = fakeService((path, init) => sandbox.fetch(path, init))
  return { ...service, sandbox, target: testTarget(service.fetch, targetOptions) }
}

const verdicts = ({ results }: Awaited<ReturnType<typeof runProbes>>) =>
  results.map(({ probe, verdict, value: read, seen, why, takes }) => ({
    id: probe.id,
    verdict,
    ...(read === undefined ? {} : { value: read }),
    ...(seen === undefined ? {} : { seen }),
    ...(why === undefined ? {} : { why }),
    ...(takes === undefined ? {} : { takes }),
  }))

const lines = (probes: readonly Probe[], target: Target, targetOptions = {}) =>
  planOf(probes, target, { run: 'test-1', ...targetOptions }).requests.map(
    ({ probe, class: risk, method, path }) => `${probe} ${risk} ${method} ${path}`,
  )

describe('a run', () => {
  it.each([404, 400])('observes a status of %i, asked twice', async (status) => {
    const { target, calls } = await sandboxTarget({ not_found_status: status })
    const run = await runProbes([notFoundStatus], target, options())
    expect(verdicts(run)).toEqual([{ id: 'not_found_status', verdict: 'observed', value: status }])
    expect(run).toMatchObject({ partial: false, requests: { planned: 4, sent: 3 } })
    expect(calls).toEqual([
      'GET /v2/rewards/rewards_categories',
      'GET /v2/rewards/rwd_cannot_exist',
      'GET /v2/rewards/rwd_cannot_exist',
    ])
  })

  it('tells what is none of the values, and what differs from time to time', async () => {
    const teapot = fakeService((path) => new Response(null, { status: path.includes('cannot') ? 418 : 200 }))
    expect(verdicts(await runProbes([notFoundStatus], testTarget(teapot.fetch), options()))).toEqual([
      { id: 'not_found_status', verdict: 'observed_other', seen: 'status 418' },
    ])
    const fickle = fakeService((_path, _init, call) => new Response(null, { status: call === 2 ? 404 : 400 }))
    expect(verdicts(await runProbes([notFoundStatus], testTarget(fickle.fetch), options()))).toEqual([
      { id: 'not_found_status', verdict: 'unstable', why: 'two equal requests got 404 and then 400' },
    ])
  })

  it('sends equal requests once in a pass, and plans them so', async () => {
    const { target, calls } = await sandboxTarget()
    const probes = [get('a', '/v2/customers'), get('b', '/v2/customers'), notFoundStatus]
    const run = await runProbes(probes, target, options())
    expect(run.results.map(({ verdict, exchanges }) => [verdict, exchanges.length])).toEqual([
      ['observed', 2],
      ['observed', 2],
      ['observed', 2],
    ])
    expect(calls).toHaveLength(5)
    expect(run.requests).toEqual({ planned: 6, sent: 5 })
  })
})

describe('classes and needs', () => {
  const full: Partial<Omit<GivenTarget, 'fetch' | 'budget'>> = {
    ids: { customer: 'cus_ada', payment_method: 'pm_ada_card' },
    expendable: { pending_rewards: ['rwd_x', 'rwd_y', 'rwd_z'] },
  }

  it('nothing is changed without being allowed', async () => {
    const { target, calls } = await sandboxTarget({}, full)
    const run = await runProbes([createStatus, usesUp('a', 1)], target, options())
    expect(verdicts(run)).toEqual([
      {
        id: 'create_status',
        verdict: 'not_allowed',
        why: 'it takes requests of class write',
        takes: '--allow write',
      },
      {
        id: 'a',
        verdict: 'not_allowed',
        why: 'it takes requests of class irreversible',
        takes: '--allow irreversible',
      },
    ])
    expect(calls).toHaveLength(1)
  })

  it('what the target lacks is named', async () => {
    const { target } = await sandboxTarget()
    expect(
      verdicts(
        await runProbes(
          [createStatus, usesUp('a', 1)],
          target,
          options({ allow: ['write', 'irreversible'] }),
        ),
      ),
    ).toEqual([
      {
        id: 'create_status',
        verdict: 'not_observable',
        why: 'the target lacks ids.customer, ids.payment_method',
        takes: 'add ids.customer, ids.payment_method to the target',
      },
      {
        id: 'a',
        verdict: 'not_observable',
        why: 'the target has too few expendable.pending_rewards',
        takes: '1 more of expendable.pending_rewards',
      },
    ])
  })

  it('a step that is sent once is shared, and its row too', async () => {
    const { target } = await sandboxTarget({}, full)
    const [step] = usesUp('any', 1).steps
    const once = step ? [{ ...step, once: true as const }] : []
    const sharing = (id: string): Probe<string> => ({ ...usesUp(id, 1), steps: once })
    const run = await runProbes(
      [sharing('a'), usesUp('b', 1), sharing('c')],
      target,
      options({ allow: ['irreversible'] }),
    )
    expect(run.results.map(({ value: rows }) => rows)).toEqual(['rwd_x', 'rwd_y', 'rwd_x'])
    expect(run.requests).toEqual({ planned: 4, sent: 3 })
    expect(run.results.map(({ exchanges }) => exchanges.length)).toEqual([1, 1, 1])
  })

  it('expendable rows are given to one probe each', async () => {
    const { target } = await sandboxTarget({}, full)
    const run = await runProbes(
      [usesUp('a', 1), usesUp('b', 2), usesUp('c', 1)],
      target,
      options({ allow: ['irreversible'] }),
    )
    expect(run.results.map(({ value: rows, verdict }) => rows ?? verdict)).toEqual([
      'rwd_x',
      'rwd_y,rwd_z',
      'not_observable',
    ])
  })

  it('a write is noted before it is sent, runs once and last, and its id is noted', async () => {
    const made = madeLines()
    const noted: number[] = []
    const service = fakeService((path, init) => {
      if (init.method === 'POST') noted.push(made.lines.length)
      return path === '/v2/transaction_intents'
        ? Response.json({ id: 'int_new' }, { status: 201 })
        : Response.json({})
    })
    const target = testTarget(service.fetch, full)
    const run = await runProbes([createStatus, notFoundStatus], target, options({ made, allow: ['write'] }))
    const note: MadeLine = {
      run: 'test-1',
      probe: 'create_status',
      class: 'write',
      method: 'POST',
      path: '/v2/transaction_intents',
    }
    expect(made.lines).toEqual([note, { ...note, id: 'int_new' }])
    expect(noted).toEqual([1])
    // The first request, a read of each row that the target names, and both passes of the probe that changes nothing.
    expect(service.calls.slice(5)).toEqual([
      'POST /v2/transaction_intents',
      'GET /v2/transaction_intents/int_new',
      // The observed value is none of the known ones: does the service still answer?
      'GET /v2/rewards/rewards_categories',
    ])
    expect(run.results.map(({ probe }) => probe.id)).toEqual(['create_status', 'not_found_status'])
  })

  it('a probe that leaves its plan is stopped before it is sent', async () => {
    const { target, calls } = await sandboxTarget()
    const strays: Probe = {
      ...notFoundStatus,
      steps: [
        {
          name: 'x',
          risk: 'read',
          method: 'GET',
          path: () => '/v2/rewards/<reward>',
          request: () => ({ path: '/v2/rewards/a/b' }),
        },
      ],
    }
    const { results } = await runProbes([strays], target, options())
    expect(results).toMatchObject([
      { verdict: 'not_observable', why: expect.stringContaining('cannot be read') },
    ])
    expect(calls).toHaveLength(1)
  })
})

describe('a plan', () => {
  it('names every request in order, with its class', async () => {
    const target = testTarget(() => Promise.reject(new Error('nothing is sent')), {
      ids: { customer: 'c', payment_method: 'p' },
    })
    expect(lines([createStatus, notFoundStatus], target, { allow: ['write'] })).toEqual([
      'target read GET /v2/rewards/rewards_categories',
      'target read GET /v2/customers/c/rewards_balance',
      'target read GET /v2/payment_methods/p',
      'not_found_status refusal GET /v2/rewards/rwd_cannot_exist',
      'not_found_status refusal GET /v2/rewards/rwd_cannot_exist',
      'create_status write POST /v2/transaction_intents',
      'create_status read GET /v2/transaction_intents/<intent>',
      'target read GET /v2/rewards/rewards_categories',
    ])
  })

  it('leaves out what does not fit into the budget, and so does the run', async () => {
    const { target, calls } = await sandboxTarget({}, { budget: { requests: 6 } })
    const probes = [notFoundStatus, many, get('a', '/v2/customers')]
    const run = await runProbes(probes, target, options())
    expect(run.plan.beyond).toEqual({ requests: 50, probes: ['many'] })
    expect(verdicts(run).map(({ verdict }) => verdict)).toEqual(['observed', 'not_called', 'observed'])
    expect(run.results[1]).toMatchObject({
      why: 'the budget of 6 requests is too small',
      takes: '50 requests more',
    })
    expect(calls).toHaveLength(5)
  })
})

describe('an end', () => {
  it('that somebody asked for still tells what was found', async () => {
    const stop = new AbortController()
    const { target, calls } = await sandboxTarget()
    const progress: Progress[] = []
    const onProgress = (now: Progress) => {
      progress.push(now)
      if (now.sent === 3) stop.abort()
    }
    const run = await runProbes(
      [notFoundStatus, get('a', '/v2/customers')],
      target,
      options({ signal: stop.signal, onProgress }),
    )
    expect(verdicts(run)).toEqual([
      { id: 'not_found_status', verdict: 'observed', value: 404 },
      { id: 'a', verdict: 'not_called', why: 'the run was stopped' },
    ])
    expect(run).toMatchObject({ partial: true, requests: { planned: 6, sent: 3 } })
    expect(calls).toHaveLength(3)
    expect(progress[0]).toEqual({ sent: 1, planned: 6, secondsLeft: 1 })
  })

  it('before anything was sent', async () => {
    const { target, calls } = await sandboxTarget()
    const run = await runProbes([notFoundStatus], target, options({ signal: AbortSignal.abort() }))
    expect(verdicts(run)).toEqual([
      { id: 'not_found_status', verdict: 'not_called', why: 'the run was stopped' },
    ])
    expect(run.partial).toBe(true)
    expect(calls).toEqual([])
  })

  it('at once, when the target is production', async () => {
    const sandbox = await startSandbox({ environment: 'production' })
    const service = fakeService((path, init) => sandbox.fetch(path, init))
    const target = testTarget(service.fetch, { keys: { full: 'sk_production_full' } })
    await expect(runProbes([notFoundStatus], target, options())).rejects.toMatchObject({ production: true })
    expect(service.calls).toHaveLength(1)
  })
})

it('the file of what was made is there from the first line on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'made-'))
  try {
    const path = join(folder, 'made.jsonl')
    const made = madeFile(path)
    const note: MadeLine = { run: 'r', probe: 'p', class: 'write', method: 'POST', path: '/v2/keys' }
    await made.note(note)
    await made.note({ ...note, id: 'key_1' })
    expect(
      (await readFile(path, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([note, { ...note, id: 'key_1' }])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
})
