import { readdir } from 'node:fs/promises'
import Module from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packedPackage } from '../helpers/consumer.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { launch } from '../helpers/processes.ts'

const user = packedPackage()

/** Node has the cache from 22.1 on. */
const cached = 'enableCompileCache' in Module ? ['node-compile-cache'] : []

it.each<[string, Record<string, string>, string[]]>([
  ['caches its compiled code where Node can', {}, cached],
  ['caches nothing with NODE_DISABLE_COMPILE_CACHE', { NODE_DISABLE_COMPILE_CACHE: '1' }, []],
])('the command line %s', async (_, env, written) => {
  const folder = await folderWith()
  const bin = join(await user.project(), 'node_modules/partner-rewards-sandbox/dist/bin.cjs')
  const child = launch([bin, '--version'], { env: { NODE_COMPILE_CACHE: '', TMPDIR: folder, ...env } })
  expect([await child.ended, child.err()]).toEqual([0, ''])
  expect(await readdir(folder)).toEqual(written)
})
