// Reads a single row, or the account, for a state that is there; finds what references a row.
import { isJsonObject } from '../contract/formats.ts'
import { idField, references } from '../store/references.ts'
import { collectionNames, type Account, type CollectionName, type Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import { completeRow } from './complete-row.ts'
import { idRequired } from './gather.ts'
import { readInput } from '../reading/read-input.ts'
import { documentParts } from './state-document.ts'
import { fillAccount } from './fill/index.ts'
import type { FillContext } from './fill/filler.ts'
import { ProblemList } from '../reading/problem-list.ts'
import { DocumentError, type Problem } from '../reading/problems.ts'
import { checkReferences, checkRow, type Report, type RuleContext } from './rules.ts'
import { problemAt, sourceFromObject } from '../reading/source-file.ts'

/** What reading one row depends on. */
export interface RowContext extends FillContext, Omit<RuleContext, 'claim' | 'wasRefused'> {
  /** The state the row is to be put into; not changed. */
  state: State
  /** The word by which messages name the row. */
  source: string
}

/**
 * Reads one row as a document would give it, for a state that is already there: gaps are filled and everything is
 * checked, against the other rows as well. A row with the same id is the one that it replaces.
 *
 * @throws {DocumentError} for a row that no document could hold beside the others.
 * @example
 * readRow('customers', { id: 'cus_1', first_name: 'Ada' }, context).email   // made up
 */
export function readRow<C extends CollectionName>(
  collection: C,
  input: unknown,
  context: RowContext,
): Row<C> {
  const source = sourceFromObject(input, context.source)
  const fields = source.value
  const field = idField(collection)
  if (!isJsonObject(fields)) throw new DocumentError([problemAt(source, [], 'must be an object')])
  if (fields[field] === undefined) {
    throw new DocumentError([problemAt(source, [field], idRequired)])
  }
  const problems = new ProblemList()
  const report: Report = (path, message) => problems.add({ source, path, message })
  const firstProduct = firstProductOf(context)
  const { row, issues } = completeRow(collection, fields, { ...context, firstProduct })
  const state = context.state.fork()
  const rules: RuleContext = { ...context, state, claim: claimIn(state) }
  if (issues !== undefined) {
    for (const { path, message } of issues) report(path, message)
    checkReferences(collection, fields, rules, report)
    throw problems.error()
  }
  state.put(collection, row)
  checkRow(collection, row, rules, report)
  for (const problem of brokenByNewOwner(collection, row, context)) problems.add(problem)
  problems.throwIfAny()
  return row
}

/** A state may have been replaced by one without the product that fixtures named first. */
function firstProductOf({ state, firstProduct }: RowContext): string | undefined {
  if (firstProduct !== undefined && state.get('products', firstProduct)) return firstProduct
  const [first] = state.all('products')
  return first?.merchant_key
}

/** Finds another row of a state that has a value which only one may have. */
function claimIn(state: State): RuleContext['claim'] {
  return (index, group, id) => {
    const holders =
      index === 'by_api_key'
        ? state.scan('api_keys', index, group, { limit: 2 })
        : index === 'by_partner_customer_id'
          ? state.scan('customers', index, group, { limit: 2 })
          : state.scan('transaction_intents', index, group, { limit: 2 })
    return holders.find((holder) => holder.id !== id)?.id
  }
}

/** Rows that name a row and have its customer cannot follow when it goes to another customer. */
function brokenByNewOwner<C extends CollectionName>(
  collection: C,
  row: Row<C>,
  { state, source }: RowContext,
): Problem[] {
  const id = state.idOf(collection, row)
  const before = state.get(collection, id)
  if (before === undefined || !('customer_id' in before) || !('customer_id' in row)) return []
  if (before.customer_id === row.customer_id) return []
  return referencesTo(state, collection, id).map((other) => ({
    source,
    path: 'customer_id',
    message: `cannot change: ${other.collection} '${other.id}' names this row and stays with its customer`,
  }))
}

/**
 * Reads the account's settings as a document would give them.
 * @throws {DocumentError} for settings that are unknown or have no valid value.
 */
export function readAccount(input: unknown, sourceName: string): Account {
  return readInput(documentParts.account, fillAccount(sourceFromObject(input, sourceName).value), sourceName)
}

/** A row that names another one. */
export interface Reference {
  collection: CollectionName
  id: string
  /** The field that names it. */
  field: string
}

/**
 * The rows that name a row, which therefore cannot be deleted. Looks at every row of the collections that could; at
 * most `limit` are given, for a message needs no more.
 */
export function referencesTo(state: State, collection: CollectionName, id: string, limit = 10): Reference[] {
  const found: Reference[] = []
  for (const from of collectionNames) {
    const fields = fieldsNaming(from, collection)
    if (fields.length === 0) continue
    for (const row of state.all(from)) {
      const values: Readonly<Record<string, unknown>> = row
      const field = fields.find((name) => names(values[name], id))
      if (field !== undefined) found.push({ collection: from, id: state.idOf(from, row), field })
      if (found.length >= limit) return found
    }
  }
  return found
}

function fieldsNaming(from: CollectionName, collection: CollectionName): string[] {
  const fields = Object.entries(references[from])
    .filter(([, target]) => target === collection)
    .map(([field]) => field)
  return from === 'customers' && collection === 'payment_methods' ? [...fields, 'authorized_users'] : fields
}

function names(value: unknown, id: string): boolean {
  if (!Array.isArray(value)) return value === id
  return value.some(
    (item: unknown) => item === id || (isJsonObject(item) && item['payment_method_id'] === id),
  )
}
