// Kills a sandbox with a folder of data at random moments while clients write to many workspaces, make and delete some,
// starts it again, and holds what it was told to keep against what it has. See README.md.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client, eachOf } from './lib/client.mjs'
import { differences, fixturesFor, newLedger, writeOnce } from './lib/ledger.mjs'
import { randomFrom } from './lib/random.mjs'
import { launch, launchUntil } from './lib/sandbox.mjs'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    workspaces: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    durability: { type: 'string', default: 'fsync' },
    /** The number of cycles before the folder is emptied. */
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
const args = ['--quiet', '--data', `${data}/`, '--fixtures', fixtures, '--durability', values.durability]

const names = Array.from({ length: count }, (_, at) => `partner-${at + 1}`)
const keyOf = (/** @type {string} */ name) => `sk_sandbox_full.${name}`

const started = performance.now()
const totals = {
  acknowledged: 0,
  deleted: 0,
  killedStarting: 0,
  killedClosing: 0,
  killedWriting: 0,
  unfinished: 0,
  halfDeleted: 0,
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

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** @param {string} name @returns {Told} */
function reportsOf(name) {
  const found = reported.get(name)
  if (!found) throw new Error(name)
  return found
}

/** A workspace writes until the process is killed, and now and then begins anew. @param {string} url @param {string} name */
async function use(url, name) {
  const client = new Client(url, keyOf(name))
  // Not all at once, and some of them not at all in this cycle.
  await pause(random(spell))
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
  const launched = await launchUntil(args, killAt)
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
  totals.halfDeleted += left.filter((name) => name.endsWith('.gone')).length
  const running = launch(args)
  const url = await running.url
  if (url === undefined) throw new Error(`it did not start again: ${running.err()}`)
  const client = new Client(url)
  const health = JSON.parse((await client.call('GET', '/_sandbox/health'))?.body ?? '{}')
  const list = JSON.parse((await client.call('GET', '/_sandbox/workspaces'))?.body ?? '{"workspaces":[]}')
  client.close()
  const there = new Set(list.workspaces.map((/** @type {{ name: string }} */ { name }) => name))
  /** @type {string[]} */
  const found = health.status === 'ok' ? [] : [JSON.stringify(health)]
  await eachOf(names, 8, async (name) => {
    const one = reportsOf(name)
    if (!there.has(name)) {
      if (one.isThere && !one.mayBeGone) found.push(`${name} is gone`)
      reported.set(name, { ledger: newLedger(), isThere: false, mayBeGone: false })
      return
    }
    one.mayBeGone = false
    for (const line of await differences(url, one.ledger, keyOf(name))) found.push(`${name}: ${line}`)
  })
  running.child.kill('SIGKILL')
  await running.ended
  if (found.length === 0) return
  totals.lost += found.length
  process.stdout.write(`${found.slice(0, 20).join('\n')}\nthe folder is ${data}\n`)
  process.exit(1)
}

for (let cycle = 1; cycle <= cycles; cycle++) {
  if (random(life) === 0) {
    rmSync(data, { recursive: true, force: true })
    reported = nothing()
  }
  await writeAndKill()
  await check()
  if (cycle % 10 === 0) process.stdout.write(`${cycle} cycles: ${JSON.stringify(totals)}\n`)
}

const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(
  `${cycles} cycles over ${count} workspaces in ${seconds} s, durability ${values.durability}: ${totals.acknowledged} acknowledged writes, ${totals.deleted} deleted, ${totals.lost} lost\n`,
)
rmSync(folder, { recursive: true, force: true })
