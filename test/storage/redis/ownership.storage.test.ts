// One owner for each workspace: acquisition, fencing by token and by time, and the handover.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OwnedElsewhereError, type OpenedWorkspace } from '../../../src/workspaces/storage.ts'
import {
  acquire,
  appendDelta,
  dropWorkspace,
  releaseLease,
  renewLease,
  replaceCheckpoint,
  workspaceKeys,
} from '../../../src/storage/redis/lease-scripts.ts'
import { connect } from '../../../src/storage/redis/connect.ts'
import type { Engine } from '../../../src/storage/redis/store-engine.ts'
import { readStoreAddress } from '../../../src/input/store-address.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { expireLeases, startProcess, type EngineProcess } from './engine-processes.ts'

const shown = ({ checkpoint, deltas }: OpenedWorkspace): string => [checkpoint ?? 'new', ...deltas].join(' ')

/** The message of a refusal. */
const refusal = (work: Promise<unknown> | undefined): Promise<string> =>
  Promise.resolve(work).then(
    () => 'done',
    (error: unknown) => {
      expect(error).toBeInstanceOf(OwnedElsewhereError)
      return String((error as Error).message)
    },
  )

const reopen = "This process lost workspace 'acme', which has no owner at present: send the request again."
const ownedBy = (owner: string): string => new OwnedElsewhereError('acme', owner).message

