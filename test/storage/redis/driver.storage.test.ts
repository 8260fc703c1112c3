import { afterAll, beforeAll } from 'vitest'
import { describeWithEngine, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { Cable } from '../../many-machines/cable.ts'
import { withTest } from '../../setup/with-test.ts'
import { describeDriver, openSandbox, type TestStorage } from '../driver.contract.ts'

describeWithEngine('storage in an engine', () => {
  let engine: RunningEngine
  let tests = 0

  // It persists each write, so that a restart loses none.
  beforeAll(async () => {
    engine = await startEngine({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] })
  })
  afterAll(() => engine.stop())

  describeDriver('Redis', async () => {
    tests += 1
    const storePrefix = `contract-${tests}`
    const cable = await Cable.to(engine.port)
    withTest(() => cable.close())
    const atEngine = (): TestStorage => ({
      open: (options) => openSandbox({ ...options, store: engine.url, storePrefix }),
      readable: (message) => message,
    })
    return {
      open: (options) => openSandbox({ ...options, store: `redis://127.0.0.1:${cable.port}`, storePrefix }),
      crash: {
        workspaces: ['default', 'acme'],
        places: ['before', 'after'],
        at: (step, place) => cable.hangUpAt(step, place),
        isReached: () => cable.hasHungUp,
        left: async () => atEngine(),
      },
      readable: (message) => message.replace(`redis://127.0.0.1:${cable.port}`, 'STORE'),
      outage: {
        begin: async ({ problems }) => {
          await engine.kill('SIGKILL')
          await problems.until(/is away/)
        },
        end: async ({ problems }) => {
          await engine.restart()
          await problems.until(/answers again/)
        },
      },
    }
  })
})
