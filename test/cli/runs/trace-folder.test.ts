import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeTraces } from '../../../src/cli/runs/trace-folder.ts'
import { folderWith } from '../../helpers/fake-io.ts'

it('removes the traces directly in the folder, and nothing else', async () => {
  const cwd = await folderWith({
    'traces/pays-trace.html': '',
    'traces/pays-2-trace.html': '',
    'traces/trace.html': '',
    'traces/notes.txt': '',
    'traces/folder-trace.html/inner-trace.html': '',
  })
  const folder = join(cwd, 'traces')
  await removeTraces(folder, cwd)
  expect((await readdir(folder)).toSorted()).toEqual(['folder-trace.html', 'notes.txt', 'trace.html'])
})

it('no folder -> nothing to remove', async () => {
  const cwd = await folderWith()
  await removeTraces(join(cwd, 'traces'), cwd)
  expect(await readdir(cwd)).toEqual([])
})

it('a file in its place -> names it, what is wrong and what to do', async () => {
  const cwd = await folderWith({ traces: 'a file' })
  await expect(removeTraces(join(cwd, 'traces'), cwd)).rejects.toThrow(
    "error: --trace-dir: cannot use 'traces' (ENOTDIR): name a writable folder",
  )
})
