// Data files that were written to and then left, by a crash or closed, with what must be in them; and what a start
// makes of one that was damaged.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {import('./damages.mjs').Files} Files
 * @typedef {typeof import('../../../src/index.ts').createSandbox} CreateSandbox
 * @typedef {object} World A data file as it was left.
 * @property {Files} files
 * @property {string[]} states what the state was after each commit; the last holds every acknowledged write.
 * @typedef {'whole' | 'refused' | 'like a crash' | 'silent' | 'badly refused'} Outcome
 */

const name = 'data.json'
const clock = '2026-11-21T12:00:00Z'

/** @template T @param {(folder: string) => Promise<T>} work @returns {Promise<T>} */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'damage-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder @returns {Files} */
export function filesIn(folder) {
  const names = readdirSync(folder).filter((file) => !file.endsWith('.lock'))
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file))]))
}

/** @param {string} folder @param {Files} files */
export function putFiles(folder, files) {
  mkdirSync(folder, { recursive: true })
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes)
}

/** @param {import('../../../src/index.ts').Sandbox} sandbox */
function stateOf(sandbox) {
  return JSON.stringify(sandbox.state.document(), (_key, /** @type {unknown} */ value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/**
 * @param {CreateSandbox} createSandbox
 * @param {string} mark what its rows are told from those of another one by.
 * @param {'killed' | 'closed'} end
 * @returns {Promise<World>}
 */
export function makeWorld(createSandbox, mark, end) {
  return inFolder(async (folder) => {
    const options = { data: join(folder, name), clock, frozen: true }
    const first = await createSandbox(options)
    first.state.put('customers', `cus_${mark}_first`, { metadata: { mark } })
    await first.close()
    const sandbox = await createSandbox(options)
    const states = [stateOf(sandbox)]
    for (let at = 0; at < 8; at++) {
      const count = at % 3 === 2 ? 3 : 1
      for (let write = 0; write < count; write++) {
        sandbox.state.put('customers', `cus_${mark}_${at}_${write}`, {
          metadata: { mark, at, note: 'Zürich' },
        })
        states.push(stateOf(sandbox))
      }
      await sandbox.saved()
    }
    if (end === 'closed') await sandbox.close()
    const files = filesIn(folder)
    await sandbox.close()
    return { files, states }
  })
}

/**
 * Whether what is left of the newest log may be what a crash leaves: whole lines as they were, then maybe a part of a line
 * or zeros. No reader can tell that from damage.
 * @param {Files} files
 * @param {World} world
 */
function isLikeCrash(files, world) {
  const [newest = ''] = Object.keys(world.files).filter(isLog).toSorted(byGeneration).toReversed()
  const before = world.files[newest] ?? Buffer.alloc(0)
  const after = files[newest]
  if (after === undefined) return true
  const common = before.findIndex((byte, at) => byte !== after[at])
  const rest = after.subarray(before.lastIndexOf(10, common - 1) + 1)
  const end = rest.indexOf(10)
  return common !== -1 && (end === -1 || (end === rest.length - 1 && rest.includes(0)))
}

const isLog = (/** @type {string} */ file) => file.endsWith('.log')
const generationOf = (/** @type {string} */ file) => Number(file.split('.').at(-2))
/** @param {string} a @param {string} b */
const byGeneration = (a, b) => generationOf(a) - generationOf(b)

/**
 * Starts on damaged files.
 * @param {CreateSandbox} createSandbox
 * @param {Files} files
 * @param {World} world what they were made from.
 * @returns {Promise<{ outcome: Outcome, said: string }>}
 */
export function startOnDamaged(createSandbox, files, world) {
  return inFolder(async (folder) => {
    putFiles(folder, files)
    try {
      const sandbox = await createSandbox({ data: join(folder, name), clock, frozen: true })
      const state = stateOf(sandbox)
      await sandbox.close()
      if (state === world.states.at(-1)) return { outcome: 'whole', said: '' }
      const isEarlier = world.states.includes(state) && isLikeCrash(files, world)
      return { outcome: isEarlier ? 'like a crash' : 'silent', said: '' }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const after = filesIn(folder)
      const isUntouched =
        Object.keys(after).length === Object.keys(files).length &&
        Object.entries(files).every(([file, bytes]) => after[file]?.equals(bytes))
      // A line, a byte, or that there is nothing.
      const namesPlace =
        /data\.json(?:\.\d+\.log)?(?::\d+)?: .*(?:byte \d|character \d|does not exist|delta \d|name of log)/.test(
          message,
        )
      const isDocumentError = error instanceof Error && error.name === 'DocumentError'
      const isWell = isDocumentError && isUntouched && namesPlace
      return { outcome: isWell ? 'refused' : 'badly refused', said: message }
    }
  })
}
