// The workspaces that a process owns: opened on first use, given up when idle, wanted or lost, and dropped.
import { describe, expect, it } from 'vitest'
import { dumpState } from '../../../src/fixtures/dump.ts'
import { monotonicNow } from '../../../src/runtime/host.ts'
import { OwnedElsewhereError } from '../../../src/workspaces/storage.ts'
import { idleMs, OwnedWorkspaces } from '../../../src/storage/core/owned-workspaces.ts'
import { TooManyWorkspacesError } from '../../../src/workspaces/workspaces.ts'
import { MapStorage, type Medium } from './map-storage.ts'
import { addOrder, assumptions, builtIn, ordersOf, workspacesOfTest } from './workspaces-of-test.ts'

/** A process on a medium. */
async function processOn(
  medium: Medium,
  name: string,
  { keepsBaseline = false, persists = (_name: string): boolean => true } = {},
) {
  const workspaces = workspacesOfTest()
  const lines: string[] = []
  const ends: Error[] = []
  const opened: { owned?: OwnedWorkspaces } = {}
  const onEnd = (error: Error): void => void ends.push(error)
  const storage = new MapStorage(medium, name, {
    onWanted: (of) => opened.owned?.want(of),
    onLost: (of) => opened.owned?.forget(of),
    onEnd,
    onProblem: (line) => lines.push(line),
  })
  const owned = await OwnedWorkspaces.start(storage, undefined, {
    workspaces,
    assumptions,
    seed: 1,
    isShared: true,
    persists,
    base: keepsBaseline ? builtIn : undefined,
    clock: { now: () => 0, requested: { clock: undefined, frozen: false } },
    minLogBytes: 1_000_000,
    shown: (of) => `${of}.json`,
    reasonOf: (error) => (error instanceof Error ? error.message : undefined),
    isFinal: (error) => error instanceof Error && error.message === 'gone',
    onProblem: (line) => lines.push(line),
    onNotice: (line) => lines.push(line),
    onEnd,
    onBug: (error) => {
      throw error
    },
    pause: async () => false,
  })
  opened.owned = owned
  return { workspaces, owned, storage, lines, ends }
}

type Process = Awaited<ReturnType<typeof processOn>>

/** Opens a workspace, adds order events and waits until they are persisted. */
async function write({ owned, workspaces }: Process, name: string, ...ids: string[]): Promise<void> {
  await owned.open(name)
  const workspace = workspaces.require(name)
  for (const id of ids) {
    addOrder(workspace, id)
    await workspace.saver?.saved()
  }
}

async function read({ owned, workspaces }: Process, name: string): Promise<string[]> {
  await owned.open(name)
  return ordersOf(workspaces.require(name))
}

const idleAt = (): number => monotonicNow() + idleMs

describe.each([false, true])('where storage keeps the baseline: %s', (keepsBaseline) => {
  const start = (medium: Medium, name: string): Promise<Process> => processOn(medium, name, { keepsBaseline })

  it('the next process finds what the one before wrote, in each workspace', async () => {
    const medium: Medium = new Map()
    const first = await start(medium, 'first')
    await write(first, 'default', 'ord_a')
    await write(first, 'team', 'ord_b', 'ord_c')
    const dumped = dumpState(first.workspaces.require('team').state, { seed: 1 })
    await first.owned.close()
    const second = await start(medium, 'second')
    expect(second.workspaces.all().map(({ name }) => name)).toEqual(['default', 'team'])
    expect([await read(second, 'default'), await read(second, 'team')]).toEqual([
      ['ord_a'],
      ['ord_b', 'ord_c'],
    ])
    expect(dumpState(second.workspaces.require('team').state, { seed: 1 })).toEqual(dumped)
  })

  it('a process that ended without closing lost nothing', async () => {
    const medium: Medium = new Map()
    const first = await start(medium, 'first')
    await write(first, 'team', 'ord_a', 'ord_b')
    for (const stored of medium.values()) stored.owner = undefined
    expect(await read(await start(medium, 'second'), 'team')).toEqual(['ord_a', 'ord_b'])
  })

  it('an idle workspace is given up, and opened again with the same object', async () => {
    const process = await start(new Map(), 'first')
    await write(process, 'team', 'ord_a')
    const before = process.workspaces.require('team')
    await process.owned.giveUpIdle(idleAt())
    // Of the check alone; its release looks at the real time again.
    expect(process.workspaces.find('team')).toBe(before)
    before.usedAt -= idleMs
    await process.owned.giveUpIdle()
    expect([process.workspaces.find('team'), process.owned.isCurrent('team')]).toEqual([undefined, false])
    expect(await read(process, 'team')).toEqual(['ord_a'])
    expect(process.workspaces.require('team')).toBe(before)
  })
})

