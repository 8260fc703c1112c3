// The start of storage in an engine: refusals, and warnings.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { StoreError } from '../../../src/workspaces/storage.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { freePort } from '../../helpers/free-port.ts'
import { startProcess } from './engine-processes.ts'

describeWithEngine('opening storage in an engine', () => {
  let engine: RunningEngine

  beforeAll(async () => {
    engine = await startEngine()
  })
  afterAll(() => engine.stop())

  it.each([
    [
      'no engine answers',
      async () => `redis://127.0.0.1:${await freePort()}`,
      4,
      'the store URL does not answer (connection refused): check the address, and that it runs',
    ],
    [
      'a user without a password',
      async () => engine.url.replace('//', '//app@'),
      4,
      '--store URL: names a user without a password: put it into the address, or into SANDBOX_STORE_PASSWORD',
    ],
    [
      'a policy that drops rows',
      async () => {
        await engine.cli('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
        return engine.url
      },
      3,
      'the store URL has maxmemory-policy allkeys-lru, so it may drop rows: set it with CONFIG SET maxmemory-policy noeviction, and in its configuration',
    ],
  ])('%s -> refused', async (_what, address, exit, message) => {
    const url = await address()
    const error: unknown = await startProcess(url).catch((refused: unknown) => refused)
    await engine.cli('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    expect(error).toBeInstanceOf(StoreError)
    const refused = error as StoreError
    expect([refused.exit, refused.message.replace(url, 'URL')]).toEqual([exit, message])
  })

  it('a clock that differs from that of the engine -> reported', async () => {
    const { problems } = await startProcess(engine.url, { now: () => 1_000 })
    await problems.until(/differ by \d+ ms: set both by the same time server/)
  })

  it('health has figures for metrics', async () => {
    const { storage } = await startProcess(engine.url)
    await storage.open('acme', '{}')
    await storage.append('acme', '1')
    expect(storage.health).toEqual({
      away: undefined,
      damaged: new Map(),
      figures: { roundTrips: 4, owned: 1, lost: 0 },
    })
  })
})
