// A page of a foreign origin tries to change and to read what the control plane has, by eight vectors, while the
// inspector is open in another tab of the same browser.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import type { Browser, BrowserContext } from '@playwright/test'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { launchBrowser, newWindow, serve, shown, visit } from '../helpers/browser.ts'

// The sandbox must protect itself, without the browser's rules for private networks.
const fences = [
  'BlockInsecurePrivateNetworkRequests',
  'PrivateNetworkAccessForNavigations',
  'PrivateNetworkAccessForWorkers',
  'PrivateNetworkAccessRespectPreflightResults',
  'PrivateNetworkAccessSendPreflights',
  'LocalNetworkAccessChecks',
  'LocalNetworkAccessChecksWebSockets',
]

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser(
    '--host-resolver-rules=MAP evil.test 127.0.0.1, MAP rebound.test 127.0.0.1',
    `--disable-features=${fences.join(',')}`,
  )
})
afterAll(() => browser.close())

/** The requests that arrived, and their answers. */
interface Seen {
  method: string
  path: string
  host: string
  site: string
  status: number
  /** Whether the answer let a page read it. */
  cors: boolean
}

/** Stands before a sandbox and writes down what arrives and what is answered, byte for byte. */
async function recorderOf(sandboxPort: number) {
  const connections: { sent: string; answered: string }[] = []
  const server = createTcpServer((client) => {
    const sandbox = connect(sandboxPort, '127.0.0.1')
    const record = { sent: '', answered: '' }
    connections.push(record)
    client.on('data', (bytes) => (record.sent += bytes.toString('latin1')))
    sandbox.on('data', (bytes) => (record.answered += bytes.toString('latin1')))
    client.pipe(sandbox).pipe(client)
    for (const socket of [client, sandbox]) socket.on('error', () => client.destroy())
    client.on('close', () => sandbox.destroy())
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const seen = (): Seen[] =>
    connections.flatMap(({ sent, answered }) => {
      // Several calls on one connection are answered in order.
      const heads = [...sent.matchAll(/^([A-Z]+) (\S+) HTTP\/1\.1\r\n([^]*?)\r\n\r\n/gm)]
      const statuses = [...answered.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n([^]*?)\r\n\r\n/g)]
      return heads.map(([, method = '', path = '', lines = ''], place) => {
        const header = (name: string): string =>
          new RegExp(`^${name}: (.*)$`, 'im').exec(lines)?.[1]?.trim() ?? ''
        const [, status = '0', head = ''] = statuses[place] ?? []
        const cors = /^access-control-allow-/im.test(head)
        return {
          method,
          path,
          host: header('host'),
          site: header('sec-fetch-site'),
          status: Number(status),
          cors,
        }
      })
    })
  return { port: (server.address() as AddressInfo).port, seen }
}

async function foreignSite(): Promise<string> {
  const server = createServer((_request, answer) => {
    answer
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>evil</title><body></body>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://evil.test:${(server.address() as AddressInfo).port}`
}

/** Changes that a foreign page tries, each by its own call. */
const targets = [
  { method: 'POST', path: '/_sandbox/reset', body: '{}' },
  { method: 'PUT', path: '/_sandbox/scenarios/active', body: '["rate-limited"]' },
  { method: 'POST', path: '/_sandbox/clock/advance', body: '{"days":400}' },
  { method: 'DELETE', path: '/_sandbox/state/customers/cus_ben', body: '' },
]
const reads = ['/_sandbox/state', '/_sandbox/requests', '/_sandbox/trace', '/_sandbox/ui']

const vectors = [
  'no-cors POST',
  'Blob as JSON',
  'sendBeacon',
  'form POST',
  'image GET',
  '0.0.0.0',
  'DNS rebinding',
  'preflighted JSON',
] as const

/** Runs in the page, as text: says what it could read. Without the DOM's types, so that it is plain JavaScript. */
const attack = `async ({ vector, base, targets, reads }) => {
  const got = []
  const attempt = async (path, init) => {
    try {
      const answer = await fetch(base + path, init)
      const text = await answer.text()
      if (answer.type !== 'opaque') got.push(answer.status + ' ' + text.slice(0, 60))
    } catch {
      // The browser keeps the answer from the page.
    }
  }
  const json = (body) => (body === '' ? {} : { headers: { 'content-type': 'application/json' }, body })
  const ways = {
    'no-cors POST': ({ path, body }) =>
      attempt(path, { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }),
    'Blob as JSON': ({ path, body }) =>
      attempt(path, { method: 'POST', mode: 'no-cors', body: new Blob([body], { type: 'application/json' }) }),
    sendBeacon: ({ path, body }) => navigator.sendBeacon(base + path, new Blob([body], { type: 'text/plain' })),
    'form POST': ({ path, body }) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.name = 'frame-' + path
        document.body.append(frame)
        const form = document.createElement('form')
        Object.assign(form, { method: 'POST', action: base + path, target: frame.name, enctype: 'text/plain' })
        const field = document.createElement('input')
        Object.assign(field, { name: body.slice(0, 1) || '{}', value: body.slice(1) })
        form.append(field)
        document.body.append(form)
        frame.addEventListener('load', resolve)
        form.submit()
      }),
    'image GET': ({ path }) =>
      new Promise((resolve) => {
        const image = document.createElement('img')
        image.addEventListener('load', () => resolve(got.push('an image at ' + path)))
        image.addEventListener('error', resolve)
        image.src = base + path
      }),
    '0.0.0.0': ({ path, body }) => attempt(path, { method: 'POST', mode: 'no-cors', body }),
    'DNS rebinding': ({ method, path, body }) => attempt(path, { method, ...json(body) }),
    'preflighted JSON': ({ method, path, body }) =>
      attempt(path, { method, headers: { 'content-type': 'application/json' }, ...(body === '' ? {} : { body }) }),
  }
  for (const target of targets) await ways[vector](target)
  // Reading: as any page may try, by frames, too.
  for (const path of reads) {
    await attempt(path, {})
    await attempt(path, { mode: 'no-cors' })
    const frame = document.createElement('iframe')
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    frame.src = base + path
    document.body.append(frame)
    await loaded
  }
  for (const frame of document.querySelectorAll('iframe')) {
    try {
      got.push('a frame: ' + frame.contentWindow.document.body.textContent.slice(0, 60))
    } catch {
      continue
    }
  }
  return got
}`

it('reads nothing and changes nothing, by any vector', async () => {
  const { sandbox, url, call } = await serve({ frozen: false })
  const recorder = await recorderOf(Number(new URL(url).port))
  const own = `127.0.0.1:${recorder.port}`
  const evil = await foreignSite()

  // Changed and frozen first, so that a reset and an advance would show.
  sandbox.state.patch('customers', 'cus_ada', { first_name: 'Changed' })
  sandbox.clock.set({ now: '2030-01-01T00:00:00Z', frozen: true })
  const standing = async () => ({
    state: sandbox.state.document(),
    scenarios: await sandbox.scenarios.list(),
    clock: sandbox.clock.read(),
    workspaces: sandbox.workspaces.list(),
  })
  const before = await standing()

  const context: BrowserContext = await newWindow({}, browser)
  const inspector = await visit(`http://${own}`, { context })
  await shown(inspector.getByText('No calls so far.')).toBeVisible()

  const figures: Record<string, string> = {}
  for (const vector of vectors) {
    const base = {
      '0.0.0.0': `http://0.0.0.0:${recorder.port}`,
      'DNS rebinding': `http://rebound.test:${recorder.port}`,
    }[vector as string]
    const page = await context.newPage()
    // The rebound page's own name now leads to the sandbox, which makes it the same origin.
    await page.goto(vector === 'DNS rebinding' ? (base ?? '') : evil)
    const earlier = recorder.seen().length
    const got = (await page.evaluate(
      `(${attack})(${JSON.stringify({
        vector,
        base: base ?? `http://${own}`,
        targets,
        reads,
      })})`,
    )) as string[]
    const calls = (): Seen[] =>
      recorder
        .seen()
        .filter(
          ({ path, host, site }) =>
            path.startsWith('/_sandbox') && !(host === own && /^(same-origin|none)$/.test(site)),
        )
    const changing = (): Seen[] =>
      calls().filter(({ path }) => targets.some((target) => target.path === path))
    // A beacon is sent when the browser likes.
    await expect
      .poll(() => changing().length)
      .toBeGreaterThanOrEqual(targets.length * (vectors.indexOf(vector) + 1))
    await expect.poll(() => calls().filter(({ status }) => status === 0)).toEqual([])
    await page.close()
    expect(calls().filter(({ status, cors }) => status < 400 || cors)).toEqual([])
    // A rebound page reads its refusals, as it may.
    expect(got.filter((text) => !/^(a frame: )?(4\d\d )?\{"error":/.test(text))).toEqual([])
    expect(await standing()).toEqual(before)
    figures[vector] = `${recorder.seen().length - earlier} requests, ${got.length} refusals read`
  }
  // The page beside them was not disturbed, and works.
  await call('GET', '/v2/rewards/rwd_ada_pending')
  await shown(inspector.getByText('1 call', { exact: true })).toBeVisible()
  console.log(figures)
}, 120_000)
