import { describe, expect, it } from 'vitest'
import type { Storage } from '../../../src/workspaces/storage.ts'
import { fileMedium, type FileMedium, type FileProcess } from '../../helpers/file-processes.ts'
import { documentOf, readable } from '../core/storage.contract.ts'

/** What the files of a workspace must have. */
interface Persisted {
  document: string | undefined
  deltas: readonly unknown[]
  /** Undefined for a workspace that is not listed. */
  about: string | undefined
}

const nothing: Persisted = { document: undefined, deltas: [], about: undefined }

/** An operation on the workspace, and its effect. */
type Operation = readonly [
  name: string,
  run: (storage: Storage) => Promise<unknown> | undefined,
  effect: (before: Persisted) => Persisted,
]

const about = (text: string): string => JSON.stringify({ text })

const open: Operation = ['open', (storage) => storage.open('default', about('new')), (before) => before]
const release: Operation = ['release', (storage) => storage.release('default'), (before) => before]
const drop: Operation = ['drop', (storage) => storage.drop('default'), () => nothing]
const append = (at: number, text?: string): Operation => [
  `append ${at}`,
  (storage) => storage.append('default', JSON.stringify({ at }), text && about(text)),
  (before) => ({
    ...before,
    deltas: [...before.deltas, { at }],
    about: text === undefined ? (before.about ?? about('new')) : about(text),
  }),
]
const note = (text: string): Operation => [
  `note ${text}`,
  (storage) => storage.append('default', undefined, about(text)),
  (before) => ({ ...before, about: before.about && about(text) }),
]
const checkpoint = (text: string): Operation => [
  `checkpoint ${text}`,
  (storage) => storage.checkpoint('default', documentOf(text), about(text)),
  () => ({ document: text, deltas: [], about: about(text) }),
]

/** Operations of one process, which every case runs in order. */
const histories: [situation: string, operations: readonly Operation[]][] = [
  [
    'a workspace with checkpoints',
    [
      open,
      checkpoint('one'),
      append(1),
      append(2),
      checkpoint('two'),
      append(3),
      append(4, 'changed'),
      append(5),
      checkpoint('three'),
      append(6),
      note('noted'),
      note('noted'),
      append(7),
    ],
  ],
  [
    'a workspace that begins with deltas',
    [
      open,
      append(1),
      release,
      open,
      append(2),
      append(3, 'changed'),
      append(4),
      checkpoint('one'),
      append(5),
    ],
  ],
  [
    'removed workspaces, created again',
    [
      open,
      append(1),
      append(2),
      drop,
      open,
      append(3),
      drop,
      open,
      checkpoint('one'),
      append(4),
      release,
      open,
      append(5),
      drop,
      open,
      checkpoint('two'),
      append(6),
    ],
  ],
]

/** Runs operations until persistence ends. @returns what may be found: one state, or one of two. */
async function run(process: FileProcess, operations: readonly Operation[]): Promise<Persisted[]> {
  let state = nothing
  for (const [, work, effect] of operations) {
    const next = effect(state)
    try {
      await work(process.storage)
      // No client got the answer of a process that is dead.
      if (process.isDead()) return [state, next]
      state = next
    } catch {
      if (process.isDead() || process.events.includes('end')) return [state, next]
    }
  }
  return [state]
}

/** Reads all that a new process finds. */
async function found(medium: FileMedium): Promise<Persisted> {
  const { storage, events } = await medium.start()
  const listed = await storage.list()
  const opened = readable(await storage.open('default', about('new')))
  expect([listed.length <= 1, listed[0]?.damage, events]).toEqual([true, undefined, []])
  await storage.close()
  return { ...opened, about: listed[0]?.about }
}

/** The outcomes of a fault at one step. */
type Kind =
  | 'the process dies before'
  | 'the process dies after'
  | 'the power is cut before'
  | 'ENOSPC'
  | 'half ENOSPC'
  | 'EIO'
  | 'EMFILE'
  | 'half a write'
const kinds: Kind[] = [
  'the process dies before',
  'the process dies after',
  'the power is cut before',
  'half a write',
  'ENOSPC',
  'half ENOSPC',
  'EIO',
  'EMFILE',
]

/** The same code writes a folder and a file: these two suffice to see its names. */
const kindsInFolder: Kind[] = ['the process dies before', 'ENOSPC']

/** Lets a fault happen at one step. @returns whether the step was reached. */
function faultAt(process: FileProcess, step: number, kind: Kind): () => boolean {
  let count = 0
  process.fault = async (taken) => {
    const at = count++
    const isWrite = taken.startsWith('write ')
    if (kind === 'the process dies after') {
      if (at === step + 1) await process.die()
      return undefined
    }
    if (at !== step) return undefined
    if (kind === 'half ENOSPC') return isWrite ? kind : undefined
    if (kind === 'half a write') {
      if (!isWrite) return undefined
      // After this step the process takes no other.
      process.fault = async () => process.die().then(() => undefined)
      return 'half EINTR'
    }
    if (kind === 'ENOSPC' || kind === 'EIO' || kind === 'EMFILE') return kind
    await process.die(kind === 'the power is cut before')
    return undefined
  }
  return () => count > step
}

describe.each([
  ['file', kinds],
  ['folder', kindsInFolder],
] as const)('in a %s', (where, faults) => {
  it.each(
    faults.flatMap((kind) =>
      histories.map(([situation, operations]) => [kind, situation, operations] as const),
    ),
  )(
    '%s at any step of %s -> the next process finds what was acknowledged',
    async (kind, _situation, operations) => {
      let steps = 0
      for (; ; steps++) {
        const medium = await fileMedium(where)
        const process = await medium.start()
        const isReached = faultAt(process, steps, kind)
        const allowed = await run(process, operations)
        if (!isReached()) break
        process.fault = () => undefined
        const label = `step ${steps}: ${process.steps[steps]}, of ${process.steps.slice(Math.max(0, steps - 4), steps + 4)}`
        await process.crash()
        expect(allowed, label).toContainEqual(await found(medium))
        if (kind !== 'the process dies before') continue
        // What the crash left is no hindrance: another process goes on.
        const next = await medium.start()
        const before = readable(await next.storage.open('default', about('new')))
        await next.storage.append('default', JSON.stringify({ at: 'next' }))
        await next.crash()
        expect(await found(medium), label).toMatchObject({
          ...before,
          deltas: [...before.deltas, { at: 'next' }],
        })
      }
      expect(steps).toBeGreaterThan(operations.length * 3)
    },
  )
})