describeWithEngine('the owner of a workspace in an engine', () => {
  let engine: RunningEngine
  let a: EngineProcess
  let b: EngineProcess

  const lease = (field: string): Promise<string> => engine.cli('HGET', '{sandbox:acme}:lease', field)
  const log = (): Promise<string> => engine.cli('LRANGE', '{sandbox:acme}:log', '0', '-1')
  const expire = (): Promise<void> => expireLeases([engine])

  beforeAll(async () => {
    engine = await startEngine()
  })
  afterAll(() => engine.stop())
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    a = await startProcess(engine.url, { who: 'process 1 on a', token: 'a' })
    b = await startProcess(engine.url, { who: 'process 2 on b', token: 'b' })
    await a.storage.open('acme', '{}')
  })

  it('has a lease of 10 s, which a renewal prolongs', async () => {
    const left = async (): Promise<number> => Number(await engine.cli('PTTL', '{sandbox:acme}:lease'))
    expect(await left()).toBeGreaterThan(5_000)
    expect(await left()).toBeLessThanOrEqual(10_000)
    await engine.cli('PEXPIRE', '{sandbox:acme}:lease', '4000')
    await a.renew()
    expect(await left()).toBeGreaterThan(5_000)
    expect(await lease('who')).toBe('process 1 on a')
  })

  it('is named to another process', async () => {
    expect(await refusal(b.storage.open('acme', '{}'))).toBe(ownedBy('process 1 on a'))
  })

  it('hears at each renewal that another process wants the workspace, until it releases it', async () => {
    await a.renew()
    expect(a.events).toEqual([])
    await refusal(b.storage.open('acme', '{}'))
    expect(Number(await engine.cli('PTTL', '{sandbox:acme}:wanted'))).toBeLessThanOrEqual(6_000)
    await a.renew()
    await a.renew()
    expect(a.events).toEqual(['wanted acme', 'wanted acme'])
    await a.storage.append('acme', '1')
    await a.storage.release('acme')
    expect(a.storage.owns('acme')).toBe(false)
    expect(shown(await b.storage.open('acme', '{}'))).toBe('new 1')
    await b.renew()
    expect([a.events.length, b.events]).toEqual([2, []])
  })

  it('crashed while it was wanted -> the next owner is not asked for what it just got', async () => {
    await refusal(b.storage.open('acme', '{}'))
    await expire()
    await b.storage.open('acme', '{}')
    await b.renew()
    expect([b.events, b.storage.owns('acme')]).toEqual([[], true])
  })

  it('closes -> another process acquires all of its workspaces immediately', async () => {
    await a.storage.open('b', '{}')
    await a.storage.close()
    await Promise.all(['acme', 'b'].map((name) => b.storage.open(name, '{}')))
    expect(['acme', 'b'].map((name) => b.storage.owns(name))).toEqual([true, true])
  })

  it('two processes race for 200 names -> each name has exactly one owner, and the other process learns which', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `w${n}`)
    const open = ({ storage }: EngineProcess, name: string): Promise<string> =>
      refusal(storage.open(name, '{}'))
    const outcomes = await Promise.all(
      names.flatMap((name, n) => (n % 2 ? [open(a, name), open(b, name)] : [open(b, name), open(a, name)])),
    )
    const owners = names.map((name) => [a.storage.owns(name), b.storage.owns(name)])
    expect(owners.filter(([one, other]) => one === other)).toEqual([])
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(200)
    expect(outcomes.filter((outcome) => /is owned by process [12] on [ab],/.test(outcome))).toHaveLength(200)
    // Each can write what it owns, and nothing else.
    const written = await Promise.all(
      names.map((name, n) => refusal((owners[n]?.[0] ? a : b).storage.append(name, '1'))),
    )
    expect(new Set(written)).toEqual(new Set(['done']))
    expect(await a.storage.list()).toHaveLength(201)
  })

  describe('whose lease expired in the engine', () => {
    const kinds = ['append', 'checkpoint', 'drop'] as const

    it.each(kinds)('and another process wrote: its %s is refused, and nothing is lost', async (kind) => {
      await a.storage.append('acme', '1')
      await expire()
      expect(shown(await b.storage.open('acme', '{}'))).toBe('new 1')
      await b.storage.append('acme', '2')
      const writes = {
        append: () => a.storage.append('acme', '99'),
        checkpoint: () => a.storage.checkpoint('acme', ['{}'], '{}'),
        drop: () => a.storage.drop('acme'),
      }
      expect(await refusal(writes[kind]())).toBe(ownedBy('process 2 on b'))
      expect([a.events, a.storage.owns('acme')]).toEqual([['lost acme'], false])
      expect(await refusal(writes[kind]())).toBe(reopen)
      await a.renew()
      await a.storage.release('acme')
      expect([a.events, await log()]).toEqual([['lost acme'], '1\n2'])
      await b.storage.append('acme', '3')
      expect(await b.storage.list()).toMatchObject([{ name: 'acme', about: '{}' }])
    })

    it.each([
      ['and has another owner', true],
      ['and has none, as another process may have written in between', false],
    ])('%s: its renewal does not revive it', async (_situation, isAcquired) => {
      await expire()
      if (isAcquired) await b.storage.open('acme', '{}')
      await a.renew()
      await a.renew()
      expect([a.events, a.storage.owns('acme'), a.storage.health.figures['lost']]).toEqual([
        ['lost acme'],
        false,
        1,
      ])
      expect(await refusal(a.storage.append('acme', '1'))).toBe(reopen)
    })

    it('opens it again, if no process has it', async () => {
      await a.storage.append('acme', '1')
      await expire()
      expect(await refusal(a.storage.append('acme', '2'))).toBe(reopen)
      expect(shown(await a.storage.open('acme', '{}'))).toBe('new 1')
      await a.storage.append('acme', '2')
      expect([await log(), a.storage.owns('acme')]).toEqual(['1\n2', true])
    })
  })

  describe('by the monotonic clock', () => {
    it.each([
      ['7,999 ms after the acquisition', 7_999, true],
      ['8,000 ms after the acquisition', 8_000, false],
    ])('%s: owned %s', (_when, passed, owns) => {
      a.pass(passed)
      expect(a.storage.owns('acme')).toBe(owns)
    })

    it('counts from the beginning of the renewal, not from its reply', async () => {
      a.pass(5_000)
      const renewed = a.renew()
      a.pass(7_999)
      await renewed
      expect(a.storage.owns('acme')).toBe(true)
      a.pass(1)
      expect(a.storage.owns('acme')).toBe(false)
    })

    it('owns it again after a late renewal, if the engine still has the lease', async () => {
      a.pass(9_000)
      expect(a.storage.owns('acme')).toBe(false)
      await a.renew()
      expect([a.storage.owns('acme'), a.events]).toEqual([true, []])
    })
  })

  describe('scripts that arrive late over a discarded connection', () => {
    let late: Engine

    beforeEach(async () => {
      late = await connect(readStoreAddress(engine.url))
      await a.storage.append('acme', '1')
      await a.storage.append('acme', '2')
      return () => late.close()
    })

    it.each([
      ['an append that was stored already', appendDelta, ['a', '1', '1', '2'], 0],
      ['an append of an earlier acquisition', appendDelta, ['a', '0', '0', '9'], 'process 1 on a'],
      ['a checkpoint before the last append', replaceCheckpoint, ['a', '1', '1', '9'], 0],
      ['a removal before the last append', dropWorkspace, ['a', '1', '1'], 0],
      ['an earlier acquisition', acquire, ['a', '0', 'x', '9', '9'], 'process 1 on a'],
      ['the release of an earlier acquisition', releaseLease, ['a', '0'], 'process 1 on a'],
      ['the renewal of an earlier acquisition', renewLease, ['a', '0', '9'], 'process 1 on a'],
      ['an append of another process', appendDelta, ['b', '1', '2', '9'], 'process 1 on a'],
    ])('%s changes nothing', async (_what, script, args, reply) => {
      expect(await late.run(script, workspaceKeys('sandbox', 'acme'), args)).toBe(reply)
      await a.renew()
      await a.storage.append('acme', '3')
      expect([await log(), await lease('writes'), a.events]).toEqual(['1\n2\n3', '3', []])
    })
  })

  it('an engine lost acknowledged writes -> the next write is refused, and the owner continues with those that are left', async () => {
    await a.storage.append('acme', '1')
    await a.storage.append('acme', '2')
    // As a restart with a log of a second ago leaves it.
    await engine.cli('RPOP', '{sandbox:acme}:log')
    await engine.cli('HSET', '{sandbox:acme}:lease', 'writes', '1')
    expect(await refusal(a.storage.append('acme', '3'))).toBe(reopen)
    await a.problems.until(/lost writes of workspace 'acme'/)
    expect(a.events).toEqual(['lost acme'])
    expect(shown(await a.storage.open('acme', '{}'))).toBe('new 1')
  })
})
