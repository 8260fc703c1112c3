import { beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { fullKey, testNow } from '../helpers/sandbox.ts'

const pan = '4242424242424242'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ clock: testNow, frozen: true })
  const send = (method: string, path: string, body?: unknown, key = fullKey): Promise<Response> =>
    sandbox.fetch(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  await send('GET', '/v2/rewards/rwd_ada_pending') // 1
  await send('PATCH', '/v2/rewards/rwd_ada_pending', { amount: 4711 }) // 2
  await send('GET', '/v2/customers?limit=1&token=Swordfish') // 3
  await send('POST', '/v2/payment_methods', { pan, customer_id: 'Ünique' }) // 4
  await send('POST', '/v2/payment_methods', '{"half') // 5
  await send('GET', '/v2/nothing', undefined, 'sk_of_nobody') // 6
  await send('HEAD', '/v2/rewards/nobody') // 7
})

const found = (text: string): number[] =>
  sandbox.requests.list({ text }).map(({ id }) => Number(id.split('_').at(-1)))

describe('requests that show a text', () => {
  it.each<[what: string, text: string, numbers: number[]]>([
    ['everything', '', [7, 6, 5, 4, 3, 2, 1]],
    ['the method', 'head /', [7]],
    ['the path', 'rewards/RWD_ADA', [2, 1]],
    ['the query', '?limit=1&', [3]],
    ['the id', 'req_default_5', [5]],
    ['the operation', 'UPDATEreward', [2]],
    ['the outcome', 'unauthenticated', [6]],
    ['the type of an error, also of one without a body', 'reward_not_found_error', [7]],
    ['the product', 'mk_summit', [7, 5, 4, 3, 2, 1]],
    ['the body that was sent', '"amount":4711', [2]],
    ['one that is no JSON', '{"half', [5]],
    ['the body that was answered', '"id":"rwd_ada_pending"', [2, 1]],
    ['letters beyond ASCII', 'ünIQUE', [4]],
    ['the end of a card number', '************4242', [4]],
    ['the status, as a whole', '401', [6]],
    ['no part of a status', '04', []],
    ['nothing', 'no such text', []],
  ])('%s', (_, text, numbers) => {
    expect(found(text)).toEqual(numbers)
  })

  it.each([
    ['a key', fullKey],
    ['a key that nobody has', 'sk_of_nobody'],
    ['a card number', pan],
    ['a secret of the query', 'swordfish'],
  ])('what is hidden is not found: %s', (_, secret) => {
    expect(found(secret)).toEqual([])
  })

  it('scenario rules', async () => {
    await sandbox.scenarios.activate('unavailable')
    await sandbox.fetch('/v2/customers', { headers: { authorization: `Bearer ${fullKey}` } })
    await sandbox.scenarios.deactivate()
    expect(found('unavailable#1')).toEqual([8])
  })
})
