import { beforeAll } from 'vitest'

// Files share a thread: timers that one of them left fake would stop the next, and nobody would see why.
beforeAll(() => {
  if (Object.hasOwn(setTimeout, 'clock')) throw new Error('a test file before this one left its timers fake')
})
