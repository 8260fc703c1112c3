// Checks of answers: a valid call succeeds, and each error is the one that the contract shows.
import type { AssumptionId } from '../../contract/assumptions.ts'
import type { OperationId } from '../../contract/declared.generated.ts'
import { errorRow, type ErrorType } from '../../contract/errors.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { errorsInForce, type Endpoint } from '../../endpoints/define.ts'
import { findRoute } from '../../endpoints/routes.ts'
import type { Exchange } from '../request-sender.ts'
import type { Violation } from '../value-violations.ts'
import type { Answer } from '../read-answer.ts'
import { judgeError, promisesBody } from '../contract-violations.ts'
import { shapeOf, typeOfError } from '../error-shape.ts'
import { cannotTell, type Reading, type Step } from '../probe.ts'
import { call, missingRowError, needsOf, noRow, onlyReads, plain } from './calls.ts'
import { changing, newIntent } from './changing.ts'
import { broken, holds, type Checking, type Facet } from './check.ts'
import { pageSizeOf } from './page-size.ts'
import { isSuccess } from '../answers.ts'
import { detailsOf, inWords, isMissingRow, isRefusedKey, namesField, readAnswer } from './seen.ts'
import { missingRow } from './versions.ts'
import { decidedBy, leftOpen } from './undecided.ts'
import { defaultAssumptions } from '../default-context.ts'

export const answers: Facet = (endpoint, { name, sentence, recipe: { error } }) => {
  if (name === 'success') {
    return { ...success(endpoint), ...(endpoint.statusShown ? {} : { sentence: 'A valid call succeeds.' }) }
  }
  if (error !== undefined) return declaredError(endpoint, error)
  return { sentence, ...invalid(endpoint) }
}

function success(endpoint: Endpoint): Checking {
  const { needs, uses, step } = onlyReads(endpoint)
    ? { needs: needsOf(endpoint), uses: undefined, step: plain(endpoint) }
    : changing(endpoint)
  return {
    needs,
    ...(uses ? { uses } : {}),
    steps: [step],
    read(context) {
      const answer = context.answer(step.name)
      if (!answer) return cannotTell('nothing was asked')
      if (isSuccess(answer)) return succeeded(endpoint, answer)
      // The target may name a row that no longer exists, or an expendable one that was already used.
      if (isMissingRow(answer)) return cannotTell(`a row of the target is missing: ${inWords(answer)}`)
      if (isRefusedKey(answer)) return cannotTell(`the key is refused: ${inWords(answer)}`)
      if (uses && answer.status < 500) {
        return cannotTell(`the row cannot be used: ${inWords(answer)}`, 'another row under expendable')
      }
      // Which payment methods an intent may use is an assumption (intent_payment_method_type and similar ones).
      if (detailsOf(answer).some((detail) => namesField(detail, 'payment_method_id')))
        return cannotTell(
          'its payment method is refused',
          'ids.payment_method as an active card of ids.customer',
        )
      return broken(inWords(answer), 'a success')
    },
  }
}

function succeeded(endpoint: Endpoint, { status, json }: Answer): Reading<'holds'> {
  if (endpoint.statusShown && status !== endpoint.status) {
    return broken(`status ${status}`, `status ${String(endpoint.status)}`)
  }
  return promisesBody(endpoint) && !isJsonObject(json) ? broken('no JSON object', 'a JSON object') : holds
}

/** Errors whose occurrence or form an assumption decides. */
const assumed: Partial<Record<OperationId, Partial<Record<ErrorType, AssumptionId>>>> = {
  listStatements: { ACCOUNT_NOT_FOUND_ERROR: 'unknown_account_type' },
  linkCustomer: { CUSTOMER_ALREADY_LINKED: 'link_conflict_status' },
  updateReward: { BAD_REQUEST_ERROR: 'reward_not_pending' },
}

function declaredError(endpoint: Endpoint, type: ErrorType): Checking {
  const byAssumption = assumed[endpoint.id]?.[type]
  if (byAssumption !== undefined) return decidedBy(byAssumption)
  const occasions = errorsInForce(endpoint, defaultAssumptions)
    .filter((error) => error.type === type)
    .map(({ on }) => on.replace(/\.$/, ''))
  const sentence = `${occasions[0] ?? ''}: ${type}.`
  const step = stepFor(endpoint, type)
  const needs =
    type === 'PAYMENT_METHOD_NOT_FOUND_ERROR' && !onlyReads(endpoint) ? (['ids.customer'] as const) : []
  return {
    sentence,
    needs,
    steps: [step],
    read(context) {
      const answer = context.answer(step.name)
      if (!answer) return cannotTell('nothing was asked')
      return readError(endpoint, type, answer)
    },
  }
}

