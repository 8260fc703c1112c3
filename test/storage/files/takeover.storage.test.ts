import { describe, expect, it } from 'vitest'
import type { Storage } from '../../../src/workspaces/storage.ts'
import { LostLockError } from '../../../src/storage/files/files.ts'
import { gate } from '../../helpers/disk.ts'
import { fileMedium, type FileMedium, type FileProcess } from '../../helpers/file-processes.ts'
import { documentOf, readable } from '../core/storage.contract.ts'

const about = JSON.stringify({ text: 'new' })
const delta = (at: number | string): string => JSON.stringify({ at })
const name = 'default'

const read = async (storage: Storage): Promise<ReturnType<typeof readable>> =>
  readable(await storage.open(name, about))

/** What an owner does when it is suspended, after a checkpoint `one` and the delta 1. */
const operations: [
  operation: string,
  run: (storage: Storage) => Promise<unknown> | undefined,
  effect: Awaited<ReturnType<typeof read>>,
][] = [
  [
    'an append',
    (storage) => storage.append(name, delta(2)),
    { document: 'one', deltas: [{ at: 1 }, { at: 2 }] },
  ],
  [
    'an append that begins a log',
    (storage) => storage.append(name, delta(2), JSON.stringify({ text: 'changed' })),
    { document: 'one', deltas: [{ at: 1 }, { at: 2 }] },
  ],
  [
    'a checkpoint',
    (storage) => storage.checkpoint(name, documentOf('two'), about),
    { document: 'two', deltas: [] },
  ],
  ['a removal', (storage) => storage.drop(name), { document: undefined, deltas: [] }],
]

/** What the next owner does before the former one runs again. */
const continuations: [continuation: string, run: (storage: Storage) => Promise<unknown>][] = [
  ['appends', async (storage) => storage.append(name, delta('next'))],
  [
    'writes a checkpoint and appends',
    async (storage) => {
      await storage.checkpoint(name, documentOf('next'), about)
      await storage.append(name, delta('next'))
    },
  ],
  [
    'removes the workspace, creates it again and appends',
    async (storage) => {
      await storage.drop(name)
      await storage.open(name, about)
      await storage.checkpoint(name, documentOf('again'), about)
      for (const at of [11, 12, 13]) await storage.append(name, delta(at))
    },
  ],
]

/** Starts an owner with a checkpoint and a delta. */
async function owner(medium: FileMedium): Promise<FileProcess> {
  const process = await medium.start()
  await process.storage.open(name, about)
  await process.storage.checkpoint(name, documentOf('one'), about)
  await process.storage.append(name, delta(1))
  return process
}

describe.each(operations)('an owner is suspended in %s', (_operation, run, effect) => {
  it.each(continuations)(
    'at any step, and the next one %s -> the former one changes nothing when it wakes',
    async (_continuation, go) => {
      let step = 0
      for (; ; step++) {
        const medium = await fileMedium('file')
        const first = await owner(medium)
        let count = 0
        const [held, woken] = [gate(), gate()]
        first.fault = (taken) => {
          if (count++ !== step) return undefined
          first.fault = () => undefined
          held.open()
          expect(taken).toBeDefined()
          return woken.opened
        }
        const running = Promise.resolve(run(first.storage)).then(
          () => 'acknowledged',
          (error: unknown) => error,
        )
        if ((await Promise.race([held.opened.then(() => 'held'), running])) !== 'held') {
          first.fault = () => undefined
          break
        }
        const label = `step ${step}: ${first.steps.at(-1)}`

        await first.expire()
        const second = await medium.start()
        const before = { document: 'one', deltas: [{ at: 1 }] }
        const taken = await read(second.storage)
        expect([before, effect], label).toContainEqual(taken)
        await go(second.storage)
        woken.open()
        const outcome = await running
        // An acknowledged write was on the disk before the second process read it.
        if (outcome === 'acknowledged') expect(taken, label).toEqual(effect)
        else expect(outcome, label).toBeInstanceOf(LostLockError)
        for (const late of [
          () => first.storage.append(name, delta('late')),
          () => first.storage.checkpoint(name, documentOf('late'), about),
          () => first.storage.drop(name),
        ])
          if (first.events.length > 0 || first.storage.owns(name))
            await expect(late(), label).rejects.toThrow()
        await first.storage.close()
        expect(second.storage.owns(name), label).toBe(true)

        const reference = await fileMedium('file')
        const same = await owner(reference)
        if (JSON.stringify(taken) !== JSON.stringify(before)) await run(same.storage)
        await read(same.storage)
        await go(same.storage)
        await second.storage.append(name, delta('last'))
        await same.storage.append(name, delta('last'))
        await second.crash()
        await same.crash()
        const [found, expected] = [await medium.start(), await reference.start()]
        expect(await read(found.storage), label).toEqual(await read(expected.storage))
      }
      expect(step).toBeGreaterThan(1)
    },
  )
})

it('the lock is lost while nothing is written -> the end is reported once, with the next heartbeat', async () => {
  const medium = await fileMedium('folder')
  const first = await owner(medium)
  await first.expire()
  await medium.start()
  expect(first.events).toEqual([])
  await first.wake()
  expect([first.events, first.storage.owns(name)]).toEqual([['end'], false])
  await expect(first.storage.append(name, delta(2))).rejects.toBeInstanceOf(LostLockError)
  expect(first.events).toEqual(['end'])
  expect(first.storage.health.away).toMatch(/^another sandbox \(process \d+\) took it over/)
})
