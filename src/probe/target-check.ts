// Checks that the keys and rows of a target exist, with one read each, before any probe runs.
import { merchantKeyHeader } from '../contract/credentials.ts'
import { scopeNames } from '../contract/scopes.ts'
import { searchCustomers } from '../endpoints/customers.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { retrievePaymentMethod } from '../endpoints/payment-methods.ts'
import { retrieveReward, retrieveRewardsBalance } from '../endpoints/rewards.ts'
import { listStatements } from '../endpoints/statements.ts'
import { retrieveTransactionIntent } from '../endpoints/transaction-intents.ts'
import type { Path } from '../json/json-text.ts'
import { errorRow } from '../contract/errors.ts'
import { ProblemList } from '../input/problem-list.ts'
import type { DocumentError } from '../input/problems.ts'
import { firstRequest, namesProduct, productsToTry } from './request-sender.ts'
import { isSuccess, pageIn } from './answers.ts'
import { inWords } from './checks/seen.ts'
import { errorIn } from './error-shape.ts'
import { pathTo } from './path-to.ts'
import type { ProbeRequest } from './prepare.ts'
import { isSafe, value, type ProbeContext, type Probe, type RiskClass, type Step } from './probe.ts'
import type { Answer } from './read-answer.ts'
import { found, type Need, type Target } from './target.ts'

/** A field of the target whose key or row the service does not have, with the proof. */
export interface Missing {
  readonly field: Need
  readonly why: string
}

type RowField = `ids.${keyof Target['ids']}`

/** The read that shows whether a row exists. */
const readOfRow: Record<RowField, Endpoint> = {
  'ids.customer': retrieveRewardsBalance,
  'ids.partner_customer_id': searchCustomers,
  'ids.account': listStatements,
  'ids.payment_method': retrievePaymentMethod,
  'ids.intent': retrieveTransactionIntent,
  'ids.reward': retrieveReward,
  'ids.deducted_reward': retrieveReward,
}
const rowFields = Object.keys(readOfRow) as RowField[]

/**
 * A probe that reads each key and row that some probes use; its value lists the missing ones.
 * @param allow the classes of requests in addition to `read` and `refusal`: others are not sent and use nothing.
 */
export function targetCheck(
  probes: readonly Probe[],
  target: Target,
  allow: readonly RiskClass[],
): Probe<readonly Missing[]> {
  const used = fieldsUsed(probes, target, allow)
  const checks = [
    ...scopeNames.map((scope) => keyCheck(`keys.without.${scope}`, `without.${scope}`)),
    keyCheck('keys.multi', 'multi', target.merchant_keys[0]),
    ...([0, 1] as const).map((place) => productCheck(place, target)),
    ...rowFields.map((field) => rowCheck(field, target)),
  ].filter(({ field, needs }) => used.has(field) && needs.every((name) => found(target, name) !== undefined))
  return {
    id: 'target',
    needs: [],
    steps: checks.flatMap(({ steps }) => steps),
    read: (context) => value(checks.flatMap((check) => check.missing(context) ?? [])),
    // A row that was found is not read again.
    confirm: { steps: [], read: (_context, first) => value(first ?? []) },
  }
}

/** The error for a target, with the fields that name missing keys and rows. */
export function missingError({ source }: Target, missing: readonly Missing[]): DocumentError {
  const problems = new ProblemList({ byLine: true })
  for (const { field, why } of missing) problems.add({ source, path: pathOf(field), message: why })
  return problems.error()
}

const pathOf = (field: Need): Path =>
  field
    .split(/[.[\]]/)
    .filter(Boolean)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))

/** The needs of the probes that are sent, and the rows that they use if a target has them. */
function fieldsUsed(
  probes: readonly Probe[],
  target: Target,
  allow: readonly RiskClass[],
): ReadonlySet<string> {
  const used = new Set<string>()
  const recorded = <T extends object>(part: T, prefix: string): T =>
    new Proxy(part, {
      get(all, name) {
        used.add(prefix + String(name))
        return Reflect.get(all, name)
      },
    })
  const ids = recorded(target.ids, 'ids.')
  const keys = { ...target.keys, without: recorded(target.keys.without, 'keys.without.') }
  const context: ProbeContext = {
    target: { ...target, ids, keys },
    run: '',
    rows: { pending_rewards: [], order_events: [], customers: [] },
    answer: () => undefined,
  }
  for (const { needs, steps } of probes) {
    const isSent = steps.every(({ risk }) => isSafe(risk) || allow.includes(risk))
    if (!isSent || needs.some((name) => found(target, name) === undefined)) continue
    for (const name of needs) used.add(name)
    for (const step of steps) {
      try {
        step.path(context)
        step.request(context)
      } catch {
        // A step that reads an answer declares its needs.
      }
    }
  }
  return used
}

interface FieldCheck {
  readonly field: Need
  /** The other fields that the target must have. */
  readonly needs: readonly Need[]
  readonly steps: readonly Step<readonly Missing[]>[]
  /** Returns why the field is refused, if the answers prove it. */
  missing(context: Pick<ProbeContext, 'answer'>): Missing | undefined
}

