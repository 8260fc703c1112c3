// Makes a State of gathered rows: fills gaps, validates by schema, checks rules between rows.
import type { z } from 'zod'
import { idField } from '../store/references.ts'
import { collectionNames, type AnyRow, type CollectionName, type Row } from '../store/rows.ts'
import { giveWay, inTurns, Turn } from '../runtime/give-way.ts'
import { State } from '../store/state.ts'
import { completeRow, type RowSchema } from './complete-row.ts'
import { describeSchemaIssues, readBySchema } from '../reading/schema-issues.ts'
import { documentParts, type SandboxPart } from './state-document.ts'
import { fillAccount } from './fill/index.ts'
import {
  problemOf,
  type Add,
  type Gathered,
  type GatheredPart,
  type GatheredRow,
  type Origin,
} from './gather.ts'
import { ProblemList, type Finding } from '../reading/problem-list.ts'
import { mostTold, type Problem } from '../reading/problems.ts'
import { readStubs } from './check-stubs.ts'
import { checkReferences, checkRow, type Report, type RuleContext, type UniqueIndex } from './rules.ts'

/** What turning rows into a state depends on. */
export interface AssembleOptions extends Pick<RuleContext, 'assumptions' | 'allowAnyPan'> {
  seed: number
  /** The rows are those of the built-in document alone: whole, as a test holds it against every rule. */
  trusted?: boolean
  /** Ends the work when it is aborted. */
  signal?: AbortSignal
  /** Told of what is unusual and no reason to refuse a document, once nothing else is; of a hundred things at most. */
  onWarning?: (warning: Problem) => void
}

/** A state made of documents, and what they say of the sandbox around it. */
export interface Assembled {
  state: State
  sandbox: SandboxPart
  /** The merchant key of rows that name no product. */
  firstProduct: string | undefined
}

/** A row with what its schema made of it; without a row when the schema refused it. */
interface Read {
  from: GatheredRow
  row: AnyRow | undefined
}

/** How many rows it takes until compiling their schema has paid for itself. */
const worthCompiling = 300

async function compiled<C extends CollectionName>(collection: C): Promise<RowSchema<C>> {
  const { compileSchema } = await import('./compile-schema.ts')
  return compileSchema(collection)
}

/**
 * Makes a state of gathered rows: fills gaps, holds each row against its schema, then all of them against the rules
 * between rows.
 *
 * @throws {DocumentError} with what is wrong, what gathering found included.
 * @throws {Stopped} when the signal is aborted.
 */
