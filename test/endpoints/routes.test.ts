import { expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { findRoute } from '../../src/endpoints/routes.ts'

it.each(endpoints.map(({ id, path }) => [id, path]))(
  '%s: its path, filled in, finds its route',
  (_, path) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const filled = path.replace(/\{(\w+)\}/g, 'id_of_$1')
    const route = findRoute(filled)
    expect(route?.path).toBe(path)
    expect(route?.match(filled)).toEqual(Object.fromEntries(names.map((name) => [name, `id_of_${name}`])))
  },
)

it.each([
  ['/v2/rewards/rewards_categories', '/v2/rewards/rewards_categories', {}],
  ['/v2/rewards/a%20b', '/v2/rewards/{reward_id}', { reward_id: 'a b' }],
  ['/v2/rewards/%zz%41', '/v2/rewards/{reward_id}', { reward_id: '%zzA' }],
  ['/v2/rewards/%ff%41', '/v2/rewards/{reward_id}', { reward_id: '%ff%41' }],
  ['/v2/rewards/link', '/v2/rewards/{reward_id}', { reward_id: 'link' }],
  ['/v2/customers/accounts/link', '/v2/customers/{customer_id}/link', { customer_id: 'accounts' }],
])('%s -> %s %j', (sent, path, params) => {
  const route = findRoute(sent)
  expect([route?.path, route?.match(sent)]).toEqual([path, params])
})

it.each([
  '/v2/rewards/',
  '/v2/rewards//',
  '/v2/rewards/a/',
  '/v2/rewards/a/b',
  '/v2/customers//link',
  '/v2/customers/a/linked',
  '/v2/customers/a/accounts//statements',
  '/v2/customers/a/accounts/b/statements/',
  '/v2/customers/',
  '/V2/customers',
  '',
])('%j -> no route', (sent) => {
  expect(findRoute(sent)).toBeUndefined()
})