const read = (
  name: string,
  path: string,
  requested: Omit<ProbeRequest, 'method' | 'path'> = {},
): FieldCheck['steps'][0] => ({
  name,
  risk: 'read',
  method: 'GET',
  path: () => path,
  request: () => requested,
})

/** Only 401 is certain: 403 may be about a scope that the key lacks. */
function keyCheck(field: Need, key: NonNullable<ProbeRequest['key']>, product?: string): FieldCheck {
  const headers = product === undefined ? {} : { headers: { [merchantKeyHeader]: product } }
  return {
    field,
    needs: [field],
    steps: [read(field, firstRequest.path, { key, ...headers })],
    missing({ answer }) {
      const response = answer(field)
      if (response?.status !== 401) return undefined
      return {
        field,
        why: `the service refuses this key with ${inWords(response)}: use a key that it has, or remove it`,
      }
    },
  }
}

function productCheck(place: 0 | 1, { merchant_keys: products }: Target): FieldCheck {
  const field: Need = `merchant_keys[${place}]`
  return {
    field,
    needs: [field, 'keys.multi'],
    steps: [
      read(field, firstRequest.path, {
        key: 'multi',
        headers: { [merchantKeyHeader]: products[place] ?? '' },
      }),
    ],
    missing({ answer }) {
      const response = answer(field)
      if (!response || !isCertain(response) || !namesProduct(response)) return undefined
      return {
        field,
        why: `the service answers ${inWords(response)} to keys.multi with it: name a merchant key of keys.multi, or remove it`,
      }
    },
  }
}

/**
 * A row that `keys.full` does not find may belong to another product: then it is read under each of `merchant_keys`.
 */
function rowCheck(field: RowField, target: Target): FieldCheck {
  const endpoint = readOfRow[field]
  const path = pathOfRow(field, target)
  const key = target.keys.multi === undefined ? 'full' : 'multi'
  const elsewhere = productsToTry(target).map((product, place): FieldCheck['steps'][0] => {
    const step = read(`${field} of product ${place}`, path, {
      key,
      headers: { [merchantKeyHeader]: product },
    })
    return {
      ...step,
      request: (context) => (isGone(field, context.answer(field)) ? step.request(context) : undefined),
    }
  })
  const unfiltered = field === 'ids.partner_customer_id' ? [unfilteredSearch] : []
  return {
    field,
    needs: field === 'ids.account' ? [field, 'ids.customer'] : [field],
    steps: [read(field, path), ...elsewhere, ...unfiltered],
    missing({ answer }) {
      const response = answer(field)
      if (!response || !isGone(field, response)) return undefined
      if (unfiltered.some(({ name }) => isEmptyPage(answer(name)))) return undefined
      if (elsewhere.some(({ name }) => isElsewhere(field, answer(name)))) return undefined
      // Without its customer, an account cannot be looked up.
      if (field === 'ids.account' && isGone('ids.customer', answer('ids.customer'))) return undefined
      const seen = isSuccess(response) ? 'an empty page' : inWords(response)
      return {
        field,
        why: `the service does not have it: ${endpoint.id} is answered ${seen}; name one that exists, or remove it`,
      }
    },
  }
}

function pathOfRow(field: RowField, target: Target): string {
  const id = found(target, field)
  if (field === 'ids.partner_customer_id') {
    return `${searchCustomers.path}?partner_customer_id=${encodeURIComponent(id ?? '')}`
  }
  const endpoint = readOfRow[field]
  const ids = Object.fromEntries(Object.keys(endpoint.params).map((name) => [name, id]))
  const [customer, account] = [found(target, 'ids.customer'), found(target, 'ids.account')]
  return pathTo(endpoint, field === 'ids.account' ? { customer_id: customer, account_id: account } : ids)
}

/** A search that finds no customer shows nothing if it finds none without a filter either. */
const unfilteredSearch: FieldCheck['steps'][0] = {
  ...read('customers without a filter', searchCustomers.path),
  request: ({ answer }) => (isEmptyPage(answer('ids.partner_customer_id')) ? {} : undefined),
}

const isEmptyPage = (answer: Answer | undefined): boolean => pageIn(answer)?.items.length === 0

/**
 * Whether a read proves that the row does not exist: it is answered with a not-found error of its own operation, type
 * and parameter. Any other refusal may be a fault of the service at this path, which the checks report.
 */
function isGone(field: RowField, answer: Answer | undefined): boolean {
  if (!answer) return false
  if (field === 'ids.partner_customer_id') return isEmptyPage(answer)
  const error = errorIn(answer)
  if (error?.shape !== 'C' || !isCertain(answer)) return false
  const declared = readOfRow[field].errors.find(({ type }) => type === error.type)
  return declared !== undefined && errorRow(declared.type).param === error.param
}

/** Whether a row may exist under another product; an answer that does not say so leaves it open. */
const isElsewhere = (field: RowField, answer: Answer | undefined): boolean =>
  answer !== undefined && (answer.status >= 500 || (isSuccess(answer) && !isGone(field, answer)))

/** Whether a refusal can only be about the named object: not about the key, its scopes, the method, or the rate. */
const isCertain = ({ status }: Answer): boolean =>
  status >= 400 && status < 500 && ![401, 403, 405, 408, 429].includes(status)
