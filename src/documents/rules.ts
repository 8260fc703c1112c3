// What a schema of one row cannot say: that references resolve, that what belongs together has the same customer,
// that keys are unique; and, as a warning, that amounts do not add up.
import type { Assumptions } from '../contract/assumptions.ts'
import { didYouMean } from '../reading/did-you-mean.ts'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import { ExactNumber } from '../json/exact-number.ts'
import { stringify } from '../json/stringify.ts'
import { exactSum } from '../contract/exact-sum.ts'
import { subObjectsOfType } from '../contract/resources/payment-method.ts'
import { statementComponents } from '../contract/resources/statement.ts'
import { groupOf, groupOfAnyText } from '../store/indexes.ts'
import { idField, references } from '../store/references.ts'
import { collectionNames, type AnyRow, type CollectionName, type Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import { couldBeReal, holdsRealCard, mayHoldCard } from '../secrets/cards.ts'
import type { Path } from '../reading/json-text.ts'
import { printable } from '../reading/problems.ts'

/** A value that contradicts another one: in the same row, or in the row that is named. */
export interface OtherValue {
  path: Path
  row?: { collection: CollectionName; id: string }
}

/**
 * Says what is wrong with a row; the path is within the row. See `Finding` for a message that is a function.
 * @param other the value that contradicts this one, where it takes two.
 */
export type Report = (path: Path, message: string | (() => string), other?: OtherValue) => void

/** The indexes whose groups hold one row. */
export type UniqueIndex = 'by_api_key' | 'by_partner_customer_id' | 'by_partner_transaction_id'

/** What the rules look at beside the row: a state that holds every row, the one in question included or not. */
export interface RuleContext {
  state: State
  assumptions: Assumptions
  /** Whether a card number may be one that could belong to somebody. */
  allowAnyPan: boolean
  /**
   * Takes a value that only one row may have, such as an API key. Gives back the id of the row that has it already,
   * or undefined when there is none but the one given.
   */
  claim(index: UniqueIndex, group: string, id: string): string | undefined
  /** Why a name is no scenario that an API key can have; left out where that was looked at before. */
  whyUnknownScenario?: (name: string) => string | undefined
  /** Told of what is unusual in a row and no reason to refuse it; left out where nobody is to be told. */
  warn?: Report
  /** Whether a row that is not in the state could not be read or was refused, so that its absence is no news. */
  wasRefused?: (collection: CollectionName, id: string) => boolean
}

const realCard = 'could be a real card; take a well-known test number, or allow it with --allow-any-pan'

type Rule<C extends CollectionName> = (row: Row<C>, context: RuleContext, report: Report) => void

const rules: { readonly [C in CollectionName]?: Rule<C> } = {
  products: checkEarnRates,
  api_keys: checkApiKey,
  customers: checkCustomer,
  payment_methods: checkPaymentMethod,
  transaction_intents: checkIntent,
  statements: checkStatement,
}

/** Checks a row that its schema accepts, and reports everything that is wrong with it. */
export function checkRow<C extends CollectionName>(
  collection: C,
  row: Row<C>,
  context: RuleContext,
  report: Report,
): void {
  checkReferences(collection, row, context, report)
  if ('metadata' in row && row.metadata !== undefined) {
    // Looking for card numbers in what is too large would take longer than reading it.
    if (!checkMetadata(row.metadata, context.assumptions, report)) return
  }
  checkInstants(row, [], report)
  rules[collection]?.(row, context, report)
  if (!context.allowAnyPan && mayHoldCard(row)) reportCards(row, [], report)
}

/** Reports every text that holds the number of a real card, and every number in metadata that is one. */
function reportCards(value: unknown, path: Path, report: Report): void {
  // This one is a card's own, and is checked as such.
  if (path.at(-2) === 'pci_details' && path.at(-1) === 'pan') return
  const isText = typeof value === 'string' || (Number.isSafeInteger(value) && path[0] === 'metadata')
  if (isText && holdsRealCard(String(value))) report(path, `holds what ${realCard}`)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return
  for (const [name, field] of Object.entries(value)) {
    // Named by what is around it: a path is shown, and would show the number.
    if (holdsRealCard(name)) report(path, `has a key that ${realCard}`)
    else reportCards(field, [...path, Array.isArray(value) ? Number(name) : name], report)
  }
}

/** A collection's rows as a word for one of them. */
export function nounOf(collection: CollectionName): string {
  return collection.replace(/s$/, '').replaceAll('_', ' ')
}

const referencesOf: ReadonlyMap<CollectionName, readonly { field: string; target: CollectionName }[]> =
  new Map(
    collectionNames.map((collection) => {
      const entries = Object.entries(references[collection])
      return [collection, entries.map(([field, target]) => ({ field, target }))]
    }),
  )

/** The rows that a row names, each in the field of `references` or as the payment method of an authorized user. */
export function namedBy(
  collection: CollectionName,
  row: object,
): { collection: CollectionName; id: string }[] {
  const found = (referencesOf.get(collection) ?? []).flatMap(({ field, target }) =>
    [Reflect.get(row, field) as unknown].flat().map((id) => ({ collection: target, id })),
  )
  const users: unknown = collection === 'customers' ? Reflect.get(row, 'authorized_users') : undefined
  for (const user of Array.isArray(users) ? users : []) {
    if (isJsonObject(user)) found.push({ collection: 'payment_methods', id: user['payment_method_id'] })
  }
  return found.flatMap(({ collection: target, id }) =>
    typeof id === 'string' ? [{ collection: target, id }] : [],
  )
}

/** Checks that what a row names is there and of the same customer; also for a row that its schema refuses. */
export function checkReferences(
  collection: CollectionName,
  fields: Readonly<Record<string, unknown>>,
  context: RuleContext,
  report: Report,
): void {
  const owner = fields['customer_id']
  for (const { field, target } of referencesOf.get(collection) ?? []) {
    const value = fields[field]
    if (typeof value === 'string') {
      const referred = checkReference(context, target, value, [field], report)
      if (typeof owner === 'string') checkOwner(referred, owner, [field], report)
    } else if (Array.isArray(value)) {
      value.forEach((name: unknown, index) => {
        if (typeof name === 'string') checkReference(context, target, name, [field, index], report)
      })
    }
  }
  if (collection === 'api_keys') checkScenarios(fields['scenarios'], context, report)
}

function checkOwner(referred: AnyRow | undefined, owner: string, path: Path, report: Report): void {
  if (referred && 'customer_id' in referred && referred.customer_id !== owner) {
    report(path, `belongs to another customer, '${printable(referred.customer_id)}'`)
  }
}

function checkScenarios(names: unknown, { whyUnknownScenario }: RuleContext, report: Report): void {
  if (!whyUnknownScenario || !Array.isArray(names)) return
  names.forEach((name: unknown, index) => {
    const refusal = typeof name === 'string' ? whyUnknownScenario(name) : undefined
    if (refusal !== undefined) report(['scenarios', index], refusal)
  })
}

function checkReference(
  { state, wasRefused }: RuleContext,
  target: CollectionName,
  id: string,
  path: Path,
  report: Report,
): AnyRow | undefined {
  const referred = state.get(target, id)
  if (referred === undefined && !wasRefused?.(target, id)) {
    report(path, () => {
      const hint = didYouMean(id, someIds(state, target), '')
      return `no ${nounOf(target)} has the ${idField(target)} '${printable(id)}'${hint}`
    })
  }
  return referred
}

/** Ids to guess from; in a large collection a guess is not worth looking at all of them. */
function someIds(state: State, collection: CollectionName): string[] {
  const ids: string[] = []
  for (const row of state.all(collection)) {
    if (ids.length >= 1000) break
    ids.push(state.idOf(collection, row))
  }
  return ids
}

/** Whether metadata is as it may be. */
function checkMetadata(metadata: unknown, assumptions: Assumptions, report: Report): boolean {
  const { metadata_max_depth: maxDepth, metadata_max_bytes: maxBytes } = assumptions
  if (depthOf(metadata, maxDepth + 1) > maxDepth) {
    report(['metadata'], `must not be nested deeper than ${maxDepth} levels`)
  } else if (Buffer.byteLength(stringify(metadata)) > maxBytes) {
    report(['metadata'], `must not be larger than ${maxBytes} bytes`)
  } else return true
  return false
}

function checkEarnRates({ rewards }: Row<'products'>, _context: RuleContext, report: Report): void {
  for (const [index, { earn_rate: rate }] of rewards.categories.entries()) {
    const decimals = rate.split('.')[1]?.length ?? 0
    if (decimals > rewards.precision) {
      const message = `must have no more decimals than the precision of ${rewards.precision}`
      report(['rewards', 'categories', index, 'earn_rate'], message)
    }
  }
}

/** Checks that a row, or a part of it, was not updated before it was created. */
function checkInstants(part: object, path: Path, report: Report): void {
  const { created_at: created, updated_at: updated }: { created_at?: unknown; updated_at?: unknown } = part
  if (typeof created !== 'string' || typeof updated !== 'string') return
  if (Date.parse(updated) < Date.parse(created)) {
    report([...path, 'updated_at'], 'must not be before created_at', { path: [...path, 'created_at'] })
  }
}

function checkIntent(row: Row<'transaction_intents'>, { claim }: RuleContext, report: Report): void {
  const { partner_transaction_id: partnerId } = row
  if (partnerId === undefined) return
  const id = claim('by_partner_transaction_id', groupOfAnyText(partnerId), row.id)
  if (id === undefined) return
  const path = ['partner_transaction_id']
  report(path, `is also the one of transaction intent '${printable(id)}'`, {
    path,
    row: { collection: 'transaction_intents', id },
  })
}

function checkApiKey(row: Row<'api_keys'>, { state, claim }: RuleContext, report: Report): void {
  const other = claim('by_api_key', row.api_key, row.id)
  if (other !== undefined) report(['api_key'], `is also the api_key of '${printable(other)}'`)
  // A Basic user name may be an API key or a key id, so one text must not be both.
  const named = state.get('api_keys', row.api_key)
  if (named !== undefined && named.id !== row.id) report(['api_key'], 'is the id of another API key')
}

function checkCustomer(row: Row<'customers'>, context: RuleContext, report: Report): void {
  const { partner_customer_id: partnerId, date_of_birth: born, authorized_users: users = [] } = row
  if (partnerId !== undefined) {
    const other = context.claim('by_partner_customer_id', groupOf(row.product, partnerId), row.id)
    if (other !== undefined) {
      report(['partner_customer_id'], `is also the one of customer '${printable(other)}' of this product`)
    }
  }
  if (born !== undefined) checkDate(born, ['date_of_birth'], report)
  for (const [index, user] of users.entries()) {
    const path = ['authorized_users', index]
    if (user.date_of_birth !== undefined) checkDate(user.date_of_birth, [...path, 'date_of_birth'], report)
    if (user.payment_method_id === undefined) continue
    const place = [...path, 'payment_method_id']
    const method = checkReference(context, 'payment_methods', user.payment_method_id, place, report)
    checkOwner(method, row.id, place, report)
  }
}

type DateOfBirth = NonNullable<Row<'customers'>['date_of_birth']>

function checkDate({ year, month, day }: DateOfBirth, path: Path, report: Report): void {
  if (day > 28 && day > new Date(Date.UTC(year, month, 0)).getUTCDate()) {
    report([...path, 'day'], 'is a day that this month does not have')
  }
}

function checkPaymentMethod(row: Row<'payment_methods'>, { allowAnyPan }: RuleContext, report: Report): void {
  const own: readonly string[] = subObjectsOfType[row.type]
  const fields: Readonly<Record<string, unknown>> = row
  const present = Object.values(subObjectsOfType)
    .flat()
    .filter((name) => fields[name] !== undefined)
  for (const name of present) {
    if (!own.includes(name)) report([name], `is not for type ${row.type}, which has ${own.join(' or ')}`)
  }
  const ofType = present.filter((name) => own.includes(name))
  if (ofType.length > 1)
    report([ofType[1] ?? ''], `must not stand beside ${ofType[0]}: a card has one of the two`)

  for (const name of subObjectsOfType.CARD) {
    const card = row[name]
    if (card === undefined) continue
    for (const [index, token] of (card.tokens ?? []).entries()) {
      checkInstants(token, [name, 'tokens', index], report)
    }
    const { pci_details: details } = card
    if (details === undefined) continue
    for (const field of ['exp_month', 'exp_year'] as const) {
      if (card[field] === undefined || details[field] === undefined || card[field] === details[field])
        continue
      report([name, 'pci_details', field], `must be the ${field} of ${name}`, { path: [name, field] })
    }
    const { pan } = details
    if (pan === undefined) continue
    const path = [name, 'pci_details', 'pan']
    if (!pan.endsWith(card.last4)) report(path, 'must end in last4', { path: [name, 'last4'] })
    if (!allowAnyPan && couldBeReal(pan)) report(path, realCard)
  }
}

function checkStatement(row: Row<'statements'>, { warn }: RuleContext, report: Report): void {
  if (!(Date.parse(row.period_end_date) > Date.parse(row.period_start_date))) {
    report(['period_end_date'], 'must be after period_start_date')
  }
  const sum = exactSum(statementComponents.map((name) => row[name]))
  if (sum === row.statement_balance) return
  // The contract shows signs only (Statement), so what a partner's real statement says is taken as it is.
  const shown = stringify(sum)
  warn?.(['statement_balance'], `is not ${shown}, the sum of ${statementComponents.join(', ')}`)
}
