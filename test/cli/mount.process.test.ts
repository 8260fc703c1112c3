import { chmod, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli, folderWith, serve, type CliContext } from '../helpers/fake-io.ts'

const customer = { customers: [{ id: 'cus_mounted' }] }
const scenario = `name: mounted
description: Nothing works.
rules:
  - on: '*'
    effect: { respond: { status: 418, body: {} } }
`

/** A folder as a container has it at /sandbox, with the working directory elsewhere. */
async function mounted(files: Readonly<Record<string, string | object>>) {
  const mount = await folderWith(files)
  return { mount, place: { cwd: await folderWith(), env: { SANDBOX_MOUNT: mount } } }
}

/** The status of a balance, for a sandbox that was started there. */
async function statusOf(id: string, argv: string[], place: CliContext, headers: Record<string, string> = {}) {
  let status = 0
  await serve(argv, place, async ({ fetch }) => {
    const answer = await fetch(`/v2/customers/${id}/rewards_balance`, {
      headers: { authorization: 'Bearer sk_sandbox_full', ...headers },
    })
    await answer.text()
    status = answer.status
  })
  return status
}

describe('a mounted folder', () => {
  it('fixtures/ -> in place of the built-in rows; scenarios/ -> known by name, and none of them active', async () => {
    const { place } = await mounted({ 'fixtures/a.json': customer, 'scenarios/mounted.yaml': scenario })
    expect(await statusOf('cus_mounted', [], place)).toBe(200)
    expect(await statusOf('cus_ada', [], place)).toBe(404)
    expect(await statusOf('cus_mounted', [], place, { 'x-sandbox-scenario': 'mounted' })).toBe(418)
    expect(await statusOf('cus_mounted', ['--scenario', 'mounted'], place)).toBe(418)
  })

  it.each<[string, Record<string, string | object>, string]>([
    ['nothing in it', {}, 'cus_ada'],
    ['an empty fixtures/', { 'fixtures/README.md': 'none yet', 'scenarios/.keep': '' }, 'cus_ada'],
    [
      'its config file names the fixtures',
      { 'sandbox.config.yaml': 'fixtures: own.json', 'own.json': customer },
      'cus_mounted',
    ],
    [
      'its config file wins over its fixtures/',
      {
        'sandbox.config.yaml': 'fixtures: own.json',
        'own.json': customer,
        'fixtures/x.json': { customers: [{ id: 'cus_x' }] },
      },
      'cus_mounted',
    ],
  ])('%s', async (_what, files, id) => {
    const { place } = await mounted(files)
    expect(await statusOf(id, [], place)).toBe(200)
  })

  it('a config file of the working directory, and --fixtures, win', async () => {
    const { mount } = await mounted({ 'fixtures/a.json': customer, 'sandbox.config.yaml': 'nonsense: 1' })
    const cwd = await folderWith({
      'sandbox.config.yaml': 'fixtures: b.json',
      'b.json': { customers: [{ id: 'cus_b' }] },
    })
    expect(await cli(['validate', '--mount', mount], { cwd })).toMatchObject({ code: 0 })
    const outcome = await cli(['validate', '--mount', mount, '--fixtures', 'missing.json'], { cwd })
    expect([outcome.code, outcome.stdout]).toEqual([3, expect.stringContaining('missing.json')])
  })

  it.each(['missing', 'a-file', ''])('that is %j -> exit 2', async (name) => {
    const cwd = await folderWith({ 'a-file': '' })
    const { code, stderr } = await cli(['start', '--mount', name], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --mount: '.*' is not a folder\n$/)])
  })

  it.each([
    ['a-file/below', 'is not a folder'],
    ['circle', 'cannot be read: its symbolic links loop'],
    ['a'.repeat(300), 'cannot be read: its name is too long'],
  ])('that is %s -> exit 2 with the reason', async (name, reason) => {
    const cwd = await folderWith({ 'a-file': '' })
    await symlink('circle', join(cwd, 'circle'))
    const { code, stderr } = await cli(['start', '--mount', join(cwd, name)], { cwd })
    expect([code, stderr]).toEqual([2, `error: --mount: '${join(cwd, name)}' ${reason}\n`])
  })

  it('a document with a mistake -> exit 3, named by its place', async () => {
    const { mount, place } = await mounted({ 'fixtures/a.json': '{"customers": 1}' })
    const { code, stderr } = await cli(['start', '--port', '0'], place)
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(`${join(mount, 'fixtures/a.json')}:1:15 customers: must be`),
    ])
  })

  it.skipIf(process.getuid?.() === 0)(
    'a folder that may not be read -> exit 3, and not the built-in rows',
    async () => {
      const { mount, place } = await mounted({ 'fixtures/a.json': customer })
      await chmod(join(mount, 'fixtures'), 0)
      const { code, stderr } = await cli(['start', '--port', '0'], place)
      expect([code, stderr]).toEqual([3, expect.stringContaining('may not be read')])
    },
  )
})

describe('--scenario-library', () => {
  it('a file and a folder -> listed, shown and chosen by name', async () => {
    const cwd = await folderWith({
      'one.yaml': scenario,
      'more/two.yaml': scenario.replace('mounted', 'two'),
    })
    const argv = ['--scenario-library', 'one.yaml', '--scenario-library', 'more']
    const { stdout } = await cli(['scenarios', ...argv], { cwd })
    expect(stdout).toMatch(/^mounted +Nothing works\.$/m)
    expect(stdout).toMatch(/^two +Nothing works\.$/m)
    expect((await cli(['scenarios', 'two', ...argv], { cwd })).stdout).toContain('name: two')
  })

  it('an empty folder -> exit 3', async () => {
    const cwd = await folderWith({ 'more/README.md': '' })
    const { code, stderr } = await cli(['start', '--port', '0', '--scenario-library', 'more'], { cwd })
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('is a folder without .json, .yaml or .yml files'),
    ])
  })
})
