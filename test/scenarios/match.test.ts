import { describe, expect, it } from 'vitest'
import { misfit, type MatchedCall } from '../../src/scenarios/match.ts'
import type { When } from '../../src/scenarios/scenario-schema.ts'

const query = new URLSearchParams('limit=5&tag=a&tag=b')
const headers = new Map([['x-client', 'app/1.2']])

const call: MatchedCall = {
  operation: 'updateReward',
  params: { reward_id: 'rwd_ada_pending' },
  query: (name) => query.getAll(name),
  header: (name) => headers.get(name),
  body: { status: 'AVAILABLE', amount: 5, tags: ['a', 'b'], metadata: { by: 'ada', deep: { n: null } } },
  key: { id: 'key_full', api_key: 'sk_sandbox_full' },
  product: 'mk_summit',
}

describe('misfit', () => {
  it.each<[When, string | undefined]>([
    [{}, undefined],
    [{ params: { reward_id: 'rwd_ada_pending' } }, undefined],
    [{ params: { reward_id: 'rwd_*' } }, undefined],
    [{ params: { reward_id: 'RWD_*' } }, 'params.reward_id'],
    [{ params: { customer_id: '*' } }, 'params.customer_id'],
    [{ query: { limit: '5' } }, undefined],
    [{ query: { tag: 'b' } }, undefined],
    [{ query: { tag: 'c' } }, 'query.tag'],
    [{ query: { starting_after: '*' } }, 'query.starting_after'],
    [{ headers: { 'X-Client': 'app/*' } }, undefined],
    [{ headers: { 'x-client': 'web/*' } }, 'headers.x-client'],
    [{ headers: { 'x-other': '*' } }, 'headers.x-other'],
    [{ key: 'key_full' }, undefined],
    [{ key: 'sk_sandbox_*' }, undefined],
    [{ key: 'key_none' }, 'key'],
    [{ product: 'mk_*' }, undefined],
    [{ product: 'mk_harbor' }, 'product'],
    [{ body: {} }, undefined],
    [{ body: { status: 'AVAIL*' } }, undefined],
    [{ body: { amount: 5, metadata: { by: 'ada' } } }, undefined],
    [{ body: { metadata: { deep: { n: null } } } }, undefined],
    [{ body: { amount: '5' } }, 'body'],
    [{ body: { amount: 6 } }, 'body'],
    [{ body: { tags: ['a', '?'] } }, undefined],
    [{ body: { tags: ['a'] } }, 'body'],
    [{ body: { missing: null } }, 'body'],
    [{ body: { constructor: {} } }, 'body'],
    [{ params: { reward_id: '*' }, key: 'key_full', product: 'mk_harbor' }, 'product'],
  ])('%j -> %s', (when, expected) => {
    expect(misfit(when, call)).toBe(expected)
  })

  it.each([undefined, null, [], 'text', 5])('a body of %j -> fits no part of an object', (body) => {
    expect(misfit({ body: {} }, { ...call, body })).toBe('body')
    expect(misfit({}, { ...call, body })).toBeUndefined()
  })
})
