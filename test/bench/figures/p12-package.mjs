import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shown } from '../lib/report.mjs'
import { root } from '../lib/server.mjs'

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P12',
  title: 'packed tarball (and nothing else is installed)',
  async run() {
    const { stdout, stderr, status } = spawnSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: root,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`npm pack failed: ${stderr.slice(-500)}`)
    /** @type {{ size: number, unpackedSize: number, entryCount: number }[]} */
    const [packed] = JSON.parse(stdout)
    if (!packed) throw new Error('npm pack listed nothing')
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const packages = 1 + Object.keys(dependencies).length
    const alone = packages === 1
    return {
      value: packed.size / 1000,
      also: { gate: alone, target: alone, stretch: alone },
      details: [
        `${packed.entryCount} files, ${shown(packed.unpackedSize / 1000)} kB unpacked; ${packages} package installed by npx`,
      ],
      raw: packed,
    }
  },
}
