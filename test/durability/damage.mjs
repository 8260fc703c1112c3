// Damages the files of a data file in many ways, starts on each, and counts the outcomes. See README.md.
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { damaged, kinds } from './lib/damages.mjs'
import { randomFrom } from './lib/random.mjs'
import { inFolder, makeWorld, putFiles, startOnDamaged } from './lib/worlds.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    /** The built package, so that two versions can be compared. */
    dist: { type: 'string', default: 'dist' },
    /** Every how many-th is also started from the command line, for its exit code. */
    'cli-every': { type: 'string', default: '25' },
    verbose: { type: 'boolean', default: false },
  },
})
const dist = resolve(values.dist)
const { createSandbox } = await import(pathToFileURL(join(dist, 'index.mjs')).href)
const random = randomFrom(Number(values.seed))

/** @typedef {import('./lib/worlds.mjs').World} World @typedef {import('./lib/damages.mjs').Files} Files */

/** Starts the command line on files. @param {Files} files @returns {Promise<number | null>} its exit code. */
function exitCodeOn(files) {
  return inFolder(async (folder) => {
    putFiles(folder, files)
    const args = ['start', '--port', '0', '--data', join(folder, 'data.json')]
    const child = spawn(process.execPath, [join(dist, 'bin.cjs'), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.stdout.on('data', () => child.kill('SIGTERM'))
    const [code] = await once(child, 'close')
    return code
  })
}

const worlds = await Promise.all(
  /** @type {const} */ (['killed', 'closed']).map(async (end) => ({
    end,
    one: await makeWorld(createSandbox, 'one', end),
    other: await makeWorld(createSandbox, 'other', end),
  })),
)
const cases = worlds.flatMap((world) =>
  Object.keys(world.one.files)
    .toSorted()
    .flatMap((file) => kinds.map((kind) => ({ ...world, file, kind }))),
)

/** @type {Map<string, Record<string, number>>} */
const table = new Map()
const totals = /** @type {Record<string, number>} */ ({})
const wrongCodes = []
for (let made = 0; made < Number(values.count);) {
  for (const { end, one, other, file, kind } of cases) {
    if (made >= Number(values.count)) break
    const files = damaged(kind, one.files, other.files, file, random)
    if (!files) continue
    made += 1
    const { outcome, said } = await startOnDamaged(createSandbox, files, one)
    const row = table.get(kind) ?? {}
    row[outcome] = (row[outcome] ?? 0) + 1
    table.set(kind, row)
    totals[outcome] = (totals[outcome] ?? 0) + 1
    const isWrong = outcome === 'silent' || outcome === 'badly refused'
    if (isWrong || values.verbose) process.stdout.write(`${outcome}: ${end} ${file} ${kind}: ${said}\n`)
    if (made % Number(values['cli-every']) === 0) {
      const expected = outcome.endsWith('refused') ? 3 : 0
      const code = await exitCodeOn(files)
      if (code !== expected) wrongCodes.push(`${end} ${file} ${kind}: exit ${code}, not ${expected}`)
    }
  }
}
for (const [kind, row] of table) process.stdout.write(`${kind}: ${JSON.stringify(row)}\n`)
process.stdout.write(`${values.count} damages: ${JSON.stringify(totals)}\n`)
for (const line of wrongCodes) process.stdout.write(`${line}\n`)
if (totals['silent'] || totals['badly refused'] || wrongCodes.length > 0) process.exitCode = 1
