// Runs the Compose file of docs/events.md: events reach a receiver in another container, one on this machine, and one
// behind `events listen`. Only its port on this machine is changed.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blockUnder, untilWell, withCompose } from './compose.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const token = 'only-for-tests'

/** A receiver that writes what it got; it has no dependencies, as its container has none. */
const receiver = `
const { createServer } = require('node:http')
const { writeFileSync } = require('node:fs')
createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    writeFileSync('received.json', JSON.stringify({ headers: request.headers, body }))
    response.writeHead(204).end()
  })
}).listen(3000)
`

export function runEventsCompose(parts) {
  const file = blockUnder('Deliver from a container', 'events.md')
  return withCompose({ ...parts, file, files: { 'receiver.js': receiver } }, async ({ run, url }) => {
    run('up', '-d')
    await untilWell(`${url}/_sandbox/health`)
    const add = (target) =>
      secretIn(run('exec', '-T', 'sandbox', 'node', '/app/dist/bin.cjs', 'webhooks', 'add', target))
    const trigger = () =>
      call(url, 'POST', '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
    const attemptsOf = async (id) => {
      await call(url, 'POST', '/events/drain')
      return (await call(url, 'GET', `/events/${id}`)).deliveries
    }

    // Another service, by its name.
    const secret = add('http://receiver:3000/webhooks')
    const { id } = await trigger()
    assert.deepEqual(
      (await attemptsOf(id)).map(({ reason }) => reason),
      ['answered 204'],
    )
    verify(JSON.parse(readFileSync(join(parts.folder, 'received.json'), 'utf8')), secret)
    await call(url, 'DELETE', '/webhook_endpoints/we_1')

    // A program of this machine.
    const mine = await startReceiver('0.0.0.0')
    const secretOfMine = add(`http://host.docker.internal:${mine.port}/webhooks`)
    const second = await trigger()
    assert.deepEqual(
      (await attemptsOf(second.id)).map(({ reason }) => reason),
      ['answered 204'],
    )
    verify(mine.received[0], secretOfMine)
    await call(url, 'DELETE', '/webhook_endpoints/we_2')
    mine.close()

    // Loopback is the container, and other addresses are not allowed.
    add('http://localhost:3000/webhooks')
    add('http://192.0.2.1/webhooks')
    const [own, other] = await attemptsOf((await trigger()).id)
    assert.match(own.reason, /in a container, loopback is the container itself; use host\.docker\.internal/)
    assert.equal(other.state, 'skipped')
    await call(url, 'DELETE', '/webhook_endpoints/we_3')
    await call(url, 'DELETE', '/webhook_endpoints/we_4')

    await listen(url, trigger, attemptsOf)
  })
}

/** A listener of this machine, with a receiver that only this machine reaches. */
async function listen(url, trigger, attemptsOf) {
  const bin = join(root, 'dist', 'bin.cjs')
  if (!existsSync(bin)) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' })
  const local = await startReceiver('127.0.0.1')
  const target = `http://127.0.0.1:${local.port}/webhooks`
  const args = [bin, 'events', 'listen', '--url', url, '--admin-token', token, '--forward-to', target]
  const listener = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(listener, 'exit')
  let said = ''
  for await (const chunk of listener.stderr.setEncoding('utf8')) {
    said += chunk
    if (said.includes('secret ')) break
  }
  const { id } = await trigger()
  const [attempt] = await attemptsOf(id)
  assert.match(attempt.reason, /^answered 204 in \d+ ms$/)
  verify(local.received[0], secretIn(said))
  listener.kill('SIGINT')
  assert.deepEqual(await ended, [0, null])
  assert.deepEqual(await call(url, 'GET', '/webhook_endpoints'), { webhook_endpoints: [] })
  local.close()
}

async function startReceiver(host) {
  const received = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(204).end()
    })
  }).listen(0, host)
  await once(server, 'listening')
  return { port: server.address().port, received, close: () => server.close() }
}

const secretIn = (text) => {
  const [, secret] = /secret (whsec_\S+)/.exec(text) ?? []
  assert.ok(secret, text)
  return secret
}

/** Verifies a delivery as Standard Webhooks says. */
function verify({ headers, body }, secret) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signature}`)
}

async function call(url, method, path, body) {
  const answer = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
