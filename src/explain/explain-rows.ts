// Explains the rows that the call looked up and changed, and why a required row was not found.
import { stringify } from '../json/stringify.ts'
import type { State } from '../store/state.ts'
import type { Change, Read } from '../store/transaction.ts'
import { pageOf, type AnsweredPage } from '../call/page-text.ts'
import { outcomeOf, type Call } from '../call/index.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type ExplanationFact, type Part } from './explanation.ts'
import { missingRow } from './missing-row.ts'
import { authorOf, RowHistory } from './row-history.ts'
import { onOneLine } from './quoted-values.ts'
import { stepOf } from './step-of-row.ts'

/** Maximum number of reads in a list; others are only counted: a page looks up the owner of each of its rows. */
const listedReads = 20

export function explainRows(call: Call, context: ExplanationContext): Part {
  const { reads } = call.resolution
  const { changes, scenarioChanges = [] } = call.outcome
  if (reads.length + changes.length + scenarioChanges.length === 0) return {}
  const history = new RowHistory(context.journal, call)
  const missing = outcomeOf(call) === 'not_found' ? missingRow(call, history, context) : undefined
  const read = readFacts(call, missing?.read, missing?.why, history, context.state)
  return {
    section: {
      about: 'rows',
      facts: [
        ...read.slice(0, listedReads),
        ...(read.length > listedReads ? [fact('read', `${read.length - listedReads} more`)] : []),
        ...changes.map((change) => changeFact(change)),
        ...scenarioChanges.flatMap(({ changes: made }) =>
          made.map((change) => changeFact(change, 'by a scenario')),
        ),
      ],
    },
    reason: missing?.reason ?? refusal(call, history),
  }
}

/** Each looked-up row once. */
function readFacts(
  { resolution: { reads }, outcome }: Call,
  missing: Read | undefined,
  why: string | undefined,
  history: RowHistory,
  state: State,
): ExplanationFact[] {
  const facts = new Map<string, ExplanationFact>()
  const page = pageOf(outcome)
  for (const read of reads) {
    const lookup = `${read.collection} ${onOneLine(read.id ?? groupText(read))}`
    if (facts.has(lookup) && read !== missing) continue
    const note = read === missing ? why : (pageNote(read, page) ?? foundNote(read, history, state))
    facts.set(lookup, fact('read', lookup, note))
  }
  return [...facts.values()]
}

/** Says how much of its list a page has. A page is read with the first row of the next one. */
function pageNote({ id, rows }: Read, page: AnsweredPage | undefined): string | undefined {
  return id === undefined && rows === (page && page.rows + Number(page.more)) ? page?.text : undefined
}

/** The parts of a group's name are separated by an invisible character. */
function groupText({ group = '' }: Read): string {
  return `of ${group.replaceAll('\u0001', ' ')}`
}

function foundNote({ collection, id, rows, row }: Read, history: RowHistory, state: State): string {
  if (id === undefined) return rows === 1 ? '1 row' : `${rows} rows`
  if (!row) return 'not found'
  const last = history.before(collection, id)
  const changed = last ? `; last changed by ${authorOf(last)}` : ''
  const step = collection === 'rewards' ? stepOf(row, state) : undefined
  return `found${statusOf(row)}${step === undefined ? '' : `, ${step}`}${changed}`
}

function statusOf(row: object): string {
  return 'status' in row ? `, status ${String(row.status)}` : ''
}

function changeFact({ collection, id, before, after }: Change, by?: string): ExplanationFact {
  const row = `${collection} ${onOneLine(id)}`
  if (!before) return fact('created', row, by)
  if (!after) return fact('deleted', row, by)
  const fields = Object.entries(after)
    .filter(([name, value]) => stringify(value) !== stringify(Reflect.get(before, name)))
    .map(([name]) => name)
  const gone = Object.keys(before).filter((name) => !(name in after))
  const note = [...fields, ...gone].join(', ')
  return fact('changed', row, by === undefined ? note : `${note}, ${by}`)
}

/** If the state forbids a call: the state of the row in question, and its last change. */
function refusal(call: Call, history: RowHistory): string | undefined {
  const { failure } = call.outcome
  if (!failure || outcomeOf(call) !== 'refused') return undefined
  const read = call.resolution.reads.find(({ row }) => row !== undefined && 'status' in row)
  if (!read?.row || read.id === undefined) return failure.message
  const last = history.before(read.collection, read.id)
  const since = last ? ` since ${authorOf(last)}` : ''
  return `${failure.message.replace(/\.$/, '')}: ${read.collection} ${onOneLine(read.id)} has${statusOf(read.row).replace(',', '')}${since}.`
}
