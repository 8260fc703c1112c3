// Kills a sandbox with a data file at random moments while clients write to it, starts it again, and holds what it was
// told to keep against what it has. See README.md.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from './lib/client.mjs'
import { eventDifferences, withEvents } from './lib/events.mjs'
import { differences, fixturesFor, largeRows, movingLinks, newLedger, writeOnce } from './lib/ledger.mjs'
import { randomFrom } from './lib/random.mjs'
import { launch, launchUntil } from './lib/sandbox.mjs'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    clients: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    /** Serve webhook events, and compare them, too. */
    events: { type: 'boolean', default: false },
    /** How many cycles one data file lives on average. */
    life: { type: 'string', default: '2' },
    /** The longest time that clients write, in milliseconds. */
    spell: { type: 'string', default: '1200' },
  },
})
const [cycles, clients, life, spell] = [values.cycles, values.clients, values.life, values.spell].map(Number)
const random = randomFrom(Number(values.seed))
const folder = mkdtempSync(join(tmpdir(), 'durability-'))
const data = join(folder, 'data.json')
const fixtures = join(folder, 'fixtures.json')
writeFileSync(fixtures, JSON.stringify(fixturesFor(clients ?? 1)))
const args = [
  '--quiet',
  '--data',
  data,
  '--fixtures',
  fixtures,
  ...largeRows,
  ...movingLinks,
  ...(values.events ? withEvents : []),
]

const started = performance.now()
const totals = {
  acknowledged: 0,
  killedStarting: 0,
  killedWriting: 0,
  unfinished: 0,
  checkpoints: 0,
  lost: 0,
  events: 0,
}
let ledger = newLedger()

/** How many writes of a cycle are large. */
const large = 10

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A data file and a ledger without contents. */
function beginAgain() {
  for (const name of readdirSync(folder)) if (name.startsWith('data.json')) rmSync(join(folder, name))
  ledger = newLedger()
}

/** Clients write until the process is killed. */
async function writeAndKill() {
  // Now and then in the middle of starting, which reads, saves and tidies up.
  const killAt = random(8) === 0 ? pause(random(400)) : undefined
  if (killAt) totals.killedStarting += 1
  const launched = await launchUntil(args, killAt)
  if (!launched) return
  const { running, url } = launched
  totals.killedWriting += 1
  const before = ledger.acknowledged
  const killing = pause(50 + random(spell ?? 1)).then(() => running.child.kill('SIGKILL'))
  await Promise.all(
    Array.from({ length: clients ?? 1 }, async (_, at) => {
      const client = new Client(url)
      for (let writes = 0; ; writes++) {
        if (!(await writeOnce(client, at, ledger, random, at === 0 && writes < large))) break
      }
      client.close()
    }),
  )
  await killing
  await running.ended
  totals.acknowledged += ledger.acknowledged - before
}

/** Starts it again and compares. */
async function check() {
  totals.unfinished += readdirSync(folder).filter((name) => name.endsWith('.tmp')).length
  if (statSync(`${data}.previous`, { throwIfNoEntry: false })) totals.checkpoints += 1
  const running = launch(args)
  const url = await running.url
  if (url === undefined) throw new Error(`it did not start again: ${running.err()}`)
  const found = []
  if (values.events) {
    const compared = await eventDifferences(url, ledger)
    totals.events = Math.max(totals.events, compared.count)
    found.push(...compared.found)
  }
  found.push(...(await differences(url, ledger)))
  running.child.kill('SIGKILL')
  await running.ended
  if (found.length === 0) return
  totals.lost += found.length
  process.stdout.write(`${found.slice(0, 20).join('\n')}\nthe data file is in ${folder}\n`)
  process.exit(1)
}

for (let cycle = 1; cycle <= (cycles ?? 0); cycle++) {
  if (random(life ?? 1) === 0) beginAgain()
  await writeAndKill()
  await check()
  if (cycle % 10 === 0) process.stdout.write(`${cycle} cycles: ${JSON.stringify(totals)}\n`)
}
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(
  `${cycles} cycles in ${seconds} s: ${totals.acknowledged} acknowledged writes, ${totals.lost} lost\n`,
)
rmSync(folder, { recursive: true, force: true })
