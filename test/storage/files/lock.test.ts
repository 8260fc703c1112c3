import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hostName, processIdentity, processNamespace } from '../../../src/runtime/host.ts'
import { LostLockError, systemFiles } from '../../../src/storage/files/files.ts'
import { takeLock, type Lock, type LockOptions, type Processes } from '../../../src/storage/files/lock.ts'
import { gate, watchDisk, type Disk } from '../../helpers/disk.ts'
import { container, fakeTimes, inUseBy, type FakeTimes } from '../../helpers/lock.ts'
import { samples } from '../../setup/samples.ts'

/** A machine on which processes with these marks run. */
const machine = (pid: number, marks: Readonly<Record<number, string>>): Processes => ({
  pid,
  namespace: 'here',
  host: 'machine',
  mark: (asked) => marks[asked],
})

const marks = { 1: 'one', 2: 'two' }

const lockName = 'data.json.lock'

async function lockFile(content?: string | object): Promise<{ disk: Disk; path: string }> {
  const disk = await watchDisk()
  const path = disk.path(lockName)
  if (content !== undefined) {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return { disk, path }
}

/** Takes the lock of data.json, by default as a process of the machine, and gives it back after the test. */
async function take(
  path: string,
  times: FakeTimes,
  { processes = machine(1, marks), ...more }: Partial<LockOptions> = {},
): Promise<Lock> {
  const lock = await takeLock(path, { files: systemFiles, times, processes, ...more }, 'data.json')
  onTestFinished(() => lock.release().catch(() => undefined))
  return lock
}

interface Written {
  pid: number
  host: string
  beat: number
  nonce: string
}

const written = async (path: string): Promise<Written> => JSON.parse(await readFile(path, 'utf8')) as Written

const another = (beat = 0) => ({
  pid: 1,
  started: 'start of other',
  host: 'other',
  namespace: 'pid of other',
  nonce: '00000000000000aa',
  beat,
})
const onMachine = (pid: number, started: string) => ({ ...another(), pid, started, namespace: 'here' })

describe('takeLock', () => {
  it('names the process, for nobody else to read, and is gone when it is given back', async () => {
    const { disk, path } = await lockFile()
    const lock = await take(path, fakeTimes())
    const { nonce } = lock
    expect(await readFile(path, 'utf8')).toBe(
      `{"pid":1,"started":"one","host":"machine","namespace":"here","nonce":"${nonce}","beat":0}\n`,
    )
    expect(nonce).toMatch(/^[0-9a-f]{16}$/)
    expect((await systemFiles.stat(path)).mode & 0o777).toBe(0o600)
    await lock.release()
    expect(await readdir(disk.folder)).toEqual([])
  })

  it.each([
    ['this very process', onMachine(1, 'one')],
    ['this very process, of version 0.1.0', { pid: 1, started: 'one' }],
  ])('held by %s -> refused at once, and left alone', async (_who, holder) => {
    const { path } = await lockFile(holder)
    const times = fakeTimes()
    await expect(take(path, times)).rejects.toEqual(inUseBy('process 1', true))
    expect([times.looks, JSON.parse(await readFile(path, 'utf8'))]).toEqual([0, holder])
  })

  it.each([
    ['another live process', onMachine(2, 'two'), 'process 2'],
    ['a process of which the system does not tell when it began', onMachine(3, 'three'), 'process 3'],
    ['a process of another container with our id', another(), 'process 1 on other'],
  ])('held by %s, who renews it -> waits 15 s, saying so once, and is refused', async (_who, holder, who) => {
    const { path } = await lockFile(holder)
    const times = fakeTimes()
    times.onLook = (look) => look % 8 === 0 && writeFile(path, JSON.stringify({ ...holder, beat: look }))
    const said: string[] = []
    const taking = take(path, times, {
      processes: machine(1, { ...marks, 3: '' }),
      onWaiting: (name) => said.push(name),
    })
    await expect(taking).rejects.toEqual(inUseBy(who))
    expect([times.looks, said]).toEqual([60, [who]])
    expect(await written(path)).toEqual({ ...holder, beat: 56 })
  })

  it('held by a live process of version 0.1.0, which renews nothing -> refused after 15 s', async () => {
    const { path } = await lockFile({ pid: 2, started: 'two' })
    await expect(take(path, fakeTimes())).rejects.toEqual(inUseBy('process 2'))
  })

  it.each([
    ['a process that is no more', onMachine(9, 'nine')],
    ['an earlier process with the id of a live one', onMachine(2, 'before two')],
    ['an earlier process with our id', onMachine(1, 'before one')],
    ['a process of version 0.1.0 that is no more', { pid: 9, started: 'nine' }],
  ])('left by %s -> taken over at once', async (_who, content) => {
    const { disk, path } = await lockFile(content)
    const times = fakeTimes()
    const said: string[] = []
    const lock = await take(path, times, { onWaiting: (who) => said.push(who) })
    expect(await written(path)).toMatchObject({ pid: 1, nonce: lock.nonce })
    expect([times.looks, said, await readdir(disk.folder)]).toEqual([0, [], [lockName]])
  })

  it.each([
    ['a process of another container', another()],
    ['nobody: it died before it wrote its name', ''],
    ['nobody: something else wrote it', '[]'],
    ['a live process that stands still', onMachine(2, 'two')],
  ])('left by %s -> taken over after 10 s without a renewal', async (_who, content) => {
    const { path } = await lockFile(content)
    const times = fakeTimes()
    const lock = await take(path, times)
    expect([times.looks, (await written(path)).nonce]).toEqual([40, lock.nonce])
  })

  it('given back while it is waited for -> taken with the next look', async () => {
    const { path } = await lockFile(another())
    const times = fakeTimes()
    times.onLook = (look) => look === 3 && rm(path)
    await take(path, times)
    expect(times.looks).toBe(3)
  })

  it('another holder while it is waited for -> their 10 s begin anew', async () => {
    const { path } = await lockFile(another())
    const times = fakeTimes()
    const next = { ...another(), nonce: '00000000000000bb' }
    times.onLook = (look) => look === 39 && writeFile(path, JSON.stringify(next))
    await expect(take(path, times)).rejects.toEqual(inUseBy('process 1 on other'))
    expect((await written(path)).nonce).toBe(next.nonce)
  })

  it('the waiter was stopped itself -> that counts for 1 s, so that a holder who renews keeps it', async () => {
    const { path } = await lockFile(another())
    const times = fakeTimes()
    times.onLook = (look) => {
      if (look === 5) times.pass(3_600_000)
      return look > 5 && writeFile(path, JSON.stringify(another(look)))
    }
    await expect(take(path, times)).rejects.toEqual(inUseBy('process 1 on other'))
    expect(times.looks).toBe(1 + (15 - 1) * 4)
  })

  it('the clock of the machine jumps by years -> nothing is sooner or later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { path } = await lockFile(another())
    const times = fakeTimes()
    times.onLook = (look) => vi.setSystemTime(look % 2 === 0 ? '1990-01-01' : '2090-01-01')
    await take(path, times)
    expect(times.looks).toBe(40)
  })

  it('told to stop while it waits -> it does', async () => {
    const { path } = await lockFile(another())
    const times = fakeTimes()
    const stop = new AbortController()
    times.onLook = (look) => look === 2 && stop.abort()
    await expect(take(path, times, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(times.looks).toBe(2)
  })

  it('many want a stale one at once -> one gets it', async () => {
    const all = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at + 1, `process ${at + 1}`]))
    for (let round = 0; round < samples(20); round++) {
      const { path } = await lockFile({ pid: 99, started: 'long ago' })
      const impatient = { ...fakeTimes(), waitTimeout: 0 }
      const outcomes = await Promise.allSettled(
        Object.keys(all).map((pid) => take(path, impatient, { processes: machine(Number(pid), all) })),
      )
      const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(taken.map(({ nonce }) => nonce)).toEqual([(await written(path)).nonce])
    }
  })

  it('what its holder and others left unfinished goes first, of this file only', async () => {
    const { disk, path } = await lockFile(onMachine(9, 'nine'))
    const left = ['data.json.aa.3.tmp', 'data.json.lock.bb.0.tmp', 'data.json.99.12.tmp']
    const others = ['data.json.tmp', 'data.json.aa.x.tmp', 'other.json.aa.1.tmp', 'data.json.2.aa.1.tmp']
    for (const name of [...left, ...others]) await writeFile(disk.path(name), '')
    await systemFiles.mkdir(disk.path('data.json.aa.4.tmp'))
    await take(path, fakeTimes())
    expect((await readdir(disk.folder)).toSorted()).toEqual([...others, lockName].toSorted())
  })

  it('a lock of a folder -> what is unfinished of any file in it goes', async () => {
    const { disk, path } = await lockFile()
    for (const name of ['a.json.aa.1.tmp', 'b.json.bb.2.tmp', 'b.json']) await writeFile(disk.path(name), '')
    const lock = await takeLock(path, {
      files: systemFiles,
      times: fakeTimes(),
      processes: machine(1, marks),
    })
    expect((await readdir(disk.folder)).toSorted()).toEqual(['b.json', lockName])
    await lock.release()
  })

  it('a failure of the file system is passed on', async () => {
    const { disk, path } = await lockFile()
    disk.judge = (step) => (step.startsWith('open') ? 'EROFS' : undefined)
    await expect(take(path, fakeTimes())).rejects.toMatchObject({ code: 'EROFS' })
  })
})