function stepFor(endpoint: Endpoint, type: ErrorType): Step<'holds'> {
  if (endpoint.id === 'listPaymentMethods') {
    return call(endpoint, 'of an unknown customer', { ofNoRow: true, risk: 'refusal' })
  }
  // A service that does not validate payment methods would create an intent.
  if (type === 'PAYMENT_METHOD_NOT_FOUND_ERROR' && !onlyReads(endpoint)) return newIntent(endpoint, noRow)
  return onlyReads(endpoint) && missingRowError(endpoint) === type ? missingRow(endpoint) : plain(endpoint)
}

/**
 * Returns how the answer to a call about an unknown row breaks the contract: the same as for the point of its error.
 */
export function unknownRowViolations({ request, answer }: Exchange): Violation[] {
  const endpoint = findRoute(request.path)?.byMethod.get(request.method)
  const type = endpoint && unknownRowError(endpoint)
  if (!endpoint || type === undefined || 'notCalled' in answer || answer.status >= 500) return []
  const reading = readError(endpoint, type, answer)
  return reading.is === 'other'
    ? [{ part: 'error', what: reading.seen, expected: reading.expected ?? type }]
    : []
}

/** The errors of unknown rows that are not path parameters. */
const errorsBeyondPaths: Partial<Record<OperationId, ErrorType>> = {
  listPaymentMethods: 'CUSTOMER_NOT_FOUND_ERROR',
  deleteOrderEvent: 'BAD_REQUEST_ERROR',
}

const unknownRowError = (endpoint: Endpoint): ErrorType | undefined =>
  errorsBeyondPaths[endpoint.id] ?? missingRowError(endpoint)

function readError(endpoint: Endpoint, type: ErrorType, answer: Answer): Reading<'holds'> {
  const { shape, param } = errorRow(type)
  const expected = `${type} in shape ${shape}${param === undefined ? '' : `, param ${param}`}`
  if (isRefusedKey(answer)) return cannotTell(`the key is refused: ${inWords(answer)}`)
  if (typeOfError(answer.json) === type && !isSuccess(answer)) {
    const [first] = judgeError(answer)
    return first ? broken(first.what, first.expected) : holds
  }
  if (shapeOf(answer.json) === 'A') return cannotTell('the id itself is refused as a violation')
  // Two of its ids are unknown, and the contract does not say which is looked up first.
  if (endpoint.id === 'createTransactionIntent' && isMissingRow(answer)) {
    return cannotTell(`it was answered ${inWords(answer)}`)
  }
  if (endpoint.id === 'deleteOrderEvent' && answer.status !== 400) {
    return cannotTell('assumption delete_missing_order_event decides whether it is an error: run calibrate')
  }
  if (endpoint.id === 'listPaymentMethods' && isSuccess(answer)) {
    return cannotTell('assumption payment_methods_unknown_customer decides it: run calibrate')
  }
  return broken(inWords(answer), expected)
}

/** Bodies that break a rule with each of their fields; ids in the paths cannot exist either. */
const badBodies: Partial<Record<OperationId, object>> = {
  createTransactionIntent: { customer_id: noRow, amount: 'none', currency: 7 },
  listPaymentMethods: { customer_id: 7, type: 'NONE' },
  linkCustomer: { partner_customer_id: 7 },
  updateReward: { amount: 'none', status: 'NONE' },
}

function invalid(endpoint: Endpoint): Checking {
  const json = badBodies[endpoint.id]
  if (json) {
    return violating(call(endpoint, 'violations', { json, risk: 'refusal' }), Object.keys(json))
  }
  if ('partner_customer_id' in endpoint.query) {
    const query = '?partner_customer_id='
    return violating(call(endpoint, 'empty id', { query, risk: 'refusal' }), ['partner_customer_id'])
  }
  const size = pageSizeOf(endpoint)
  if (size) return { ...violating(size.nonsense, size.names), needs: needsOf(endpoint) }
  return endpoint.body ? decidedBy('create_key_shape') : leftOpen
}

/** Shape A: a detail for each violation, each naming a field. */
const violating = (step: Step<'holds'>, fields: readonly string[]): Checking => ({
  needs: [],
  steps: [step],
  read: (context) =>
    readAnswer(context, step.name, (answer) => {
      if (isRefusedKey(answer) || isMissingRow(answer)) {
        return cannotTell(`${inWords(answer)} says nothing of what was sent`)
      }
      if (answer.status !== 400 || shapeOf(answer.json) !== 'A') {
        // Under another name it is no page size.
        if (isSuccess(answer) && step.risk === 'read')
          return cannotTell('none of the names is read as a page size')
        return broken(inWords(answer), 'status 400 in shape A')
      }
      const [first] = judgeError(answer)
      if (first) return broken(first.what, first.expected)
      const details = detailsOf(answer)
      return details.some((detail) => fields.some((field) => namesField(detail, field)))
        ? holds
        : broken('details that name none of the fields', `details that name ${fields.join(', ')}`)
    }),
})
