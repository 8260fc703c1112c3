// An engine that is away for a while, and writes whose answer is lost.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { StorageUnavailableError } from '../../../src/workspaces/storage.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { Cable } from '../../many-machines/cable.ts'
import { withTest } from '../../setup/with-test.ts'
import { startProcess, type EngineProcess } from './engine-processes.ts'

describeWithEngine('an engine behind a cable', () => {
  let engine: RunningEngine
  let cable: Cable
  let a: EngineProcess

  const contents = async (): Promise<readonly string[]> => {
    const { checkpoint, deltas } = await a.storage.open('acme', '{}')
    return [String(checkpoint ?? 'new'), ...deltas]
  }
  const back = (): Promise<unknown> => a.problems.until(/answers again/)

  beforeAll(async () => {
    engine = await startEngine({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] })
  })
  afterAll(() => engine.stop())
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    cable = await Cable.to(engine.port)
    withTest(() => cable.close())
    a = await startProcess(`redis://127.0.0.1:${cable.port}`)
    await a.storage.join({ digest: 'a', inputs: '{}' })
    // The engine knows all scripts from now on, so that each is one request.
    await a.storage.open('known', '{}')
    await a.storage.checkpoint('known', [], '{}')
    await a.storage.drop('known')
    await a.storage.open('acme', '{}')
    await a.storage.append('acme', '1')
  })

  const many = Array.from({ length: 50 }, (_, n) => `w${n}`)
  const writes = {
    append: () => a.storage.append('acme', '2'),
    checkpoint: () => a.storage.checkpoint('acme', ['do', 'cument'], '{}'),
    drop: () => a.storage.drop('acme'),
  }

  it.each([
    ['append', 'before the engine has it', 0, 'before', ['new', '1']],
    ['append', 'after the engine has it', 0, 'after', ['new', '1', '2']],
    ['checkpoint', 'before the engine has it', 0, 'before', ['new', '1']],
    ['checkpoint', 'after the engine has it', 0, 'after', ['document']],
    ['drop', 'before its mark', 0, 'before', ['new', '1']],
    ['drop', 'after its mark', 0, 'after', ['new', '1']],
    ['drop', 'before the engine has it', 1, 'before', ['new', '1']],
    ['drop', 'after the engine has it', 1, 'after', ['new']],
    ['drop', 'before the name is removed', 2, 'before', ['new']],
    ['drop', 'after the name is removed', 2, 'after', ['new']],
  ] as const)(
    '%s, lost %s -> unknown, and the next open tells',
    async (kind, _where, step, place, expected) => {
      cable.hangUpAt(step, place)
      await expect(writes[kind]()).rejects.toBeInstanceOf(StorageUnavailableError)
      expect(cable.hasHungUp).toBe(true)
      await back()
      expect(await contents()).toEqual(expected)
      await a.storage.append('acme', '3')
      expect(await contents()).toEqual([...expected, '3'])
      expect(await a.storage.list()).toMatchObject([{ name: 'acme', about: '{}' }])
      expect(a.events).toEqual([])
    },
  )

  it('an append of unknown outcome -> not owned until it is opened again', async () => {
    cable.hangUpAt(0, 'after')
    await expect(writes.append()).rejects.toBeInstanceOf(StorageUnavailableError)
    expect(a.storage.owns('acme')).toBe(false)
    await back()
    await expect(a.storage.append('acme', '3')).rejects.toThrow('has no owner at present')
    expect(await contents()).toEqual(['new', '1', '2'])
    expect(a.storage.owns('acme')).toBe(true)
  })

  it('a lost acquisition -> the same process acquires again', async () => {
    cable.hangUpAt(0, 'after')
    await expect(a.storage.open('b', '{}')).rejects.toBeInstanceOf(StorageUnavailableError)
    await back()
    await a.storage.open('b', '{"about":1}')
    expect(await a.storage.list()).toContainEqual(
      expect.objectContaining({ name: 'b', about: '{"about":1}' }),
    )
  })

  it('is away for less than 8 s -> health names the reason, and the owner goes on with its lease', async () => {
    cable.cut()
    await a.problems.until(/is away/)
    a.pass(7_999)
    await a.renew()
    expect(a.storage.health.away).toContain('the store')
    await expect(a.storage.append('acme', '2')).rejects.toBeInstanceOf(StorageUnavailableError)
    expect([a.storage.owns('acme'), a.events]).toEqual([true, []])
    cable.mend()
    await back()
    expect(a.storage.health.away).toBeUndefined()
    // This follows the renewal that the return has sent.
    await a.storage.append('acme', '3')
    a.pass(7_999)
    expect(a.storage.owns('acme')).toBe(true)
    expect(await contents()).toEqual(['new', '1', '3'])
  })

  it('is away for 8 s -> the owner loses its workspaces once, and opens them again', async () => {
    cable.cut()
    await a.problems.until(/is away/)
    a.pass(8_000)
    expect(a.storage.owns('acme')).toBe(false)
    await a.renew()
    await a.renew()
    expect(a.events).toEqual(['lost acme'])
    await expect(a.storage.open('acme', '{}')).rejects.toBeInstanceOf(StorageUnavailableError)
    cable.mend()
    await back()
    expect(await contents()).toEqual(['new', '1'])
  })

  it('a description that was not stored is stored with the next renewal', async () => {
    cable.cut()
    await a.problems.until(/is away/)
    expect(a.storage.append('acme', undefined, '{"new":true}')).toBeUndefined()
    cable.mend()
    await back()
    await a.renew()
    expect(await a.storage.list()).toMatchObject([{ about: '{"new":true}' }])
  })

  it('restarts with its log -> nothing acknowledged is lost, and the lease is still there', async () => {
    await engine.kill('SIGKILL')
    await a.problems.until(/is away/)
    await engine.restart()
    await back()
    await a.renew()
    await a.storage.append('acme', '2')
    expect([await contents(), a.events]).toEqual([['new', '1', '2'], []])
  })

  it.each([
    ['nothing', 'a', []],
    [
      'another baseline',
      'b',
      [expect.stringMatching(/^end --store .* with other inputs: start all replicas alike/)],
    ],
  ])(
    'comes back with %s -> workspaces are lost, and the baseline is stored or compared again',
    async (_what, digest, ends) => {
      cable.cut()
      await a.problems.until(/is away/)
      await engine.cli('FLUSHALL')
      const b = await startProcess(engine.url)
      if (digest === 'b') await b.storage.join({ digest, inputs: '{}' })
      cable.mend()
      await back()
      await a.renew()
      // It follows the scripts that the return has sent.
      await a.storage.list()
      expect(a.events).toEqual(['lost acme', ...ends])
      expect(await engine.cli('HGET', '{sandbox}:baseline', 'digest')).toBe(digest)
    },
  )

  it.each([
    ['renewals', () => a.renew()],
    ['appends', () => Promise.all(many.map((name) => a.storage.append(name, '1')))],
  ])('%s of 50 workspaces are one write to the socket', async (_what, send) => {
    await Promise.all(many.map((name) => a.storage.open(name, '{}')))
    await a.renew()
    cable.hangUpAt(1, 'before')
    await send()
    expect(cable.hasHungUp).toBe(false)
  })

  it('closes while the engine is away', async () => {
    cable.cut()
    await a.problems.until(/is away/)
    await a.storage.close()
    await expect(a.storage.open('acme', '{}')).rejects.toBeInstanceOf(StorageUnavailableError)
  })
})
