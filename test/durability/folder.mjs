// Kills a sandbox with a folder of data, or with a store, at random moments while clients write to many workspaces,
// create and delete some. Starts it again, and compares the acknowledged writes with the rows. See README.md.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client, eachOf } from './lib/client.mjs'
import { startEngine } from './lib/engine.mjs'
import { differences, fixturesFor, movingLinks, newLedger, writeOnce } from './lib/ledger.mjs'
import { randomFrom } from './lib/random.mjs'
import { launch, launchUntil } from './lib/sandbox.mjs'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    workspaces: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** Persist in a redis-server, which is killed now and then, too. */
    store: { type: 'boolean', default: false },
    /** The number of cycles before everything is deleted. */
    life: { type: 'string', default: '10' },
    /** The longest time that clients write, in milliseconds. */
    spell: { type: 'string', default: '1200' },
  },
})
const [cycles = 0, count = 0, life = 1, spell = 1] = [
  values.cycles,
  values.workspaces,
  values.life,
  values.spell,
].map(Number)
const random = randomFrom(Number(values.seed))
const folder = mkdtempSync(join(tmpdir(), 'durability-'))
const data = join(folder, 'data')
const fixtures = join(folder, 'fixtures.json')
writeFileSync(fixtures, JSON.stringify(fixturesFor(1)))
const engine = values.store ? await startEngine(join(folder, 'engine')) : undefined
/** Each life of a store has keys of its own. */
let lives = 1
const argsNow = () => [
  '--quiet',
  ...movingLinks,
  '--fixtures',
  fixtures,
  ...(engine ? ['--store', engine.url, '--store-prefix', `life-${lives}`] : ['--data', `${data}/`]),
]

const names = Array.from({ length: count }, (_, at) => `partner-${at + 1}`)
const keyOf = (/** @type {string} */ name) => `sk_sandbox_full.${name}`

const started = performance.now()
const totals = {
  acknowledged: 0,
  deleted: 0,
  killedStarting: 0,
  killedClosing: 0,
  killedWriting: 0,
  killedEngine: 0,
  unfinished: 0,
  lost: 0,
}

/**
 * @typedef {object} Told What the clients of a workspace were told.
 * @property {import('./lib/ledger.mjs').Ledger} ledger
 * @property {boolean} isThere a write of it was acknowledged since it came into being.
 * @property {boolean} mayBeGone somebody asked for its end, and heard nothing.
 */

/** @returns {Map<string, Told>} */
const nothing = () =>
  new Map(names.map((name) => [name, { ledger: newLedger(), isThere: false, mayBeGone: false }]))
let reported = nothing()

/** A lease lasts 10 s. */
const leaseTimeout = 15_000

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** @param {string} name @returns {Told} */
function reportsOf(name) {
  const found = reported.get(name)
  if (!found) throw new Error(name)
  return found
}

/**
 * Waits for the lease of a process that was killed: until it expires, calls are answered 503.
 * @param {string} url
 * @param {string} name
 */
async function untilOwned(url, name) {
  if (!engine) return
  const client = new Client(url, keyOf(name))
  const end = performance.now() + leaseTimeout
  for (;;) {
    const answer = await client.call('GET', '/v2/customers?limit=1')
    if (answer?.status !== 503) break
    if (performance.now() > end) throw new Error(`${name} is still refused: ${answer.body}`)
    await pause(250)
  }
  client.close()
}

/** A workspace writes until the process is killed, and now and then begins anew. @param {string} url @param {string} name */
async function use(url, name) {
  const client = new Client(url, keyOf(name))
  // Not all at once, and some of them not at all in this cycle.
  await pause(random(spell))
  await untilOwned(url, name)
  for (;;) {
    const one = reportsOf(name)
    if (random(60) === 0) {
      one.mayBeGone = true
      const gone = await client.call('DELETE', `/_sandbox/workspaces/${name}`)
      if (!gone) break
      if (gone.status !== 204 && gone.status !== 404) throw new Error(JSON.stringify(gone))
      if (gone.status === 204) totals.deleted += 1
      reported.set(name, { ledger: newLedger(), isThere: false, mayBeGone: false })
      continue
    }
    const before = one.ledger.acknowledged
    if (!(await writeOnce(client, 0, one.ledger, random, false))) break
    totals.acknowledged += one.ledger.acknowledged - before
    one.isThere = true
  }
  client.close()
}

