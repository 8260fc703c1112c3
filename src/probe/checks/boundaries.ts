// Checks of limits: a value at a limit is accepted, and one beyond it is refused with 400.
import type { Endpoint } from '../../endpoints/define.ts'
import type { Recipe } from '../../coverage/points/point.ts'
import type { Answer } from '../read-answer.ts'
import { shapeOf } from '../error-shape.ts'
import { cannotTell, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { call, needsOf } from './calls.ts'
import { broken, holds, type Checking, type Facet } from './check.ts'
import { pageSizeOf, type PageSize } from './page-size.ts'
import { isSuccess } from '../answers.ts'
import { inWords, isMissingRow, isRefusedKey, readAnswer } from './seen.ts'
import { decidedBy } from './undecided.ts'

export const boundaries: Facet = (endpoint, { name, recipe, sentence }) => {
  const [, field = '', edge = ''] = name.split('/')
  const isBeyond = /^(below|above)_/.test(edge)
  const size = pageSizeOf(endpoint)
  if (size && field === 'limit') {
    const says = sentence.replace(/^\w+/, 'The page size')
    // The maximum page size is an assumption; requesting more is always allowed.
    return edge === 'above_page'
      ? {
          ...sized(endpoint, size, veryLarge, false),
          sentence: 'The page size can be large: it has no upper limit.',
        }
      : { ...sized(endpoint, size, valueOf(recipe, field), isBeyond), sentence: says }
  }
  if (field === 'amount') return decidedBy('negative_amount')
  return endpoint.body
    ? inBody(endpoint, recipe, field, isBeyond)
    : inQuery(endpoint, recipe, field, isBeyond)
}

/** More than any alternative allows on a page. */
const veryLarge = '1000000'

const valueOf = ({ query, fields }: Recipe, field: string): string =>
  String(query?.[field] ?? fields?.[field])

const riskOf = (isBeyond: boolean): 'read' | 'refusal' => (isBeyond ? 'refusal' : 'read')

function sized(endpoint: Endpoint, size: PageSize, value: string, isBeyond: boolean): Checking {
  const step = size.asking(value, riskOf(isBeyond))
  return {
    needs: needsOf(endpoint),
    steps: [...size.finding, step],
    read: (context) =>
      size.nameIn(context) === undefined
        ? cannotTell('the answers do not show the page-size parameter')
        : readAnswer(context, step.name, (answer) => readLimit(answer, isBeyond)),
  }
}

function inQuery(endpoint: Endpoint, recipe: Recipe, field: string, isBeyond: boolean): Checking {
  const value = valueOf(recipe, field)
  const step = call(endpoint, 'at the limit', {
    query: `?${field}=${encodeURIComponent(value)}`,
    risk: riskOf(isBeyond),
  })
  return {
    needs: [],
    steps: [step],
    read: (context) => readAnswer(context, step.name, (answer) => readLimit(answer, isBeyond)),
  }
}

/** The row cannot exist, so an accepted body is answered with not found. */
function inBody(endpoint: Endpoint, recipe: Recipe, field: string, isBeyond: boolean): Checking {
  const step = call(endpoint, 'at the limit', { json: { [field]: valueOf(recipe, field) } })
  const control = call(endpoint, 'violations', { json: { [field]: 7 } })
  return {
    needs: [],
    steps: [control, step],
    read: (context) =>
      readAnswer(context, step.name, (answer) => {
        // Any error that does not refuse the body is about the row, whatever else is wrong with it.
        const isOfRow = !isSuccess(answer) && !isRefusedKey(answer) && !isBodyRefused(answer, isBeyond)
        if (!isOfRow) return readLimit(answer, isBeyond)
        if (!looksAtBodyFirst(context, control)) return cannotTell('rows are looked for before bodies')
        if (isBeyond) return broken(inWords(answer), 'status 400 in shape A')
        return isMissingRow(answer) ? holds : cannotTell(`${inWords(answer)} says nothing of the value`)
      }),
  }
}

/** Whether an error is about the body: in shape A; for a value beyond a limit, any 400 that names no missing row. */
const isBodyRefused = ({ status, json }: Answer, isBeyond: boolean): boolean =>
  shapeOf(json) === 'A' || (isBeyond && status === 400 && shapeOf(json) !== 'C')

/** Whether a violation is reported even if the row does not exist. */
function looksAtBodyFirst(context: ProbeContext, control: Step<'holds'>): boolean {
  const answer = context.answer(control.name)
  return answer !== undefined && shapeOf(answer.json) === 'A'
}

function readLimit(answer: Answer, isBeyond: boolean): Reading<'holds'> {
  if (isRefusedKey(answer) || isMissingRow(answer)) {
    return cannotTell(`${inWords(answer)} says nothing of the value`)
  }
  const expected = isBeyond ? 'status 400' : 'a success'
  const isSo = isBeyond ? answer.status === 400 : isSuccess(answer)
  return isSo ? holds : broken(inWords(answer), expected)
}