/** Holds the first of a step until it is let go. */
function holdOnce(disk: Disk, step: string): { isThere: Promise<void>; letGo: () => void } {
  const there = gate()
  const { opened, open } = gate()
  disk.judge = (met) => {
    if (met !== step) return undefined
    disk.judge = () => undefined
    there.open()
    return opened
  }
  return { isThere: there.opened.then(() => undefined), letGo: open }
}

describe('two who take a lock over', () => {
  it.each([
    ['before it looks once more', `open ${lockName}.tmp`],
    ['before its name is there', `write ${lockName}.tmp`],
    ['between the last look and the new name', `rename ${lockName}`],
  ])('the first stands still %s -> the second has it, and keeps it', async (_where, step) => {
    const { disk, path } = await lockFile(onMachine(9, 'nine'))
    const hold = holdOnce(disk, step)
    const first = take(path, fakeTimes(), { processes: container('first') })
    const refused = expect(first).rejects.toThrow('in use by')
    await hold.isThere
    const second = await take(path, fakeTimes(), { processes: machine(1, marks) })
    hold.letGo()
    await refused
    second.requireOurs()
    expect(await readdir(disk.folder)).toEqual([lockName])
  })

  it('the first stands still before it makes a new one, which somebody else makes -> theirs stays', async () => {
    const { disk, path } = await lockFile()
    const hold = holdOnce(disk, `open ${lockName}`)
    const first = take(path, { ...fakeTimes(), waitTimeout: 0 }, { processes: container('first') })
    const refused = expect(first).rejects.toThrow('in use by')
    await hold.isThere
    const second = await take(path, fakeTimes())
    hold.letGo()
    await refused
    second.requireOurs()
  })

  it('the first stands still before it writes its name -> it finds that it is not its own', async () => {
    const { disk, path } = await lockFile()
    const hold = holdOnce(disk, `write ${lockName}`)
    const first = take(path, { ...fakeTimes(), waitTimeout: 0 }, { processes: container('first') })
    const refused = expect(first).rejects.toThrow('in use by')
    await hold.isThere
    const second = await take(path, fakeTimes())
    await writeFile(disk.path('data.json.cc.1.tmp'), '')
    hold.letGo()
    await refused
    second.requireOurs()
    // It removes nothing that may be the second's.
    expect((await readdir(disk.folder)).toSorted()).toEqual(['data.json.cc.1.tmp', lockName])
  })
})

