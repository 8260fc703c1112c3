import { describe, expect, it, vi } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

describe('a trace of a full journal', () => {
  it('is produced in slices, with a turn of the event loop between them', async () => {
    const sandbox = await startSandbox()
    const turnsOf = async (calls: number): Promise<number> => {
      for (let count = 0; count < calls; count++) await sandbox.fetch('/v2/customers')
      let turns = 0
      let isDone = false
      const count = (): void => {
        turns += 1
        if (!isDone) setImmediate(count)
      }
      // Each look at the time finds a millisecond gone, so that work is counted and not timed.
      let now = 0
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now++)
      setImmediate(count)
      await sandbox.trace()
      isDone = true
      clock.mockRestore()
      return turns
    }
    await turnsOf(1)
    const few = await turnsOf(99)
    const many = await turnsOf(300)
    // A call is explained, measured and written, and nine looks at the time are a slice.
    expect(many - few).toBeGreaterThan((3 * 300) / 9 - 10)
  })
})
