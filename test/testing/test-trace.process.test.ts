import { readdir, readFile, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import type { writeTrace as WriteTrace } from '../../src/testing/test-trace.ts'
import { createRunFolder, removeRunFolder, runVariable } from '../../src/sandbox/runs/run-folder.ts'
import { partsOf } from '../helpers/trace.ts'
import { folderWith } from '../helpers/fake-io.ts'

const test = (name: string, file = 'test/a.test.ts') => ({ name, file })

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
  expect(await writeTrace([sandbox], test('a > test: fails!'), own)).toBe(
    join(own, 'a-test-fails--trace.html'),
  )
  expect(await writeTrace([sandbox], test('a > test: fails!'), own)).toBe(
    join(own, 'a-test-fails--2-trace.html'),
  )
  expect(await writeTrace([sandbox], test('other'))).toBe(join(other, 'other-trace.html'))
  expect((await readdir(own)).length).toBe(2)
})

it('a trace replaces those that earlier processes wrote of the test, and no others', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith({ 'notes-trace.html': 'mine' })]
  const others = [test('pays', 'test/b.test.ts'), test('pays '), { ...test('pays'), project: 'webkit' }]
  for (const one of [test('pays'), test('pays'), ...others]) await writeTrace([sandbox], one, folder)
  const before = await readdir(folder)
  expect(before.toSorted()).toEqual([
    'notes-trace.html',
    'pays--trace.html',
    'pays-2-trace.html',
    'pays-3-trace.html',
    'pays-trace.html',
    'webkit-pays-trace.html',
  ])
  for (const name of before) await utimes(join(folder, name), 0, 0)
  vi.resetModules()
  const again = await import('../../src/testing/test-trace.ts')
  await sandbox.fetch('/v2/customers')
  expect(await again.writeTrace([sandbox], test('pays'), folder)).toBe(join(folder, 'pays-trace.html'))
  expect(new Set(await readdir(folder))).toEqual(
    new Set(before.filter((name) => name !== 'pays-2-trace.html')),
  )
  expect(await readFile(join(folder, 'pays-trace.html'), 'utf8')).toContain('req_default_1')
})

it('the trace that another worker wrote of the same test stays', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith()]
  const first = await writeTrace([sandbox], test('pays'), folder)
  vi.resetModules()
  const other = await import('../../src/testing/test-trace.ts')
  const second = await other.writeTrace([sandbox], test('pays'), folder)
  expect([first, second]).toEqual([join(folder, 'pays-trace.html'), join(folder, 'pays-2-trace.html')])
  expect(await readdir(folder)).toHaveLength(2)
})

it('a trace that another worker removes meanwhile is no error', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith()]
  // The folder lists it, and reading it fails like that of a removed file.
  await symlink('nowhere', join(folder, 'pays-7-trace.html'))
  expect(await writeTrace([sandbox], test('pays'), folder)).toBe(join(folder, 'pays-trace.html'))
})

it('in a run of `matrix` -> a subfolder of the value', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith()]
  const run = await createRunFolder({
    options: {},
    journal: false,
    traceSubfolder: 'matrix/create_status=200',
  })
  onTestFinished(() => removeRunFolder(run))
  vi.stubEnv(runVariable, run)
  expect(await writeTrace([sandbox], test('pays'), folder)).toBe(
    join(folder, 'matrix', 'create_status=200', 'pays-trace.html'),
  )
})

it('names the failed test, and its calls come first', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith()]
  const path = await writeTrace([sandbox], test('pays'), folder)
  const { trace } = partsOf(await readFile(path ?? '', 'utf8'))
  expect(trace.tests).toEqual([{ ...test('pays'), result: 'failed', duration_ms: null }])
})

it('a folder that cannot be written -> no trace, and no error', async () => {
  const folder = await folderWith({ file: '' })
  expect(await writeTrace([await createSandbox()], test('test'), join(folder, 'file'))).toBeUndefined()
})

it('a process writes 20 traces at most', async () => {
  const [sandbox, folder] = [await createSandbox(), await folderWith()]
  for (let number = 0; number < 25; number += 1) await writeTrace([sandbox], test('test'), folder)
  expect(await readdir(folder)).toHaveLength(20)
  expect(await writeTrace([sandbox], test('test'), folder)).toBeUndefined()
})
