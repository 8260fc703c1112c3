// Runs the Compose file of docs/events.md: events reach a receiver in another container, one on this machine, and one
// behind `events listen`. Only its port on this machine is changed, and for Podman the name of the machine.
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

/** The Compose file, and the name of this machine in it. Podman before 4.7 has no `host-gateway`, and another name. */
function composeFile(engine) {
  const [file, host] = [blockUnder('Deliver from a container', 'events.md'), 'host.docker.internal']
  if (engine === 'docker') return { file, host }
  const ofPodman = 'host.containers.internal'
  return { file: file.replace(/ {4}extra_hosts:\n.*\n/, '').replace(host, ofPodman), host: ofPodman }
}

export function runEventsCompose(parts) {
  const { file, host } = composeFile(parts.engine)
  return withCompose({ ...parts, file, files: { 'receiver.js': receiver } }, async ({ run, url }) => {
    run('up', '-d')
    await untilWell(`${url}/_sandbox/health`)
    const add = (target) =>
      secretIn(run('exec', '-T', 'sandbox', 'node', '/app/dist/bin.cjs', 'webhooks', 'add', target))
    const remove = (id) => call(url, 'DELETE', `/webhook_endpoints/${id}`)
    const trigger = () =>
      call(url, 'POST', '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
    const attemptsOf = async (id) => {
      await call(url, 'POST', '/events/drain')
      return (await call(url, 'GET', `/events/${id}`)).deliveries
    }
    const reasonsOf = async ({ id }) => (await attemptsOf(id)).map(({ reason }) => reason)

    // Another service, by its name.
    const secret = add('http://receiver:3000/webhooks')
    assert.deepEqual(await reasonsOf(await trigger()), ['answered 204'])
    verify(JSON.parse(readFileSync(join(parts.folder, 'received.json'), 'utf8')), secret)
    await remove('we_1')

    // A program of this machine.
    await withReceiver('0.0.0.0', async ({ port, received }) => {
      const secretOfMine = add(`http://${host}:${port}/webhooks`)
      assert.deepEqual(await reasonsOf(await trigger()), ['answered 204'])
      verify(received[0], secretOfMine)
      await remove('we_2')
    })

    // Loopback is the container, and other addresses are not allowed.
    add('http://localhost:3000/webhooks')
    add('http://192.0.2.1/webhooks')
    const [own, other] = await attemptsOf((await trigger()).id)
    assert.match(own.reason, /in a container, loopback is the container itself; use host\.docker\.internal/)
    assert.equal(other.state, 'skipped')
    await remove('we_3')
    await remove('we_4')

    await withReceiver('127.0.0.1', async (local) => {
      add(`http://${host}:${local.port}/webhooks`)
      const [reason] = await reasonsOf(await trigger())
      assert.match(
        reason,
        /ECONNREFUSED .*: the receiver must listen on an address that the container reaches/,
      )
      await remove('we_5')
      await listen(url, local, trigger, reasonsOf)
    })
  })
}

/** A listener of this machine, with a receiver that only this machine reaches. */
async function listen(url, { port, received }, trigger, reasonsOf) {
  const bin = join(root, 'dist', 'bin.cjs')
  if (!existsSync(bin))
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  const target = `http://127.0.0.1:${port}/webhooks`
  const args = [bin, 'events', 'listen', '--url', url, '--admin-token', token, '--forward-to', target]
  const listener = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(listener, 'exit')
  try {
    let said = ''
    for await (const chunk of listener.stderr.setEncoding('utf8')) {
      said += chunk
      if (said.includes('secret ')) break
    }
    const [reason] = await reasonsOf(await trigger())
    assert.match(reason, /^answered 204 \(\d+ ms\)$/)
    verify(received[0], secretIn(said))
    listener.kill('SIGINT')
    assert.deepEqual(await ended, [0, null])
    assert.deepEqual(await call(url, 'GET', '/webhook_endpoints'), { webhook_endpoints: [] })
  } finally {
    listener.kill('SIGKILL')
  }
}

/** Runs the work with a receiver on this machine, and closes it. */
async function withReceiver(host, work) {
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
  try {
    await work({ port: server.address().port, received })
  } finally {
    server.closeAllConnections()
    server.close()
  }
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
