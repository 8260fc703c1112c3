import { describe, expect, it } from 'vitest'
import { ask, bearer } from '../helpers/partners.ts'
import { apart, expectRefusedUnderWay, make } from './apart.ts'

describe('what a partner may do wrong in its own workspace', () => {
  it('takes all keys away -> a trace is made without one', async () => {
    const sandbox = await apart()
    const { json: made } = await make(sandbox)
    await ask(sandbox, 'PUT', '/_sandbox/state', bearer(made.admin_token), {})
    expect((await ask(sandbox, 'GET', '/_sandbox/trace', bearer(made.admin_token))).status).toBe(200)
  })
})

describe('rotating', () => {
  it('what all can be seen in that is under way -> 401, and nothing changed, at whatever moment', () =>
    expectRefusedUnderWay('GET', '/trace'))
})
