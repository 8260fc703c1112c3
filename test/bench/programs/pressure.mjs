// 1,000 clients that send requests and never read, next to 900 that pipeline, for some seconds: the peak of the server's
// memory, the p99 of one healthy client, and whether all of its answers came. node pressure.mjs [SECONDS]
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { startSandbox, stopAll } from '../lib/server.mjs'

const seconds = Number(process.argv[2] ?? 60)
const server = await startSandbox()
const { port } = new URL(server.url)
const request =
  'GET /v2/rewards/rwd_ada_pending HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sk_sandbox_full\r\n\r\n'
/** @type {import('node:net').Socket[]} */
const sockets = []

function open() {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** Sends as much as the server takes, and reads nothing. */
function neverReads() {
  const socket = open()
  socket.pause()
  const send = () => {
    while (!socket.destroyed && socket.write(request.repeat(100)));
  }
  socket.on('drain', send)
  send()
}

let pipelined = 0
/** Sends 100 requests at once, again and again, and reads all answers. */
function pipelines() {
  const socket = open()
  let due = 0
  const send = () => {
    due += 100
    socket.write(request.repeat(100))
  }
  socket.on('data', (bytes) => {
    const came = bytes.toString('latin1').split('HTTP/1.1 200').length - 1
    due -= came
    pipelined += came
    if (due <= 0 && !socket.destroyed) send()
  })
  send()
}

/** @type {number[]} */
const times = []
let lost = 0
async function healthy() {
  while (performance.now() < end) {
    const began = performance.now()
    try {
      const answer = await fetch(`${server.url}/v2/rewards/rwd_ada_pending`, {
        headers: { authorization: 'Bearer sk_sandbox_full' },
      })
      if (answer.status !== 200 || (await answer.text()) === '') lost += 1
    } catch (error) {
      process.stderr.write(`${error} ${error instanceof Error && error.cause}\n`)
      lost += 1
    }
    times.push(performance.now() - began)
  }
}

const end = performance.now() + seconds * 1000
for (let at = 0; at < 1000; at++) neverReads()
for (let at = 0; at < 900; at++) pipelines()
await healthy()
const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
times.sort((a, b) => a - b)
const [p50 = 0, p99 = 0] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)])
process.stdout.write(
  `peak ${peak.toFixed(0)} MiB; ${times.length} healthy calls, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, lost ${lost}; ` +
    `${pipelined} pipelined answers\n`,
)
for (const socket of sockets) socket.destroy()
stopAll()
process.exit()
