// conform and calibrate on the command line: who is asked, what is planned, how a run ends.
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cli, execute, folderWith } from '../../helpers/fake-io.ts'
import { startSandbox, type WideOptions } from '../../helpers/sandbox.ts'

/** A target of ours on a port, and a folder that holds the file for it. */
async function startTarget(
  options: WideOptions = {},
  more = '',
): Promise<{ cwd: string; sent: () => number }> {
  const sandbox = await startSandbox(options)
  const { port } = await sandbox.listen()
  const cwd = await folderWith({ 'target.yaml': targetFile(port, more) })
  return { cwd, sent: () => sandbox.requests.list().length }
}

/** A target of a server that answers as it likes. */
async function served(answer: RequestListener): Promise<{ cwd: string; calls: () => number }> {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { cwd: await folderWith({ 'target.yaml': targetFile(port) }), calls: () => calls }
}

const targetFile = (port: number, more = ''): string => `url: http://127.0.0.1:${port}
confirm_host: 127.0.0.1
keys:
  full: sk_sandbox_full
ids: { customer: cus_ada, payment_method: pm_ada_card, reward: rwd_ada_available }
budget: { per_second: 100000 }
${more}`

const one = ['--target', 'target.yaml', '--only', 'unknown_query_parameters']

describe('a plan', () => {
  it('as text: a line a request, and nothing is sent', async () => {
    const { cwd, sent } = await startTarget()
    const { code, stdout, stderr } = await cli(['calibrate', ...one, '--plan'], { cwd })
    expect(code).toBe(0)
    const read = 'read GET /v2/rewards/rewards_categories\n'
    const asking = `${read}refusal GET /v2/rewards/rewards_categories?cannot_exist=1\n`
    expect(stdout).toBe(read + asking + asking + read)
    expect(stderr).toBe('At most 6 requests to 127.0.0.1, about 1 s at 100000 a second.\n')
    expect(sent()).toBe(0)
  })

  it('as JSON', async () => {
    const { cwd } = await startTarget()
    const { stdout } = await cli(['calibrate', ...one, '--plan', '--format', 'json'], { cwd })
    const probe = 'unknown_query_parameters'
    expect(JSON.parse(stdout)).toEqual({
      requests: [
        { probe: 'target', class: 'read', method: 'GET', path: '/v2/rewards/rewards_categories' },
        ...[1, 2].flatMap(() => [
          { probe, class: 'read', method: 'GET', path: '/v2/rewards/rewards_categories' },
          { probe, class: 'refusal', method: 'GET', path: '/v2/rewards/rewards_categories?cannot_exist=1' },
        ]),
        { probe: 'target', class: 'read', method: 'GET', path: '/v2/rewards/rewards_categories' },
      ],
    })
  })
})

