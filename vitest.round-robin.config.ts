import { defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

// Tests of one sandbox once more, against two on one engine in turn: `npm run check:round-robin`.
const config = mergeConfig(
  usual,
  defineConfig({ test: { globalSetup: ['test/helpers/round-robin-engine.ts'] } }),
)
config.test.include = ['endpoints', 'scenarios', 'control'].map((folder) => `test/${folder}/**/*.test.ts`)
config.test.exclude.push('test/control/stream.test.ts', 'test/control/metrics.test.ts')
config.test.setupFiles.push('test/helpers/round-robin-list.ts')
export default config
