// Measures the sandbox against the budget and prints a table. A bench is no gate: a missed budget exits 0 as well;
// only a figure that could not be measured, or a wrong option, is a failure. See README.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { figures } from './figures/index.mjs'
import { describeMachine } from './lib/machine.mjs'
import { printHeading, printOutcome, printSinceBefore } from './lib/report.mjs'
import { stopAll } from './lib/server.mjs'

/**
 * @typedef {object} Budget What a figure should be.
 * @property {'at least' | 'at most'} better
 * @property {number} gate
 * @property {number} target
 * @property {number} stretch
 * @property {string} [unit]
 *
 * @typedef {object} Context What a figure is given.
 * @property {boolean} quick Fewer rounds: a first impression.
 * @property {string} folder A folder for temporary files.
 * @property {string} [before] The folder of a built package to compare with.
 * @property {<T>(name: string, make: () => Promise<T>) => Promise<T>} once What several figures share is made once.
 *
 * @typedef {object} Measured
 * @property {number} [value] The median; none where there is nothing to compare with.
 * @property {number} [min]
 * @property {number} [max]
 * @property {Partial<Record<'gate' | 'target' | 'stretch', boolean>>} [also] What a level asks beside the value.
 * @property {readonly number[]} [sinceBefore] Ours / the build of `--before`, round by round.
 * @property {string[]} [details] Lines below the figure.
 * @property {unknown} [raw] What `--json` keeps.
 *
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} title
 * @property {string} [skipped] Why it is not measured here.
 * @property {(context: Context) => Promise<Measured>} [run]
 */

const usage = 'usage: npm run bench -- [--only P1,P5] [--quick] [--before FOLDER] [--json FILE]\n'

/**
 * A name such as P5 stands for both parts of that figure, P5a and P5b.
 * @param {string} id
 * @param {string} name
 */
const isNamed = (id, name) => [id, id.replace(/[a-z]$/, '')].some((each) => each.toUpperCase() === name)

/** @returns {{ only?: string[], quick: boolean, before?: string, json?: string }} */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean' },
        before: { type: 'string' },
        json: { type: 'string' },
      },
    })
    const only = values.only?.split(',').map((id) => id.trim().toUpperCase())
    const unknown = only?.find((name) => !figures.some(({ id }) => isNamed(id, name)))
    if (unknown !== undefined) throw new Error(`there is no figure '${unknown}'`)
    return { ...values, only, quick: values.quick ?? false }
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(2)
  }
}

const { only, quick, before, json } = readArguments()
const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'))
/** @type {Map<string, Promise<any>>} */
const shared = new Map()
/** @type {Context} */
const context = {
  quick,
  before,
  folder,
  once: (name, make) => {
    if (!shared.has(name)) shared.set(name, make())
    return /** @type {Promise<any>} */ (shared.get(name))
  },
}

process.on('SIGINT', () => {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
  process.exit(130)
})

const machine = describeMachine()
printHeading(machine, quick)
const started = performance.now()
const outcomes = []
for (const figure of figures) {
  if (only && !only.some((name) => isNamed(figure.id, name))) continue
  let measured
  let failure
  try {
    measured = await figure.run?.(context)
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
    process.exitCode = 1
  }
  outcomes.push(printOutcome(figure, measured, failure))
  if (measured?.sinceBefore) outcomes.push(printSinceBefore(figure, measured.sinceBefore))
}
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(`\nTook ${seconds} s.\n`)
if (json !== undefined) {
  writeFileSync(json, `${JSON.stringify({ ...machine, quick, seconds, figures: outcomes }, null, 2)}\n`)
}
stopAll()
rmSync(folder, { recursive: true, force: true })
