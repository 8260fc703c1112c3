import { afterAll, beforeAll, describe } from 'vitest'
import { describeWithEngine, startCluster, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { storageContract } from '../core/storage.contract.ts'
import { expireLeases, startProcess } from './engine-processes.ts'

const names = ['default', 'acme', 'b', 'c', 'd.e'] as const

const startOne = async () => {
  const engine = await startEngine()
  return { ...engine, nodes: [engine] }
}

describeWithEngine('storage in an engine', () => {
  describe.each([
    ['for one engine', startOne],
    ['for a cluster', startCluster],
  ])('%s', (medium, start) => {
    let running: { url: string; nodes: readonly RunningEngine[]; stop(): Promise<void> }
    let tests = 0

    beforeAll(async () => {
      running = await start()
    })
    afterAll(() => running.stop())

    storageContract(medium, { isShared: true, names }, async () => {
      tests += 1
      const prefix = `contract-${tests}`
      return {
        start: async () => {
          const { storage, events, pass } = await startProcess(running.url, { prefix })
          const expire = async (): Promise<void> => {
            await expireLeases(running.nodes, prefix)
            pass(10_000)
          }
          // A crashed process sends nothing more: only its leases are left.
          return { storage, events, crash: expire, expire }
        },
      }
    })
  })
})
