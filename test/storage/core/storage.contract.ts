import { describe, expect, it, onTestFinished } from 'vitest'
import { OwnedElsewhereError, type OpenedWorkspace, type Storage } from '../../../src/workspaces/storage.ts'

/** A process of the test: a driver on the medium, and the events that it reported. */
export interface TestProcess {
  storage: Storage
  /** The events of this process, in order: `wanted acme`, `lost acme`, `end`. */
  events: string[]
  /** Ends the process as `kill -9` does. Time passes until another process may open its workspaces. */
  crash(): Promise<void>
  /** Suspends the process until its lock or its leases have expired. It runs again when this resolves. */
  expire(): Promise<void>
}

/** The medium of one test: files or an engine, without contents at first. */
export interface TestMedium {
  /** Starts a process with a driver. The medium closes it after the test. */
  start(): Promise<TestProcess>
}

/** How drivers differ. */
export interface DriverTraits {
  /** Whether a second process may use the medium while the first one runs. Without it, the second start rejects. */
  isShared: boolean
  /** The names of the workspaces in the tests. */
  names: readonly [string, ...string[]]
}

const about = (text: string): string => JSON.stringify({ created_at: '2026-01-01T00:00:00Z', text })
const delta = (n: number, more: object = {}): string => JSON.stringify({ at: n, ...more })

/** A state document as the core writes it, in chunks. */
export function documentOf(text: string): string[] {
  return [
    '{\n  "schema_version": 1,\n  "customers": [',
    `{"id":${JSON.stringify(text)}}`,
    '],\n  "sandbox": {"seed":1}\n}\n',
  ]
}

/** An opened workspace with its document parsed: drivers may add fields and white space to it. */
export function readable({ checkpoint, deltas }: OpenedWorkspace): {
  document: string | undefined
  deltas: readonly unknown[]
} {
  if (checkpoint === undefined) return { document: undefined, deltas: deltas.map((text) => JSON.parse(text)) }
  const document = JSON.parse(checkpoint.toString()) as Record<string, unknown>
  expect(document).toMatchObject({ schema_version: 1, sandbox: { seed: 1 } })
  expect(Object.keys(document).at(-1)).toBe('sandbox')
  const [{ id }] = document['customers'] as [{ id: string }]
  return { document: id, deltas: deltas.map((text) => JSON.parse(text)) }
}

const isNew = { document: undefined, deltas: [] }

