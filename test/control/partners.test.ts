// The token of a partner: it opens the partner's own workspace and shows nothing of another.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, bearer, operator, twoPartners, type World } from '../helpers/partners.ts'
import { ownViews } from '../helpers/partner-tries.ts'
import { expectOwnView } from '../helpers/partner-outcomes.ts'

describe('the token of a partner', () => {
  let world: World
  beforeAll(async () => {
    world = await twoPartners()
  })
  afterAll(() => world.close())

  // The trace needs the built page.
  it.each(ownViews.filter((path) => path !== '/_sandbox/trace'))(
    'GET %s with the own token tells nothing of the other',
    (path) => expectOwnView(path, world),
  )

  it('means its own workspace where none is named, in each noun that is about one', async () => {
    const { here, acme } = world
    for (const [path, seen] of [
      ['/clock', '2027-02-01'],
      ['/state/customers/cus_of-acme', 'of-acme'],
      ['/requests', 'req_acme_'],
      ['/snapshots', 'of-acme'],
      ['/scenarios', 'of-acme'],
      ['/workspaces', 'acme-replay-1'],
      ['/workspaces/acme', 'acme'],
    ] as const) {
      const { status, text } = await ask(here, 'GET', `/_sandbox${path}`, bearer(acme.admin_token))
      expect([path, status]).toEqual([path, 200])
      expect(text).toContain(seen)
    }
  })

  it('counts and clears the coverage of its own workspace, and that of all is for whoever runs the sandbox', async () => {
    const { here, acme } = world
    const covered = async (token: string, query = ''): Promise<number> =>
      (await ask(here, 'GET', `/_sandbox/coverage${query}`, token)).json.covered
    const total = await covered(operator)
    const own = await covered(bearer(acme.admin_token))
    expect(own).toBe(await covered(operator, '?workspace=acme'))
    expect(own).toBeGreaterThan(0)
    const theirs = await covered(operator, '?workspace=beta')
    expect((await ask(here, 'DELETE', '/_sandbox/coverage', bearer(acme.admin_token))).status).toBe(204)
    expect(await covered(bearer(acme.admin_token))).toBe(0)
    expect(await covered(operator, '?workspace=beta')).toBe(theirs)
    expect(await covered(operator)).toBeLessThanOrEqual(total)
  })

  it('is trusted as one of whoever runs the sandbox is: from any host, and not across sites', async () => {
    const { here, acme } = world
    const token = bearer(acme.admin_token)
    const at = (url: string, headers: Record<string, string>) =>
      ask(here, 'GET', `${url}/_sandbox/clock`, token, undefined, headers)
    expect((await at('http://sandbox.example', {})).status).toBe(200)
    expect((await at('http://localhost', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})
