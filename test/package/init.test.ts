import { describe, expect, it } from 'vitest'
import { addFiles, link, packedPackage } from '../helpers/consumer.ts'

const user = packedPackage()

/** `init` as its users run it, and then what it says to run. */
describe.concurrent('npx … init', { timeout: 120_000 }, () => {
  it('a project with nothing but the package -> its test passes at once', async () => {
    const folder = await user.project()
    const made = await user.run('npx', ['partner-rewards-sandbox', 'init'], folder)
    expect(made).toMatchObject({ code: 0, stdout: 'node --test test/partner-rewards.test.mjs\n' })
    const { code, stdout } = await user.run('sh', ['-c', made.stdout], folder)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^. pass 2$/m) })
  })

  it('a project with vitest -> its test passes at once', async () => {
    const folder = await user.project()
    await addFiles(folder, { 'package.json': { private: true, devDependencies: { vitest: '*' } } })
    await link(folder, 'vitest')
    const made = await user.run('npx', ['partner-rewards-sandbox', 'init'], folder)
    expect(made).toMatchObject({ code: 0, stdout: 'npx vitest run test/partner-rewards.test.mjs\n' })
    const { code, stdout } = await user.run('sh', ['-c', made.stdout], folder)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests {2}2 passed/) })
  })
})
