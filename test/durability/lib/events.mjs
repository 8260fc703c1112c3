import { Client } from './client.mjs'

/** The options by which every call that changes something creates an event that is kept. */
export const withEvents = ['--webhooks', 'thin', '--events-size', '1000000']

/**
 * Compares the webhook events with the ledger and the rows: each acknowledged write has its event, each event its write,
 * and no event exists twice, as a refused call creates none.
 *
 * @param {string} url
 * @param {import('./ledger.mjs').Ledger} ledger
 * @returns {Promise<{ found: string[], count: number }>} the differences, and the number of events.
 */
export async function eventDifferences(url, ledger) {
  /** @type {string[]} */
  const found = []
  const client = new Client(url)
  const events = await rowsOf(client, 'events')
  const byRow = new Map()
  for (const { id, type, data } of events) {
    const key = `${type} ${data.id}`
    if (type !== 'reward.updated' && type !== 'customer.linked' && byRow.has(key)) {
      found.push(`${key}: ${byRow.get(key)} and ${id}`)
    }
    byRow.set(key, id)
  }
  const numbers = events.map(({ id }) => Number(id.slice(id.lastIndexOf('_') + 1))).toSorted((a, b) => a - b)
  if (numbers.some((number, at) => number !== at + 1)) found.push('the numbers of events have a gap')
  for (const id of ledger.intents.keys()) {
    if (!byRow.has(`transaction_intent.created ${id}`)) found.push(`intent ${id} has no event`)
  }
  for (const id of ledger.deleted) {
    if (!byRow.has(`order_event.deleted ${id}`)) found.push(`the deletion of ${id} has no event`)
  }
  const intents = new Set((await rowsOf(client, 'transaction_intents')).map(({ id }) => id))
  const orders = new Set((await rowsOf(client, 'order_events')).map(({ id }) => id))
  for (const { id, type, data } of events) {
    if (type === 'transaction_intent.created' && !intents.has(data.id)) found.push(`${id} has no intent`)
    if (type === 'order_event.deleted' && orders.has(data.id)) found.push(`${id}: ${data.id} is there`)
  }
  client.close()
  return { found, count: events.length }
}

/**
 * @param {Client} client
 * @param {string} collection
 * @returns {Promise<any[]>}
 */
async function rowsOf(client, collection) {
  const answer = await client.call('GET', `/_sandbox/state/${collection}`)
  if (answer?.status !== 200) throw new Error(`no ${collection}: ${answer?.status}`)
  return JSON.parse(answer.body)[collection]
}
