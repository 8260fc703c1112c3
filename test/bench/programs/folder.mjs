// What a folder of data costs, by hand: node folder.mjs [KEPT [USED]]. Starts the built sandbox on a folder with so many
// workspaces, reads and then writes in some of them, and prints time, memory and open files.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../../durability/lib/client.mjs'
import { launch } from '../../durability/lib/sandbox.mjs'

const [kept = 10_000, used = 200] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'folder-'))
const args = ['--quiet', '--data', `${folder}/`, '--max-workspaces', '1000000']

async function start() {
  const began = performance.now()
  const running = launch(args)
  const url = await running.url
  if (url === undefined) throw new Error(running.err())
  return { ...running, url, seconds: (performance.now() - began) / 1000 }
}

/** @param {Awaited<ReturnType<typeof start>>} running */
async function stop({ child, ended }) {
  const began = performance.now()
  child.kill('SIGTERM')
  await ended
  return (performance.now() - began) / 1000
}

/** @param {Awaited<ReturnType<typeof start>>} running */
function costOf({ child }) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  const mb = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  return `${mb} MB resident, ${readdirSync(`/proc/${child.pid}/fd`).length} files open`
}

/** @param {Client} client @param {string} what @param {string} method @param {string} path @param {object} [body] */
async function each(client, what, method, path, body) {
  const times = []
  for (let at = 0; at < used; at++) {
    const began = performance.now()
    const answer = await client.call(
      method,
      path,
      body,
      `sk_sandbox_full.kept-${at * Math.floor(kept / used)}`,
    )
    if (!answer || answer.status > 201) throw new Error(JSON.stringify(answer))
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const [median = 0, late = 0] = [times[Math.floor(used / 2)], times[Math.floor(used * 0.99)]]
  process.stdout.write(`${what}: ${median.toFixed(1)} ms median, ${late.toFixed(1)} ms of 99 %\n`)
}

const read = /** @type {const} */ (['GET', '/v2/rewards/rwd_ada_pending'])
let running = await start()
process.stdout.write(
  `start with ${readdirSync(folder).length - 3} beside default: ${running.seconds.toFixed(2)} s, ${costOf(running)}\n`,
)
const first = new Client(running.url)
await first.call(...read, undefined, 'sk_sandbox_full.kept-0')
first.close()
await stop(running)
for (let at = 1; at < kept; at++) copyFileSync(join(folder, 'kept-0.json'), join(folder, `kept-${at}.json`))

running = await start()
process.stdout.write(`start with ${kept}: ${running.seconds.toFixed(2)} s, ${costOf(running)}\n`)
const client = new Client(running.url)
await each(client, `open ${used} by reading`, ...read)
process.stdout.write(`${used} open: ${costOf(running)}\n`)
await each(client, `read again`, ...read)
const intent = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
await each(client, `first write`, 'POST', '/v2/transaction_intents', intent)
process.stdout.write(`${used} written to: ${costOf(running)}\n`)
await each(client, `next write`, 'POST', '/v2/transaction_intents', intent)
client.close()
process.stdout.write(`stop: ${(await stop(running)).toFixed(2)} s\n`)
running = await start()
process.stdout.write(`start again: ${running.seconds.toFixed(2)} s\n`)
running.child.kill('SIGKILL')
await running.ended
rmSync(folder, { recursive: true, force: true })
