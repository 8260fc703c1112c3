import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { nearestEndpoint } from '../../src/explain/nearest-endpoint.ts'
import { samples } from '../setup/samples.ts'

describe('the nearest endpoint', () => {
  it.each<[string, string, string, string[]]>([
    ['GET', '/v2/reward/rwd_1', 'retrieveReward', ["'reward' should be 'rewards'"]],
    ['PATCH', '/v2/reward/rwd_1', 'updateReward', ["'reward' should be 'rewards'"]],
    ['GET', '/rewards/rwd_1', 'retrieveReward', ['/v2 is missing']],
    ['GET', '/v1/rewards/rwd_1', 'retrieveReward', ["'v1' should be 'v2'"]],
    ['GET', '/V2/rewards/rwd_1', 'retrieveReward', ["'V2' should be 'v2': paths are in lower case"]],
    ['GET', '/api/v2/rewards/rwd_1', 'retrieveReward', ['/api is superfluous']],
    ['GET', '/v2/rewards/rwd_1/', 'retrieveReward', ['it ends in a slash']],
    ['GET', '/v2//rewards/rwd_1', 'retrieveReward', ['it has two slashes in a row']],
    ['GET', '/v2/rewards', 'retrieveReward', ['/{reward_id} is missing']],
    ['GET', '/v2/rewards/rewards_category', 'retrieveReward', []],
    ['PATCH', '/v2/rewards/rewards_categories', 'updateReward', []],
    [
      'POST',
      '/v2/transaction-intents',
      'createTransactionIntent',
      ["'transaction-intents' should be 'transaction_intents'"],
    ],
    [
      'POST',
      '/v2/transactionIntents',
      'createTransactionIntent',
      ["'transactionIntents' should be 'transaction_intents'"],
    ],
    ['POST', '/v2/intents', 'createTransactionIntent', ["'intents' should be 'transaction_intents'"]],
    ['GET', '/v2/payment_methods', 'listPaymentMethods', ['GET should be POST']],
    ['PUT', '/v2/rewards/rwd_1', 'retrieveReward', ['PUT should be GET or PATCH']],
    ['HEAD', '/v2/rewards/rwd_1', 'retrieveReward', []],
    ['HEAD', '/v2/keys', 'createApiKey', ['HEAD should be POST']],
    ['GET', '/v2/customers/cus_ada', 'searchCustomers', ['/cus_ada is superfluous']],
    ['POST', '/v2/customers/cus_ada', 'linkCustomer', ['/link is missing']],
    [
      'GET',
      '/v2/customers/cus_ada/statements',
      'listStatements',
      ['/accounts is missing', '/{account_id} is missing'],
    ],
    [
      'GET',
      '/v2/customers/cus_ada/rewards-balance',
      'retrieveRewardsBalance',
      ["'rewards-balance' should be 'rewards_balance'"],
    ],
    ['DELETE', '/v2/order-event/ord_1', 'deleteOrderEvent', ["'order-event' should be 'order_events'"]],
    ['GET', '/v2/%72ewards/a%20b', 'retrieveReward', []],
    ['GET', '/v2/%zz/rwd_1', '', []],
    ['GET', '/v2', '', []],
    ['GET', '/', '', []],
    ['GET', '/v2/webhooks', '', []],
    ['GET', '/favicon.ico', '', []],
    ['GET', `/v2${'/rewards'.repeat(30)}`, '', []],
  ])('%s %s -> %s %j', (method, path, id, differs) => {
    const nearest = nearestEndpoint(method, path, endpoints)
    expect([nearest?.endpoint.id ?? '', nearest?.differs ?? []]).toEqual([id, differs])
  })

  it.each(endpoints.map(({ id, method, path }) => [id, method, path] as const))(
    '%s is nearest to itself, and to itself with one letter wrong',
    (id, method, path) => {
      const sent = path.replace(/\{\w+\}/g, 'x_1')
      expect(nearestEndpoint(method, sent, endpoints)).toMatchObject({ endpoint: { id }, differs: [] })
      const words = path.split('/').filter((word) => /^[a-z_]{4,}$/.test(word))
      for (const word of words) {
        const wrong = sent.replace(`/${word}`, `/${word.slice(0, -1)}q`)
        // A reward id may be any word.
        if (word === 'rewards_categories') continue
        const nearest = nearestEndpoint(method, wrong, endpoints)
        expect([wrong, nearest?.endpoint.id]).toEqual([wrong, id])
        expect(nearest?.differs).toEqual([`'${word.slice(0, -1)}q' should be '${word}'`])
      }
    },
  )

  it('any path has an answer at once', () => {
    const segment = fc.oneof(fc.constantFrom('v2', 'rewards', 'customers', 'x', '', '%'), fc.string())
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 40 }),
        fc.constantFrom('GET', 'POST', 'PUT'),
        (segments, method) => {
          const nearest = nearestEndpoint(method, `/${segments.join('/')}`, endpoints)
          expect(nearest === undefined || endpoints.includes(nearest.endpoint)).toBe(true)
        },
      ),
      { numRuns: samples(500) },
    )
  })
})
