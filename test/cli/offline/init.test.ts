import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { starterFiles, starterRunners } from '../../../src/cli/offline/starter-files.ts'
import { cli, folderWith, serve, withKey } from '../../helpers/fake-io.ts'

/** That the tests it writes pass is tried in test/package, with what users install. */
const test = 'test/partner-rewards.test.mjs'
const paths = ['fixtures/starter.yaml', 'scenarios/busy-once.yaml', 'sandbox.config.yaml', test]

async function contents(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = async (file: string): Promise<[string, string]> => [
    file.slice(folder.length + 1),
    await readFile(file, 'utf8'),
  ]
  return Object.fromEntries(await Promise.all(files.map(read)))
}

describe('init', () => {
  it('an empty folder -> four files, and the command that runs the test', async () => {
    const cwd = await folderWith()
    expect(await cli(['init'], { cwd })).toEqual({
      code: 0,
      stdout: `npm install --save-dev partner-rewards-sandbox && node --test ${test}\n`,
      stderr: `${paths.map((path) => `created ${path}\n`).join('')}\nRun the test:\n`,
    })
    expect(await contents(cwd)).toEqual(
      Object.fromEntries(starterFiles('node:test').map(({ path, text }) => [path, text])),
    )
  })

  it.each([
    ['vitest among devDependencies', { devDependencies: { vitest: '^4' } }, 'npx vitest run'],
    ['vitest among dependencies', { dependencies: { vitest: '^4' } }, 'npx vitest run'],
    ['another runner', { devDependencies: { jest: '^30' } }, 'node --test'],
    ['no dependencies', {}, 'node --test'],
    ['a manifest that is none', '[', 'node --test'],
    ['a manifest of another shape', '{"devDependencies":["vitest"]}', 'node --test'],
  ])('a project with %s -> %3$s', async (_, manifest, command) => {
    const cwd = await folderWith({ 'package.json': manifest })
    const { stdout } = await cli(['init'], { cwd })
    expect(stdout).toContain(`${command} ${test}\n`)
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
      `${paths.map((path) => `kept    ${path}, which was there already\n`).join('')}\nRun the test:\n`,
    )
    expect(await contents(cwd)).toEqual(mine)
  })

  it.each(['sandbox.config.yml', 'sandbox.config.json'])(
    '%s -> stays the config, as a new one would go before it',
    async (name) => {
      const cwd = await folderWith({ [name]: '{}' })
      const { stderr } = await cli(['init'], { cwd })
      expect(stderr).toContain(`kept    ${name}, which was there already\n`)
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

  it('what it writes is valid, and what start begins with', async () => {
    const cwd = await folderWith()
    await cli(['init'], { cwd })
    expect(await cli(['validate'], { cwd })).toEqual({ code: 0, stdout: '', stderr: 'No problems.\n' })
    await serve(['--scenario', 'scenarios/busy-once.yaml'], { cwd }, async ({ fetch }) => {
      expect(await (await fetch('/v2/rewards/rwd_1', withKey())).json()).toMatchObject({ amount: 500 })
      const update = { ...withKey(), method: 'PATCH' }
      expect((await fetch('/v2/rewards/rwd_1', update)).status).toBe(429)
    })
  })

  it('takes no arguments', async () => {
    expect((await cli(['init', 'there'], { cwd: await folderWith() })).code).toBe(2)
  })

  it.each(starterRunners)('%s: lines fit, and no file is named twice', (runner) => {
    const files = starterFiles(runner)
    expect(files.map(({ path }) => path)).toEqual(paths)
    for (const { text } of files) {
      expect(text.endsWith('\n')).toBe(true)
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(115)
    }
  })
})
