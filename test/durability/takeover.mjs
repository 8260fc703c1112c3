// Two sandboxes in containers of their own (PID namespaces) on one data file: the one that has it is stopped, woken,
// killed, and what clients were told is held against what is there. See README.md.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from './lib/client.mjs'
import { differences, fixturesFor, movingLinks, newLedger, writeOnce } from './lib/ledger.mjs'
import { randomFrom } from './lib/random.mjs'
import { launch } from './lib/sandbox.mjs'

/** @typedef {import('./lib/sandbox.mjs').Running} Running */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    /** How many rounds go on at the same time: they wait most of theirs. */
    together: { type: 'string', default: '10' },
    from: { type: 'string', default: '1' },
    /** How many times as fast time passes, in the sandboxes and here. */
    speed: { type: 'string', default: '1' },
  },
})
const [rounds = 0, together = 0, from = 0, speed = 1] = [
  values.rounds,
  values.together,
  values.from,
  values.speed,
].map(Number)

const container = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
if (spawnSync(container[0] ?? '', [...container.slice(1), 'true']).status !== 0) {
  process.stdout.write('skipped: PID namespaces need root and unshare\n')
  process.exit(0)
}

/** Their time goes on from another instant, where the system can do that. */
const otherTime = ['--time', '--monotonic', '100000']
const elsewhere =
  spawnSync(container[0] ?? '', [...otherTime, 'true']).status === 0
    ? [...container, ...otherTime]
    : container

/** How many clients write to each of the two. */
const clients = 5
/** @param {string} name */
const preload = (name) => `--require=${fileURLToPath(new URL(`lib/${name}`, import.meta.url))}`

/** The faults of the first process, which has the file, and then maybe of the second, once it serves. */
const kinds = ['stopped', 'stopped briefly', 'woken as it is taken over', 'killed', 'second killed']

/** @param {number} milliseconds in the time of the sandboxes. */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds / speed))

/** Without a renewal for less than that, nobody loses a file; somebody who wakes renews the lock a moment later. */
const surelyKept = 8000

/** How many writes show that a sandbox goes on. */
const someWrites = 20

/** @param {Running} running @param {NodeJS.Signals} name signals the sandbox, and not what made its namespace. */
function signal({ child }, name) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const inside = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  if (inside !== '') process.kill(Number(inside), name)
}

const totals = { acknowledged: 0, late: 0, lost: 0, outcomes: /** @type {Record<string, number>} */ ({}) }

/** @type {Running[]} */
const launched = []
process.on('exit', () => {
  for (const { child } of launched) child.kill('SIGKILL')
})

