import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import { shown } from './report.mjs'
import { library, Program, root } from './server.mjs'
import { median, ratios, summary } from './stats.mjs'

const programs = {
  rows: new URL('../programs/rows.mjs', import.meta.url),
  store: new URL('../programs/store.mjs', import.meta.url),
  durable: new URL('../programs/durable.mjs', import.meta.url),
}

/**
 * @typedef {Record<string, Record<number, number[]>>} Growth Nanoseconds by operation and number of rows, a value
 * for each round.
 */

/**
 * Measures operations at several sizes, in turns, each size in a process of its own.
 *
 * @param {import('../index.mjs').Context} context
 * @param {keyof typeof programs} program
 * @param {readonly string[]} operations
 * @param {readonly number[]} [sizes] how many rows there are
 * @returns {Promise<Growth>}
 */
export async function measureGrowth(context, program, operations, sizes = usualSizes) {
  const { quick } = context
  const rounds = quick ? 5 : 9
  const processes = await context.once(program, () => startProcesses(context, program, sizes))
  /** @type {Growth} */
  const growth = Object.fromEntries(
    operations.map((operation) => [operation, Object.fromEntries(sizes.map((size) => [size, []]))]),
  )
  // The first rounds warm the compiler up.
  for (let round = -3; round < rounds; round++) {
    for (const operation of operations) {
      for (const { size, measured } of processes) {
        const { nanoseconds } = await measured.ask({ ask: operation })
        if (round >= 0) growth[operation]?.[size]?.push(nanoseconds)
      }
    }
  }
  return growth
}

/**
 * A process for each size, with its state loaded; figures share them, as many rows take a while to load.
 * @param {import('../index.mjs').Context} context
 * @param {keyof typeof programs} program
 * @param {readonly number[]} sizes
 */
async function startProcesses(context, program, sizes) {
  const path = fileURLToPath(programs[program])
  const code = program === 'store' ? await bundleStore(context.folder) : library
  const processes = []
  for (const size of sizes) {
    const measured = new Program([path, code, String(size), context.folder], { core: 0, heapMb: 12_000 })
    await measured.ask({ ask: 'ready' })
    processes.push({ size, measured })
  }
  return processes
}

/** The numbers of rows. */
const usualSizes = [1000, 10_000, 100_000]

/**
 * The largest size as a ratio to the smallest.
 * @param {Growth} growth
 * @param {string} operation
 */
export function growthOf(growth, operation) {
  const bySize = growth[operation] ?? {}
  const largest = Math.max(...Object.keys(bySize).map(Number))
  return summary(ratios(bySize[largest] ?? [], bySize[1000] ?? []))
}

/**
 * A line per operation with its median at each size.
 * @param {Growth} growth
 * @param {readonly string[]} operations
 * @param {string} prefix
 */
export function growthLines(growth, operations, prefix = '') {
  return operations.map((operation) => {
    const values = Object.entries(growth[operation] ?? {}).map(
      ([size, times]) => `${Number(size).toLocaleString('en')}: ${shown(median(times) / 1000)}`,
    )
    const { value, min, max } = growthOf(growth, operation)
    return `${prefix}${operation}, µs at ${values.join(' · ')}; ratio ${shown(value)} (${shown(min)}–${shown(max)})`
  })
}

/** The library does not export its store, so that it is bundled once more. @param {string} folder */
async function bundleStore(folder) {
  const outDir = join(folder, 'store')
  await build({
    config: false,
    cwd: root,
    entry: { state: 'src/store/state.ts' },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    logLevel: 'error',
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
  })
  return pathToFileURL(join(outDir, 'state.mjs')).href
}
