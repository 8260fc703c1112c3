// conform and calibrate on the command line: who is asked, what is planned, how a run ends.
import { once } from 'node:events'
import { access, readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cli, execute, folderWith } from '../../helpers/fake-io.ts'
import { startSandbox, type WideOptions } from '../../helpers/sandbox.ts'

/** A target of ours on a port, and a folder that holds the file for it. */
async function asked(options: WideOptions = {}, more = ''): Promise<{ cwd: string; sent: () => number }> {
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

const one = ['--target', 'target.yaml', '--only', 'not_found_status']

describe('a plan', () => {
  it('as text: a line a request, and nothing is sent', async () => {
    const { cwd, sent } = await asked()
    const { code, stdout, stderr } = await cli(['calibrate', ...one, '--plan'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toBe(
      'read GET /v2/rewards/rewards_categories\n' +
        'refusal GET /v2/rewards/rwd_cannot_exist\nrefusal GET /v2/rewards/rwd_cannot_exist\n',
    )
    expect(stderr).toBe('At most 3 requests to 127.0.0.1, about 1 s at 100000 a second.\n')
    expect(sent()).toBe(0)
  })

  it('as JSON', async () => {
    const { cwd } = await asked()
    const { stdout } = await cli(['calibrate', ...one, '--plan', '--format', 'json'], { cwd })
    expect(JSON.parse(stdout)).toEqual({
      requests: [
        { probe: 'target', class: 'read', method: 'GET', path: '/v2/rewards/rewards_categories' },
        ...[1, 2].map(() => ({
          probe: 'not_found_status',
          class: 'refusal',
          method: 'GET',
          path: '/v2/rewards/rwd_cannot_exist',
        })),
      ],
    })
  })
})

describe('an end', () => {
  it('a value is observed -> 0, the table, and how far it is', async () => {
    const { cwd, sent } = await asked({ assume: { not_found_status: 410 } })
    const { code, stdout, stderr } = await cli(['calibrate', ...one], { cwd })
    expect([code, stdout]).toEqual([
      0,
      'not_found_status  observed: 410 (our default is 404)\n\n' +
        '127.0.0.1: 1 of 1 observed, 1 of them otherwise than our default, by 3 requests.\n',
    ])
    expect(stderr).toContain('\n3 of at most 3 requests, 0 s left\n')
    expect(sent()).toBe(3)
  })

  it.each([
    ['an unknown class', ['--allow', 'wirte'], /^error: --allow: unknown class 'wirte', expected one of: /],
    [
      'an unknown assumption',
      ['--only', 'not_found_statu'],
      /^error: --only: unknown assumption 'not_found_statu', did you mean 'not_found_status'\?\n$/,
    ],
  ])('%s -> 2, and nothing is sent', async (_, words, message) => {
    const { cwd, sent } = await asked()
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
    ['resets', (request) => request.socket.destroy(), /cannot be asked: no answer/],
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
      response.end('{"type":"REWARD_NOT_FOUND_ERROR","message":"","param":"reward_id"}')
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
