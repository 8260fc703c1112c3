// Changes rows as scenarios request, each in its own transaction, as if another client wrote at that moment.
// A change that does not fit the current rows is skipped, and noted in the plan.
import { isJsonObject } from '../../contract/formats.ts'
import type { Moment, RowChanges } from '../../scenarios/consequences.ts'
import { mergePatch } from '../../fixtures/merge-patch.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { DocumentError } from '../../input/problems.ts'
import { readRow } from '../../fixtures/row.ts'
import { idField } from '../../store/references.ts'
import { collectionNames, type CollectionName } from '../../store/rows.ts'
import type { Transaction } from '../../store/transaction.ts'
import type { ServedCall } from '../served-call.ts'

export function changeState(call: ServedCall, at: Moment): void {
  for (const change of call.resolution.plan?.changes.filter((one) => one.at === at) ?? []) {
    for (const collection of collectionNames) {
      for (const [id, row] of Object.entries(change.rows[collection] ?? {})) {
        changeRow(call, change, collection, valueOf(call, id), resolved(call, row))
      }
    }
  }
}

function changeRow(
  call: ServedCall,
  { at, effect }: RowChanges,
  collection: CollectionName,
  id: unknown,
  patch: unknown,
): void {
  const { workspace, service } = call
  // The change uses a `$name` for which this call has no value.
  if (typeof id !== 'string' || !isWhole(patch)) {
    call.resolution.plan?.undone.push(`${effect}: ${collection} uses a $name without a value in the call`)
    return
  }
  const { state, scenarios } = workspace
  const tx = workspace.begin()
  if (patch === null) {
    tx.deleteWithDependents(collection, id)
    commit(call, at, tx)
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
    commit(call, at, tx)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    tx.rollback()
    call.resolution.plan?.undone.push(`${effect}: ${error.message}`)
  }
}

function commit(call: ServedCall, at: Moment, tx: Transaction): void {
  const made = (call.outcome.scenarioChanges ??= [])
  const changes = call.commit(tx, 'scenario')
  made.push({ at, changes })
  call.workspace.notifyChanged(changes)
}

/** Resolves `$name` to a path parameter of the call or a field of its body. */
function valueOf({ request, body }: ServedCall, text: string): unknown {
  if (!text.startsWith('$')) return text
  const name = text.slice(1)
  if (Object.hasOwn(request.params, name)) return request.params[name]
  if (Object.hasOwn(body, name)) return body[name]
  return request.body === undefined ? undefined : unvalidated(request.body, name)
}

function unvalidated(body: string | Uint8Array, name: string): unknown {
  try {
    const value: unknown = parseExact(typeof body === 'string' ? body : Buffer.from(body).toString())
    return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  } catch {
    return undefined
  }
}

function resolved(call: ServedCall, value: unknown): unknown {
  if (typeof value === 'string') return valueOf(call, value)
  if (Array.isArray(value)) return value.map((item: unknown) => resolved(call, item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(call, inner)]))
}

function isWhole(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isWhole)
  return isJsonObject(value) ? Object.values(value).every(isWhole) : value !== undefined
}
