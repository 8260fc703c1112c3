import { describe, expect, it } from 'vitest'
import { fitted, traceText, type Trace } from '../../src/inspector/trace.ts'
import { traceFile } from '../../src/inspector/trace-file.tsx'
import { startSandbox } from '../helpers/sandbox.ts'
import { partsOf } from '../helpers/trace.ts'

const evil = '</script><script>alert(1)</script><!--'

describe('the trace of a workspace', () => {
  it('-> one file whose policy allows its own script and style, and nothing else', async () => {
    const sandbox = await startSandbox()
    const html = await sandbox.trace()
    const { policy, script, style } = partsOf(html)
    expect(policy).toBe(
      `default-src 'none'; script-src ${script}; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'`,
    )
    // Neither loads anything.
    expect(html.match(/(?:src|href)="(?!data:)/g)).toBeNull()
  })

  it('has calls with why they were answered so, newest first, scenarios, clock, coverage and the rows at the end', async () => {
    const { trace: traceOf, ...sandbox } = await startSandbox()
    await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    await sandbox.call('GET', '/v2/rewards/rwd_nope')
    await sandbox.scenarios.activate('slow')
    const { trace } = partsOf(await traceOf())
    const [workspace] = trace.workspaces
    expect(trace.workspaces).toHaveLength(1)
    expect(workspace?.name).toBe('default')
    expect(workspace?.dropped).toBe(0)
    expect(workspace?.requests).toEqual(sandbox.requests.list().map(({ id }) => sandbox.requests.get(id)))
    expect(workspace?.requests.map(({ status }) => status)).toEqual([404, 200, 200])
    expect(workspace?.remains?.clock).toEqual(sandbox.clock.read())
    expect(workspace?.remains?.counts).toEqual(sandbox.state.counts())
    expect(workspace?.remains?.scenarios.find(({ name }) => name === 'slow')).toMatchObject({
      active: true,
      document: { name: 'slow' },
    })
    expect(workspace?.remains?.rows['rewards']).toEqual(sandbox.state.list('rewards'))
    expect(trace.assumptions).toEqual(sandbox.assumptions())
    expect(trace.coverage.covered).toBeGreaterThan(0)
    expect(trace.coverage.covered).toBe((await sandbox.coverage.get()).covered)
  })

  it('hides keys, secrets and card numbers, also in the rows at the end', async () => {
    const pan = '4242424242424242'
    const { trace: traceOf, ...sandbox } = await startSandbox({ adminToken: 'a-token-of-the-control-plane' })
    const keys = sandbox.state.list('api_keys')
    await sandbox.call('GET', `/v2/customers?q=${pan}&x=${keys[0]?.secret}`)
    sandbox.state.patch('customers', 'cus_ada', { metadata: { note: `${pan} a-token-of-the-control-plane` } })
    const html = await traceOf()
    for (const secret of [
      pan,
      'a-token-of-the-control-plane',
      ...keys.flatMap((key) => [key.api_key, key.secret]),
    ]) {
      expect(html.includes(secret), secret).toBe(false)
    }
    expect(partsOf(html).trace.workspaces[0]?.remains?.rows['customers']).toContainEqual(
      expect.objectContaining({
        id: 'cus_ada',
        metadata: expect.objectContaining({ note: '************4242 ***' }),
      }),
    )
  })

  it('keeps hostile text in its element, and gives it back as it was', async () => {
    const { trace: traceOf, ...sandbox } = await startSandbox()
    sandbox.state.patch('customers', 'cus_ada', { metadata: { note: evil } })
    await sandbox.call('GET', `/v2/customers?q=${encodeURIComponent(evil)}`)
    // The pattern of `partsOf` finds one script, and no other element within the data.
    const { trace, data } = partsOf(await traceOf())
    expect(data).not.toContain('<')
    expect(JSON.stringify(trace)).toContain(JSON.stringify(evil).slice(1, -1))
  })

  it('over HTTP -> the same file, as an attachment; HEAD its headers', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/customers')
    const [answer, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => sandbox.fetch('/_sandbox/trace', { method })),
    )
    expect(await answer?.text()).toBe(await sandbox.trace())
    for (const { status, headers } of [answer, head].flatMap((each) => each ?? [])) {
      expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'attachment; filename="trace.html"',
      ])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(await head?.text()).toBe('')
  })

  it('?workspace=w3 -> that of w3', async () => {
    const sandbox = await startSandbox()
    await sandbox.workspace('w3').fetch('/v2/customers')
    const answer = await sandbox.fetch('/_sandbox/trace?workspace=w3')
    const [workspace] = partsOf(await answer.text()).trace.workspaces
    expect([workspace?.name, workspace?.requests.map(({ id }) => id)]).toEqual(['w3', ['req_w3_1']])
  })
})

describe('what there is no room for', () => {
  const call = (number: number, workspace: string): Trace['workspaces'][number]['requests'][number] =>
    ({
      id: `req_${workspace}_${number}`,
      at: new Date(number * 1000).toISOString(),
      request: { body: 'x'.repeat(900) },
    }) as never

  const trace = {
    package: 'p',
    version: '1',
    assumptions: [],
    coverage: { total: 0, covered: 0, percent: 0, points: [] },
    workspaces: [
      { name: 'a', requests: [9, 5, 1].map((number) => call(number, 'a')), dropped: 2, timeline: [] },
      { name: 'b', requests: [8, 7, 2].map((number) => call(number, 'b')), dropped: 0, timeline: [] },
    ],
  } satisfies Trace

  it.each([
    ['all', 10_000, ['9', '5', '1'], ['8', '7', '2'], [2, 0]],
    ['all but the two oldest', 5_000, ['9', '5'], ['8', '7'], [3, 1]],
    ['the newest', 1_400, ['9'], [], [4, 3]],
    ['none', 100, [], [], [5, 3]],
  ])('%s fit -> the oldest are left out, whichever workspace they are of', (_what, most, a, b, dropped) => {
    const { workspaces } = fitted(trace, most)
    const numbers = workspaces.map(({ requests }) => requests.map(({ id }) => id.split('_')[2]))
    expect([numbers, workspaces.map((each) => each.dropped)]).toEqual([[a, b], dropped])
    if (most > 1_000) expect(Buffer.byteLength(traceText(fitted(trace, most)))).toBeLessThanOrEqual(most)
  })

  it('the whole file is not larger than it may be', async () => {
    const { package: _package, version: _version, ...content } = trace
    const whole = Buffer.byteLength(await traceFile(content))
    for (const most of [whole, whole - 1_000, whole - 3_000]) {
      expect(Buffer.byteLength(await traceFile(content, most))).toBeLessThanOrEqual(most)
    }
    expect(Buffer.byteLength(await traceFile(content, whole + 10))).toBe(whole)
  })
})
