// A holder of a data file stands still at any step, another sandbox takes the file over and writes to it, and then the
// first one goes on: what either acknowledged is there, and one of them has the file.
import { cp, readdir } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lockTimes } from '../../../src/storage/file/lock.ts'
import { systemFiles } from '../../../src/storage/file/files.ts'
import { createSandbox } from '../../../src/sandbox/index.ts'
import type { Durability, NotSavedError } from '../../../src/workspaces/saver.ts'
import { dataName } from '../../helpers/data.ts'
import { gate, systemError, watchDisk, type Disk, type Step } from '../../helpers/disk.ts'
import { container, fakeTimes, type FakeTimes } from '../../helpers/lock.ts'
import { testNow } from '../../helpers/sandbox.ts'
import { unhurried } from '../../helpers/unhurried.ts'

type Sandbox = Awaited<ReturnType<typeof createSandbox>>

/** A sandbox in a container of its own. */
interface Replica {
  sandbox: Sandbox
  times: FakeTimes
  said: string[]
  lost: NotSavedError[]
}

/** How large a journal grows before it is rewritten. */
const minJournalBytes = 4_000
const fixtures = { customers: [{ id: 'cus_1' }] }

async function startIn(host: string, disk: Disk, durability: Durability = 'fsync'): Promise<Replica> {
  // With fewer reads of the lock, no other process is faster.
  const times = Object.assign(fakeTimes(), { look: lockTimes.longestLook })
  const [said, lost]: [string[], NotSavedError[]] = [[], []]
  const sandbox = await createSandbox(
    { clock: testNow, frozen: true, fixtures, data: disk.path(dataName), durability },
    {
      onNotice: (line) => said.push(line.replaceAll(`${disk.folder}/`, '')),
      onLost: (error) => lost.push(error),
      onBug: (error) => {
        throw error
      },
      lock: { times, processes: container(host) },
      minJournalBytes,
    },
  )
  unhurried(sandbox)
  onTestFinished(() => sandbox.close().catch(() => undefined))
  return { sandbox, times, said, lost }
}

/** Writes a row, and tells whether that was acknowledged. */
async function write({ sandbox }: Replica, id: string, row: object = {}): Promise<boolean> {
  try {
    sandbox.state.put('customers', id, row)
    await sandbox.saved()
    return true
  } catch {
    return false
  }
}

const customersOf = ({ state }: Sandbox): string[] =>
  state.list('customers').map((row) => (row as { id: string }).id)

/** The customers that a start finds on a copy of what is on the disk, as after a power cut. */
async function found(disk: Disk): Promise<string[]> {
  const copy = await watchDisk()
  for (const name of await readdir(disk.folder)) {
    if (!name.includes('.lock')) await cp(disk.path(name), copy.path(name), { recursive: true })
  }
  const { sandbox } = await startIn('after', copy)
  const ids = customersOf(sandbox)
  await sandbox.close()
  return ids
}

/** The write of the first process, once it has the file; if it was acknowledged, its row must exist. */
interface Deed {
  name: string
  durability?: Durability
  /** The writes that it acknowledged before. */
  before?: (first: Replica) => Promise<unknown>
  does: (first: Replica, disk: Disk) => Promise<boolean>
  /** Whether what was acknowledged before is not there after it. */
  replaces?: true
  /** How often it takes a step, and whether it empties the journal in place, depends on who is faster. */
  isRaced?: true
}

const closes = async ({ sandbox }: Replica): Promise<boolean> => {
  await sandbox.close().catch(() => undefined)
  return false
}

const deeds: Deed[] = [
  { name: 'writes', does: (first) => write(first, 'cus_deed') },
  { name: 'writes with --durability write', durability: 'write', does: (first) => write(first, 'cus_deed') },
  {
    name: 'resets, writes',
    replaces: true,
    does: async (first) => {
      try {
        first.sandbox.reset()
        await first.sandbox.saved()
        // The earlier rows are gone, as it acknowledged.
        expect(first.sandbox.state.get('customers', 'cus_before')).toBeUndefined()
      } catch {
        return false
      }
      return write(first, 'cus_deed')
    },
  },
  {
    name: 'writes while its journal is rewritten',
    isRaced: true,
    does: async (first, disk) => {
      // With it, the journal is large enough.
      const isDone = await write(first, 'cus_deed', { metadata: { filler: 'x'.repeat(minJournalBytes) } })
      // Until it is rewritten, or another process has it.
      for (let turn = 0; !disk.steps.includes('rename data.json.wal'); turn++) {
        if (!(await write(first, `cus_more_${turn}`))) break
      }
      return isDone
    },
  },
  { name: 'closes', before: (first) => write(first, 'cus_deed'), does: closes },
  { name: 'closes with --durability exit', durability: 'exit', does: closes },
  {
    name: 'closes where there is no room for a folder',
    before: async (first) => {
      const spy = vi.spyOn(systemFiles, 'mkdir').mockRejectedValue(systemError('ENOSPC', 'mkdir'))
      onTestFinished(() => void spy.mockRestore())
      await write(first, 'cus_deed')
    },
    does: closes,
  },
]

/** Every step that a deed takes; of one that is raced, the first of each kind that it always takes. The same for all ends of it. */
function stepsOf(deed: Deed): Promise<Step[]> {
  const known = stepsKnown.get(deed) ?? findSteps(deed)
  stepsKnown.set(deed, known)
  return known
}

const stepsKnown = new Map<Deed, Promise<Step[]>>()

