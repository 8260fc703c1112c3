// A page on a foreign origin, in a real Chromium, tries to change and to read what the control plane has, by eight
// vectors. Run by hand; see README.md.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { launch } from '../durability/lib/sandbox.mjs'

/** @type {{ chromium: any }} not among the dependencies: it is for this program only. */
const { chromium } = await import(/** @type {string} */ ('playwright-core')).catch(() => {
  process.stderr.write('Install it first: npm install --no-save playwright-core@1.65.1\n')
  process.exit(2)
})
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

// What protects us must not be the browser's own fence around private networks.
const fences = [
  'BlockInsecurePrivateNetworkRequests',
  'PrivateNetworkAccessForNavigations',
  'PrivateNetworkAccessForWorkers',
  'PrivateNetworkAccessRespectPreflightResults',
  'PrivateNetworkAccessSendPreflights',
  'LocalNetworkAccessChecks',
  'LocalNetworkAccessChecksWebSockets',
]

/**
 * @typedef {{ method: string, path: string, host: string, origin: string, site: string, status: number, cors: boolean }} Seen
 */

const running = launch(['--quiet'])
const url = await running.url
if (url === undefined) throw new Error(`it did not start: ${running.err()}`)
const sandboxPort = Number(new URL(url).port)

// What arrives at the sandbox and what it answers is written down on the way, byte for byte.
/** @type {Seen[]} */
const seen = []
const recorder = createTcpServer((client) => {
  const sandbox = connect(sandboxPort, '127.0.0.1')
  let [asked, answered] = ['', '']
  client.on('data', (bytes) => (asked += bytes.toString('latin1')))
  sandbox.on('data', (bytes) => (answered += bytes.toString('latin1')))
  client.pipe(sandbox).pipe(client)
  for (const socket of [client, sandbox]) socket.on('error', () => client.destroy())
  client.on('close', () => {
    // Several calls on one connection are answered in order.
    const heads = [...asked.matchAll(/^([A-Z]+) (\S+) HTTP\/1\.1\r\n([^]*?)\r\n\r\n/gm)]
    const statuses = [...answered.matchAll(/HTTP\/1\.1 (\d{3}) [^\r]*\r\n([^]*?)\r\n\r\n/g)]
    for (const [at, [, method = '', path = '', lines = '']] of heads.entries()) {
      /** @param {string} name */
      const header = (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(lines)?.[1]?.trim() ?? '–'
      const [, status = '0', head = ''] = statuses[at] ?? []
      seen.push({
        method,
        path,
        host: header('host'),
        origin: header('origin'),
        site: header('sec-fetch-site'),
        status: Number(status),
        cors: /^access-control-allow-/im.test(head),
      })
    }
    sandbox.destroy()
  })
})
recorder.listen(0, '0.0.0.0')
await once(recorder, 'listening')
const address = recorder.address()
if (address === null || typeof address === 'string') throw new Error('the recorder has no port')
const { port } = address

const site = createServer((_request, answer) => {
  answer
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><title>evil</title><body></body>')
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
const siteAddress = site.address()
if (siteAddress === null || typeof siteAddress === 'string') throw new Error('the page has no port')
const evil = `http://evil.test:${siteAddress.port}`

const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--host-resolver-rules=MAP evil.test 127.0.0.1, MAP rebound.test 127.0.0.1',
    `--disable-features=${fences.join(',')}`,
  ],
})

/** What would be changed: each by a call of its own. */
const targets = [
  { method: 'POST', path: '/_sandbox/reset', body: '{}' },
  { method: 'PUT', path: '/_sandbox/scenarios/active', body: '["rate-limited"]' },
  { method: 'POST', path: '/_sandbox/clock/advance', body: '{"days":400}' },
  { method: 'DELETE', path: '/_sandbox/state/customers/cus_ben', body: '' },
]
const reads = ['/_sandbox/state', '/_sandbox/requests']

/**
 * Runs in the page; says what the page could read of the answers.
 * @param {{ vector: string, base: string, targets: { method: string, path: string, body: string }[], reads: string[] }} asked
 * @returns {Promise<string[]>}
 */
