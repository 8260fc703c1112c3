// `npm test` runs the tests that only need Node. `npm test -- PATH` runs these files, of any project, at full size.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const words = process.argv.slice(2)
const paths = words.filter((word) => !word.startsWith('-') && /[/]|\.ts$/.test(word))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const isFast = paths.length === 0
const args = ['run', ...(isFast ? ['--project=unit'] : []), ...words]
const env = { ...process.env, ...(isFast ? { SAMPLES: process.env.SAMPLES ?? '0.1' } : {}) }
const { status } = spawnSync(process.execPath, [vitest, ...args], { stdio: 'inherit', env })

if (isFast)
  console.log(
    'Not run: tests of processes, packages, docs, storage and probes, and nine of ten generated cases. ' +
      '`npm run test:all` runs everything.',
  )
process.exitCode = status ?? 1
