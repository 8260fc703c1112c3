import { afterAll, beforeAll, describe, it } from 'vitest'
import { twoPartners, type World } from '../helpers/partners.ts'
import { expectOwnView } from '../helpers/partner-outcomes.ts'

describe('the token of a partner', () => {
  let world: World
  beforeAll(async () => {
    world = await twoPartners()
  })
  afterAll(() => world.close())

  it('GET /_sandbox/trace with the own token tells nothing of the other', () =>
    expectOwnView('/_sandbox/trace', world))
})
