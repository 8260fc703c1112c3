// Takes a screenshot of each view of the inspector's page: node scripts/browser/look.mjs FOLDER.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const [, , folder] = process.argv
if (folder === undefined) {
  process.stderr.write('look needs the folder for the pictures: npm run look -- FOLDER\n')
  process.exit(2)
}
const env = { ...process.env, LOOK_FOLDER: resolve(folder) }
const { status } = spawnSync('npm', ['run', 'check:browser', '--', 'look'], { stdio: 'inherit', env })
process.exitCode = status ?? 1
