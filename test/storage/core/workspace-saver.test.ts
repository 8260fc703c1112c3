// Persisting the writes of one workspace: how many appends and checkpoints they take, and what a failure undoes.
import { describe, expect, it } from 'vitest'
import { OwnedElsewhereError } from '../../../src/workspaces/storage.ts'
import { WorkspaceSaver } from '../../../src/storage/core/workspace-saver.ts'
import { NotSavedError } from '../../../src/workspaces/saver.ts'
import { StorageUnavailableError } from '../../../src/workspaces/storage.ts'
import { addOrder, ordersOf, workspacesOfTest } from './workspaces-of-test.ts'

/** A workspace whose storage is a list of steps; `fail` makes the next ones fail. */
function started({ isNew = false, minLogBytes = 1_000_000 } = {}) {
  const { default: workspace } = workspacesOfTest()
  const steps: string[] = []
  const lines: string[] = []
  const uncertain: Error[] = []
  const failures: unknown[] = []
  const pauses: ((goesOn: boolean) => void)[] = []
  const step = async (text: string): Promise<void> => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    steps.push(text)
  }
  const saver = new WorkspaceSaver(
    workspace,
    {
      storage: {
        append: (_, delta = '') =>
          step(`append ${[...delta.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id).join()}`),
        checkpoint: async (_, document) => step(`checkpoint ${[...document].join('')}`),
      },
      name: 'a.json',
      documentOf: ({ state }) => [ordersOf({ state }).join()],
      about: () => '{}',
      minLogBytes,
      reasonOf: (error) => (error instanceof Error ? error.message : undefined),
      isFinal: (error) => error instanceof Error && error.message === 'gone',
      onProblem: (line) => lines.push(line),
      onUncertain: (error) => uncertain.push(error),
      onBug: (error) => {
        throw error
      },
      pause: () => new Promise((resolve) => pauses.push(resolve)),
    },
    !isNew,
  )
  return {
    workspace,
    saver,
    steps,
    lines,
    uncertain,
    add: (id: string) => addOrder(workspace, id),
    fail: (error: unknown) => void failures.push(error),
    goOn: (goesOn = true) => pauses.shift()?.(goesOn),
  }
}

const rejection = (work: Promise<void> | undefined): Promise<unknown> =>
  Promise.resolve(work).then(
    () => 'saved',
    (error: unknown) => error,
  )

describe('how writes are persisted', () => {
  it('nothing was written -> nothing to wait for', () => {
    const { saver, steps } = started()
    expect([saver.saved(), steps]).toEqual([undefined, []])
  })

  it('a new workspace -> a checkpoint, without any write', async () => {
    const { saver, steps } = started({ isNew: true })
    await saver.saved()
    expect([steps, saver.saved()]).toEqual([['checkpoint '], undefined])
  })

  it('writes of one iteration of the event loop -> one append', async () => {
    const { add, saver, steps } = started()
    add('ord_a')
    add('ord_b')
    await saver.saved()
    expect(steps).toEqual(['append ord_a,ord_b'])
  })

  it('a write during an append -> another append, and each waits for its own', async () => {
    const { add, saver, steps } = started()
    add('ord_a')
    const first = saver.saved()
    await Promise.resolve()
    add('ord_b')
    await first
    add('ord_c')
    await saver.saved()
    expect(steps.join(' ').match(/ord_\w/g)).toEqual(['ord_a', 'ord_b', 'ord_c'])
  })

  it('the whole state is replaced -> a checkpoint; who waits for an older change learns that it is lost', async () => {
    const { add, saver, steps, workspace } = started()
    add('ord_a')
    const older = rejection(saver.saved())
    workspace.replace(workspacesOfTest().baseline.fork())
    await saver.saved()
    expect(await older).toMatchObject({
      name: 'NotSavedError',
      message: 'The whole state was replaced before this change was saved to a.json: it is lost.',
    })
    expect(steps).toEqual(['checkpoint '])
  })

  it('a log that has grown -> a checkpoint in place of the next append, then appends again', async () => {
    const { add, saver, steps } = started({ minLogBytes: 10 })
    for (const id of ['ord_a', 'ord_b', 'ord_c']) {
      add(id)
      await saver.saved()
    }
    expect(steps).toEqual(['append ord_a', 'checkpoint ord_a,ord_b', 'append ord_c'])
  })

  it.each([
    ['a log -> a checkpoint', ['ord_a'], ['append ord_a', 'checkpoint ord_a']],
    ['no log -> nothing', [], []],
  ])('the end with %s; no write is accepted after it', async (_, ids, expected) => {
    const { add, saver, steps } = started()
    ids.forEach(add)
    await saver.saved()
    await saver.end()
    expect(steps).toEqual(expected)
    expect(() => add('ord_late')).toThrow('The sandbox is closed, so nothing can be saved.')
  })
})

describe('a failure', () => {
  it('of the disk -> rolled back, writes are refused until a checkpoint is written', async () => {
    const { add, fail, goOn, saver, steps, lines, workspace } = started()
    add('ord_a')
    await saver.saved()
    fail(new Error('no space is left on the disk'))
    add('ord_b')
    expect(await rejection(saver.saved())).toEqual(
      new NotSavedError(
        'The change could not be saved to a.json (no space is left on the disk), so it was rolled back.',
        'rolled back',
      ),
    )
    expect(ordersOf(workspace)).toEqual(['ord_a'])
    expect(() => add('ord_c')).toThrow('a.json cannot be written (no space is left on the disk)')
    expect([saver.isWell, saver.saved()]).toEqual([false, undefined])
    goOn()
    await expect.poll(() => saver.isWell).toBe(true)
    add('ord_d')
    await saver.saved()
    expect(steps).toEqual(['append ord_a', 'checkpoint ord_a', 'append ord_d'])
    expect(lines).toEqual([
      'a.json cannot be written (no space is left on the disk): changes are refused until it can; reads continue.',
      'a.json can be written again.',
    ])
  })

  it.each([
    ['another owner', new OwnedElsewhereError('default', 'process 7 on build-1'), OwnedElsewhereError],
    ['an engine that is away', new StorageUnavailableError('the store is away'), StorageUnavailableError],
    ['a lost lock', new Error('gone'), NotSavedError],
  ])('by %s -> its writers learn it, and the workspace is read again', async (_, failure, type) => {
    const { add, fail, saver, uncertain, workspace } = started()
    fail(failure)
    add('ord_a')
    expect(await rejection(saver.saved())).toBeInstanceOf(type)
    expect(uncertain).toEqual([failure])
    expect(ordersOf(workspace)).toEqual([])
    expect(() => add('ord_b')).toThrow(NotSavedError)
  })

  it('of a deleted workspace -> who waits is refused', async () => {
    const { add, saver, steps } = started()
    add('ord_a')
    const waiting = rejection(saver.saved())
    const error = new NotSavedError('workspace default was deleted', 'not made')
    saver.abandon(error)
    expect(await waiting).toBe(error)
    expect(steps).toEqual([])
  })
})
