// Attacks of one partner on another: each is answered like one on an unknown workspace, and reads or changes nothing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, bearer, twoPartners, type World } from '../helpers/partners.ts'
import { expectRefused, victimsState } from '../helpers/partner-outcomes.ts'
import { stranger, tries, victim } from '../helpers/partner-tries.ts'
import { drawn } from '../setup/samples.ts'

describe('a partner who tries everything on another', () => {
  let world: World
  let before: unknown
  beforeAll(async () => {
    // The attacker's own journal grows with each try, and is asked for in each.
    world = await twoPartners({ journalSize: 100 })
    before = await victimsState(world)
  })
  afterAll(() => world.close())

  it.each(drawn(tries).map((one) => [one.what, one] as const))('%s', async (_what, one) => {
    await expectRefused(one, world, victim, stranger)
    expect(await victimsState(world)).toEqual(before)
  })

  it('its next call has the next number: no try took one', async () => {
    const { here, beta } = world
    const { requests } = (await ask(here, 'GET', '/_sandbox/requests', bearer(beta.admin_token))).json
    const { headers, status } = await ask(here, 'GET', '/v2/customers', bearer(beta.api_key))
    expect(status).toBe(200)
    expect(headers['x-sandbox-request-id']).toBe(`req_beta_${requests.length + 1}`)
  })
})