describe('another process', () => {
  async function two(): Promise<[Process, Process]> {
    const medium: Medium = new Map()
    const first = await processOn(medium, 'first')
    await write(first, 'team', 'ord_a')
    await first.storage.release('default')
    return [first, await processOn(medium, 'second')]
  }

  it('is refused while the owner uses it, and gets it once it was idle for a second', async () => {
    const [first, second] = await two()
    await expect(second.owned.open('team')).rejects.toEqual(new OwnedElsewhereError('team', 'first'))
    await first.owned.giveUpIdle()
    await expect(second.owned.open('team')).rejects.toBeInstanceOf(OwnedElsewhereError)
    first.workspaces.require('team').usedAt -= 1_000
    await first.owned.giveUpIdle()
    expect(await read(second, 'team')).toEqual(['ord_a'])
  })

  it.each([
    ['a call that is open', (process: Process) => (process.workspaces.require('team').uses += 1)],
    ['a reference of the program', (process: Process) => process.owned.hold('team')],
  ])('does not get it while there is %s', async (_, use) => {
    const [first, second] = await two()
    use(first)
    await expect(second.owned.open('team')).rejects.toBeInstanceOf(OwnedElsewhereError)
    first.workspaces.require('team').usedAt -= idleMs
    await first.owned.giveUpIdle()
    await expect(second.owned.open('team')).rejects.toBeInstanceOf(OwnedElsewhereError)
  })

  it('that took it over: a write of the former owner is refused and undone, and it reads again later', async () => {
    const [first, second] = await two()
    const workspace = first.workspaces.require('team')
    second.storage.takeOver('team')
    await write(second, 'team', 'ord_b')
    addOrder(workspace, 'ord_lost')
    await expect(workspace.saver?.saved()).rejects.toBeInstanceOf(OwnedElsewhereError)
    expect(first.workspaces.find('team')).toBe(undefined)
    await expect(first.owned.open('team')).rejects.toBeInstanceOf(OwnedElsewhereError)
    await second.owned.close()
    expect(await read(first, 'team')).toEqual(['ord_a', 'ord_b'])
  })

  it('learns of workspaces that were created and dropped', async () => {
    const [first, second] = await two()
    await write(first, 'later')
    first.workspaces.delete('team')
    await first.owned.dropped('team')
    await second.owned.refreshNames()
    expect(second.workspaces.all().map(({ name }) => name)).toEqual(['default', 'later'])
  })
})

describe('a workspace', () => {
  it('that is not persisted -> is in memory only, and always current', async () => {
    const medium: Medium = new Map()
    const process = await processOn(medium, 'first', { persists: (name) => name === 'default' })
    const workspace = process.workspaces.findOrCreate('team')
    expect([process.owned.isCurrent('team'), await process.owned.persist(workspace)]).toEqual([true, true])
    addOrder(workspace, 'ord_a')
    expect([workspace.saver, medium.has('team')]).toEqual([undefined, false])
    process.workspaces.delete('team')
    await process.owned.dropped()
    expect(process.storage.steps).toEqual([])
  })

  it('that is dropped -> its writers are refused, and one of the same name is new', async () => {
    const process = await processOn(new Map(), 'first')
    await write(process, 'team', 'ord_a')
    const dropping = process.owned.drop('team')
    process.workspaces.delete('team')
    await dropping
    expect(await read(process, 'team')).toEqual([])
  })

  it('beyond the limit -> refused, and storage has nothing of it', async () => {
    const medium: Medium = new Map()
    const process = await processOn(medium, 'first')
    for (let each = 0; each < 10; each++) await process.owned.open(`team${each}`)
    await expect(process.owned.open('more')).rejects.toBeInstanceOf(TooManyWorkspacesError)
    expect(medium.has('more')).toBe(false)
  })

  it('whose first checkpoint fails -> does not exist', async () => {
    const medium: Medium = new Map()
    const process = await processOn(medium, 'first')
    process.storage.failures.push(new Error('no space is left on the disk'))
    await expect(process.owned.open('team')).rejects.toThrow('no space is left on the disk')
    expect([process.workspaces.find('team'), medium.has('team')]).toEqual([undefined, false])
  })

  it('that cannot be written any more -> the process must end', async () => {
    const process = await processOn(new Map(), 'first')
    await write(process, 'team')
    const failure = new Error('gone')
    process.storage.failures.push(failure)
    addOrder(process.workspaces.require('team'), 'ord_a')
    await expect(process.workspaces.require('team').saver?.saved()).rejects.toThrow('may or may not')
    expect(process.ends).toEqual([failure])
  })
})
