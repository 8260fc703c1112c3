import { getEventListeners } from 'node:events'
import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilAborted, wait } from '../../src/runtime/wait.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('the time is up -> true, and nothing listens any more', async () => {
  const { signal } = new AbortController()
  const waited = wait(50, signal)
  await vi.advanceTimersByTimeAsync(49)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await waited).toBe(true)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('one of the signals is aborted, before or meanwhile -> false, and no timer is left', async () => {
  const [early, other] = [new AbortController(), new AbortController()]
  const waited = wait(50, other.signal, early.signal)
  early.abort()
  expect(await waited).toBe(false)
  expect(await wait(50, other.signal, early.signal)).toBe(false)
  await untilAborted(other.signal, early.signal)
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(other.signal, 'abort')).toEqual([])
})

test('a hundred waits on one signal are no leak, and Node warns of none', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warned)
  try {
    const closing = new AbortController()
    const waits = Array.from({ length: 100 }, (_, place) =>
      place % 2 === 0 ? wait(50, closing.signal) : untilAborted(closing.signal),
    )
    closing.abort()
    await Promise.all(waits)
    // Warnings are emitted in their own turn of the event loop.
    await new Promise(setImmediate)
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', warned)
  }
})
