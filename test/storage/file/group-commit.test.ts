import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GroupCommit } from '../../../src/storage/file/group-commit.ts'
import { samples } from '../../setup/samples.ts'

/** A group commit whose saves end when a test says so. */
function heldGroupCommit(): {
  group: GroupCommit
  saves: { end: () => void; fail: (error: Error) => void }[]
} {
  const saves: { end: () => void; fail: (error: Error) => void }[] = []
  const group = new GroupCommit(
    () => new Promise((resolve, reject) => void saves.push({ end: resolve, fail: reject })),
  )
  return { group, saves }
}

/** A turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('GroupCommit', () => {
  it('everybody of one turn of the event loop shares one save', async () => {
    const { group, saves } = heldGroupCommit()
    const all = Promise.all(Array.from({ length: 50 }, () => group.saved()))
    await turn()
    expect(saves).toHaveLength(1)
    saves[0]?.end()
    await all
    expect(saves).toHaveLength(1)
  })

  it('those who come during a save share the next one', async () => {
    const { group, saves } = heldGroupCommit()
    const first = group.saved()
    await turn()
    const settled: number[] = []
    const later = Array.from({ length: 10 }, (_, at) => group.saved().then(() => settled.push(at)))
    saves[0]?.end()
    await first
    await turn()
    expect(settled).toEqual([])
    expect(saves).toHaveLength(2)
    saves[1]?.end()
    await Promise.all(later)
    expect(saves).toHaveLength(2)
    // In the order in which they came.
    expect(settled).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('nobody starves, however many come: each waits for two saves at most', async () => {
    let saves = 0
    const group = new GroupCommit(async () => {
      saves += 1
      await turn()
    })
    const waits: number[] = []
    const writer = async (): Promise<void> => {
      for (let time = 0; time < 20; time++) {
        const before = saves
        await group.saved()
        waits.push(saves - before)
      }
    }
    await Promise.all(Array.from({ length: 30 }, writer))
    expect(waits).toHaveLength(600)
    expect(Math.max(...waits)).toBeLessThanOrEqual(2)
    expect(saves).toBeLessThan(60)
  })

  it('a failure rejects those it was for and those who came meanwhile; the next save works', async () => {
    const { group, saves } = heldGroupCommit()
    const first = group.saved()
    await turn()
    const second = group.saved()
    const outcomes = Promise.allSettled([first, second])
    saves[0]?.fail(new Error('full'))
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
    const third = group.saved()
    await turn()
    saves[1]?.end()
    await turn()
    saves[2]?.end()
    await third
  })

  it('ask -> saves, though nobody waits', async () => {
    const { group, saves } = heldGroupCommit()
    group.ask()
    group.ask()
    await turn()
    expect(saves).toHaveLength(1)
    saves[0]?.end()
    await group.idle()
    expect(saves).toHaveLength(1)
  })

  it('drop -> everybody who waits is rejected at once, the save runs on', async () => {
    const { group, saves } = heldGroupCommit()
    const first = group.saved()
    await turn()
    const second = group.saved()
    group.drop(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    await expect(second).rejects.toThrow('gone')
    saves[0]?.end()
    await turn()
    saves[1]?.end()
    await group.idle()
  })

  it('drop -> passes over those whose write lasts; a failure does not', async () => {
    const { group, saves } = heldGroupCommit()
    const first = group.saved(true)
    await turn()
    const second = group.saved(true)
    group.drop(new Error('gone'))
    saves[0]?.end()
    await first
    await turn()
    saves[1]?.fail(new Error('full'))
    await expect(second).rejects.toThrow('full')
  })

  it('idle -> resolves once nothing is being saved', async () => {
    const { group, saves } = heldGroupCommit()
    await group.idle()
    group.ask()
    let isIdle = false
    const idle = group.idle().then(() => (isIdle = true))
    await turn()
    expect(isIdle).toBe(false)
    saves[0]?.end()
    await idle
  })

  it('what was written before a call is saved when it settles', async () => {
    const program = fc.array(fc.oneof(fc.constant('turn'), fc.constant('write')), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(program, async (steps) => {
        let written = 0
        let kept = 0
        const group = new GroupCommit(async () => {
          const taken = written
          await turn()
          kept = taken
        })
        const checks: Promise<void>[] = []
        for (const step of steps) {
          if (step === 'turn') await turn()
          else {
            const own = ++written
            checks.push(group.saved().then(() => expect(kept).toBeGreaterThanOrEqual(own)))
          }
        }
        await Promise.all(checks)
        expect(kept).toBe(written)
      }),
      { numRuns: samples(50) },
    )
  })
})
