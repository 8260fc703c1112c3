import { defineConfig } from 'vitest/config'

const build = 'test/setup/build.ts'

/**
 * A suffix of its name says what a test file needs: `x.process.test.ts` belongs to project `process`. A file without one
 * is in project `unit`.
 */
const needs = {
  /** Child processes, sockets, signals, watched files. */
  process: { globalSetup: build },
  /** The packed tarball and other runners. */
  package: { globalSetup: 'test/setup/package.ts' },
  /** Commands of pages; generated pages; the text of sources. */
  docs: { globalSetup: build },
  /** Data files, crash points, Redis. */
  storage: { globalSetup: build },
  /** `conform` and `calibrate` against many targets. */
  probe: {},
} satisfies Record<string, { globalSetup?: string }>

const setupFiles = ['test/setup/samples.ts', 'test/setup/real-timers.ts', 'test/setup/with-test.ts']
const inProcess = { setupFiles: [...setupFiles, 'test/setup/forbid-machine.ts'] }

export default defineConfig({
  test: {
    environment: 'node',
    // A CommonJS default import means here what it means in Node.
    deps: { interopDefault: false },
    // Many small files on few cores: threads start faster than processes, and without isolation zod and hono load once
    // per thread instead of once per file. A sandbox has no global state, so files cannot affect each other.
    pool: 'threads',
    isolate: false,
    // By default vitest leaves one core free, which on two cores means no parallelism at all.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    setupFiles,
    coverage: { provider: 'v8', include: ['src/**'] },
    // Each project would compile all sources again.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          // Generated cases, x.property.test.ts, share the modules of the others; SAMPLES says how many.
          // The examples run against the packed package (test/package).
          exclude: ['test/examples/**', ...Object.keys(needs).map((need) => `test/**/*.${need}.test.ts`)],
          ...inProcess,
        },
      },
      ...Object.entries(needs).map(([name, setup]: [string, { globalSetup?: string }]) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/**/*.${name}.test.ts`],
          ...setup,
        },
      })),
    ],
  },
})