async function findSteps({ durability, before, does, isRaced }: Deed): Promise<Step[]> {
  const disk = await watchDisk()
  const first = await startIn('first', disk, durability)
  await write(first, 'cus_before')
  await before?.(first)
  disk.steps.length = 0
  await does(first, disk)
  if (isRaced) return [...new Set(disk.steps)].filter((step) => !step.startsWith('ftruncate'))
  // By then the lock is free, and no process waits for it.
  return disk.steps.filter((step) => step !== 'unlink data.json.lock.tmp')
}

/** Stops the process at a step that was reached so often. */
function stopAt(disk: Disk, step: Step, times: number): { isThere: Promise<void>; goOn: () => void } {
  const { opened, open: goOn } = gate()
  let met = 0
  let arrive = (): void => undefined
  const isThere = new Promise<void>((resolve) => (arrive = resolve))
  disk.judge = (taken) => {
    if (taken !== step || met++ !== times) return undefined
    arrive()
    return opened
  }
  return { isThere, goOn }
}

const lostMessage = (disk: Disk): unknown =>
  expect.stringMatching(
    new RegExp(
      `^${disk.path(dataName)} cannot be written any more: (?:another sandbox \\(process 1 on second\\) took it over, as this one did not run for more than 10 s|its lock was removed, so that another sandbox may use it)\\. It has every acknowledged change; stop one of the two, or give each its own file with --data\\.$`,
    ),
  )

const ends = ['goes on', 'ends', 'dies'] as const
const cases = deeds.flatMap((deed) => ends.map((next) => ({ deed, next, name: deed.name })))

describe('a holder stands still, another sandbox takes its file over, and both go on', () => {
  it.each(cases)(
    'it $name and stops at any step; the other one writes and $next -> nothing acknowledged is lost',
    async ({ deed, next }) => {
      const steps = await stepsOf(deed)
      expect(steps.length).toBeGreaterThan(0)
      const stoppedAt = async (step: Step, number: number): Promise<void> => {
        const where = `stopped at ${number}, ${step}`
        const disk = await watchDisk()
        const first = await startIn('first', disk, deed.durability)
        await write(first, 'cus_before')
        await deed.before?.(first)
        const acknowledged = deed.durability === 'exit' ? [] : customersOf(first.sandbox)
        const stop = stopAt(disk, step, steps.slice(0, number).filter((earlier) => earlier === step).length)
        disk.steps.length = 0
        const doing = deed.does(first, disk)
        expect(await Promise.race([stop.isThere, doing.then(() => 'was not there')]), where).toBeUndefined()

        const second = await startIn('second', disk)
        expect(second.said[0]).toBe(
          'data.json is in use by another sandbox (process 1 on first): waiting up to 15 s for it to stop',
        )
        // Whether it found it is decided now.
        const read = customersOf(second.sandbox)
        if (!deed.replaces) expect(read, where).toEqual(expect.arrayContaining(acknowledged))
        expect(await write(second, 'cus_second'), where).toBe(true)
        if (next === 'ends') await second.sandbox.close()
        stop.goOn()
        if (await doing) expect(read, where).toContain('cus_deed')
        await first.times.renew()
        const theirs = ['cus_second', ...(next === 'goes on' ? ['cus_later'] : [])]
        if (next === 'goes on') expect(await write(second, 'cus_later'), where).toBe(true)
        expect(await write(first, 'cus_too_late'), where).toBe(false)
        await first.sandbox.close().catch(() => undefined)
        expect((await found(disk)).toSorted(), where).toEqual([...read, ...theirs].toSorted())
        expect(second.lost, where).toEqual([])
        if (deed.does !== closes)
          expect(first.lost, where).toEqual([expect.objectContaining({ message: lostMessage(disk) })])
        if (next !== 'dies') await second.sandbox.close()
        if (next !== 'dies')
          expect((await readdir(disk.folder)).toSorted(), where).toEqual(['data.json', 'data.json.prev'])
      }
      await Promise.all(steps.map(stoppedAt))
    },
  )

  it('it starts after a crash and stops at any step; the other one starts, too -> one has the file, with all of it', async () => {
    const left = await watchDisk()
    const before = await startIn('before', left)
    await write(before, 'cus_before')
    // The lock of one who died goes with it.
    const crash = async (): Promise<Disk> => {
      const disk = await watchDisk()
      for (const name of await readdir(left.folder)) await cp(left.path(name), disk.path(name))
      return disk
    }
    const dry = await crash()
    await startIn('first', dry)
    const steps = dry.steps.filter((step) => !step.startsWith('read'))
    expect(steps.length).toBeGreaterThan(15)
    const stoppedAt = async (step: Step, number: number): Promise<void> => {
      const where = `stopped at ${number}, ${step}`
      const disk = await crash()
      const stop = stopAt(disk, step, steps.slice(0, number).filter((earlier) => earlier === step).length)
      const starting = startIn('first', disk).catch((error: unknown) => error as Error)
      await stop.isThere
      const second = await startIn('second', disk)
      expect(await write(second, 'cus_second'), where).toBe(true)
      stop.goOn()
      const first = await starting
      // Nothing renews the lock of the second while the first one waits for it: it may take that over.
      await second.times.renew()
      if (!(first instanceof Error)) await first.times.renew()
      const isTakenBack = !(first instanceof Error) && first.lost.length === 0
      expect([where, second.lost.length]).toEqual([where, isTakenBack ? 1 : 0])
      expect(await write(isTakenBack ? first : second, 'cus_later'), where).toBe(true)
      expect((await found(disk)).toSorted(), where).toEqual([
        'cus_1',
        'cus_before',
        'cus_later',
        'cus_second',
      ])
    }
    await Promise.all(steps.map(stoppedAt))
  })
})
