import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LockedError } from '../../../src/storage/files/lock.ts'
import { systemFiles } from '../../../src/storage/files/files.ts'
import { openFiles } from '../../../src/storage/files/index.ts'
import { fileMedium } from '../../helpers/file-processes.ts'
import { container, fakeTimes } from '../../helpers/lock.ts'
import { closeAfterTest, documentOf, readable } from '../core/storage.contract.ts'

const about = JSON.stringify({ text: 'new' })
const delta = (at: number): string => JSON.stringify({ at })

it('the steps of an append and of a checkpoint: text is synced before its name, and names before older logs go', async () => {
  const { storage, steps } = await (await fileMedium('file')).start()
  const during = async (work: () => Promise<unknown> | undefined): Promise<string[]> => {
    steps.length = 0
    await work()
    return steps.filter((step) => !/^(?:mkdir|rmdir) /.test(step))
  }
  await storage.open('default', about)
  const begin = (log: string): string[] =>
    ['open .tmp', 'write .tmp', 'fsync .tmp', `rename ${log}`, 'fsync .'].map((step) =>
      step.replace('.tmp', 'data.json.tmp'),
    )
  const document = [
    'open data.json.tmp',
    'write data.json.tmp',
    'fsync data.json.tmp',
    'rename data.json',
    'fsync .',
    'unlink data.json.1.log',
  ]
  expect(await during(() => storage.append('default', delta(1)))).toEqual(begin('data.json.1.log'))
  expect(await during(() => storage.append('default', delta(2)))).toEqual([
    'write data.json.tmp',
    'fdatasync data.json.tmp',
  ])
  expect(await during(() => storage.checkpoint('default', documentOf('one'), about))).toEqual([
    ...begin('data.json.2.log'),
    ...document,
  ])
})

it('appends to many workspaces in one iteration -> each syncs its own file, at most 32 concurrently', async () => {
  const process = await (await fileMedium('folder')).start()
  const names = Array.from({ length: 80 }, (_, at) => `w${at}`)
  for (const name of names) {
    await process.storage.open(name, about)
    await process.storage.append(name, delta(1))
  }
  let [running, max, syncs] = [0, 0, 0]
  process.fault = async (step) => {
    if (!step.startsWith('fdatasync')) return undefined
    running += 1
    syncs += 1
    max = Math.max(max, running)
    await new Promise(setImmediate)
    running -= 1
    return undefined
  }
  await Promise.all(names.map((name) => process.storage.append(name, delta(2))))
  expect([syncs, max > 1, max <= 32]).toEqual([80, true, true])
})

it('the disk is full -> the write is refused, health says why, and the next one is persisted', async () => {
  const medium = await fileMedium('file')
  const process = await medium.start()
  await process.storage.open('default', about)
  await process.storage.append('default', delta(1))
  process.fault = (step) => (step.startsWith('write') ? 'half ENOSPC' : undefined)
  await expect(process.storage.append('default', delta(2))).rejects.toMatchObject({ code: 'ENOSPC' })
  expect([...process.storage.health.damaged]).toEqual([['default', 'no space is left on the disk']])
  process.fault = () => undefined
  await process.storage.append('default', delta(3))
  expect([process.storage.health.damaged.size, process.events]).toEqual([0, []])
  await process.crash()
  expect(readable(await (await medium.start()).storage.open('default', about)).deltas).toEqual([
    { at: 1 },
    { at: 3 },
  ])
})

it('fsync fails with EIO -> nothing more is persisted, and the end is reported once', async () => {
  const process = await (await fileMedium('folder')).start()
  const { storage } = process
  for (const name of ['acme', 'zoe']) await storage.open(name, about)
  await storage.append('acme', delta(1))
  process.fault = (step) => (step.startsWith('fdatasync') ? 'EIO' : undefined)
  const failing = [storage.append('acme', delta(2)), storage.append('zoe', delta(1))]
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  process.fault = () => undefined
  await expect(storage.append('acme', delta(3))).rejects.toMatchObject({ code: 'EIO' })
  expect([process.events, storage.owns('acme'), storage.health.away]).toEqual([
    ['end'],
    false,
    'the disk reported an error',
  ])
})

it('the document before a checkpoint is kept under a second name, without a copy', async () => {
  const medium = await fileMedium('file')
  const { storage } = await medium.start()
  await storage.open('default', about)
  await storage.checkpoint('default', documentOf('one'), about)
  linkSync(medium.path('data.json'), medium.path('same'))
  await storage.checkpoint('default', documentOf('two'), about)
  const inode = (file: string): number => statSync(medium.path(file)).ino
  expect(inode('data.json.previous')).toBe(inode('same'))
  expect(readFileSync(medium.path('data.json.previous'), 'utf8')).toContain('"id":"one"')
})

it('the file of a workspace in a folder is used alone -> the folder is refused, and the other way round', async () => {
  const medium = await fileMedium('folder')
  const first = await medium.start()
  await first.storage.open('acme', about)
  await first.storage.checkpoint('acme', documentOf('one'), about)
  const times = fakeTimes()
  times.onLook = () => first.wake()
  const events = { onEnd: () => undefined, onProblem: (line: string) => problems.push(line) }
  const problems: string[] = []
  const alone = {
    path: medium.path('acme.json'),
    isFolder: false,
    processes: container('other'),
    times,
    events,
  }
  await expect(openFiles(alone)).rejects.toBeInstanceOf(LockedError)
  expect(problems).toEqual([
    `${alone.path} is in use by another sandbox (process 1 on machine): waiting up to 15 s for it to stop`,
  ])
  await first.storage.close()
  const single = await openFiles(alone)
  closeAfterTest(single)
  times.onLook = () => undefined
  expect(await single.list()).toMatchObject([{ name: 'default', about }])
})

it('a path of the wrong kind -> refused; a link to a file stays a link', async () => {
  const medium = await fileMedium('file')
  const events = { onEnd: () => undefined, onProblem: () => undefined }
  const options = { processes: container('other'), times: fakeTimes(), events, files: systemFiles }
  mkdirSync(medium.path('folder'))
  writeFileSync(medium.path('text'), '')
  await expect(openFiles({ ...options, path: medium.path('folder'), isFolder: false })).rejects.toThrow(
    'is no file',
  )
  await expect(openFiles({ ...options, path: medium.path('text'), isFolder: true })).rejects.toThrow(
    'is a file and no folder',
  )
  symlinkSync('folder/real.json', medium.path('link'))
  const storage = await openFiles({ ...options, path: medium.path('link'), isFolder: false })
  closeAfterTest(storage)
  await storage.open('default', about)
  await storage.checkpoint('default', documentOf('one'), about)
  await storage.close()
  expect(readdirSync(join(medium.folder, 'folder')).toSorted()).toEqual(['real.json', 'real.json.1.log'])
})
