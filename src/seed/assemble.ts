import type { Assumptions } from '../contract/assumptions.ts'
import { collectionNames, type Account, type AnyRow, type CollectionName } from '../store/rows.ts'
import { State } from '../store/state.ts'
import { completeRow, describeSchemaIssues } from './complete-row.ts'
import { documentParts, type SandboxPart } from './document.ts'
import { fillAccount } from './fill.ts'
import { problemOf, type Gathered, type GatheredPart, type Origin } from './gather.ts'
import type { Path } from './json-text.ts'
import { DocumentError, type Problem } from './problems.ts'
import { checkRow, type RuleContext } from './rules.ts'
import { pathName } from './source-file.ts'

/** What turning rows into a state depends on. */
export interface AssembleOptions {
  seed: number
  assumptions: Assumptions
  allowAnyPan: boolean
}

/** A state made of documents, and what they say of the sandbox around it. */
export interface Assembled {
  state: State
  sandbox: SandboxPart
  /** The merchant key of rows that name no product. */
  firstProduct: string | undefined
}

/** How many problems are shown with their line; finding lines for a mistake in each of a million rows takes long. */
const mostLocated = 1000

/**
 * Makes a state of gathered rows: fills gaps, holds each row against its schema, then all of them against the rules
 * between rows.
 *
 * @throws {DocumentError} with everything that is wrong, what gathering found included.
 */
export function assemble(gathered: Gathered, options: AssembleOptions): Assembled {
  const problems: Problem[] = [...gathered.problems]
  const add = (origin: Origin, path: Path, message: string, at?: 'key' | 'value'): void => {
    if (problems.length < mostLocated) problems.push(problemOf(origin, path, message, at))
    else problems.push({ source: origin.source.name, path: pathName([...origin.path, ...path]), message })
  }

  const sandbox = readPart(gathered.parts.get('sandbox'), (value) => value ?? {}, 'sandbox', add)
  const account = readPart(gathered.parts.get('account'), fillAccount, 'account', add)
  const state = State.empty(account ?? documentParts.account.parse(fillAccount(undefined)), options.assumptions)
  state.ids = sandbox?.ids ?? 0

  const firstProduct = gathered.rows.get('products')?.keys().next().value
  const completed = collectionNames.map((collection) => {
    const context = { seed: options.seed, state, firstProduct }
    return putRows(collection, gathered, context, state, add)
  })

  const context: RuleContext = {
    state,
    assumptions: options.assumptions,
    allowAnyPan: options.allowAnyPan,
    reportBoth: false,
    wasRefused: (collection, id) => gathered.rows.get(collection)?.has(id) ?? false,
  }
  for (const [index, collection] of collectionNames.entries()) {
    for (const { row, origin } of completed[index] ?? []) {
      // One function for all rows would have to be told the row; making one per row costs less than checking it.
      checkRow(collection, row, context, (path, message) => add(origin, path, message))
    }
  }
  if (problems.length > 0) throw new DocumentError(inOrder(problems))
  return { state, sandbox: sandbox ?? {}, firstProduct }
}
