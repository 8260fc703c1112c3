import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectIn, starterRunners, type Project } from '../../../src/cli/offline/project.ts'
import { starterFiles } from '../../../src/cli/offline/starter-files.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

/** That the tests it writes pass is tried in test/package, with what users install. */
const test = 'test/partner-rewards.test.mjs'
const project: Project = {
  runner: 'node:test',
  typescript: false,
  modules: false,
  globalTypes: false,
  folder: 'test',
  npmTest: false,
}
const paths = ['fixtures/starter.yaml', 'scenarios/busy-once.yaml', 'sandbox.config.yaml', test]

/** The hint if `npm test` runs nothing yet. */
const toAdd = (script: string): string =>
  `\nnpm test runs nothing yet. Let it run all tests: npm pkg set "scripts.test=${script}"\n`

async function contents(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = async (file: string): Promise<[string, string]> => [
    file.slice(folder.length + 1),
    await readFile(file, 'utf8'),
  ]
  return Object.fromEntries(await Promise.all(files.map(read)))
}

/** The hint for a .gitignore without the folder. */
const ignored = 'added   partner-rewards-traces/ to .gitignore\n'

describe('init', () => {
  it('an empty folder -> four files, and the command that runs the test', async () => {
    const cwd = await folderWith()
    expect(await cli(['init'], { cwd })).toEqual({
      code: 0,
      stdout: `npm install --save-dev partner-rewards-sandbox && node --test ${test}\n`,
      stderr: `${paths.map((path) => `created ${path}\n`).join('')}${ignored}\nRun the test:\n${toAdd('node --test')}`,
    })
    expect(await contents(cwd)).toEqual(
      Object.fromEntries([
        ...starterFiles(project).files.map(({ path, text }) => [path, text]),
        ['.gitignore', 'partner-rewards-traces/\n'],
      ]),
    )
  })

  it.each([
    ['without an end of line', 'dist', 'dist\npartner-rewards-traces/\n'],
    ['that has the folder', 'partner-rewards-traces/\ndist\n', 'partner-rewards-traces/\ndist\n'],
  ])('a .gitignore %s', async (_, before, after) => {
    const cwd = await folderWith({ '.gitignore': before })
    const { stderr } = await cli(['init'], { cwd })
    expect(stderr.includes(ignored)).toBe(before !== after)
    expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe(after)
  })

  const needs = (dependencies: object, more: object = {}): object => ({
    'package.json': { devDependencies: dependencies, ...more },
  })
  const installed = (version: string): object => ({ 'node_modules/vitest/package.json': { version } })
  it.each<[string, object, string]>([
    ['vitest', needs({ vitest: '^4' }), 'npx vitest run test/partner-rewards.test.mjs'],
    [
      'vitest among dependencies',
      { 'package.json': { dependencies: { vitest: 'latest' } } },
      'npx vitest run test/partner-rewards.test.mjs',
    ],
    [
      'vitest and TypeScript',
      needs({ vitest: '^4', typescript: '^5' }),
      'npx vitest run test/partner-rewards.test.ts',
    ],
    [
      'vitest and a tsconfig.json',
      { ...needs({ vitest: '^4' }), 'tsconfig.json': {} },
      'npx vitest run test/partner-rewards.test.ts',
    ],
    ['Playwright', needs({ '@playwright/test': '^1' }), 'npx playwright test test/partner-rewards.spec.mjs'],
    [
      'Playwright, as its own init lays it out',
      {
        ...needs({ '@playwright/test': '^1' }),
        'playwright.config.ts': `export default { testDir: './tests' }`,
      },
      'npx playwright test tests/partner-rewards.spec.ts',
    ],
    ['Jest', needs({ jest: '^30' }), 'npx jest test/partner-rewards.test.js'],
    [
      'Jest and TypeScript that it cannot read',
      needs({ jest: '^30', typescript: '^5' }),
      'npx jest test/partner-rewards.test.js',
    ],
    [
      'Jest and TypeScript',
      needs({ jest: '^30', typescript: '^5', 'ts-jest': '^29' }),
      'npx jest test/partner-rewards.test.ts',
    ],
    [
      'Jest with modules',
      needs(
        { jest: '^30' },
        { type: 'module', scripts: { test: 'NODE_OPTIONS=--experimental-vm-modules jest' } },
      ),
      'npm test -- test/partner-rewards.test.js',
    ],
    [
      'several, of which npm test runs one',
      needs({ vitest: '^4', jest: '^30', '@playwright/test': '^1' }, { scripts: { test: 'jest --ci' } }),
      'npx jest test/partner-rewards.test.js',
    ],
    [
      'several, and npm test runs none of them',
      needs({ vitest: '^4', jest: '^30' }, { scripts: { test: 'make' } }),
      'npx vitest run test/partner-rewards.test.mjs',
    ],
    ['another runner', needs({ mocha: '^11', typescript: '^5' }), `node --test ${test}`],
    ['no dependencies', { 'package.json': {} }, `node --test ${test}`],
    ['a manifest that is none', { 'package.json': '[' }, `node --test ${test}`],
    [
      'a manifest of another shape',
      { 'package.json': '{"devDependencies":["vitest"]}' },
      `node --test ${test}`,
    ],
  ])('a project with %s -> %3$s', async (_, files, command) => {
    const cwd = await folderWith(files as Record<string, string | object>)
    const { stdout, stderr } = await cli(['init'], { cwd })
    expect(stdout).toContain(`${command}\n`)
    expect(stderr).not.toContain('The kit for vitest')
  })

  it.each<[string, object, string | undefined]>([
    ['asked for, not installed', needs({ vitest: '^3.2.4' }), '3'],
    ['installed', { ...needs({ vitest: '*' }), ...installed('3.2.4') }, '3.2.4'],
    ['installed, the last that is too old', { ...needs({ vitest: '^4' }), ...installed('4.0.18') }, '4.0.18'],
    ['installed, the first that is not', { ...needs({ vitest: '^4' }), ...installed('4.1.0') }, undefined],
    ['asked for, of which npm installs the newest', needs({ vitest: '^4.0.0' }), undefined],
    ['of whatever version', needs({ vitest: 'latest' }), undefined],
  ])('vitest: %s -> a test without the kit, and why, where it is too old', async (_, files, version) => {
    const cwd = await folderWith(files as Record<string, string | object>)
    const { stderr } = await cli(['init'], { cwd })
    const written = await readFile(join(cwd, test), 'utf8')
    expect(written.includes("from 'partner-rewards-sandbox/vitest'")).toBe(version === undefined)
    const why = `\nThe kit for vitest needs 4.1, and the project has ${version}: the test is written without it.\n`
    expect(stderr.includes(why)).toBe(version !== undefined)
  })

  it.each<[string, object, string]>([
    ['none', needs({ vitest: '^4' }), toAdd('vitest run')],
    [
      'the one of npm init',
      needs({ jest: '^30' }, { scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
      toAdd('jest'),
    ],
    [
      'an empty one',
      needs({ '@playwright/test': '^1' }, { scripts: { test: '' } }),
      toAdd('playwright test'),
    ],
    ['its own', needs({ vitest: '^4' }, { scripts: { test: 'make' } }), '\nRun all tests: npm test\n'],
  ])('a script for npm test: %s -> what it runs, or how to add it', async (_, files, said) => {
    const { stderr } = await cli(['init'], { cwd: await folderWith(files as Record<string, object>) })
    expect(stderr.split('Run the test:\n')[1]).toBe(said)
  })

  it('a project that has the package -> does not say to install it', async () => {
    const cwd = await folderWith({ 'package.json': {} })
    await mkdir(join(cwd, 'node_modules'))
    await symlink(resolve('.'), join(cwd, 'node_modules/partner-rewards-sandbox'))
    expect((await cli(['init'], { cwd })).stdout).toBe(`node --test ${test}\n`)
  })

  it('what is there already -> is kept as it is, and said', async () => {
    const mine = Object.fromEntries(paths.map((path) => [path, `# my ${path}\n`]))
    const cwd = await folderWith(mine)
    const { code, stderr } = await cli(['init'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toBe(
      `${paths.map((path) => `kept    ${path}, which existed already\n`).join('')}${ignored}\nRun the test:\n${toAdd('node --test')}`,
    )
    expect(await contents(cwd)).toEqual({ ...mine, '.gitignore': 'partner-rewards-traces/\n' })
  })

  it.each(['sandbox.config.yml', 'sandbox.config.json'])(
    '%s -> stays the config, as a new one would go before it',
    async (name) => {
      const cwd = await folderWith({ [name]: '{}' })
      const { stderr } = await cli(['init'], { cwd })
      expect(stderr).toContain(`kept    ${name}, which existed already\n`)
      expect(await contents(cwd)).not.toHaveProperty(['sandbox.config.yaml'])
    },
  )

  it('a file where a folder must be -> says so', async () => {
    const cwd = await folderWith({ fixtures: 'a file' })
    const { code, stdout, stderr } = await cli(['init'], { cwd })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: cannot write 'fixtures\/starter.yaml' \(E(EXIST|NOTDIR)\)\n$/),
    })
  })

  it('takes no arguments', async () => {
    expect((await cli(['init', 'there'], { cwd: await folderWith() })).code).toBe(2)
  })

  it.each(starterRunners.flatMap((runner) => [false, true].map((typescript) => ({ runner, typescript }))))(
    '$runner, TypeScript $typescript: lines fit, and no file is named twice',
    ({ runner, typescript }) => {
      const { files, command } = starterFiles({ ...project, runner, typescript })
      expect(new Set(files.map(({ path }) => path)).size).toBe(4)
      expect(command.endsWith(` ${files[3]?.path}`)).toBe(true)
      for (const { text } of files) {
        expect(text.endsWith('\n')).toBe(true)
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(115)
      }
    },
  )

  it('an empty folder is a project of node:test', async () => {
    expect(await projectIn(await folderWith())).toEqual(project)
  })
})
