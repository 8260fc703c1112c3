// Finds the row of the built-in fixtures that a sample request addresses.
import type { Assumptions } from '../../contract/assumptions.ts'
import { docs } from '../../contract/docs.ts'
import { updatableRewardStatus } from '../../contract/resources/reward.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { collectionNames, type CollectionName } from '../../store/rows.ts'
import { allowedValues, keywordsOf } from '../points/limits.ts'
import type { Recipe } from '../points/point.ts'
import { rowSchemaOf } from '../points/result-rows.ts'
import type { SampleRow, Samples } from './samples.ts'

/** An id that no row has. */
export const unknownId = 'nobody'

/** The condition on the row that an operation addresses, so that the call succeeds and its answer is not empty. */
const typicalRows: Readonly<Record<string, (row: SampleRow, samples: Samples) => boolean>> = {
  updateReward: ({ status }) => status === updatableRewardStatus,
  linkCustomer: ({ partner_customer_id: linked }) => linked === undefined,
  listStatements: ({ id }, samples) =>
    samples.rows('statements').filter(({ account_id: account }) => account === id).length > 2,
}

/**
 * Returns the row that a call addresses: the row in its path, or a row of the list. It returns undefined for a call
 * that addresses no row, and `none` if no fixture row fits.
 */
export function subjectOf(
  endpoint: Endpoint,
  { about, shows }: Recipe,
  samples: Samples,
  values: Assumptions,
): SampleRow | undefined | 'none' {
  const named = Object.keys(endpoint.params).at(-1)
  const collection = named === undefined ? listedCollection(endpoint, values) : collectionOfId(named)
  const asks = about !== undefined || shows !== undefined
  if (collection === undefined || (named === undefined && !asks)) return undefined
  const isTypical = typicalRows[endpoint.id] ?? (() => true)
  const fits = (row: SampleRow): boolean =>
    isTypical(row, samples) &&
    (about === undefined || about(row)) &&
    (shows === undefined || sends(endpoint, shows, values) || row[shows.field] === shows.value)
  return samples.rows(collection).find(fits) ?? 'none'
}

/** Whether a call produces the value by sending it. */
export function sends(
  { body }: Endpoint,
  { field, value }: { field: string; value: string },
  values: Assumptions,
): boolean {
  const schema = body?.(values).shape[field]
  return schema !== undefined && allowedValues(keywordsOf(schema, values)).includes(value)
}

/** Returns the collection of an id parameter: `order_event_id` refers to a row of `order_events`. */
function collectionOfId(name: string): CollectionName | undefined {
  const noun = name.replace(/_id$/, '')
  // `intent_id` refers to a row of `transaction_intents`.
  return collectionNames.find((collection) => collection === `${noun}s` || collection.endsWith(`_${noun}s`))
}

/** Returns the collection of a list's rows: `PaymentMethod` is a row of `payment_methods`. */
function listedCollection(endpoint: Endpoint, values: Assumptions): CollectionName | undefined {
  const result = endpoint.result?.(values)
  const id = result && docs.get(rowSchemaOf(result))?.id
  const noun = id?.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
  return collectionNames.find((collection) => collection === `${noun}s`)
}
