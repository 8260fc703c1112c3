import { cpSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checksum } from '../../../src/storage/file/checksum.ts'
import { put, startOn, stateOf } from '../../helpers/data.ts'
import { watchDisk, type Disk } from '../../helpers/disk.ts'

const fixtures = { customers: [{ id: 'cus_1' }] }

/** The disk before one step of saving, and the states that a start on it may find. */
interface Point {
  step: string
  disk: Disk
  allowed: string[]
}

/** Keeps what a process that dies before any step leaves, while something is done. */
class CrashPoints {
  readonly points: Point[] = []
  readonly #disk: Disk
  /** The states of which either may be found: what was acknowledged, and what is being written. */
  allowed: string[] = []

  constructor(disk: Disk) {
    this.#disk = disk
  }

  async during(work: () => Promise<unknown>): Promise<void> {
    const folders: { step: string; disk: Disk }[] = []
    const copies = await Promise.all(Array.from({ length: 60 }, () => watchDisk()))
    this.#disk.judge = (step) => {
      const disk = copies.pop()
      if (!disk) throw new Error('more steps than expected')
      for (const name of readdirSync(this.#disk.folder)) {
        if (!name.endsWith('.lock')) cpSync(this.#disk.path(name), disk.path(name), { recursive: true })
      }
      folders.push({ step, disk })
      return undefined
    }
    await work()
    this.#disk.judge = () => undefined
    for (const point of folders) this.points.push({ ...point, allowed: this.allowed })
  }

  /** Starts on each: none looks like damage, and each has what was acknowledged. */
  async check(): Promise<void> {
    expect(this.points.length).toBeGreaterThan(5)
    const start = async ({ step, disk, allowed }: Point): Promise<void> => {
      const { sandbox, said } = await startOn(disk, { fixtures })
      expect(allowed, `before ${step}`).toContain(stateOf(sandbox))
      for (const line of said) {
        expect(line, `before ${step}`).toMatch(
          /^data\.json (?:exists and is used|was not closed, as after a crash: recovered up to commit \d+$)/,
        )
      }
      await sandbox.close()
    }
    await Promise.all(this.points.map(start))
  }
}

describe('a process that dies before any step', () => {
  it('of a first start, of writes, of a reset and of closing -> is no damage, and loses nothing', async () => {
    const disk = await watchDisk()
    const points = new CrashPoints(disk)
    const other = await watchDisk()
    const same = await startOn(other, { fixtures })
    points.allowed = [stateOf(same.sandbox)]
    let sandbox = same.sandbox
    await points.during(async () => ({ sandbox } = await startOn(disk, { fixtures })))
    for (const write of [
      () => sandbox.state.put('customers', 'cus_2', {}),
      () => sandbox.reset(),
      () => sandbox.state.put('customers', 'cus_3', {}),
    ]) {
      const before = stateOf(sandbox)
      await points.during(async () => {
        write()
        points.allowed = [before, stateOf(sandbox)]
        await sandbox.saved()
      })
    }
    points.allowed = [stateOf(sandbox)]
    await points.during(() => sandbox.close())
    await points.check()
  })

  it.each(['fsync', 'write', 'exit'] as const)(
    'of a start after a crash, --durability %s -> is no damage, and loses nothing',
    async (durability) => {
      const disk = await watchDisk()
      const first = await startOn(disk, { fixtures })
      first.sandbox.state.put('customers', 'cus_2', {})
      await first.sandbox.saved()
      const left = await watchDisk()
      for (const name of ['data.json', 'data.json.wal']) cpSync(disk.path(name), left.path(name))
      const points = new CrashPoints(left)
      points.allowed = [stateOf(first.sandbox)]
      await points.during(async () => {
        const { sandbox } = await startOn(left, { fixtures, durability })
        await sandbox.close()
      })
      await points.check()
    },
  )

  it('of a start on a file of version 0.1.0 with a journal -> is no damage, and loses nothing', async () => {
    const disk = await watchDisk()
    const snapshot = {
      schema_version: 1,
      products: [{ merchant_key: 'mk_1' }],
      customers: [{ id: 'cus_1' }],
      sandbox: { seed: 1, ids: 0, seq: 4 },
    }
    const row = {
      id: 'cus_2',
      email: 'bea@example.com',
      statuses: { rewards_card: 'ACTIVE' },
      first_name: 'Bea',
      last_name: 'Grant',
      created_at: '2026-01-01T00:00:00Z',
      authorized_users: [],
      product: 'mk_1',
    }
    const ops = [{ collection: 'customers', id: 'cus_2', row }]
    const entry = JSON.stringify({ seq: 5, kept: 4, ids: 0, ops })
    await put(disk, {
      'data.json': JSON.stringify(snapshot),
      'data.json.wal': `${checksum(entry)} ${entry}\n`,
    })
    const points = new CrashPoints(disk)
    let state = ''
    await points.during(async () => {
      const { sandbox, said } = await startOn(disk, { fixtures })
      state = stateOf(sandbox)
      expect(sandbox.state.size('customers')).toBe(2)
      expect(said[0]).toBe('data.json was not closed, as after a crash: recovered up to commit 5')
      await sandbox.close()
    })
    for (const point of points.points) point.allowed = [state]
    await points.check()
  })
})
