// The list of names, the baseline, and values that no sandbox wrote.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readStoreAddress } from '../../../src/input/store-address.ts'
import { EngineCalls } from '../../../src/storage/redis/engine-calls.ts'
import { WorkspaceNames } from '../../../src/storage/redis/workspace-names.ts'
import { connect } from '../../../src/storage/redis/connect.ts'
import { withTest } from '../../setup/with-test.ts'
import { DamagedError } from '../../../src/workspaces/storage.ts'
import { StoreError } from '../../../src/workspaces/storage.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { expireLeases, startProcess, type EngineProcess } from './engine-processes.ts'

describeWithEngine('the keys of an engine', () => {
  let engine: RunningEngine
  let a: EngineProcess
  let now: number

  const start = (): Promise<EngineProcess> => startProcess(engine.url, { now: () => now })

  beforeAll(async () => {
    engine = await startEngine()
  })
  afterAll(() => engine.stop())
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    now = 1_000
    a = await start()
  })

  describe('names', () => {
    it('have the time of their last use, and what is known about them', async () => {
      await a.storage.open('acme', '{"n":1}')
      now = 2_000
      await a.storage.append('acme', '1')
      expect(await a.storage.list()).toEqual([{ name: 'acme', about: '{"n":1}', usedAt: 1_000 }])
      expect(a.storage.append('acme', undefined, '{"n":2}')).toBeUndefined()
      expect(await a.storage.list()).toEqual([{ name: 'acme', about: '{"n":2}', usedAt: 2_000 }])
    })

    it.each([
      ['is being created', '1000', undefined],
      ['is being dropped', '-t.1 1000 {}', undefined],
      ['was dropped before it was created', '-t.1 1000', undefined],
      ['is there', '1000 {}', '{}'],
    ])('a workspace that %s is listed; a process that opens it completes it', async (_what, text, about) => {
      await engine.cli('HSET', '{sandbox}:workspaces', 'acme', text)
      expect(await a.storage.list()).toEqual([{ name: 'acme', about, usedAt: 1_000 }])
      expect(await a.storage.open('acme', '{"n":1}')).toEqual({ checkpoint: undefined, deltas: [] })
      expect(await a.storage.list()).toEqual([{ name: 'acme', about: '{"n":1}', usedAt: 1_000 }])
    })

    it('opening a workspace of another process keeps its description', async () => {
      const b = await start()
      await a.storage.open('acme', '{"n":1}')
      await a.storage.append('acme', '1')
      await expect(b.storage.open('acme', '{"n":2}')).rejects.toThrow('owned by')
      await a.storage.release('acme')
      await b.storage.open('acme', '{"n":3}')
      expect(await b.storage.list()).toMatchObject([{ about: '{"n":1}' }])
    })

    it('a name that was added in vain is removed', async () => {
      const b = await start()
      await a.storage.open('acme', '{}')
      await engine.cli('HDEL', '{sandbox}:workspaces', 'acme')
      await expect(b.storage.open('acme', '{}')).rejects.toThrow('owned by')
      expect(await b.storage.list()).toEqual([])
    })

    it.each([
      ['a removal in two steps', (names: WorkspaceNames) => names.unmark('acme', 't.1', true)],
      ['a failed removal', (names: WorkspaceNames) => names.unmark('acme', 't.1', false)],
      ['an acquisition in vain', (names: WorkspaceNames) => names.takeBack('acme')],
    ])('%s that ends late leaves the name of a workspace that was created since', async (_what, end) => {
      const connection = await connect(readStoreAddress(engine.url))
      withTest(() => connection.close())
      const names = new WorkspaceNames(new EngineCalls(connection), 'sandbox')
      await names.add('acme', now)
      await names.mark('acme', 't.1')
      await a.storage.open('acme', '{"n":1}')
      await end(names)
      expect(await a.storage.list()).toMatchObject([{ name: 'acme', about: '{"n":1}' }])
    })

    it('a late description does not bring a dropped name back', async () => {
      await a.storage.open('acme', '{}')
      await engine.cli('HDEL', '{sandbox}:workspaces', 'acme')
      a.storage.append('acme', undefined, '{}')
      expect(await a.storage.list()).toEqual([])
    })
  })

  describe('values of another program', () => {
    const reason =
      'The store holds values under {sandbox:acme}:* that no sandbox of this format wrote: delete them, or use another --store-prefix.'

    it.each([
      ['a text as the lease', ['SET', '{sandbox:acme}:lease', 'x']],
      ['a hash of other fields as the lease', ['HSET', '{sandbox:acme}:lease', 'x', 'y']],
      ['a stream as the log, as format 2 has it', ['XADD', '{sandbox:acme}:log', '*', 'x', 'y']],
      ['a list as the checkpoint', ['RPUSH', '{sandbox:acme}:checkpoint', 'x']],
      ['a list as the mark', ['RPUSH', '{sandbox:acme}:wanted', 'x']],
    ])('%s -> the workspace is refused and unchanged, and others can be used', async (_what, command) => {
      await engine.cli(...command)
      const error: unknown = await a.storage.open('acme', '{}').catch((refused: unknown) => refused)
      expect(error).toBeInstanceOf(DamagedError)
      expect([(error as Error).message, [...a.storage.health.damaged]]).toEqual([reason, [['acme', reason]]])
      expect(await engine.cli('KEYS', '{sandbox:acme}:*')).toBe(command[1])
      await a.storage.open('b', '{}')
      await a.storage.append('b', '1')
      await engine.cli('DEL', command[1] ?? '')
      await a.storage.open('acme', '{}')
      expect(a.storage.health.damaged.size).toBe(0)
    })

    it.each(['append', 'checkpoint', 'drop'] as const)(
      'as the log, noticed by %s -> nothing is changed',
      async (kind) => {
        await a.storage.open('acme', '{}')
        await engine.cli('SET', '{sandbox:acme}:log', 'x')
        const writes = {
          append: () => a.storage.append('acme', '1'),
          checkpoint: () => a.storage.checkpoint('acme', ['{}'], '{}'),
          drop: () => a.storage.drop('acme'),
        }
        await expect(writes[kind]()).rejects.toThrow(reason)
        expect(await engine.cli('GET', '{sandbox:acme}:log')).toBe('x')
        expect(await engine.cli('EXISTS', '{sandbox:acme}:checkpoint')).toBe('0')
        expect(await a.storage.list()).toMatchObject([{ name: 'acme', about: '{}' }])
        await engine.cli('DEL', '{sandbox:acme}:log')
        await a.storage.append('acme', '1')
      },
    )
  })

  describe('a baseline', () => {
    const join = async (digest: string, inputs: object): Promise<string> => {
      const { storage } = await start()
      const error: unknown = await storage
        .join({ digest, inputs: JSON.stringify(inputs) })
        .catch((refused: unknown) => refused)
      if (error === undefined) return 'joined'
      expect(error).toBeInstanceOf(StoreError)
      expect((error as StoreError).exit).toBe(3)
      return (error as Error).message.replaceAll(engine.url, 'URL')
    }
    const refused = (problem: string): string =>
      `--store URL: under the prefix 'sandbox' a sandbox began at 1970-01-01T00:00:01.000Z with ${problem}: start all replicas alike, or start this one with another --store-prefix`

    it.each([
      ['the same', 'a', { seed: 1, fixtures: 'x' }, 'joined'],
      ['another seed', 'b', { seed: 2, fixtures: 'x' }, refused('another seed')],
      [
        'another seed, more and fewer inputs',
        'b',
        { seed: 2, clock: 1 },
        refused('another seed, clock, fixtures'),
      ],
      ['another digest of the same inputs', 'b', { seed: 1, fixtures: 'x' }, refused('other inputs')],
    ])('%s', async (_what, digest, inputs, expected) => {
      expect(await join('a', { seed: 1, fixtures: 'x' })).toBe('joined')
      expect(await join(digest, inputs)).toBe(expected)
      expect(await engine.cli('HGET', '{sandbox}:baseline', 'digest')).toBe('a')
    })

    it('two first processes with different ones -> one of them is refused', async () => {
      const outcomes = await Promise.all([join('a', { seed: 1 }), join('b', { seed: 2 })])
      expect(outcomes.toSorted()).toEqual([refused('another seed'), 'joined'])
    })

    it('another secret of partners is named by its option', async () => {
      await join('a', { isolation: 'x' })
      expect(await join('b', { isolation: 'y' })).toBe(refused('another --isolation-secret'))
    })

    it.each([
      [
        'of format 2',
        ['digest:format', '2p'],
        /: its values have format 2, and this version reads format 3: to take/,
      ],
      [
        'of another program',
        ['x', 'y'],
        /'sandbox' are values that no sandbox wrote: start this one with another/,
      ],
    ])('%s', async (_what, fields, expected) => {
      await engine.cli('HSET', '{sandbox}:baseline', ...fields)
      expect(await join('a', {})).toMatch(expected)
    })

    it('a text under its key', async () => {
      await engine.cli('SET', '{sandbox}:baseline', 'x')
      expect(await join('a', {})).toBe(
        '--store URL: The store has a value of another kind under our keys: delete the keys, or use another --store-prefix.',
      )
    })
  })

  it('a process crashed -> another one acquires when the lease has expired in the engine', async () => {
    await a.storage.open('acme', '{}')
    await a.storage.append('acme', '1')
    const b = await start()
    await expect(b.storage.open('acme', '{}')).rejects.toThrow('owned by')
    await expireLeases([engine])
    expect(await b.storage.open('acme', '{}')).toEqual({ checkpoint: undefined, deltas: ['1'] })
  })
})
