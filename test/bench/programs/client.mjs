// The load generator where wrk is not installed: node client.mjs URL REQUESTS SECONDS CONNECTIONS. Keeps the
// connections alive with one request in flight on each, reads just enough of an answer to know where it ends, and
// prints what wrk's script prints.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const [, , url = '', file = '', seconds = '1', connections = '32'] = process.argv
const { hostname, port } = new URL(url)
/** @type {Buffer[]} */
const requests = JSON.parse(readFileSync(file, 'utf8')).map((/** @type {string} */ text) => Buffer.from(text))

/** Latencies in steps of 10 µs, the last one for all above a second. */
const steps = new Uint32Array(100_001)
const endOfHead = Buffer.from('\r\n\r\n')
let next = 0
let answered = 0
let refused = 0
let stopped = false

function open() {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let sentAt = 0
  /** How many bytes of the body are missing; -1 while the head is not complete. */
  let missing = -1
  /** @type {Buffer | undefined} */
  let head

  const send = () => {
    if (stopped) return socket.destroy()
    const request = requests[next]
    next = next + 1 === requests.length ? 0 : next + 1
    sentAt = performance.now()
    return request && socket.write(request)
  }
  socket.on('connect', send)
  socket.on('error', () => {
    if (!stopped) refused += 1
  })
  socket.on('data', (chunk) => {
    let bytes = chunk
    if (missing === -1) {
      if (head) bytes = Buffer.concat([head, chunk])
      const end = bytes.indexOf(endOfHead)
      if (end === -1) {
        head = bytes
        return
      }
      head = undefined
      const text = bytes.toString('latin1', 0, end)
      if (text.charCodeAt(9) !== 50) refused += 1
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
      if (length === undefined) throw new Error('an answer without content-length')
      missing = Number(length) - (bytes.length - end - 4)
    } else {
      missing -= bytes.length
    }
    if (missing > 0) return
    missing = -1
    const step = Math.round((performance.now() - sentAt) * 100)
    const place = Math.min(step, steps.length - 1)
    steps[place] = (steps[place] ?? 0) + 1
    answered += 1
    send()
  })
}

/** @param {number} part */
function percentile(part) {
  let seen = 0
  for (const [step, count] of steps.entries()) {
    seen += count
    if (seen >= answered * part) return step / 100
  }
  return Number.NaN
}

const started = performance.now()
for (let count = 0; count < Number(connections); count++) open()
setTimeout(
  () => {
    stopped = true
    const spent = (performance.now() - started) / 1000
    const result = {
      requests: answered,
      seconds: spent,
      p50: percentile(0.5),
      p99: percentile(0.99),
      refused,
    }
    process.stdout.write(`RESULT ${JSON.stringify(result)}\n`, () => process.exit())
  },
  Number(seconds) * 1000,
)
