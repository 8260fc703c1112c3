import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They run against the packed package (test/package).
    exclude: ['test/examples/**'],
    environment: 'node',
    // Many small files on few cores: threads start faster than processes, and without isolation zod and
    // hono load once per thread instead of once per file. A sandbox keeps no global state, so files cannot
    // meet; a test that needs its own process spawns one.
    // A CommonJS default import means here what it means in Node.
    deps: { interopDefault: false },
    pool: 'threads',
    isolate: false,
    // Vitest leaves one core free by default, which on two cores means no parallelism at all.
    maxWorkers: '100%',
    setupFiles: ['test/helpers/seeded.ts', 'test/helpers/real-timers.ts'],
    // Some tests take 10 s where several suites share two cores, and nothing is said about speed here.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
})
