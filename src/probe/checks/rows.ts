// Checks of rows beyond the types of their fields: the requested ones, of one kind, in order.
import type { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { fieldsIn, shapeOf } from '../../contract/schema-shape.ts'
import { statement } from '../../contract/resources/statement.ts'
import {
  paymentMethod,
  paymentMethodTypes,
  subObjectsOfType,
} from '../../contract/resources/payment-method.ts'
import { rowSchemaOf, rowsIn } from '../../coverage/points/result-rows.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { listPaymentMethods } from '../../endpoints/payment-methods.ts'
import { listStatements } from '../../endpoints/statements.ts'
import { cannotTell, type ProbeContext, type Reading } from '../probe.ts'
import { found, type Need } from '../target.ts'
import { defaultAssumptions } from '../default-context.ts'
import { promisesBody } from '../contract-violations.ts'
import { changing } from './changing.ts'
import { broken, holds, type Check } from './check.ts'
import { statementList } from './pages.ts'
import { isRowParameter, needsOf, onlyReads, needByParameter, plain } from './calls.ts'
import { isSuccess } from '../answers.ts'
import { pageIn, type Row } from './survey.ts'

/** The schema of the rows that an operation answers. */
function rowOf({ result }: Endpoint): z.ZodType | undefined {
  return result && rowSchemaOf(result(defaultAssumptions))
}

/** The rows of the plain call. */
function plainRows({ answer }: Pick<ProbeContext, 'answer'>): readonly Row[] {
  const own = answer('plain')
  return own && isSuccess(own) ? rowsIn(own.json).filter(isJsonObject) : []
}

const plainCheck = (
  endpoint: Endpoint,
  name: string,
  sentence: string,
  section: string,
  read: (rows: readonly Row[], context: ProbeContext) => Reading<'holds'>,
): Check => ({
  id: `${endpoint.id}/${name}`,
  operation: endpoint.id,
  sentence,
  section,
  needs: needsOf(endpoint),
  steps: [plain(endpoint)],
  read(context) {
    const rows = plainRows(context)
    return rows.length === 0 ? cannotTell('nothing was listed', '1 row') : read(rows, context)
  },
})

/** The fields that identify a row, with the values from the call. */
function neededBy(endpoint: Endpoint): { field: string; place: Need }[] {
  const row = rowOf(endpoint)
  const fields = row ? fieldsIn(row).map(({ name }) => name) : []
  const params = endpoint.method === 'POST' ? ['customer_id'] : Object.keys(endpoint.params)
  return params.flatMap((param) => {
    const field = fields.includes(param) ? param : fields.includes('id') ? 'id' : undefined
    return field === undefined || !isRowParameter(param) ? [] : [{ field, place: needByParameter[param] }]
  })
}

const neededRowChecks = endpoints.filter(onlyReads).flatMap((endpoint): Check[] => {
  const required = neededBy(endpoint)
  if (required.length === 0) return []
  const names = required.map(({ field }) => field).join(' and ')
  return [
    plainCheck(
      endpoint,
      'asked_for',
      `The answer has the requested row, by its ${names}.`,
      endpoint.section,
      (rows, { target }) => {
        let seen = false
        for (const row of rows) {
          for (const { field, place } of required) {
            const value = row[field]
            if (typeof value !== 'string') continue
            seen = true
            if (value !== found(target, place)) return broken(`${field} is another one`, `that of the call`)
          }
        }
        return seen ? holds : cannotTell(`no row has ${names}`)
      },
    ),
  ]
})

/** A change answers with its row; the first id of a path is the one that it uses up. */
const changedChecks = endpoints
  .filter(
    (endpoint) => !onlyReads(endpoint) && promisesBody(endpoint) && changing(endpoint).uses !== undefined,
  )
  .map((endpoint): Check => {
    const { step, needs, uses = {} } = changing(endpoint)
    return {
      id: `${endpoint.id}/asked_for`,
      operation: endpoint.id,
      sentence: 'The answer has the row that was changed, by its id.',
      section: endpoint.section,
      needs,
      uses,
      steps: [step],
      read({ answer, rows }) {
        const changed = answer(step.name)
        if (!changed || !isSuccess(changed) || !isJsonObject(changed.json))
          return cannotTell('the call did not succeed')
        const { id } = changed.json
        const used = Object.values(rows).flat()
        if (typeof id !== 'string') return cannotTell('the answer has no id')
        return used.includes(id) ? holds : broken('id is another one', 'that of the call')
      },
    }
  })

/** A change answers with the values that were sent, in each common field. */
const sentChecks = endpoints
  .filter((endpoint) => !onlyReads(endpoint) && promisesBody(endpoint))
  .map((endpoint): Check => {
    const { step, needs, uses } = changing(endpoint)
    return {
      id: `${endpoint.id}/shows_sent`,
      operation: endpoint.id,
      sentence: 'The answer has the values that were sent.',
      section: endpoint.section,
      needs,
      ...(uses ? { uses } : {}),
      steps: [step],
      read(context) {
        const answer = context.answer(step.name)
        const sent = step.request(context)?.json
        if (!answer || !isSuccess(answer) || !isJsonObject(answer.json) || !isJsonObject(sent))
          return cannotTell('the call did not succeed')
        const row = answer.json
        const both = Object.keys(sent).filter((name) => typeof row[name] === typeof sent[name])
        const other = both.find((name) => typeof row[name] !== 'object' && row[name] !== sent[name])
        if (other !== undefined) return broken(`${other} is another value`, 'the one that was sent')
        return both.length > 0 ? holds : cannotTell('the answer has none of the sent fields')
      },
    }
  })

const kinds = Object.values(subObjectsOfType).flat()
const isThere = (value: unknown): boolean => value !== undefined && value !== null

function readKinds(rows: readonly Row[]): Reading<'holds'> {
  let seen = 0
  for (const row of rows) {
    const type = paymentMethodTypes.find((known) => known === row['type'])
    if (type === undefined) continue
    seen += 1
    const has = kinds.filter((kind) => isThere(row[kind]))
    const allowed: readonly string[] = subObjectsOfType[type]
    if (has.length !== 1 || !allowed.includes(has[0] ?? '')) {
      return broken(
        `one of type ${type} has ${has.join(' and ') || 'none of them'}`,
        `one of ${allowed.join(', ')}`,
      )
    }
  }
  return seen > 0 ? holds : cannotTell('no row has a type')
}

const kindChecks = endpoints
  .filter((endpoint) => onlyReads(endpoint) && rowOf(endpoint) === paymentMethod)
  .map((endpoint) =>
    plainCheck(
      endpoint,
      'kind/of_type',
      'A card has exactly one of card and secured_credit_card, a bank account has bank_account, a loan has loan.',
      'Payment method',
      readKinds,
    ),
  )

const totalOfMethods: Check = {
  id: 'listPaymentMethods/total',
  operation: listPaymentMethods.id,
  sentence: 'total counts the matching payment methods; has_more shows whether the page omits some.',
  section: listPaymentMethods.section,
  needs: needsOf(listPaymentMethods),
  steps: [plain(listPaymentMethods)],
  read({ answer }) {
    const page = pageIn(answer('plain'))
    if (!page || typeof page.total !== 'number' || typeof page.more !== 'boolean')
      return cannotTell('the call was not answered with a page')
    const { rows, total, more } = page
    const seen = `total is ${total} and has_more ${more} on a page of ${rows.length}`
    if (more) return total > rows.length ? holds : broken(seen, 'a greater total, or has_more false')
    return total === rows.length ? holds : broken(seen, `total ${rows.length}, or has_more true`)
  },
}

const statementCheck = (
  name: string,
  sentence: string,
  section: string,
  read: (rows: readonly Row[], context: ProbeContext) => Reading<'holds'>,
): Check => plainCheck(listStatements, name, sentence, section, read)

/** Sign rules come from the schema of an amount. */
const signChecks = fieldsIn(statement).flatMap(({ name, schema }): Check[] => {
  const { range } = shapeOf(schema)
  const [isCharge, isCredit] = [range?.minimum === 0, range?.maximum === 0]
  if (!isCharge && !isCredit) return []
  const rule = isCharge ? 'not negative' : 'not positive'
  const why = isCharge ? 'what was charged is positive' : 'what was credited back is negative'
  return [
    statementCheck(`sign/${name}`, `${name} is ${rule}: ${why}.`, 'Statement', (rows) => {
      const amounts = rows.map((row) => row[name]).filter((amount) => typeof amount === 'number')
      if (amounts.length === 0) return cannotTell(`no statement has ${name}`, `1 statement that has ${name}`)
      const wrong = amounts.find((amount) => (isCharge ? amount < 0 : amount > 0))
      return wrong === undefined ? holds : broken(`${name} is ${wrong > 0 ? 'positive' : 'negative'}`, rule)
    }),
  ]
})

/** Returns an instant of a row; undefined if it is invalid. */
function instant(row: Row, field: string): number | undefined {
  const value = row[field]
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

const asOfCheck = statementCheck(
  'as_of',
  'as_of is when the statement was read, and not when its cycle closed.',
  'Statement',
  (rows) => {
    let seen = 0
    for (const row of rows) {
      const [asOf, closed] = [instant(row, 'as_of'), instant(row, 'period_end_date')]
      if (asOf === undefined || closed === undefined) continue
      seen += 1
      if (asOf === closed) return broken('as_of is period_end_date', 'when the request was served')
      if (asOf < closed) return broken('as_of is before period_end_date', 'when the request was served')
    }
    return seen > 0
      ? holds
      : cannotTell('no statement has as_of and period_end_date', '1 statement that has both')
  },
)

const newestFirst: Check = {
  id: 'listStatements/order',
  operation: listStatements.id,
  sentence: 'Statements are listed newest first.',
  section: listStatements.section,
  needs: needsOf(listStatements),
  steps: statementList.steps,
  read(context) {
    const { plainPage, whole, pages } = statementList.survey(context)
    const lists = [plainPage?.rows ?? [], whole?.rows ?? [], pages.flatMap(({ rows }) => rows)]
    let compared = false
    for (const rows of lists) {
      const closed = rows.map((row) => instant(row, 'period_end_date')).filter((at) => at !== undefined)
      for (const [place, at] of closed.entries()) {
        const before = closed[place - 1]
        if (before === undefined || before === at) continue
        if (before < at) return broken('a statement comes after one that closed earlier', 'newest first')
        compared = true
      }
    }
    return compared ? holds : cannotTell('fewer than 2 cycles were seen', '2 statements')
  },
}

/** A list by type, if a customer may have others; a point about sent values makes the same call. */
const filterCheck: Check = {
  id: 'listPaymentMethods/filter/type',
  operation: listPaymentMethods.id,
  sentence: 'With a type, the list has payment methods of that type only.',
  section: listPaymentMethods.section,
  needs: needsOf(listPaymentMethods),
  steps: paymentMethodTypes.map((type) => ({
    ...plain(listPaymentMethods),
    name: type,
    request: ({ target }) => ({ json: { customer_id: found(target, needByParameter.customer_id), type } }),
  })),
  read({ answer }) {
    let seen = 0
    for (const type of paymentMethodTypes) {
      for (const { type: own } of pageIn(answer(type))?.rows ?? []) {
        if (typeof own !== 'string') continue
        seen += 1
        if (own !== type) return broken(`asked for ${type}, another type came`, `${type} only`)
      }
    }
    return seen > 0 ? holds : cannotTell('no payment method was listed', '1 payment method')
  },
}

export const rowChecks: readonly Check[] = [
  ...neededRowChecks,
  ...changedChecks,
  ...sentChecks,
  ...kindChecks,
  totalOfMethods,
  filterCheck,
  ...signChecks,
  asOfCheck,
  newestFirst,
]
