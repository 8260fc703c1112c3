// Builds dist if it is missing or older than its sources. Used by `npm start` and `npm test`. It writes nothing to
// stdout, as the first line there must be that of the server.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const inputs = [
  'src',
  'scripts/package',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsdown.config.ts',
]

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

// The modification time of a folder counts, too: it changes when a file in it is deleted.
const newestIn = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}

// A build writes the bill of materials last. If it is missing, the build was interrupted.
const outputs = ['dist/bin.cjs', 'dist/index.mjs', 'dist/sbom.cdx.json', 'dist/inspector/page.js']
const built = Math.min(...outputs.map((output) => modified(join(root, output))))
const changed = Math.max(...inputs.map((input) => newestIn(join(root, input))))

if (built <= changed) {
  process.stderr.write(built === 0 ? 'Building dist …\n' : 'Sources changed, building dist …\n')
  const tsdown = join(root, 'node_modules/tsdown/dist/run.mjs')
  const { status } = spawnSync(process.execPath, [tsdown, '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  process.exitCode = status ?? 1
}
