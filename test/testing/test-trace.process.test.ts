import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import type { writeTrace as WriteTrace } from '../../src/testing/test-trace.ts'
import { folderWith } from '../helpers/fake-io.ts'

let writeTrace: typeof WriteTrace
beforeEach(async () => {
  // Another module counts from zero: the limit is one of a process.
  vi.resetModules()
  ;({ writeTrace } = await import('../../src/testing/test-trace.ts'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  // The next file of this process begins at zero, too.
  vi.resetModules()
})

it('the option goes before the variable, and tests of one name have files of their own', async () => {
  const sandbox = await createSandbox()
  const [own, other] = [await folderWith(), await folderWith()]
  vi.stubEnv('SANDBOX_TRACE_DIR', other)
  expect(await writeTrace([sandbox], 'a > test: fails!', own)).toBe(join(own, 'a-test-fails--trace.html'))
  expect(await writeTrace([sandbox], 'a > test: fails!', own)).toBe(join(own, 'a-test-fails--2-trace.html'))
  expect(await writeTrace([sandbox], 'other')).toBe(join(other, 'other-trace.html'))
  expect((await readdir(own)).length).toBe(2)
})

it('a folder that cannot be written -> no trace, and no error', async () => {
  const folder = await folderWith({ file: '' })
  expect(await writeTrace([await createSandbox()], 'test', join(folder, 'file'))).toBeUndefined()
})

it('a process writes 20 traces at most', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith()]
  for (let number = 0; number < 25; number += 1) await writeTrace([sandbox], 'test', folder)
  expect(await readdir(folder)).toHaveLength(20)
  expect(await writeTrace([sandbox], 'test', folder)).toBeUndefined()
})
