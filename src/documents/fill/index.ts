// Filling the gaps of sparse rows (design: 3): required fields that a row leaves out get plausible values from the
// seed. Ids and references are never invented, with two exceptions that cannot be wrong: a customer without a product
// is of the first one, and so is an API key. Optional fields stay out.
import { isJsonObject } from '../../contract/formats.ts'
import { intentStatuses } from '../../contract/resources/transaction-intent.ts'
import { rewardStatuses, rewardTypes } from '../../contract/resources/reward.ts'
import { releasedVersions } from '../../contract/versions.ts'
import { idField, type IdField } from '../../store/references.ts'
import { collectionNames, type CollectionName, type Row } from '../../store/rows.ts'
import { Chooser, rfc3339 } from './choose.ts'
import { fillPaymentMethodKind, kindOf } from './fill-payment-method.ts'
import { fillProductRewards } from './fill-product.ts'
import { statementFillers } from './fill-statement.ts'
import type { Fields, FillContext, Filler } from './filler.ts'
import { emailOf, firstNames, lastNames, merchantNames } from './person-names.ts'

type RequiredField<R> = { [F in keyof R]-?: undefined extends R[F] ? never : F }[keyof R]

/** The fillers of a collection, in the order in which they run. */
type Fillers<C extends CollectionName> = {
  readonly [F in Exclude<RequiredField<Row<C>>, IdField<C>>]?: Filler
}

const customerYear = 2024
const otherYear = 2025

/** Rows of a customer are made after the customer. */
const createdAt: Filler = (row, choose, { state }) => {
  const owner = state.get('customers', String(row['customer_id']))
  const earliest = owner === undefined ? 0 : Date.parse(owner.created_at) + 60_000
  const instant = Math.max(choose.instant('created_at', otherYear), earliest)
  return rfc3339(notAfterUpdate(row, instant))
}

function notAfterUpdate(row: Fields, instant: number): number {
  const updated = Date.parse(String(row['updated_at']))
  return Number.isNaN(updated) ? instant : Math.min(instant, updated)
}

const usDollars: Filler = () => 'USD'
const amount: Filler = (_row, choose) => choose.integer('amount', 500, 25_000)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What fills each required field that is no id; references are left to be reported. */
export const fillers: { readonly [C in CollectionName]: Fillers<C> } = {
  products: {
    name: (row) => `Rewards program ${text(row['merchant_key'])}`,
    rewards: () => ({}),
  },
  api_keys: {
    secret: (_row, choose) => choose.token('secret', 'secret'),
    environment: () => 'sandbox',
    api_key: (row, choose) => choose.token('api_key', `sk_${text(row['environment'])}`),
    scopes: () => [],
    products: (_row, _choose, { firstProduct }) => (firstProduct === undefined ? undefined : [firstProduct]),
  },
  customers: {
    first_name: (_row, choose) => choose.pick('first_name', firstNames),
    last_name: (_row, choose) => choose.pick('last_name', lastNames),
    email: (row, choose) =>
      emailOf(text(row['first_name']), text(row['last_name']), choose.digits('email', 3)),
    product: (_row, _choose, { firstProduct }) => firstProduct,
    statuses: (_row, choose) => ({ rewards_card: choose.pick('statuses', ['ACTIVE', 'ACTIVE', 'PENDING']) }),
    created_at: (row, choose) => rfc3339(notAfterUpdate(row, choose.instant('created_at', customerYear))),
  },
  accounts: { currency: usDollars },
  payment_methods: {
    type: kindOf,
    status: () => 'ACTIVE',
    created_at: createdAt,
  },
  rewards: {
    amount,
    type: (_row, choose) => choose.pick('type', rewardTypes),
    status: () => rewardStatuses[0],
    created_at: createdAt,
  },
  transaction_intents: {
    amount,
    currency: usDollars,
    status: () => intentStatuses[0],
    created_at: createdAt,
  },
  statements: statementFillers,
  order_events: {},
  transactions: {
    amount,
    currency: usDollars,
    merchant_name: (_row, choose) => choose.pick('merchant_name', merchantNames),
    posted_at: createdAt,
  },
}

/** What a row of a collection needs beside its required fields; undefined when it has that. */
const further: { readonly [C in CollectionName]?: (row: Fields, choose: Chooser) => Fields | undefined } = {
  products: fillProductRewards,
  payment_methods: fillPaymentMethodKind,
  // An answer shows nobody as an empty list, not as nothing (contract: Authentication 6 leaves it out for a scope).
  customers: (row) => (row['authorized_users'] === undefined ? { authorized_users: [] } : undefined),
}

const fillersOf: ReadonlyMap<CollectionName, readonly { field: string; filler: Filler }[]> = new Map(
  collectionNames.map((collection) => {
    const entries = Object.entries<Filler>(fillers[collection])
    return [collection, entries.map(([field, filler]) => ({ field, filler }))]
  }),
)

/**
 * A row in which what is required and can be filled is there: the row itself when nothing is missing. What stands in
 * it is kept as it is, right or wrong.
 */
export function fillGaps(
  collection: CollectionName,
  input: Readonly<Fields>,
  context: FillContext,
): Readonly<Fields> {
  const choose = new Chooser(context.seed, collection, text(input[idField(collection)]))
  let filled: Fields | undefined
  for (const { field, filler } of fillersOf.get(collection) ?? []) {
    if (input[field] !== undefined) continue
    filled ??= { ...input }
    filled[field] = filler(filled, choose, context)
  }
  const row = filled ?? input
  const more = further[collection]?.(row, choose)
  return more === undefined ? row : { ...row, ...more }
}

/** The account's settings with what is left out: the newest version that is released. */
export function fillAccount(input: unknown): unknown {
  if (input !== undefined && !isJsonObject(input)) return input
  const newest = releasedVersions.at(-1)
  const saved = input?.['saved_version'] ?? {}
  if (!isJsonObject(saved)) return input
  return { ...input, saved_version: { sandbox: newest, production: newest, ...saved } }
}
