import { beforeAll } from 'vitest'

// Files share a thread: fake timers that one of them left would stop the next without a message.
beforeAll(() => {
  if (Object.hasOwn(setTimeout, 'clock')) throw new Error('a test file before this one left its timers fake')
})
