import { defineConfig } from 'vitest/config'

// What needs a Chromium: `npm run check:browser`.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    environment: 'node',
    deps: { interopDefault: false },
    // Each browser has processes of its own: more of them at once only makes all of them slow.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
