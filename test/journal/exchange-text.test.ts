import { describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { beginning, transcript } from '../helpers/transcript.ts'
import { createSandbox } from '../../src/index.ts'
import { roundTrips } from '../helpers/round-trips.ts'

describe('an exchange that is written and read', () => {
  it('300 calls of two workspaces: whatever is asked is the same', async () => {
    const trips = roundTrips()
    await using sandbox = await createSandbox(beginning)
    await transcript((path, init) => sandbox.fetch(path, init))
    expect(trips.texts()).toHaveLength(285)
    expect(trips.differences(sandbox)).toEqual([])
  })
})
