import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { Rolldown } from 'tsdown'
import { expect, it } from 'vitest'
import { usedNames } from '../../scripts/package/used-names.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { bin } from '../helpers/processes.ts'

it('the packed program makes up the customers that all of Faker makes up', async () => {
  const options = ['--customers', '2000', '--seed', '7']
  const { stdout } = await promisify(execFile)(process.execPath, [bin, 'generate', ...options], {
    maxBuffer: 2 ** 26,
  })
  const { customers, rewards } = JSON.parse(stdout) as Record<string, unknown>
  await using sandbox = await createSandbox({ generate: { customers: 2000 }, seed: 7 })
  const whole = await sandbox.dump()
  expect({ customers, rewards }).toEqual({ customers: whole.customers, rewards: whole.rewards })
})

it.each([
  ['base-1.js', 'var A=class{animal=new B(this);}', 'no longer has the modules company, helpers, location'],
  ['en-1.js', 'export const e = { metadata: { title: "" } }', 'no longer has person.first_name'],
  ['en-1.js', 'export const e = {}, f = {}', 'is no longer one object'],
])('another layout of Faker in %s stops the build: %s', async (name, text, message) => {
  const path = `node_modules/@faker-js/faker/dist/${name}`
  const folder = await folderWith({
    [path]: text,
    'node_modules/@faker-js/faker/package.json': { type: 'module' },
  })
  const building = Rolldown.build({
    input: join(folder, path),
    plugins: [usedNames()],
    write: false,
    logLevel: 'silent',
  })
  await expect(building).rejects.toThrow(message)
})