export async function assemble(gathered: Gathered, options: AssembleOptions): Promise<Assembled> {
  const { problems } = gathered
  await giveWay(options.signal)
  const add: Add = (origin, path, message, at) => problems.add(problemOf(origin, path, message, at))

  const sandbox = readPart(documentParts.sandbox, gathered.parts.get('sandbox'), (value) => value ?? {}, add)
  const account = readPart(documentParts.account, gathered.parts.get('account'), fillAccount, add)
  const state = State.empty(
    account ?? documentParts.account.parse(fillAccount(undefined)),
    options.assumptions,
  )
  state.ids = sandbox?.ids ?? 0
  if (gathered.stubs.size > 0) state.stubs = readStubs([...gathered.stubs.values()], add)

  const firstProduct = gathered.rows.get('products')?.keys().next().value
  const fillContext = { seed: options.seed, state, firstProduct }
  const read: Read[] = []
  const complete = async <C extends CollectionName>(collection: C): Promise<void> => {
    const given = [...(gathered.rows.get(collection)?.values() ?? [])]
    const schema = given.length < worthCompiling ? undefined : await compiled(collection)
    const rows: Row<C>[] = []
    await eachInTurns(given, options.signal, (from) => {
      if (options.trusted) {
        rows.push(from.fields as Row<C>)
        return
      }
      const { row, issues } = completeRow(collection, from.fields, fillContext, schema)
      // The compiler does not see that a row of one collection is a row of any.
      read.push({ from, row: row as AnyRow | undefined })
      if (row !== undefined) rows.push(row)
      else for (const { path, message, at } of issues ?? []) add(from, path, message, at)
    })
    await inTurns(state.load(collection, rows), options.signal)
  }
  // One after the other: filling a row may look at those of earlier collections.
  for (const collection of collectionNames) await complete(collection)
  for (const from of gathered.duplicates) {
    const { issues } = completeRow(from.key, from.fields, fillContext)
    for (const { path, message, at } of issues ?? []) add(from, path, message, at)
    read.push({ from, row: undefined })
  }

  // One function for all rows, told the row beforehand: making one per row costs as much as checking it.
  let current: Origin
  const warnings = new Warnings()
  const context: RuleContext = {
    state,
    assumptions: options.assumptions,
    allowAnyPan: options.allowAnyPan,
    claim: firstComeFirstServed(),
    ...(options.onWarning
      ? { warn: (path, message) => warnings.add(problemOf(current, path, message)) }
      : {}),
    wasRefused: (collection, id) => gathered.isIncomplete || gathered.rows.get(collection)?.has(id) === true,
  }
  const report: Report = (path, message, other) => {
    const { row } = other ?? {}
    const origin = row ? gathered.rows.get(row.collection)?.get(row.id) : current
    const contradicting = other && origin && problemOf(origin, other.path, '')
    problems.add({ ...problemOf(current, path, message), other: contradicting })
  }
  await eachInTurns(read, options.signal, ({ from, row }) => {
    current = from
    if (row === undefined) checkReferences(from.key, from.fields, context, report)
    else checkRow(from.key, row, context, report)
  })
  problems.throwIfAny()
  for (const row of gathered.repeated) warnings.add(standsTwice(row))
  for (const warning of warnings.all()) options.onWarning?.(warning)
  return { state, sandbox: sandbox ?? {}, firstProduct }
}

/** Files of a folder may add to each other's rows; more often one was copied and the id forgotten. */
function standsTwice(row: GatheredRow): Finding {
  const field = idField(row.key)
  const message = `is also in ${row.earlier?.source.name}: what this file says of it wins, field by field`
  return problemOf(row, [field], message)
}

/** What is odd in documents and refuses nothing: as many as are told of problems, and how many more there are. */
class Warnings {
  readonly #told = new ProblemList({ byLine: true })
  #more = 0

  add(finding: Finding): void {
    if (this.#told.size < mostTold) this.#told.add(finding)
    else this.#more += 1
  }

  all(): Problem[] {
    const { problems } = this.#told.error()
    const [first] = problems
    if (first === undefined || this.#more === 0) return [...problems]
    return [...problems, { source: first.source, path: '', message: `has ${this.#more} more of these` }]
  }
}

/** Does something with each row; between them, anything else gets its turns. */
async function eachInTurns<T>(
  rows: readonly T[],
  signal: AbortSignal | undefined,
  work: (row: T) => void,
): Promise<void> {
  const turn = new Turn(signal)
  for (const row of rows) {
    if (turn.isOver) await turn.next()
    work(row)
  }
}

/** Lets the first row have a value that only one may have. */
function firstComeFirstServed(): RuleContext['claim'] {
  const holders: Record<UniqueIndex, Map<string, string>> = {
    by_api_key: new Map(),
    by_partner_customer_id: new Map(),
    by_partner_transaction_id: new Map(),
  }
  return (index, group, id) => {
    const holder = holders[index].get(group)
    if (holder === undefined) holders[index].set(group, id)
    return holder
  }
}

/** Reads a part that is one object; without one, what fills its place. */
function readPart<S extends z.ZodType>(
  schema: S,
  part: GatheredPart | undefined,
  fill: (value: unknown) => unknown,
  add: Add,
): z.output<S> | undefined {
  const { data, issues } = readBySchema(schema, fill(part?.value))
  for (const { path, message, at } of describeSchemaIssues(issues ?? [], schema)) {
    if (part) add(part, path, message, at)
  }
  return data
}
