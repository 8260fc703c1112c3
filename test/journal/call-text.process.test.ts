import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { roundTrips } from '../helpers/round-trips.ts'
import { fullKey, startSandbox, type WideOptions } from '../helpers/sandbox.ts'
import { beginning, transcript } from '../helpers/transcript.ts'
import { rawCaller } from '../helpers/wire.ts'

const reward = '/v2/rewards/rwd_ada_pending'

const open = (options: WideOptions = {}): Promise<Sandbox> =>
  startSandbox({ journalSize: 10_000, ...options })

describe('whatever is asked of a journal is the same of calls that were written and read', () => {
  it('a transcript of two workspaces, with resets and scenarios', async () => {
    const trips = roundTrips()
    await using sandbox = await createSandbox(beginning)
    await transcript((path, init) => sandbox.fetch(path, init))
    expect(trips.texts().length).toBeGreaterThan(200)
    expect(trips.differences(sandbox)).toEqual([])
  })

  it('headers as they came over a socket: sent twice, in capitals, of bytes above ASCII', async () => {
    const trips = roundTrips()
    const sandbox = await open()
    const call = await rawCaller(sandbox)
    const key = `Authorization: Bearer ${fullKey}`
    await call('GET', reward, [key, 'X-Twice: a', 'x-twice: b', 'X-Name: J\u00fcrgen'])
    await call('GET', reward, [key, key])
    await call('GET', reward, [key, 'X-Service-Version: 2025-05-05', 'x-service-version: 2025-05-05'])
    await call('PATCH', reward, [key, 'Content-Type: application/json', 'Content-Length: 12'], '{"amount":5}')
    expect(trips.differences(sandbox)).toEqual([])
  })
})
