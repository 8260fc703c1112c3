// Runs a sandbox with a data file under strace, has one system call of its save path fail or kill it, one after the
// other, and holds what clients were told against what is there afterwards. Linux, as root, with strace. See README.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from './lib/client.mjs'
import { largeRows } from './lib/ledger.mjs'
import { launch } from './lib/sandbox.mjs'

const tracer = 'strace'

/** The calls of the save path, as strace knows them. */
const calls = {
  open: 'openat',
  write: 'write',
  fsync: 'fsync',
  fdatasync: 'fdatasync',
  rename: 'rename,renameat,renameat2',
  link: 'link,linkat',
  unlink: 'unlink,unlinkat',
  mkdir: 'mkdir,mkdirat',
  rmdir: 'rmdir',
}
/** @typedef {keyof typeof calls} Call */

const faults = { EIO: 'error=EIO', ENOSPC: 'error=ENOSPC', KILL: 'signal=SIGKILL' }
/** @typedef {keyof typeof faults} Fault */

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: Object.keys(calls).join(',') },
    faults: { type: 'string', default: Object.keys(faults).join(',') },
    /** Every how many-th place is tried; 1 is each of them. */
    step: { type: 'string', default: '1' },
  },
})
const step = Number(values.step)
const folder = mkdtempSync(join(tmpdir(), 'durability-'))
const data = join(folder, 'data.json')
// A few large rows make the log outgrow the checkpoint, so that it is rewritten while others are written.
const args = ['--quiet', '--data', data, ...largeRows]

/** Every file that saving opens or writes. */
const watched = [data, `${data}.previous`, `${data}.lock`, folder].concat(
  Array.from({ length: 20 }, (_, at) => `${data}.${at + 1}.log`),
  Array.from({ length: 100 }, (_, at) => `${data}.${'ab'.repeat(8)}.${at + 1}.tmp`),
)
/** Only saving changes names; it reaches some of them by a path that goes through an unfinished folder. */
const changesNames = ['rename', 'link', 'unlink', 'mkdir', 'rmdir']

/**
 * @param {Call} call
 * @param {Fault} fault
 * @param {number} when
 */
function underStrace(call, fault, when) {
  const namespace = ['unshare', '--fork', '--pid', '--mount-proc', '--kill-child']
  const strace = [tracer, '-f', '-qq', '-o', join(folder, 'strace.log')]
  const how = `:${faults[fault]}:when=${when}`
  return [
    ...namespace,
    ...strace,
    ...(changesNames.includes(call) ? [] : watched.flatMap((path) => ['-P', path])),
    ...['trace', 'inject'].flatMap((what) => ['-e', `${what}=${calls[call]}${what === 'inject' ? how : ''}`]),
  ]
}

/** One thread does the work of the file system, so that each call has the same place every time. */
const env = {
  UV_THREADPOOL_SIZE: '1',
  UV_USE_IO_URING: '0',
  NODE_OPTIONS: `--require=${fileURLToPath(new URL('lib/known-nonce.cjs', import.meta.url))}`,
}

/**
 * @typedef {object} Told What clients were told.
 * @property {Map<string, string>} kept bodies of acknowledged intents, by id
 * @property {Map<string, string>} refused what an intent said that was answered with a 5xx, by its mark
 * @property {string[]} open marks of intents that were not answered
 */

/**
 * Writes until it is stopped or dies: small and large rows, alone and at the same time.
 * @param {string} url
 * @returns {Promise<Told>}
 */
async function write(url) {
  /** @type {Told} */
  const reported = { kept: new Map(), refused: new Map(), open: [] }
  const client = new Client(url)
  client.agent.maxSockets = 8
  let count = 0
  const create = async (/** @type {number} */ size) => {
    const mark = `mark-${++count}`
    const answer = await client.call('POST', '/v2/transaction_intents', {
      customer_id: 'cus_ada',
      amount: count,
      currency: 'USD',
      merchant_name: 'x'.repeat(size),
      metadata: { mark },
    })
    if (!answer) reported.open.push(mark)
    else if (answer.status === 200) reported.kept.set(JSON.parse(answer.body).id, answer.body)
    else if (answer.status === 500 || answer.status === 503) reported.refused.set(mark, answer.body)
    else throw new Error(`unexpected: ${answer.status} ${answer.body}`)
  }
  await create(10)
  await Promise.all([create(10), create(10), create(10)])
  // Large rows make the log larger than the checkpoint; those that follow go on while it is rewritten.
  for (let round = 0; round < 2; round++) {
    for (let large = 0; large < 5; large++) await create(900_000)
    for (let small = 0; small < 6; small++) await create(10)
    await Promise.all([create(900_000), create(10)])
    // Until the older logs are removed.
    for (let small = 0; small < 8; small++) await create(10)
  }
  client.close()
  return reported
}