describe('an end', () => {
  it('a value is observed -> 0, the table, and how far it is', async () => {
    const { cwd, sent } = await startTarget({ assume: { unknown_query_parameters: 'refuse' } })
    const { code, stdout, stderr } = await cli(['calibrate', ...one], { cwd })
    expect([code, stdout]).toEqual([
      0,
      'unknown_query_parameters  observed: refuse (our default is ignore)\n\n' +
        '127.0.0.1: 1 of 1 observed, 1 of them different from our default, by 5 requests.\n',
    ])
    expect(stderr).toContain('\n5 of at most 6 requests, 1 s left\n')
    expect(sent()).toBe(5)
  })

  it.each([
    ['an unknown class', ['--allow', 'wirte'], /^error: --allow: unknown class 'wirte', expected one of: /],
    [
      'an unknown assumption',
      ['--only', 'unknown_query_parameter'],
      /^error: --only: unknown assumption 'unknown_query_parameter', did you mean 'unknown_query_parameters'\?\n$/,
    ],
  ])('%s -> 2, and nothing is sent', async (_, words, message) => {
    const { cwd, sent } = await startTarget()
    const { code, stderr } = await cli(['calibrate', '--target', 'target.yaml', ...words], { cwd })
    expect([code, sent()]).toEqual([2, 0])
    expect(stderr).toMatch(message)
  })

  it('no target is named -> 2', async () => {
    const { code, stderr } = await cli(['conform'])
    expect([code, stderr]).toEqual([2, "error: required option '--target <file>' not specified\n"])
  })

  it('a target that cannot be used -> 3 with its place', async () => {
    const cwd = await folderWith({
      'target.yaml': 'url: https://example.com\nconfirm_host: exampel.com\nkeys: { full: sk_1 }\n',
    })
    const { code, stderr } = await cli(['conform', '--target', 'target.yaml'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain('target.yaml:2:')
    expect(stderr).toContain('target.yaml:3:')
    expect(stderr).not.toContain('sk_1')
  })

  it.each([
    [
      'a row',
      'customer: cus_ada',
      'customer: cus_nobody',
      'target.yaml:5:18 ids.customer: the service does not have it',
    ],
    [
      'a key',
      'full: sk_sandbox_full',
      'full: sk_sandbox_full\n  multi: sk_none\nmerchant_keys: [mk_summit]',
      'target.yaml:5:10 keys.multi: the service refuses this key with status 401',
    ],
  ])('%s that the service does not have -> 3 with its place', async (_, was, is, message) => {
    const { cwd } = await startTarget()
    const path = join(cwd, 'target.yaml')
    await writeFile(path, (await readFile(path, 'utf8')).replace(was, is))
    const { code, stdout, stderr } = await cli(['conform', '--target', 'target.yaml'], { cwd })
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/sk_sandbox_full|sk_none/)
  })

  it('production -> 2 after one request', async () => {
    const { cwd, calls } = await served((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        '{"error":{"type":"BAD_REQUEST_ERROR","message":"Unsupported x-service-version \'latest\'."}}',
      )
    })
    const { code, stderr } = await cli(['calibrate', ...one], { cwd })
    expect([code, calls()]).toEqual([2, 1])
    expect(stderr).toContain('as production does')
  })

  it.each<[string, RequestListener, RegExp]>([
    ['refuses the key', (_, response) => response.writeHead(401).end('{}'), /refuses keys\.full with 401/],
    ['resets', (request) => request.socket.destroy(), /cannot be tested: no answer/],
    [
      'answers HTML',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /HTML/,
    ],
    ['redirects', (_, response) => response.writeHead(302, { location: '/x' }).end(), /redirect/],
  ])('a target that %s -> 7', async (_, answer, message) => {
    const { cwd, calls } = await served(answer)
    const { code, stdout, stderr } = await cli(['calibrate', ...one], { cwd })
    expect([code, stdout, calls()]).toEqual([7, '', 1])
    expect(stderr).toMatch(message)
  })

  it('somebody stops it -> 130, and what was found is told', async () => {
    const { cwd } = await served((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end('{"error":{"type":"NOT_FOUND_ERROR","message":""}}')
    })
    const { code, stdout } = await execute(
      ['calibrate', ...one, '--format', 'json'],
      { cwd },
      async (running) => running.signal('SIGINT'),
    )
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ partial: true })
  })
})

describe('calibrate', () => {
  it('-o writes what --check compares with, and a sandbox starts with', async () => {
    const { cwd } = await startTarget({ assume: { unknown_query_parameters: 'refuse' } })
    const wrote = await cli(['calibrate', ...one, '-o', 'found.yaml'], { cwd })
    expect(wrote.stderr).toContain('Wrote the observed values to found.yaml\n')
    const same = await cli(['calibrate', ...one, '--check', 'found.yaml'], { cwd })
    expect([same.code, same.stdout.split('\n').at(-2)]).toEqual([0, 'Nothing has moved since found.yaml.'])
    const { stdout } = await cli(['openapi', '--calibrated', 'found.yaml'], { cwd })
    expect(stdout).toContain('unknown_query_parameters')
    const text = await readFile(join(cwd, 'found.yaml'), 'utf8')
    expect(text).toContain('  unknown_query_parameters: refuse\n')
    expect(text).not.toContain('sk_sandbox_full')
  })

  it('something has moved -> 6, and who', async () => {
    const { cwd } = await startTarget()
    await writeFile(join(cwd, 'old.yaml'), earlier)
    const { code, stdout, stderr } = await cli(['calibrate', ...one, '--check', 'old.yaml'], { cwd })
    expect(code).toBe(6)
    expect(stdout).toContain(
      'The service answers differently where the contract is silent:\n  unknown_query_parameters: refuse, now ignore\n',
    )
    expect(stderr).toContain('warning: old.yaml is ')
  })

  it('an earlier file without a value -> 3, and nothing is sent', async () => {
    const { cwd, sent } = await startTarget()
    await writeFile(join(cwd, 'old.yaml'), earlier.replace(/^assume:\n.*\n/m, ''))
    const { code } = await cli(['calibrate', ...one, '--check', 'old.yaml'], { cwd })
    expect([code, sent()]).toEqual([3, 0])
  })

  it('an assumption that nothing can decide -> 7, and why', async () => {
    const { cwd } = await startTarget()
    const { code, stdout } = await cli(['calibrate', '--target', 'target.yaml', '--only', 'webhook_events'], {
      cwd,
    })
    expect(code).toBe(7)
    expect(stdout).toMatch(/^webhook_events {2}not observable: \w.+\n/)
  })
})

