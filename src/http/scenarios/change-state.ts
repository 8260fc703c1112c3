// Changes the state as scenarios ask, each row in a transaction of its own: what somebody else did at that moment.
// A change that does not fit the rows there are does nothing.
import { isJsonObject } from '../../contract/formats.ts'
import type { Moment, RowChanges } from '../../scenarios/consequences.ts'
import { mergePatch } from '../../documents/merge-patch.ts'
import { parseExact } from '../../reading/parse-exact.ts'
import { DocumentError } from '../../reading/problems.ts'
import { readRow } from '../../documents/row.ts'
import { idField } from '../../store/references.ts'
import { collectionNames, type CollectionName } from '../../store/rows.ts'
import type { Transaction } from '../../store/transaction.ts'
import type { OpenExchange } from '../open-exchange.ts'

export function changeState(exchange: OpenExchange, at: Moment): void {
  for (const change of exchange.found.plan?.changes.filter((one) => one.at === at) ?? []) {
    for (const collection of collectionNames) {
      for (const [id, row] of Object.entries(change.rows[collection] ?? {})) {
        changeRow(exchange, change, collection, valueOf(exchange, id), resolved(exchange, row))
      }
    }
  }
}

function changeRow(
  exchange: OpenExchange,
  { at, effect }: RowChanges,
  collection: CollectionName,
  id: unknown,
  patch: unknown,
): void {
  const { workspace, service } = exchange
  // A name that this call has no value for leaves nothing that could be meant.
  if (typeof id !== 'string' || !isWhole(patch)) {
    exchange.found.plan?.undone.push(`${effect}: ${collection} names a value that the call does not have`)
    return
  }
  const { state, scenarios } = workspace
  const tx = workspace.begin()
  if (patch === null) {
    tx.deleteWithDependents(collection, id)
    commit(exchange, at, tx)
    return
  }
  const before = state.get(collection, id)
  const input = mergePatch(before ?? {}, patch)
  try {
    tx.put(
      collection,
      readRow(
        collection,
        { ...(isJsonObject(input) ? input : {}), [idField(collection)]: id },
        {
          ...service.rowRules,
          state,
          firstProduct: workspace.firstProduct,
          source: effect,
          whyUnknownScenario: (name) => scenarios.whyUnknown(name),
        },
      ),
    )
    commit(exchange, at, tx)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    tx.rollback()
    exchange.found.plan?.undone.push(`${effect}: ${error.message}`)
  }
}

function commit(exchange: OpenExchange, at: Moment, tx: Transaction): void {
  const made = (exchange.became.scenarioChanges ??= [])
  const changes = exchange.commit(tx)
  made.push({ at, changes })
  exchange.workspace.tellChanged(changes)
}

/** `$name` stands for a path parameter of the call or a field of its body. */
function valueOf({ received, body }: OpenExchange, text: string): unknown {
  if (!text.startsWith('$')) return text
  const name = text.slice(1)
  if (Object.hasOwn(received.params, name)) return received.params[name]
  if (Object.hasOwn(body, name)) return body[name]
  return received.body === undefined ? undefined : unvalidated(received.body, name)
}

function unvalidated(body: string | Uint8Array, name: string): unknown {
  try {
    const value: unknown = parseExact(typeof body === 'string' ? body : Buffer.from(body).toString())
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  } catch {
    return undefined
  }
}

function resolved(exchange: OpenExchange, value: unknown): unknown {
  if (typeof value === 'string') return valueOf(exchange, value)
  if (Array.isArray(value)) return value.map((item: unknown) => resolved(exchange, item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(exchange, inner)]))
}

function isWhole(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isWhole)
  return isJsonObject(value) ? Object.values(value).every(isWhole) : value !== undefined
}
