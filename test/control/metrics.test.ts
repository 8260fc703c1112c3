// GET /_sandbox/metrics and sandbox.metrics(): what is counted of calls, and where the other numbers come from.
import { describe, expect, it } from 'vitest'
import { startSandbox, type CallOptions } from '../helpers/sandbox.ts'
import { readExposition } from '../helpers/exposition.ts'
import { counted, samplesOf } from './metrics.ts'

const token = 'a-token-of-some-length'

describe('GET /_sandbox/metrics', () => {
  it('tells every metric of the table, in the format of its media type', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/customers')
    const answer = await sandbox.fetch('/_sandbox/metrics')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const families = readExposition(await answer.text())
    expect([...families].map(([name, { type }]) => [name, type])).toEqual([
      ['sandbox_requests_total', 'counter'],
      ['sandbox_request_duration_seconds', 'histogram'],
      ['sandbox_workspaces', 'gauge'],
      ['sandbox_rows', 'gauge'],
      ['sandbox_journal_entries', 'gauge'],
      ['sandbox_journal_bytes', 'gauge'],
      ['sandbox_store_round_trips_total', 'counter'],
      ['sandbox_store_owned_workspaces', 'gauge'],
      ['sandbox_store_lost_workspaces_total', 'counter'],
      ['sandbox_event_loop_delay_seconds', 'summary'],
      ['process_resident_memory_bytes', 'gauge'],
    ])
    for (const { help } of families.values()) expect(help).toMatch(/^[A-Z].*\.$|; 0 without --store\.$/)
  })

  it('HEAD -> its headers; another method 405; a parameter that nothing reads 400', async () => {
    const sandbox = await startSandbox()
    const head = await sandbox.fetch('/_sandbox/metrics', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await sandbox.fetch('/_sandbox/metrics', { method: 'POST' })).status).toBe(405)
    expect((await sandbox.fetch('/_sandbox/metrics?name=x')).status).toBe(400)
  })

  it('is guarded: with --admin-token it is for who sends the token', async () => {
    const sandbox = await startSandbox({ adminToken: token })
    expect((await sandbox.fetch('/_sandbox/metrics')).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await sandbox.fetch('/_sandbox/metrics', { headers })).status).toBe(200)
    const closed = await startSandbox({ admin: 'off' })
    expect((await closed.fetch('/_sandbox/metrics')).status).toBe(403)
  })
})

describe('sandbox_requests_total', () => {
  it.each<[string, string, string, CallOptions, string]>([
    ['a success', 'GET', '/v2/customers', {}, 'operation="searchCustomers",status_class="2xx"'],
    [
      'HEAD, as its GET',
      'HEAD',
      '/v2/rewards/rwd_ada_pending',
      {},
      'operation="retrieveReward",status_class="2xx"',
    ],
    ['a refusal', 'GET', '/v2/rewards/no', {}, 'operation="retrieveReward",status_class="4xx"'],
    ['no key', 'GET', '/v2/customers', { key: null }, 'operation="searchCustomers",status_class="4xx"'],
    ['no endpoint', 'GET', '/v2/nothing', {}, 'operation="unmatched",status_class="4xx"'],
    ['another method', 'PUT', '/v2/customers', {}, 'operation="unmatched",status_class="4xx"'],
  ])('%s', async (_what, method, path, options, labels) => {
    const sandbox = await startSandbox()
    expect(await counted(sandbox)).toEqual({})
    await sandbox.call(method, path, options)
    expect(await counted(sandbox)).toEqual({ [`sandbox_requests_total{${labels}}`]: 1 })
  })

  it.each([
    ['reset', 'GET', 'lost'],
    ['empty', 'GET', 'lost'],
    ['truncate', 'GET', 'lost'],
    ['truncate', 'HEAD', 'lost'],
    ['malformed_json', 'GET', '2xx'],
    ['malformed_json', 'HEAD', '2xx'],
  ])(
    'a connection that a scenario lets end by %s of a %s -> the class of the status that its client saw: %s',
    async (transport, method, statusClass) => {
      const sandbox = await startSandbox({
        scenarios: { name: 'lost', description: 'Lost.', rules: [{ on: '*', effect: { transport } }] },
      })
      await sandbox
        .fetch('/v2/rewards/rwd_ada_pending', {
          method,
          headers: { authorization: 'Bearer sk_sandbox_full' },
        })
        .catch(() => undefined)
      const labels = `operation="retrieveReward",status_class="${statusClass}"`
      expect(await counted(sandbox)).toEqual({ [`sandbox_requests_total{${labels}}`]: 1 })
    },
  )

  it('of a stub', async () => {
    const sandbox = await startSandbox({
      fixtures: { stubs: [{ method: 'GET', path: '/v2/more', body: {} }] },
    })
    const headers = { authorization: 'Bearer sk_sandbox_full' }
    expect((await sandbox.fetch('/v2/more', { headers })).status).toBe(200)
    expect(await counted(sandbox)).toEqual({
      'sandbox_requests_total{operation="stub",status_class="2xx"}': 1,
    })
  })
})

it('workspaces, rows and journal are those of all workspaces', async () => {
  const sandbox = await startSandbox()
  const value = async (name: string) => (await samplesOf(sandbox, name))[name]
  const rows = sandbox.state.size()
  expect([await value('sandbox_workspaces'), await value('sandbox_rows')]).toEqual([1, rows])
  await sandbox.workspace('w1').fetch('/v2/customers')
  await sandbox.call('GET', '/v2/customers')
  sandbox.state.put('customers', 'cus_new', {})
  expect([await value('sandbox_workspaces'), await value('sandbox_rows')]).toEqual([2, 2 * rows + 1])
  expect(await value('sandbox_journal_entries')).toBe(2)
  expect(await value('sandbox_journal_bytes')).toBeGreaterThan(100)
  sandbox.requests.clear()
  sandbox.workspaces.delete('w1')
  expect([await value('sandbox_workspaces'), await value('sandbox_journal_bytes')]).toEqual([1, 0])
  for (const name of ['round_trips_total', 'owned_workspaces', 'lost_workspaces_total']) {
    expect(await value(`sandbox_store_${name}`)).toBe(0)
  }
  expect(await value('process_resident_memory_bytes')).toBeGreaterThan(1e7)
})

it('the event loop is watched from the first reading on, which has nothing to tell', async () => {
  const name = 'sandbox_event_loop_delay_seconds'
  expect(await samplesOf(await startSandbox(), name)).toEqual({
    [`${name}{quantile="0.5"}`]: NaN,
    [`${name}{quantile="0.9"}`]: NaN,
    [`${name}{quantile="0.99"}`]: NaN,
    [`${name}{quantile="1"}`]: NaN,
    [`${name}_sum`]: 0,
    [`${name}_count`]: 0,
  })
})