async function writeAndKill() {
  // Now and then in the middle of starting, which looks at every file.
  const killAt = random(8) === 0 ? pause(random(600)) : undefined
  if (killAt) totals.killedStarting += 1
  const launched = await launchUntil(argsNow(), killAt)
  if (!launched) return
  const { running, url } = launched
  const isClosing = random(4) === 0
  totals[isClosing ? 'killedClosing' : 'killedWriting'] += 1
  const kill = async () => {
    await pause(50 + random(spell))
    if (isClosing) {
      running.child.kill('SIGTERM')
      await pause(random(200))
    }
    running.child.kill('SIGKILL')
  }
  const killing = kill()
  await Promise.all(names.map((name) => use(url, name))).catch(async (error) => {
    // Its report comes later.
    await pause(500)
    throw new Error(`${error.message}\n${running.err()}`)
  })
  await killing
  await running.ended
}

/** Starts it again and compares. */
async function check() {
  // It may have been killed before there was one.
  const left = existsSync(data) ? readdirSync(data) : []
  totals.unfinished += left.filter((name) => name.endsWith('.tmp')).length
  if (engine && random(3) === 0) {
    totals.killedEngine += 1
    await engine.restart()
  }
  const running = launch(argsNow())
  const url = await running.url
  if (url === undefined) throw new Error(`it did not start again: ${running.err()}`)
  const client = new Client(url)
  const health = JSON.parse((await client.call('GET', '/_sandbox/health'))?.body ?? '{}')
  const list = JSON.parse((await client.call('GET', '/_sandbox/workspaces'))?.body ?? '{"workspaces":[]}')
  client.close()
  const there = new Set(list.workspaces.map((/** @type {{ name: string }} */ { name }) => name))
  /** @type {string[]} */
  const found = health.status === 'ok' ? [] : [JSON.stringify(health)]
  await eachOf(names, engine ? count : 8, async (name) => {
    const one = reportsOf(name)
    if (!there.has(name)) {
      if (one.isThere && !one.mayBeGone) found.push(`${name} is gone`)
      reported.set(name, { ledger: newLedger(), isThere: false, mayBeGone: false })
      return
    }
    await untilOwned(url, name)
    const lines = await differences(url, one.ledger, keyOf(name))
    // A process that is killed between removing a workspace and its name leaves the name, which begins anew.
    const isAnew =
      one.mayBeGone &&
      lines.filter((line) => /^intent \S+: 404 /.test(line)).length === one.ledger.intents.size
    if (isAnew) reported.set(name, { ledger: newLedger(), isThere: true, mayBeGone: false })
    else for (const line of lines) found.push(`${name}: ${line}`)
    one.mayBeGone = false
  })
  // A clean stop releases the leases, so that the next cycle need not wait for them.
  running.child.kill(engine ? 'SIGTERM' : 'SIGKILL')
  await running.ended
  if (found.length === 0) return
  totals.lost += found.length
  process.stdout.write(`${found.slice(0, 20).join('\n')}\nthe folder is ${folder}\n`)
  process.exit(1)
}

for (let cycle = 1; cycle <= cycles; cycle++) {
  if (random(life) === 0) {
    rmSync(data, { recursive: true, force: true })
    lives += 1
    reported = nothing()
  }
  await writeAndKill()
  await check()
  if (cycle % 10 === 0) process.stdout.write(`${cycle} cycles: ${JSON.stringify(totals)}\n`)
}

const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(
  `${cycles} cycles over ${count} workspaces in ${seconds} s${engine ? ' with a store' : ''}: ${totals.acknowledged} acknowledged writes, ${totals.deleted} deleted, ${totals.lost} lost\n`,
)
await engine?.kill()
rmSync(folder, { recursive: true, force: true })
