import { afterAll, beforeAll } from 'vitest'
import { describeWithEngine, startEngine, type RunningEngine } from '../../helpers/engine.ts'
import { describeDriver, openSandbox } from '../driver.contract.ts'

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
    return {
      open: (options) => openSandbox({ ...options, store: engine.url, storePrefix }),
      readable: (message) => message.replace(engine.url, 'STORE'),
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