/** @param {number} seed */
async function round(seed) {
  const random = randomFrom(seed)
  const kind = kinds[seed % kinds.length] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'takeover-'))
  const data = join(folder, 'data.json')
  const fixtures = join(folder, 'fixtures.json')
  writeFileSync(fixtures, JSON.stringify(fixturesFor(2 * clients)))
  const args = ['--data', data, '--fixtures', fixtures, ...movingLinks]
  const preloads = [
    ...(seed % 2 === 0 ? [preload('jumping-clock.cjs')] : []),
    ...(speed === 1 ? [] : [preload('fast-time.cjs')]),
  ]
  const env = { NODE_OPTIONS: preloads.join(' '), SPEED: String(speed) }
  const start = (before = container) => {
    const running = launch(args, { before, env })
    launched.push(running)
    return running
  }
  const ledger = { ...newLedger(), mayBeRefused: true }
  const over = new AbortController()

  /** @param {string} url @param {number} first which clients they are. */
  const writing = (url, first) =>
    Promise.all(
      Array.from({ length: clients }, async (_, at) => {
        const client = new Client(url)
        while (!over.signal.aborted && (await writeOnce(client, first + at, ledger, random, false)))
          await pause(random(20))
        client.close()
      }),
    )

  const first = start()
  const firstUrl = await first.url
  if (firstUrl === undefined) throw new Error(`round ${seed}: the first did not start: ${first.err()}`)
  const firstWriters = writing(firstUrl, 0)
  await pause(100 + random(1000))
  signal(first, kind === 'killed' ? 'SIGKILL' : 'SIGSTOP')
  const stopped = performance.now()
  const atStop = ledger.acknowledged
  const second = start(elsewhere)
  const serving = { now: false }
  const secondServes = second.url.then(async (url) => {
    if (url === undefined) return false
    serving.now = true
    void secondWriters.push(writing(url, clients))
    return true
  })
  /** @type {Promise<unknown>[]} */
  const secondWriters = []
  // On a slow machine the first has been silent for long enough when the second looks.
  while (!second.err().includes('waiting up to') && !serving.now && second.child.exitCode === null)
    await pause(10)
  const waiting = serving.now ? stopped : performance.now()
  if (kind === 'stopped briefly') await pause(1000 + random(5000))
  // It waits for ten seconds.
  else if (kind === 'woken as it is taken over') await pause(9000 + random(2500))
  else await secondServes
  if (kind === 'stopped') await pause(random(1500))
  if (kind === 'second killed') {
    await pause(200 + random(500))
    signal(second, 'SIGKILL')
  }
  const beforeWaking = ledger.acknowledged
  signal(first, 'SIGCONT')
  const woken = performance.now()
  const stood = Math.round((woken - stopped) * speed)
  const tookOver = await secondServes
  // The process that lost the file ends, and may acknowledge writes until then. The other continues, unless killed.
  await (tookOver ? first : second).ended
  if (kind === 'second killed') await second.ended
  else await moreWrites(ledger)
  over.abort()
  const codes = [await endOf(first), await endOf(second)]
  await Promise.all([firstWriters, ...secondWriters])
  const outcome = `${kind}: ${tookOver ? 'taken over' : 'kept'}, ${codes.join(' and ')}`
  totals.outcomes[outcome] = (totals.outcomes[outcome] ?? 0) + 1
  const isRight = tookOver
    ? codes[0] === '74' && codes[1] === 'serves'
    : codes[0] === 'serves' && codes[1] === '3'
  const expected = {
    stopped: tookOver && codes[0] === '74' && codes[1] === 'serves',
    'stopped briefly': isRight && !(tookOver && (woken - waiting) * speed < surelyKept),
    'woken as it is taken over': isRight,
    killed: tookOver && codes[1] === 'serves',
    'second killed': tookOver && codes[0] === '74',
  }[kind]
  if (!expected) throw new Error(`round ${seed}: ${outcome}\n${first.err()}\n${second.err()}\n${folder}`)

  // Everybody is dead, so that nothing must be waited for.
  rmSync(`${data}.lock`, { force: true })
  const after = launch(args)
  const url = await after.url
  if (url === undefined) throw new Error(`round ${seed}: it did not start again: ${after.err()} ${folder}`)
  const found = await differences(url, ledger)
  after.child.kill('SIGKILL')
  await after.ended
  totals.acknowledged += ledger.acknowledged
  totals.late += ledger.acknowledged - beforeWaking
  totals.lost += found.length
  if (found.length > 0) {
    process.stdout.write(`round ${seed}, ${outcome}, stood still for ${stood} ms after ${atStop} writes:\n`)
    process.stdout.write(`${found.slice(0, 20).join('\n')}\nthe data file is in ${folder}\n`)
    process.exitCode = 1
    return
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Settles once the sandbox that has the file has acknowledged some more. @param {import('./lib/ledger.mjs').Ledger} ledger */
async function moreWrites(ledger) {
  const enough = ledger.acknowledged + someWrites
  while (ledger.acknowledged < enough) await pause(10)
}

/** The end of a sandbox: its exit code, or that it served until it was killed. @param {Running} running */
async function endOf(running) {
  const isServing = running.child.exitCode === null && running.child.signalCode === null
  if (isServing) signal(running, 'SIGKILL')
  const { code } = await running.ended
  return isServing ? 'serves' : String(code)
}

const began = performance.now()
let next = from
await Promise.all(
  Array.from({ length: together }, async () => {
    while (next < from + rounds) await round(next++)
  }),
)
const seconds = Math.round((performance.now() - began) / 1000)
for (const [outcome, count] of Object.entries(totals.outcomes).toSorted())
  process.stdout.write(`${count} × ${outcome}\n`)
process.stdout.write(
  `${rounds} rounds in ${seconds} s: ${totals.acknowledged} acknowledged writes, ${totals.late} of them after the first was woken, ${totals.lost} lost\n`,
)
