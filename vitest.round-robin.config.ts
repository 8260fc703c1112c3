import { defineConfig } from 'vitest/config'
import { filesOfOneProcess } from './test/helpers/round-robin-list.ts'
import baseConfig from './vitest.config.ts'

// The tests of three folders once more, each sandbox of theirs two on one engine: `npm run check:round-robin`.
const { projects: _projects, ...shared } = baseConfig.test ?? {}

export default defineConfig({
  ...baseConfig,
  test: {
    ...shared,
    include: ['endpoints', 'scenarios', 'control'].map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: Object.keys(filesOfOneProcess),
    setupFiles: [...(shared.setupFiles ?? []), 'test/helpers/round-robin-setup.ts'],
    // A call takes a dozen round trips, and some tests make hundreds; generated tests draw a twentieth.
    env: { SAMPLES: '0.05', ALL_ROWS: '1' },
    testTimeout: 60_000,
    globalSetup: 'test/helpers/round-robin-engine.ts',
  },
})
