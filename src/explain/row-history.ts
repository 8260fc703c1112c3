// The history of rows: the last change of each before a request, and the first after it.
import type { Moment } from '../scenarios/consequences.ts'
import type { CollectionName } from '../store/rows.ts'
import type { Change } from '../store/transaction.ts'
import type { Journal } from '../journal/journal.ts'
import type { Call } from '../call/index.ts'

/** A change of a row, with the request during which it was made. */
export interface PastChange {
  call: Call
  change: Change
  /** A scenario made it, not the request itself. */
  byScenario: boolean
}

/** Finds the last change of each row before a request, and the first after it, as far as the journal goes back. */
export class RowHistory {
  readonly #before = new Map<string, PastChange>()
  readonly #after = new Map<string, PastChange>()

  constructor(journal: Journal, of: Call) {
    let isLater = true
    // Newest first.
    for (const call of journal.calls()) {
      const isIt = call.outcome === of.outcome
      if (isIt) isLater = false
      const changes = isIt ? changesByScenario(call, 'before') : changesOf(call)
      for (const past of changes) this.#note(past, isLater)
    }
  }

  before(collection: CollectionName, id: string): PastChange | undefined {
    return this.#before.get(rowKey(collection, id))
  }

  after(collection: CollectionName, id: string): PastChange | undefined {
    return this.#after.get(rowKey(collection, id))
  }

  #note(past: PastChange, isLater: boolean): void {
    const row = rowKey(past.change.collection, past.change.id)
    if (isLater) this.#after.set(row, past)
    else if (!this.#before.has(row)) this.#before.set(row, past)
  }
}

/** Returns the changes of a request, the last one first. */
function* changesOf(call: Call): Generator<PastChange> {
  yield* changesByScenario(call, 'after')
  for (const change of call.outcome.changes.toReversed()) yield { call, change, byScenario: false }
  yield* changesByScenario(call, 'before')
}

function* changesByScenario(call: Call, at: Moment): Generator<PastChange> {
  for (const made of call.outcome.scenarioChanges?.toReversed() ?? []) {
    if (made.at !== at) continue
    for (const change of made.changes.toReversed()) yield { call, change, byScenario: true }
  }
}

function rowKey(collection: Change['collection'], id: string): string {
  return `${collection}/${id}`
}

/** Returns the source of a change, such as `req_default_3 (updateReward)`. */
export function authorOf({ call: { request, outcome }, byScenario }: PastChange): string {
  return byScenario
    ? `a scenario during ${outcome.id}`
    : `${outcome.id} (${request.endpoint?.id ?? request.method})`
}