describe('a lock that is held', () => {
  it('is renewed through the open file, and whoever waits sees it', async () => {
    const { path } = await lockFile()
    const times = fakeTimes()
    const lock = await take(path, times)
    for (let beat = 1; beat <= 12; beat++) {
      await times.renew()
      expect(await written(path)).toMatchObject({ nonce: lock.nonce, beat })
    }
    const waiting = fakeTimes()
    waiting.onLook = (look) => look % 8 === 0 && times.renew()
    await expect(take(path, waiting, { processes: container('other') })).rejects.toEqual(
      inUseBy('process 1 on machine'),
    )
    lock.requireOurs()
  })

  it.each([
    ['another container', container('other'), 'another sandbox (process 1 on other) took it over'],
    ['another process', machine(2, marks), 'another sandbox (process 2) took it over'],
  ])('taken over by %s -> the next comparison says so, and every one after it', async (_who, by, said) => {
    const { path } = await lockFile()
    const lock = await take(path, fakeTimes())
    const theirs = await take(path, fakeTimes(), { processes: by })
    expect(lock.lost.aborted).toBe(false)
    expect(() => lock.requireOurs()).toThrow(said)
    expect(lock.lost.reason).toBeInstanceOf(LostLockError)
    await theirs.release()
    expect(() => lock.requireOurs()).toThrow(said)
  })

  it('a renewal compares too, and does not touch the lock of somebody else', async () => {
    const { path } = await lockFile()
    const times = fakeTimes()
    const lock = await take(path, times)
    await take(path, fakeTimes(), { processes: container('other') })
    const theirs = await readFile(path, 'utf8')
    await times.renew()
    expect([lock.lost.aborted, await readFile(path, 'utf8')]).toEqual([true, theirs])
  })

  it('taken over between comparison and renewal -> what is written has no name', async () => {
    const { disk, path } = await lockFile()
    const times = fakeTimes()
    const lock = await take(path, times)
    const hold = holdOnce(disk, `overwrite ${lockName}`)
    void times.renew()
    await hold.isThere
    const theirs = await take(path, fakeTimes(), { processes: container('other') })
    hold.letGo()
    await times.renew()
    theirs.requireOurs()
    expect([(await written(path)).nonce, lock.lost.aborted]).toEqual([theirs.nonce, true])
  })

  it('a renewal fails -> the next one is tried, and nothing is lost', async () => {
    const { disk, path } = await lockFile()
    const times = fakeTimes()
    const lock = await take(path, times)
    disk.judge = (step) => (step.startsWith('overwrite') ? 'EIO' : undefined)
    await times.renew()
    disk.judge = () => undefined
    await times.renew()
    lock.requireOurs()
    expect((await written(path)).beat).toBe(2)
  })

  it('removed by hand -> lost', async () => {
    const { path } = await lockFile()
    const lock = await take(path, fakeTimes())
    await rm(path)
    expect(() => lock.requireOurs()).toThrow(new LostLockError(undefined))
  })

  it('cannot be read -> nobody knows whose it is, and it is not lost', async () => {
    const { path } = await lockFile()
    const files = { ...systemFiles }
    const lock = await take(path, fakeTimes(), { files })
    files.readNow = () => {
      throw Object.assign(new Error('too many'), { code: 'EMFILE', syscall: 'open' })
    }
    expect(() => lock.requireOurs()).toThrow('too many')
    expect(lock.lost.aborted).toBe(false)
  })

  it('given back after somebody else took it over -> theirs stays', async () => {
    const { disk, path } = await lockFile()
    const lock = await take(path, fakeTimes())
    const theirs = await take(path, fakeTimes(), { processes: container('other') })
    await lock.release()
    theirs.requireOurs()
    expect(await readdir(disk.folder)).toEqual([lockName])
  })

  it('taken over between comparison and removal -> theirs stays', async () => {
    const { disk, path } = await lockFile()
    const lock = await take(path, fakeTimes())
    const hold = holdOnce(disk, `unlink ${lockName}`)
    const releasing = lock.release()
    await hold.isThere
    const theirs = await take(path, fakeTimes(), { processes: container('other') })
    hold.letGo()
    await releasing
    theirs.requireOurs()
    expect(await readdir(disk.folder)).toEqual([lockName])
  })
})

describe('the host', () => {
  it('this process -> the same mark each time', () => {
    expect(processIdentity(process.pid)).toMatch(/\S/)
    expect(processIdentity(process.pid)).toBe(processIdentity(process.pid))
  })

  it('another process has another mark; none has none', () => {
    expect(processIdentity(1)).not.toBe(processIdentity(process.pid))
    expect(processIdentity(2 ** 22 + 1)).toBeUndefined()
  })

  it('has a name, and the processes of this one are told from those of others', () => {
    expect(hostName()).toMatch(/\S/)
    expect(processNamespace()).toMatch(/\S/)
    if (process.platform === 'linux') expect(processNamespace()).toMatch(/^[0-9a-f-]{36} pid:\[\d+\]$/)
  })
})
