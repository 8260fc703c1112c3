import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { shown } from '../lib/report.mjs'
import { root } from '../lib/server.mjs'
import { median, ratios, summary } from '../lib/stats.mjs'

/**
 * Runs npm without a network and without what is set for npm here; what it caches is gone with the folder.
 * @param {string[]} args
 * @param {string} folder
 * @returns {{ stdout: string, milliseconds: number }}
 */
function npm(args, folder) {
  const started = performance.now()
  const { stdout, stderr, status } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${stderr.slice(-500)}`)
  return { stdout: stdout.trim(), milliseconds: performance.now() - started }
}

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P13',
  title: 'npx … --version from the tarball, empty cache / npm --version',
  async run({ quick, folder }) {
    const { stdout: name } = npm(['pack', root, '--silent', '--ignore-scripts'], folder)
    const tarball = join(folder, name)
    const rounds = quick ? 3 : 10
    /** @type {number[]} */
    const ours = []
    /** @type {number[]} */
    const other = []
    // The first run of each fills the file cache of the system.
    for (let round = -1; round < rounds; round++) {
      const empty = mkdtempSync(join(folder, 'npx-'))
      const reference = npm(['--version'], empty)
      const measured = npm(
        ['exec', '--yes', `--package=${tarball}`, '--', 'partner-rewards-sandbox', '--version'],
        empty,
      )
      rmSync(empty, { recursive: true })
      if (round === -1) continue
      ours.push(measured.milliseconds)
      other.push(reference.milliseconds)
    }
    const lines = [
      { called: 'npx … --version', times: ours },
      { called: 'npm --version', times: other },
    ].map(({ called, times }) => {
      const { value, min, max } = summary(times)
      return `${called}: ${shown(value)} ms (${shown(min)}–${shown(max)})`
    })
    return {
      ...summary(ratios(ours, other)),
      value: median(ours) / median(other),
      details: [...lines, `${rounds} pairs`],
      raw: { ours, other },
    }
  },
}
