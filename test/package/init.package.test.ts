import { describe, expect, it } from 'vitest'
import { addFiles, link, packedPackage, type Ended } from '../helpers/consumer.ts'

const user = packedPackage()

/** Compiles TypeScript for Jest, as `ts-jest` would. */
const transform = `
const ts = require('typescript')
exports.process = (text) => ({
  code: ts.transpileModule(text, { compilerOptions: { module: 'commonjs', target: 'es2022' } }).outputText,
})`

interface Kind {
  manifest: object
  files?: Readonly<Record<string, string>>
  /** The other packages that are installed; `later` after `init`. */
  libraries?: readonly string[]
  later?: readonly string[]
  /** The command that it prints. */
  command: string
  passed: RegExp
}

const kinds: Readonly<Record<string, Kind>> = {
  'no runner': {
    manifest: { scripts: { test: 'node --test' } },
    command: 'node --test test/partner-rewards.test.mjs',
    passed: /^. pass 2$/m,
  },
  vitest: {
    manifest: { scripts: { test: 'vitest run' }, devDependencies: { vitest: '*' } },
    libraries: ['vitest'],
    command: 'npx vitest run test/partner-rewards.test.mjs',
    passed: /Tests {2}2 passed/,
  },
  'vitest, TypeScript': {
    manifest: { scripts: { test: 'vitest run' }, devDependencies: { vitest: '*', typescript: '*' } },
    libraries: ['vitest'],
    command: 'npx vitest run test/partner-rewards.test.ts',
    passed: /Tests {2}2 passed/,
  },
  'a vitest that is too old for the kit': {
    manifest: { scripts: { test: 'vitest run' }, devDependencies: { vitest: '^3.2.0', typescript: '*' } },
    later: ['vitest'],
    command: 'npx vitest run test/partner-rewards.test.ts',
    passed: /Tests {2}2 passed/,
  },
  'Playwright, as it lays out a project': {
    manifest: { scripts: { test: 'playwright test' }, devDependencies: { '@playwright/test': '*' } },
    files: {
      'playwright.config.ts': `import { defineConfig } from '@playwright/test'\nexport default defineConfig({ testDir: './tests' })`,
    },
    libraries: ['@playwright/test'],
    command: 'npx playwright test tests/partner-rewards.spec.ts',
    passed: /^ {2}2 passed/m,
  },
  'Jest, CommonJS': {
    manifest: { scripts: { test: 'jest' }, devDependencies: { jest: '*' } },
    libraries: ['jest'],
    command: 'npx jest test/partner-rewards.test.js',
    passed: /^Tests: +2 passed, 2 total$/m,
  },
  'Jest, TypeScript': {
    manifest: {
      scripts: { test: 'jest' },
      devDependencies: { jest: '*', 'ts-jest': '*', typescript: '*' },
      jest: { transform: { '\\.ts$': './transform.cjs' } },
    },
    files: { 'transform.cjs': transform },
    libraries: ['jest', 'typescript'],
    command: 'npx jest test/partner-rewards.test.ts',
    passed: /^Tests: +2 passed, 2 total$/m,
  },
  'Jest, modules': {
    manifest: {
      type: 'module',
      scripts: { test: 'NODE_OPTIONS=--experimental-vm-modules jest' },
      devDependencies: { jest: '*' },
    },
    libraries: ['jest'],
    command: 'npm test -- test/partner-rewards.test.js',
    passed: /^Tests: +2 passed, 2 total$/m,
  },
}

/** npx takes half a second to find the program of a project; one of the projects shows that it does. */
const withoutNpx = (command: string): string => command.replace(/^npx /, 'PATH="node_modules/.bin:$PATH" ')

/** `init` as its users run it, then what it says to run, and what the project runs. */
describe.concurrent('npx … init in a project of', { timeout: 240_000 }, () => {
  it.each(Object.entries(kinds))('%s -> its test passes at once', async (name, kind) => {
    const { manifest, files = {}, libraries = [], later = [], command, passed } = kind
    const folder = await user.project()
    await addFiles(folder, { 'package.json': { private: true, ...manifest }, ...files })
    await link(folder, ...libraries)
    const asRun = name === 'vitest' ? (words: string) => words : withoutNpx
    const shell = (words: string): Promise<Ended> => user.run('sh', ['-c', asRun(words)], folder)
    const made = await shell('npx partner-rewards-sandbox init')
    expect(made).toMatchObject({ code: 0, stdout: `${command}\n` })
    await link(folder, ...later)
    for (const said of [command, 'npm test']) {
      const { code, stdout, stderr } = await shell(said)
      expect({ said, code, printed: stdout + stderr }).toEqual({
        said,
        code: 0,
        printed: expect.stringMatching(passed),
      })
    }
  })

  it('vitest -> its test rests on nothing that the contract leaves open', async () => {
    const folder = await user.project()
    await addFiles(folder, { 'package.json': { private: true, ...kinds['vitest']?.manifest } })
    await link(folder, 'vitest')
    const shell = (words: string): Promise<Ended> => user.run('sh', ['-c', withoutNpx(words)], folder)
    await shell('npx partner-rewards-sandbox init')
    expect(await shell('npx partner-rewards-sandbox matrix -- npm test')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The suite passes with (?:all \d+ other values|the one other value)\. It rests on nothing /m,
      ),
    })
  })
})