const earlier = `calibrated:
  target: 127.0.0.1
  at: 2020-01-01T00:00:00.000Z
  version: 0.0.1
  package: partner-rewards-sandbox
assume:
  unknown_query_parameters: refuse
`

describe('conform', () => {
  it('nothing is broken -> 0, and the reports are written', async () => {
    const { cwd } = await startTarget()
    const words = ['--only', 'retrieveReward', '--report', 'a.html', '--report', 'a.xml']
    const { code, stdout, stderr } = await cli(['conform', '--target', 'target.yaml', ...words], { cwd })
    expect([code, stderr]).toEqual([0, expect.stringContaining('At most ')])
    expect(stdout).toMatch(/^127\.0\.0\.1: \d+ hold, 0 broken, \d+ not observable, by \d+ requests\.\n/)
    expect(await readFile(join(cwd, 'a.html'), 'utf8')).toContain('Conformance of 127.0.0.1')
    expect(await readFile(join(cwd, 'a.xml'), 'utf8')).toContain('failures="0"')
  })

  it('something is broken -> 6, with the sentence and the exchange, and no key in it', async () => {
    const { cwd } = await served((request, response) => {
      const isReward = request.url?.startsWith('/v2/rewards/rwd') === true
      response.writeHead(200, { 'content-type': 'application/json', 'x-service-version': '2026-10-13' })
      response.end(JSON.stringify(isReward ? { id: 'rwd_ada_available', amount: '12' } : {}))
    })
    const words = ['--only', 'retrieveReward/field/amount', '--format', 'json']
    const { code, stdout } = await cli(['conform', '--target', 'target.yaml', ...words], { cwd })
    expect(code).toBe(6)
    const { points, summary } = JSON.parse(stdout) as { points: { verdict: string }[]; summary: object }
    expect(summary).toMatchObject({ broken: 1 })
    expect(points).toMatchObject([{ id: 'retrieveReward/field/amount', verdict: 'broken' }])
    expect(stdout).not.toContain('sk_sandbox_full')
    expect(stdout).not.toContain('rwd_ada_available')
  })

  it.each([
    ['a name without a format', ['--report', 'report'], 2, "--report: 'report' must end with one of"],
    ['a folder that is not there', ['--report', 'no/a.html'], 2, "there is no folder 'no'"],
    [
      'an unknown point',
      ['--only', 'retrieveRewards'],
      2,
      "unknown point 'retrieveRewards', did you mean 'retrieveReward'?",
    ],
    [
      'a point like no other',
      ['--only', 'foo'],
      2,
      "error: --only: unknown point 'foo': docs/contract-points.md lists the points\n",
    ],
  ])('%s -> nothing is sent', async (_, words, expected, message) => {
    const { cwd, sent } = await startTarget()
    const { code, stderr } = await cli(['conform', '--target', 'target.yaml', ...words], { cwd })
    expect([code, sent()]).toEqual([expected, 0])
    expect(stderr).toContain(message)
  })

  it('what it makes is listed in a file that is named in the end', async () => {
    const { cwd } = await startTarget()
    const words = ['--only', 'createTransactionIntent/success', '--allow', 'write']
    const { code, stderr } = await cli(['conform', '--target', 'target.yaml', ...words], { cwd })
    expect(code).toBe(0)
    const [file = ''] = (await readdir(cwd)).filter((name) => name.endsWith('.jsonl'))
    expect(file).toMatch(/^conform-made-\d{17}\.jsonl$/)
    expect(stderr).toContain(file)
    const lines = (await readFile(join(cwd, file), 'utf8')).trim().split('\n')
    const [before, after] = lines.map((line) => JSON.parse(line) as Record<string, string>)
    expect(before).toMatchObject({ class: 'write', method: 'POST', path: '/v2/transaction_intents' })
    expect(after).toEqual({ ...before, id: expect.any(String) })
  })
})
