import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/**
 * @typedef {object} Machine
 * @property {string} node
 * @property {string} cpu
 * @property {number} cores
 * @property {string} pinning
 * @property {string} loadGenerator
 */

/** @param {string} command @param {string[]} args */
function runs(command, args) {
  const { error, status } = spawnSync(command, args, { stdio: 'ignore' })
  return error === undefined && status !== null
}

const cores = cpus().length
const pinner = 'taskset'
const canPin = cores > 1 && spawnSync(pinner, ['-c', '0,1', 'true'], { stdio: 'ignore' }).status === 0

/** Whether wrk is installed; it makes more load for less CPU than any client in Node. */
export const hasWrk = runs('wrk', ['--version'])

/** @returns {Machine} */
export function describeMachine() {
  return {
    node: process.versions.node,
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
    cores,
    pinning: canPin ? 'servers on core 0, load on core 1' : `nothing pinned (no ${pinner}, or one core)`,
    loadGenerator: hasWrk ? 'wrk' : "the bench's own client on node:net",
  }
}

/**
 * A command that runs on one core only, where that is possible.
 * @param {number} core
 * @param {string[]} command
 * @returns {[string, ...string[]]}
 */
export function onCore(core, [program = '', ...args]) {
  return canPin ? [pinner, '-c', String(core), program, ...args] : [program, ...args]
}
