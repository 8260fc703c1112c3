import { Client, eachOf } from './client.mjs'

/**
 * The answers to clients, for comparison with the rows after a restart. Every row belongs to one client, which has one
 * call in flight: its last write is either acknowledged or open.
 *
 * @typedef {object} Ledger
 * @property {Map<string, string>} intents the bodies of created intents, by id.
 * @property {Map<string, number[]>} amounts what the amount of a reward may be, by its id.
 * @property {Map<string, string[]>} links what the partner identifier of a customer may be, by their id.
 * @property {Set<string>} deleted order events that are gone.
 * @property {Set<string>} keys API keys that were made.
 * @property {number} acknowledged
 * @property {boolean} [mayBeRefused] whether a 5xx, or a 408 of one who stood still, is an end like no answer.
 */

/** @returns {Ledger} */
export function newLedger() {
  return {
    intents: new Map(),
    amounts: new Map(),
    links: new Map(),
    deleted: new Set(),
    keys: new Set(),
    acknowledged: 0,
  }
}

/** How many order events each client may delete. */
const eventsOfClient = 200

/**
 * Fixtures with what each client changes.
 * @param {number} clients
 */
export function fixturesFor(clients) {
  /** @template T @param {(at: number) => T} make */
  const list = (make) => Array.from({ length: clients }, (_, at) => make(at))
  return {
    customers: list((at) => ({ id: `cus_${at}`, partner_customer_id: `p-${at}-0` })),
    rewards: list((at) => ({ id: `rwd_${at}`, customer_id: `cus_${at}`, status: 'PENDING', amount: 0 })),
    order_events: list((at) =>
      Array.from({ length: eventsOfClient }, (_, event) => ({
        id: `ord_${at}_${event}`,
        customer_id: `cus_${at}`,
      })),
    ).flat(),
  }
}

/** The options by which rows of several hundred kilobytes are accepted. */
export const largeRows = ['--max-body', '16777216']

/** The options by which a customer is linked again and again, as a client does here. */
export const movingLinks = ['--assume', 'link_replaces=replace']

/**
 * One random write of one client; false when no answer came.
 * @param {Client} client
 * @param {number} at which client it is.
 * @param {Ledger} ledger
 * @param {(below: number) => number} random
 * @param {boolean} isLarge a few large rows make the journal outgrow the snapshot, so that it is made anew.
 */
export async function writeOnce(client, at, ledger, random, isLarge) {
  const kind = isLarge ? 0 : random(100)
  const customer = `cus_${at}`
  if (kind < 60) {
    const merchant_name = 'x'.repeat(isLarge ? 1_000_000 : random(400))
    const made = await client.call('POST', '/v2/transaction_intents', {
      customer_id: customer,
      amount: random(10_000),
      currency: 'USD',
      merchant_name,
    })
    return acknowledged(made, 200, ledger, (body) => ledger.intents.set(JSON.parse(body).id, body))
  }
  if (kind < 75) {
    const before = ledger.amounts.get(`rwd_${at}`) ?? [0]
    const amount = random(1_000_000)
    ledger.amounts.set(`rwd_${at}`, [...before, amount])
    const updated = await client.call('PATCH', `/v2/rewards/rwd_${at}`, { amount })
    return acknowledged(updated, 200, ledger, () => ledger.amounts.set(`rwd_${at}`, [amount]))
  }
  if (kind < 85) {
    const before = ledger.links.get(customer) ?? [`p-${at}-0`]
    const partner = `p-${at}-${random(1_000_000)}`
    ledger.links.set(customer, [...before, partner])
    const linked = await client.call('POST', `/v2/customers/${customer}/link`, {
      partner_customer_id: partner,
    })
    return acknowledged(linked, 200, ledger, () => ledger.links.set(customer, [partner]))
  }
  if (kind < 97) {
    const id = `ord_${at}_${random(eventsOfClient)}`
    const gone = await client.call('DELETE', `/v2/order_events/${id}`)
    // It may have been deleted before.
    if (gone?.status === 400) return true
    return acknowledged(gone, 204, ledger, () => ledger.deleted.add(id))
  }
  const key = await client.call('POST', '/v2/keys', {})
  return acknowledged(key, 200, ledger, (body) => ledger.keys.add(JSON.parse(body).key))
}

/**
 * @param {import('./client.mjs').Answer | undefined} answer
 * @param {number} status
 * @param {Ledger} ledger
 * @param {(body: string) => void} note
 */
function acknowledged(answer, status, ledger, note) {
  if (!answer || (ledger.mayBeRefused && (answer.status >= 500 || answer.status === 408))) return false
  if (answer.status !== status) throw new Error(`expected ${status}: ${JSON.stringify(answer)}`)
  ledger.acknowledged += 1
  note(answer.body)
  return true
}

/**
 * Holds everything that was acknowledged against what is there.
 * @param {string} url
 * @param {Ledger} ledger
 * @param {string} [own] the key of the workspace that it was told by.
 * @returns {Promise<string[]>} what is not as it should be.
 */
export async function differences(url, ledger, own) {
  /** @type {string[]} */
  const found = []
  const client = new Client(url, own)
  client.agent.maxSockets = 20
  const get = async (/** @type {string} */ path, /** @type {string} */ key = client.key) => {
    const answer = await client.call('GET', path, undefined, key)
    if (!answer) throw new Error(`no answer to GET ${path}`)
    return answer
  }
  await eachOf(ledger.intents, 20, async ([id, body]) => {
    const answer = await get(`/v2/transaction_intents/${id}`)
    if (answer.body !== body) found.push(`intent ${id}: ${answer.status} ${answer.body.slice(0, 200)}`)
  })
  await eachOf(ledger.amounts, 20, async ([id, allowed]) => {
    const { amount } = JSON.parse((await get(`/v2/rewards/${id}`)).body)
    if (allowed.includes(amount)) ledger.amounts.set(id, [amount])
    else found.push(`reward ${id}: amount ${amount}, expected ${allowed.join(' or ')}`)
  })
  await eachOf(ledger.links, 20, async ([id, allowed]) => {
    const holders = await Promise.all(
      allowed.map(async (partner) => {
        const { data } = JSON.parse((await get(`/v2/customers?partner_customer_id=${partner}`)).body)
        return data[0]?.id === id ? partner : undefined
      }),
    )
    const linked = holders.filter((partner) => partner !== undefined)
    if (linked.length > 0) ledger.links.set(id, linked.slice(0, 1))
    else found.push(`customer ${id}: is linked to none of ${allowed.join(', ')}`)
  })
  await eachOf(ledger.deleted, 20, async (id) => {
    const answer = await client.call('DELETE', `/v2/order_events/${id}`)
    if (answer?.status !== 400) found.push(`order event ${id} is there again (${answer?.status})`)
  })
  await eachOf(ledger.keys, 20, async (key) => {
    const answer = await get('/v2/customers?limit=1', key)
    if (answer.status !== 200) found.push(`key ${key}: ${answer.status}`)
  })
  client.close()
  return found
}
