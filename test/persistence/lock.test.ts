import { readdir, readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { processMark } from '../../src/runtime/host.ts'
import { systemFiles } from '../../src/persistence/files.ts'
import { LockedError, takeLock, type Processes } from '../../src/persistence/lock.ts'
import { watchDisk, type Disk } from '../helpers/disk.ts'

/** A machine on which processes with these marks run. */
const machine = (pid: number, marks: Readonly<Record<number, string>>): Processes => ({
  pid,
  mark: (asked) => marks[asked],
})

const marks = { 1: 'one', 2: 'two' }

async function lockFile(content?: string | object): Promise<{ disk: Disk; path: string }> {
  const disk = await watchDisk()
  const path = disk.path('data.json.lock')
  if (content !== undefined) {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { disk, path }
}

describe('takeLock', () => {
  it('names the process, for nobody else to read, and is gone when it is given back', async () => {
    const { disk, path } = await lockFile()
    const release = await takeLock(systemFiles, path, machine(1, marks))
    expect(await readFile(path, 'utf8')).toBe('{"pid":1,"started":"one"}\n')
    expect((await systemFiles.stat(path)).mode & 0o777).toBe(0o600)
    await release()
    expect(await readdir(disk.folder)).toEqual([])
  })

  it.each([
    ['another live process', { pid: 2, started: 'two' }, 2],
    ['this very process', { pid: 1, started: 'one' }, 1],
    ['a process of which the system does not tell when it began', { pid: 3, started: 'three' }, 3],
  ])('held by %s -> refused, naming it, and left alone', async (_who, holder, pid) => {
    const { path } = await lockFile(holder)
    const taking = takeLock(systemFiles, path, machine(1, { ...marks, 3: '' }))
    await expect(taking).rejects.toEqual(new LockedError(pid))
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(holder)
  })

  it.each([
    ['a process that is no more', { pid: 9, started: 'nine' }],
    ['an earlier process with the id of a live one', { pid: 2, started: 'before two' }],
    ['an earlier process with our id, as in a container', { pid: 1, started: 'before one' }],
    ['nobody: it died before it wrote its name', ''],
    ['nobody: something else wrote it', '[]'],
  ])('left by %s -> taken over', async (_who, content) => {
    const { disk, path } = await lockFile(content)
    await takeLock(systemFiles, path, machine(1, marks))
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pid: 1, started: 'one' })
    expect(await readdir(disk.folder)).toEqual(['data.json.lock'])
  })

  it('many want a stale one at once -> one gets it', async () => {
    const all = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at + 1, `process ${at + 1}`]))
    for (let round = 0; round < 20; round++) {
      const { path } = await lockFile({ pid: 99, started: 'long ago' })
      const outcomes = await Promise.allSettled(
        Object.keys(all).map((pid) => takeLock(systemFiles, path, machine(Number(pid), all))),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  it('given back after somebody else took it over -> theirs stays', async () => {
    const { path } = await lockFile()
    const release = await takeLock(systemFiles, path, machine(1, marks))
    await writeFile(path, '{"pid":2,"started":"two"}\n')
    await release()
    expect(await readFile(path, 'utf8')).toBe('{"pid":2,"started":"two"}\n')
  })

  it('a failure of the file system is passed on', async () => {
    const { disk, path } = await lockFile()
    disk.judge = (step) => (step.startsWith('open') ? 'EROFS' : undefined)
    await expect(takeLock(systemFiles, path, machine(1, marks))).rejects.toMatchObject({ code: 'EROFS' })
  })
})

describe('processMark', () => {
  it('this process -> the same mark each time', () => {
    expect(processMark(process.pid)).toMatch(/\S/)
    expect(processMark(process.pid)).toBe(processMark(process.pid))
  })

  it('another process has another mark; none has none', () => {
    expect(processMark(1)).not.toBe(processMark(process.pid))
    expect(processMark(2 ** 22 + 1)).toBeUndefined()
  })
})