const attack = async ({ vector, base, targets: goals, reads: wanted }) => {
  /** @type {string[]} */
  const got = []
  const { document } = /** @type {any} */ (globalThis)
  /** @param {string} path @param {RequestInit} init */
  const attempt = async (path, init) => {
    try {
      const answer = await fetch(base + path, init)
      const text = await answer.text()
      if (answer.type !== 'opaque') got.push(`${answer.status} ${text.slice(0, 60)}`)
    } catch {
      // The browser keeps the answer from the page.
    }
  }
  /** @type {Record<string, (goal: { method: string, path: string, body: string }) => unknown>} */
  const ways = {
    'no-cors POST': ({ path, body }) =>
      attempt(path, { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }),
    'Blob as JSON': ({ path, body }) =>
      attempt(path, {
        method: 'POST',
        mode: 'no-cors',
        body: new Blob([body], { type: 'application/json' }),
      }),
    sendBeacon: ({ path, body }) =>
      /** @type {any} */ (navigator).sendBeacon(base + path, new Blob([body], { type: 'text/plain' })),
    'form POST': ({ path, body }) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe')
        frame.name = `frame-${path}`
        document.body.append(frame)
        const form = document.createElement('form')
        Object.assign(form, {
          method: 'POST',
          action: base + path,
          target: frame.name,
          enctype: 'text/plain',
        })
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
        image.addEventListener('load', () => resolve(got.push(`an image at ${path}`)))
        image.addEventListener('error', resolve)
        image.src = base + path
      }),
    '0.0.0.0': ({ path, body }) => attempt(path, { method: 'POST', mode: 'no-cors', body }),
    'DNS rebinding': ({ method, path, body }) =>
      attempt(path, {
        method,
        ...(body === '' ? {} : { headers: { 'content-type': 'application/json' }, body }),
      }),
    'preflighted JSON': ({ method, path, body }) =>
      attempt(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === '' ? {} : { body }),
      }),
  }
  for (const goal of goals) await ways[vector]?.(goal)
  // Reading: as the vector does where it can, else as any page may try.
  for (const path of wanted) {
    await attempt(path, {})
    await attempt(path, { mode: 'no-cors' })
  }
  // Frames of another origin cannot be looked into.
  for (const frame of document.querySelectorAll('iframe')) {
    try {
      got.push(`a frame: ${frame.contentWindow.document.body.textContent.slice(0, 60)}`)
    } catch {
      continue
    }
  }
  return got
}

/** What the sandbox has, asked of it directly. */
async function standing() {
  /** @param {string} path */
  const read = async (path) => (await fetch(url + path)).text()
  const clock = JSON.parse(await read('/_sandbox/clock'))
  const scenarios = await read('/_sandbox/scenarios')
  return { state: await read('/_sandbox/state'), scenarios, frozen: clock.now }
}

// Changed and frozen first, so that a reset and an advance would show.
/** @param {string} method @param {string} path @param {unknown} body */
const direct = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) }
  const answer = await fetch(url + path, { method, ...sent })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}
await direct('PATCH', '/_sandbox/state/customers/cus_ada', { first_name: 'Changed' })
await direct('PUT', '/_sandbox/clock', { now: '2030-01-01T00:00:00Z', frozen: true })
const before = JSON.stringify(await standing())

/** The vectors, with the page they come from and how they reach the sandbox. */
const vectors = [
  ...['no-cors POST', 'Blob as JSON', 'sendBeacon', 'form POST', 'image GET'].map((vector) => ({
    vector,
    page: evil,
    base: `http://127.0.0.1:${port}`,
  })),
  { vector: '0.0.0.0', page: evil, base: `http://0.0.0.0:${port}` },
  // The page's own name now leads to the sandbox, which makes it the same origin.
  { vector: 'DNS rebinding', page: `http://rebound.test:${port}`, base: `http://rebound.test:${port}` },
  { vector: 'preflighted JSON', page: evil, base: `http://127.0.0.1:${port}` },
]

let failures = 0
/** @param {string} what */
const fail = (what) => {
  failures += 1
  process.stdout.write(`  FAILED: ${what}\n`)
}

process.stdout.write(`${await browser.version()}, pages on ${evil}, sandbox behind port ${port}\n`)
for (const { vector, page: from, base } of vectors) {
  seen.length = 0
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(from)
  const got = await page.evaluate(attack, { vector, base, targets, reads })
  // A beacon is sent when the browser likes; the page's end makes it hurry.
  await page.waitForTimeout(500)
  await context.close()
  await new Promise((resolve) => setTimeout(resolve, 300))

  const calls = seen.filter(({ path }) => path.startsWith('/_sandbox'))
  process.stdout.write(`\n${vector}\n`)
  for (const call of calls) {
    const { method, path, host, origin, site: sent, status } = call
    process.stdout.write(
      `  ${status} ${method} ${path}  Host ${host}, Origin ${origin}, Sec-Fetch-Site ${sent}\n`,
    )
    if (status < 400) fail(`${method} ${path} was let in`)
    if (call.cors) fail(`${path} was answered with CORS headers`)
  }
  const changing = calls.filter(({ path }) => targets.some((target) => target.path === path))
  if (changing.length < targets.length) fail(`only ${changing.length} of ${targets.length} calls arrived`)
  // A rebound page reads its refusals, as it may.
  for (const text of got) if (!/^4\d\d \{"error":/.test(text)) fail(`the page read: ${text}`)
  if (JSON.stringify(await standing()) !== before) fail('state, scenarios or clock changed')
}

await browser.close()
site.close()
recorder.close()
running.child.kill('SIGTERM')
await running.ended
const verdict = failures === 0 ? 'Nothing was changed or read by any vector.' : `${failures} failures.`
process.stdout.write(`\n${verdict}\n`)
process.exitCode = failures === 0 ? 0 : 1