/** The process that strace runs: the one that is named node. */
function sandboxPid(/** @type {number} */ outer) {
  /** @param {number} pid @returns {number | undefined} */
  const search = (pid) => {
    let name
    let children
    try {
      name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    } catch {
      return undefined
    }
    if (name === 'node') return pid
    for (const child of children) {
      const found = child === '' ? undefined : search(Number(child))
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(outer)
}

/** @param {string} url @param {Told} reported @param {boolean} mayBeThere whether refused writes may be there. */
async function differences(url, reported, mayBeThere) {
  /** @type {string[]} */
  const found = []
  const client = new Client(url)
  for (const [id, body] of reported.kept) {
    const answer = await client.call('GET', `/v2/transaction_intents/${id}`)
    if (answer?.body !== body) found.push(`lost: intent ${id} (${answer?.status})`)
  }
  const answer = await client.call('GET', '/_sandbox/state/transaction_intents')
  client.close()
  // A refused write is absent, unless the process was killed or the answer says that the outcome is unknown.
  for (const [mark, body] of mayBeThere ? [] : reported.refused)
    if (body.includes('may or may not')) continue
    else if (answer?.status !== 200 || answer.body.includes(`"${mark}"`))
      found.push(`refused, but there: ${mark}`)
  return found
}

const totals = { runs: 0, kept: 0, refused: 0, exit74: 0, notStarted: 0, killed: 0 }
/** @type {string[]} */
const failures = []

/** @returns {Promise<boolean>} whether the fault was met. */
async function run(/** @type {Call} */ call, /** @type {Fault} */ fault, /** @type {number} */ when) {
  const name = `${call} ${fault} ${when}`
  for (const file of readdirSync(folder)) rmSync(join(folder, file), { recursive: true })
  const running = launch(args, { before: underStrace(call, fault, when), env })
  let url = await running.url
  /** @type {Told} */
  let reported = { kept: new Map(), refused: new Map(), open: [] }
  if (url !== undefined) {
    reported = await write(url)
    const pid = sandboxPid(running.child.pid ?? 0)
    if (pid !== undefined) process.kill(pid, 'SIGTERM')
  }
  const { code, signal } = await running.ended
  const log = existsSync(join(folder, 'strace.log')) ? readFileSync(join(folder, 'strace.log'), 'utf8') : ''
  const wasHit = log.includes('(INJECTED)') || signal === 'SIGKILL' || code === 137
  if (!wasHit) return false
  totals.runs += 1
  totals.kept += reported.kept.size
  totals.refused += reported.refused.size
  if (fault === 'KILL') totals.killed += 1
  else if (url === undefined) totals.notStarted += 1
  else if (code === 74) totals.exit74 += 1
  const maySync = (call === 'fsync' || call === 'fdatasync') && url !== undefined
  const allowed = fault === 'KILL' ? [137, null] : url === undefined ? [3] : maySync ? [0, 74] : [0]
  if (!allowed.includes(code)) failures.push(`${name}: exit ${code} ${signal}: ${running.err()}`)

  // It is dead, which nobody outside of its namespace sees before 10 s are over.
  if (fault === 'KILL') rmSync(`${data}.lock`, { force: true })
  const again = launch(args, {})
  url = await again.url
  if (url === undefined) {
    failures.push(`${name}: does not start again: ${again.err()}`)
    return true
  }
  for (const difference of await differences(url, reported, fault === 'KILL'))
    failures.push(`${name}: ${difference}`)
  again.child.kill('SIGTERM')
  await again.ended
  const left = readdirSync(folder).filter(
    (file) => !/^data\.json(\.previous|\.\d+\.log)?$|^strace\.log$/.test(file),
  )
  if (left.length > 0) failures.push(`${name}: left behind: ${left.join(', ')}`)
  return true
}

if (spawnSync(tracer, ['--version']).status !== 0) {
  process.stderr.write('strace is needed: apt-get install strace\n')
  process.exit(2)
}
const started = performance.now()
for (const call of /** @type {Call[]} */ (values.calls.split(','))) {
  for (const fault of /** @type {Fault[]} */ (values.faults.split(','))) {
    const before = failures.length
    let when = 1
    while (await run(call, fault, when)) when += step
    const places = Math.ceil((when - 1) / step)
    process.stdout.write(`${call} ${fault}: ${places} places, ${failures.length - before} failures\n`)
    for (const failure of failures.slice(before, before + 5)) process.stdout.write(`  ${failure}\n`)
  }
}
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(`${JSON.stringify(totals)}; ${failures.length} failures in ${seconds} s\n`)
if (failures.length > 0) process.exitCode = 1
else rmSync(folder, { recursive: true, force: true })