/** Cases that every driver which persists must pass. @param make creates the medium of one test, in that test. */
export function storageContract(
  driver: string,
  { isShared, names }: DriverTraits,
  make: () => Promise<TestMedium>,
): void {
  const [name] = names

  /** Opens a workspace. */
  const open = async ({ storage }: TestProcess, of = name): Promise<ReturnType<typeof readable>> =>
    readable(await storage.open(of, about(of)))

  /** Appends deltas, one after the other. */
  const append = async ({ storage }: TestProcess, numbers: readonly number[], of = name): Promise<void> => {
    for (const n of numbers) await storage.append(of, delta(n))
  }

  /** Opens a new workspace and writes its first checkpoint, as the core does. */
  const create = async (process: TestProcess, of = name): Promise<void> => {
    expect(await open(process, of)).toEqual(isNew)
    await process.storage.checkpoint(of, documentOf('first'), about(of))
  }

  const listed = async ({ storage }: TestProcess): Promise<(readonly [string, string | undefined])[]> =>
    (await storage.list())
      .map((found) => [found.name, found.about] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))

  const deltas = (...numbers: number[]): object[] => numbers.map((at) => ({ at }))

  /** The ways in which a process ends, after which another one opens its workspaces. */
  const ends: [end: string, run: (process: TestProcess) => Promise<void>][] = [
    ['is closed', ({ storage }) => storage.close()],
    ['crashes', (process) => process.crash()],
  ]

  /** Each writes, and returns the contents that the next process must find. */
  const histories: [situation: string, run: (process: TestProcess) => Promise<unknown>][] = [
    [
      'nothing but the first checkpoint',
      async (process) => {
        await create(process)
        return { document: 'first', deltas: [] }
      },
    ],
    [
      'three deltas',
      async (process) => {
        await create(process)
        await append(process, [1, 2, 3])
        return { document: 'first', deltas: deltas(1, 2, 3) }
      },
    ],
    [
      'deltas of a workspace without a checkpoint',
      async (process) => {
        await open(process)
        await append(process, [1, 2])
        return { document: undefined, deltas: deltas(1, 2) }
      },
    ],
    [
      'a checkpoint after deltas',
      async (process) => {
        await create(process)
        await append(process, [1, 2])
        await process.storage.checkpoint(name, documentOf('second'), about('second'))
        return { document: 'second', deltas: [] }
      },
    ],
    [
      'a checkpoint between deltas',
      async (process) => {
        await create(process)
        await append(process, [1, 2])
        await process.storage.checkpoint(name, documentOf('second'), about('second'))
        await append(process, [3])
        return { document: 'second', deltas: deltas(3) }
      },
    ],
    [
      'a checkpoint whose text cannot be created',
      async (process) => {
        await create(process)
        await append(process, [1])
        const failing = function* (): Generator<string> {
          yield '{"schema_version": 1,'
          throw new Error('no text')
        }
        await expect(process.storage.checkpoint(name, failing(), about('second'))).rejects.toThrow('no text')
        await append(process, [2])
        return { document: 'first', deltas: deltas(1, 2) }
      },
    ],
    [
      'texts of every kind',
      async (process) => {
        await open(process)
        const text = 'é\u2028\n"\\\u0000😀'.repeat(20_000)
        await process.storage.checkpoint(name, documentOf(text), about(text))
        await process.storage.append(name, delta(1, { text }))
        return { document: text, deltas: [{ at: 1, text }] }
      },
    ],
    [
      'a workspace that was released and opened again',
      async (process) => {
        await create(process)
        await append(process, [1])
        await process.storage.release(name)
        expect(process.storage.owns(name)).toBe(false)
        expect(await open(process)).toEqual({ document: 'first', deltas: deltas(1) })
        await append(process, [2])
        return { document: 'first', deltas: deltas(1, 2) }
      },
    ],
    [
      'a workspace that was dropped',
      async (process) => {
        await create(process)
        await append(process, [1])
        await process.storage.drop(name)
        expect([process.storage.owns(name), await listed(process)]).toEqual([false, []])
        return isNew
      },
    ],
    [
      'a workspace that was dropped and created again',
      async (process) => {
        await create(process)
        await append(process, [1])
        await process.storage.drop(name)
        await create(process)
        await append(process, [7])
        return { document: 'first', deltas: deltas(7) }
      },
    ],
    [
      'a delta-only workspace that was dropped and created again',
      async (process) => {
        await open(process)
        await append(process, [1])
        await process.storage.drop(name)
        expect(await open(process)).toEqual(isNew)
        await append(process, [7])
        return { document: undefined, deltas: deltas(7) }
      },
    ],
  ]

  describe(`the storage driver ${driver}`, () => {
    it('opens an unknown name -> new, owned, and nothing is wrong', async () => {
      const process = await (await make()).start()
      await process.storage.join({ digest: 'a', inputs: '{}' })
      expect(process.storage.owns(name)).toBe(false)
      expect(await open(process)).toEqual(isNew)
      expect(process.storage.owns(name)).toBe(true)
      const { away, damaged } = process.storage.health
      expect([away, damaged.size, process.events]).toEqual([undefined, 0, []])
    })

    describe.each(ends)('a process that %s', (_end, end) => {
      it.each(histories)('left %s -> the next one finds it', async (_situation, run) => {
        const medium = await make()
        const first = await medium.start()
        const expected = await run(first)
        await end(first)
        const second = await medium.start()
        expect(await open(second)).toEqual(expected)
      })

      it('left a workspace, as did the three after it -> each finds the deltas of all before', async () => {
        const medium = await make()
        for (let round = 0; round < 4; round++) {
          const process = await medium.start()
          const numbers = Array.from({ length: round }, (_, n) => n + 1)
          if (round === 0) await create(process)
          else
            expect(await open(process)).toEqual({
              document: 'first',
              deltas: deltas(...numbers.slice(0, -1)),
            })
          if (round > 0) await append(process, [round])
          await end(process)
        }
      })

      it.runIf(names.length > 1)(
        'wrote to many workspaces concurrently -> each has its own deltas',
        async () => {
          const medium = await make()
          const process = await medium.start()
          await Promise.all(names.map((of) => create(process, of)))
          await Promise.all(names.map((of, at) => append(process, [at, at + 100, at + 200], of)))
          await end(process)
          const next = await medium.start()
          const found = await Promise.all(names.map((of) => open(next, of)))
          expect(found.map((one) => one.deltas)).toEqual(names.map((_, at) => deltas(at, at + 100, at + 200)))
        },
      )

      it('changed what is known about workspaces -> the list has the newest', async () => {
        const medium = await make()
        const process = await medium.start()
        for (const of of names) await create(process, of)
        const check = async (expected: string, by = process): Promise<void> => {
          const all = names.map((of) => [of, of === name ? expected : about(of)] as const)
          expect(await listed(by)).toEqual(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
        }
        await check(about(name))
        await process.storage.append(name, delta(1), about('with a delta'))
        await check(about('with a delta'))
        await process.storage.append(name, delta(2))
        await process.storage.append(name, undefined, about('alone'))
        await check(about('alone'))
        await process.storage.checkpoint(name, documentOf('second'), about('with a checkpoint'))
        await check(about('with a checkpoint'))
        await process.storage.append(name, delta(3), about('at last'))
        await end(process)
        const next = await medium.start()
        await check(about('at last'), next)
        expect(await open(next)).toEqual({ document: 'second', deltas: deltas(3) })
      })
    })

    it('a workspace without a checkpoint is listed from its first delta on', async () => {
      const process = await (await make()).start()
      await open(process)
      await append(process, [1])
      expect(await listed(process)).toEqual([[name, about(name)]])
    })

    it('every use is noted: the time of the list does not decrease', async () => {
      const { storage, ...process } = await (await make()).start()
      await create({ storage, ...process })
      const usedAt = async (): Promise<number> => (await storage.list())[0]?.usedAt ?? Number.NaN
      const created = await usedAt()
      await storage.append(name, undefined, about(name))
      const touched = await usedAt()
      await storage.append(name, delta(1))
      expect([created > 0, touched >= created, (await usedAt()) >= touched]).toEqual([true, true, true])
    })

    it('a process is suspended until another one took its workspace over -> everything it then writes is refused', async () => {
      const medium = await make()
      const first = await medium.start()
      await create(first)
      await append(first, [1, 2])
      await first.expire()
      const second = await medium.start()
      expect(await open(second)).toEqual({ document: 'first', deltas: deltas(1, 2) })
      await append(second, [3])
      for (const write of [
        async () => first.storage.append(name, delta(99)),
        async () => first.storage.checkpoint(name, documentOf('stale'), about('stale')),
        async () => first.storage.drop(name),
      ])
        await expect(write()).rejects.toThrow()
      expect(first.storage.owns(name)).toBe(false)
      expect(first.events.length).toBeGreaterThan(0)
      await first.storage.release(name)
      await first.storage.close()
      await append(second, [4])
      expect([second.storage.owns(name), await listed(second)]).toEqual([true, [[name, about(name)]]])
      await second.crash()
      expect(await open(await medium.start())).toEqual({ document: 'first', deltas: deltas(1, 2, 3, 4) })
    })

    it.runIf(!isShared)(
      'a second process starts while the first one runs -> refused, and the first goes on',
      async () => {
        const medium = await make()
        const first = await medium.start()
        await create(first)
        await expect(medium.start()).rejects.toThrow('in use by')
        await append(first, [1])
        await first.storage.close()
        expect(await open(await medium.start())).toEqual({ document: 'first', deltas: deltas(1) })
      },
    )

    it.runIf(isShared)(
      'a second process opens a workspace of the first -> refused until it is released',
      async () => {
        const medium = await make()
        const [first, second] = [await medium.start(), await medium.start()]
        await create(first)
        await expect(open(second)).rejects.toBeInstanceOf(OwnedElsewhereError)
        expect([first.storage.owns(name), second.storage.owns(name)]).toEqual([true, false])
        await append(first, [1])
        await first.storage.release(name)
        expect(await open(second)).toEqual({ document: 'first', deltas: deltas(1) })
        await expect(open(first)).rejects.toBeInstanceOf(OwnedElsewhereError)
        await append(second, [2])
        await second.storage.close()
        expect(await open(first)).toEqual({ document: 'first', deltas: deltas(1, 2) })
      },
    )

    it.runIf(isShared && names.length > 1)(
      'two processes own a workspace each -> both write, and both list both',
      async () => {
        const medium = await make()
        const [first, second] = [await medium.start(), await medium.start()]
        const [one, other = ''] = names
        await create(first, one)
        await create(second, other)
        await Promise.all([append(first, [1], one), append(second, [2], other)])
        const all = [one, other].toSorted().map((of) => [of, about(of)])
        expect([await listed(first), await listed(second)]).toEqual([all, all])
      },
    )
  })
}

/** Closes a driver after the test, whatever became of it. */
export function closeAfterTest(storage: Storage): void {
  onTestFinished(() => storage.close().catch(() => undefined))
}
