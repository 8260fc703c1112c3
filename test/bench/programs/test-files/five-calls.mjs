/**
 * The calls of one test, the same for every kind of mock: a creation between four reads.
 *
 * @param {(path: string, init?: RequestInit) => Promise<Response>} call
 */
export async function fiveCalls(call) {
  await check(call('/v2/customers?limit=2'))
  await check(call('/v2/rewards/rwd_ada_pending'))
  await check(call('/v2/customers/cus_ada/rewards_balance'))
  await check(call('/v2/transaction_intents', creation))
  await check(call('/v2/customers/cus_ada/rewards_balance'))
}

const creation = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ customer_id: 'cus_ada', amount: 1250, currency: 'USD' }),
}

/** @param {Promise<Response>} called */
async function check(called) {
  const answer = await called
  const body = await answer.json()
  if (answer.status !== 200) throw new Error(`a call answered ${answer.status}: ${JSON.stringify(body)}`)
}
