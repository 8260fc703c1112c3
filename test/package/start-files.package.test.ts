import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { packedPackage } from '../helpers/consumer.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { launch, started } from '../helpers/processes.ts'

const user = packedPackage()

const distOf = async (): Promise<string> =>
  join(await user.project(), 'node_modules/partner-rewards-sandbox/dist')

/** Prints the files of the package that were loaded, as the last line of stderr. */
const listLoaded = `process.on('exit', () => console.error('loaded ' + Object.keys(require.cache).join(' ')))`

/** The names of the loaded files, without the hash of their contents. */
const loadedIn = (stderr: string): string[] =>
  (stderr.trimEnd().split('\n').at(-1) ?? '')
    .split(' ')
    .filter((file) => basename(dirname(file)) === 'dist')
    .map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, '.cjs'))
    .toSorted()

/** What every start loads: the smallest part is the adapter of the server. */
const atStart = ['bin.cjs', 'dist.cjs', 'program.cjs', 'rolldown-runtime.cjs', 'run.cjs']

it('a start loads one file of code; the first call of the control plane loads another', async () => {
  const dist = await distOf()
  const folder = await folderWith({ 'list.cjs': listLoaded })
  const loadedBy = async (path: string): Promise<string[]> => {
    const sandbox = await started([], {
      bin: join(dist, 'bin.cjs'),
      nodeArgs: ['--require', join(folder, 'list.cjs')],
    })
    expect(
      (await fetch(sandbox.url + path, { headers: { authorization: 'Bearer sk_sandbox_full' } })).status,
    ).toBe(200)
    sandbox.process.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
    return loadedIn(sandbox.err())
  }
  expect(await loadedBy('/v2/rewards/rwd_ada_pending')).toEqual(atStart)
  expect(await loadedBy('/_sandbox/health')).toEqual([...atStart, 'control.cjs'].toSorted())
})

it('the import of the library loads one file of code', async () => {
  const dist = await distOf()
  const folder = await folderWith({ 'list.cjs': listLoaded })
  const child = launch(['--require', join(folder, 'list.cjs'), join(dist, 'index.cjs')])
  expect(await child.ended).toBe(0)
  expect(loadedIn(child.err())).toEqual(['index.cjs', 'program.cjs', 'rolldown-runtime.cjs'])
})

// Node reads and compiles all of it before a start can do anything: 80 ns a byte on the machine of the budget.
it('the file of a start has at most 770 kB', async () => {
  expect((await stat(join(await distOf(), 'program.cjs'))).size).toBeLessThanOrEqual(770_000)
})
