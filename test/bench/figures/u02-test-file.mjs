import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shown } from '../lib/report.mjs'
import { root } from '../lib/server.mjs'
import { median, ratios, summary } from '../lib/stats.mjs'

const testFiles = fileURLToPath(new URL('../programs/test-files', import.meta.url))

/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'U2',
  title: 'a vitest file of 100 tests, each a workspace and five calls / with MSW',
  async run({ quick, folder }) {
    const project = prepareProject(folder)
    /** @type {Record<'msw' | 'sandbox', number[]>} */
    const times = { msw: [], sandbox: [] }
    // The first run of each fills the file cache.
    for (let round = -1; round < (quick ? 3 : 9); round++) {
      for (const name of /** @type {const} */ (['msw', 'sandbox'])) {
        const milliseconds = runTests(project, `${name}.test.mjs`)
        if (round >= 0) times[name].push(milliseconds)
      }
    }
    return {
      ...summary(ratios(times.sandbox, times.msw)),
      value: median(times.sandbox) / median(times.msw),
      details: [
        `vitest run: ours ${shown(median(times.sandbox))} ms, MSW ${shown(median(times.msw))} ms, start of vitest included`,
      ],
      raw: times,
    }
  },
}

/**
 * A project as a user has it: the packed package is a dependency, so vitest imports it without a transformation.
 * @param {string} folder
 */
function prepareProject(folder) {
  const project = mkdtempSync(join(folder, 'tests-'))
  cpSync(testFiles, project, { recursive: true })
  const installed = join(project, 'node_modules/partner-rewards-sandbox')
  mkdirSync(installed, { recursive: true })
  const packed = run('npm', ['pack', root, '--silent', '--ignore-scripts'], project)
  run('tar', ['-xzf', packed.trim(), '--strip-components=1', '-C', installed], project)
  for (const name of ['vitest', 'msw'])
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  return project
}

/** @param {string} project @param {string} file @returns {number} milliseconds. */
function runTests(project, file) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const started = performance.now()
  const output = run(process.execPath, [vitest, 'run', file], project)
  const milliseconds = performance.now() - started
  if (!output.includes('100 passed'))
    throw new Error(`not all tests of ${file} passed: ${output.slice(-500)}`)
  return milliseconds
}

/** @param {string} program @param {string[]} args @param {string} cwd */
function run(program, args, cwd) {
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${(stdout + stderr).slice(-500)}`)
  return stdout
}
