// Probes of the assumptions about transaction intents.
import { searchCustomers } from '../../endpoints/customers.ts'
import { listPaymentMethods, retrievePaymentMethod } from '../../endpoints/payment-methods.ts'
import { updateReward } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { additionalRequiredFields } from '../../endpoints/transaction-intents.ts'
import type { Answer } from '../read-answer.ts'
import { briefly, errorIn } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Probe, type Reading, type Step } from '../probe.ts'
import { need } from '../target.ts'
import { step } from './common-steps.ts'
import { customerPageSteps, rowsOfCustomerPages } from './customer-pages.ts'
import type { ProbesOf } from './probes-of.ts'
import {
  amountProbe,
  rejectedIntentStep,
  faultless,
  fateOf,
  rejectedIntent,
  unlessFaultless,
} from './rejected-intent.ts'
import { idsOfIntent, newIntent, unlessMade } from './new-intent.ts'
import { isSuccess } from '../answers.ts'
import { answerTo, statusSeen } from './readings.ts'

type IntentAssumptionId =
  | 'create_status'
  | 'intent_required_fields'
  | 'negative_amount'
  | 'zero_amount'
  | 'intent_payment_method_status'
  | 'intent_inactive_method'
  | 'intent_payment_method_type'
  | 'intent_foreign_payment_method'
  | 'intent_network_id_reuse'
  | 'intent_closed_customer'
  | 'intent_currency'
  | 'intent_past_date'

/** The valid body without one of its fields. */
const lacking = (Object.keys(rejectedIntent) as (keyof typeof rejectedIntent)[]).map((field) => {
  const { [field]: _, ...rest } = rejectedIntent
  return { field, lackingStep: rejectedIntentStep(`without ${field}`, { json: rest }) }
})

function readRequired(context: ProbeContext): Reading<keyof typeof additionalRequiredFields> {
  const all = answerTo(context, faultless.name)
  // A field that some value requires in addition to those that every value requires.
  if (fateOf(all) === 'A') return other(briefly(all))
  const unclear = unlessFaultless(context)
  if (unclear) return unclear
  const required: string[] = []
  for (const { field, lackingStep } of lacking) {
    const answer = answerTo(context, lackingStep.name)
    const fate = fateOf(answer)
    if (fate === 'A') required.push(field)
    else if (fate !== 'passed') return cannotTell(`without ${field} it is answered ${briefly(answer)}`)
  }
  for (const [name, beyond] of Object.entries(additionalRequiredFields)) {
    const expected = new Set<string>(['customer_id', 'amount', 'currency', ...beyond])
    if (required.length === expected.size && required.every((field) => expected.has(field)))
      return value(name as keyof typeof additionalRequiredFields)
  }
  return other(`required: ${required.join(', ') || 'nothing'}`)
}

/** A payment method of the customer with this `type` and `status`. */
interface Wanted {
  noun: string
  filter: Readonly<Record<string, string>>[]
  fits(method: Readonly<Record<string, unknown>>): boolean
}

const canceledCard: Wanted = {
  noun: 'CANCELED card',
  filter: [{ type: 'CARD' }],
  fits: ({ status }) => status === 'CANCELED',
}
const inactiveCard: Wanted = {
  noun: 'INACTIVE card',
  filter: [{ type: 'CARD' }],
  fits: ({ status }) => status === 'INACTIVE',
}
const noCard: Wanted = {
  noun: 'ACTIVE BANK_ACCOUNT or LOAN',
  filter: [{ type: 'BANK_ACCOUNT' }, { type: 'LOAN' }],
  fits: ({ status }) => status === 'ACTIVE',
}

const rowsOf = (answer: Answer | undefined): Record<string, unknown>[] => {
  const data = isJsonObject(answer?.json) ? answer.json['data'] : undefined
  return Array.isArray(data) ? data.filter((row) => isJsonObject(row)) : []
}

/** Lists of a customer's payment methods of a type: a short page, and a long one if there are more. */
const listsOf = ({ filter, fits }: Wanted): Step[] =>
  filter.flatMap((wanted, at) => {
    const list = (name: string, paging: (context: ProbeContext) => object | undefined): Step => ({
      name,
      risk: 'read',
      method: 'POST',
      path: () => listPaymentMethods.path,
      request(context) {
        const more = paging(context)
        return more && { json: { customer_id: need(context.target, 'ids.customer'), ...wanted, ...more } }
      },
    })
    return [
      list(`list ${at}`, () => ({})),
      list(`long list ${at}`, (context) => {
        const page = context.answer(`list ${at}`)
        const isCut = isJsonObject(page?.json) && page.json['has_more'] === true
        return isCut && !rowsOf(page).some(fits) ? { limit: 100 } : undefined
      }),
    ]
  })

/** Whether an intent may be created with a payment method of some kind. */
function methodProbe(
  id: 'intent_payment_method_status' | 'intent_inactive_method' | 'intent_payment_method_type',
  wanted: Wanted,
): Probe<'accept' | 'refuse'> {
  const lists = listsOf(wanted)
  const foundIn = (context: ProbeContext): unknown =>
    lists.flatMap(({ name }) => rowsOf(context.answer(name))).find(wanted.fits)?.['id']
  return {
    id,
    needs: idsOfIntent,
    steps: [
      ...lists,
      newIntent('asked', (context) => {
        const method = foundIn(context)
        return method ? { networkId: id, body: { payment_method_id: method } } : undefined
      }),
      controlFor('payment_method_id', id),
    ],
    read(context) {
      if (foundIn(context) === undefined) {
        return cannotTell(`ids.customer shows no ${wanted.noun}`, `1 ${wanted.noun} of ids.customer`)
      }
      return readMade(context, 'payment_method_id')
    },
  }
}

/** A valid intent, sent if the tested one was neither created nor refused for its field. */
const controlFor = (field: string, id: string): Step =>
  newIntent('control', (context) => {
    const answer = context.answer('asked')
    const isClear = !answer || isSuccess(answer) || isRefusedFor(answer, field)
    return isClear ? undefined : { networkId: `${id}-control` }
  })

/** A valid intent. */
const validIntent: Step = { ...newIntent('usual', () => ({ networkId: 'usual' })), once: true }

/** Whether an intent was created, or refused for a field. */
function readMade(context: ProbeContext, field: string): Reading<'accept' | 'refuse'> {
  const answer = answerTo(context, 'asked')
  if (isSuccess(answer)) return value('accept')
  if (isRefusedFor(answer, field)) return value('refuse')
  return (context.answer('control') && unlessMade(context, 'control')) ?? other(briefly(answer))
}

function isRefusedFor(answer: Answer, field: string): boolean {
  const error = errorIn(answer)
  return error?.shape === 'A' && error.details.some((detail) => detail.includes(field))
}

/** Any customer other than the owner of the payment method. */
function anotherCustomer(context: ProbeContext): unknown {
  const method = context.answer('method')?.json
  const owner = isJsonObject(method) ? method['customer_id'] : undefined
  if (typeof owner !== 'string') return undefined
  const customers = ['customers', 'more customers'].flatMap((name) => rowsOf(context.answer(name)))
  return customers.map(({ id }) => id).find((id) => typeof id === 'string' && id !== owner)
}

/** Number of pages that show a closed customer if each page has one customer. */
const pagesForClosed = 8

function isClosed({ statuses }: Readonly<Record<string, unknown>>): boolean {
  const all = isJsonObject(statuses) ? Object.values(statuses) : []
  return all.length > 0 && all.every((status) => status === 'CLOSED')
}

function closedCustomer(context: ProbeContext): string | undefined {
  const id = rowsOfCustomerPages(context).find(isClosed)?.['id']
  return typeof id === 'string' ? id : undefined
}

function methodOfClosed(context: ProbeContext): unknown {
  return rowsOf(context.answer('methods of the closed customer')).find(({ status }) => status === 'ACTIVE')?.[
    'id'
  ]
}

export const intentProbes: Pick<ProbesOf<IntentAssumptionId>, IntentAssumptionId> = {
  create_status: {
    id: 'create_status',
    needs: idsOfIntent,
    steps: [validIntent],
    read: (context) =>
      unlessMade(context, validIntent.name) ??
      statusSeen('create_status', [answerTo(context, validIntent.name)]),
  },
  intent_required_fields: {
    id: 'intent_required_fields',
    needs: [],
    steps: [faultless, ...lacking.map(({ lackingStep }) => lackingStep)],
    read: readRequired,
  },
  negative_amount: amountProbe('negative_amount', [
    rejectedIntentStep('of an intent', { json: { ...rejectedIntent, amount: -1 } }),
    step('of a reward', 'refusal', 'PATCH', pathTo(updateReward, { reward_id: 'rwd_cannot_exist' }), {
      json: { amount: -1 },
    }),
  ]),
  zero_amount: amountProbe('zero_amount', [
    rejectedIntentStep('of an intent', { json: { ...rejectedIntent, amount: 0 } }),
  ]),
  intent_payment_method_status: methodProbe('intent_payment_method_status', canceledCard),
  intent_inactive_method: methodProbe('intent_inactive_method', inactiveCard),
  intent_payment_method_type: methodProbe('intent_payment_method_type', noCard),
  intent_foreign_payment_method: {
    id: 'intent_foreign_payment_method',
    needs: idsOfIntent,
    steps: [
      {
        name: 'method',
        risk: 'read',
        method: 'GET',
        path: ({ target }) =>
          pathTo(retrievePaymentMethod, { payment_method_id: need(target, 'ids.payment_method') }),
        request: () => ({}),
      },
      step('customers', 'read', 'GET', searchCustomers.path),
      {
        name: 'more customers',
        risk: 'read',
        method: 'GET',
        path: () => `${searchCustomers.path}?starting_after=<customer>`,
        request(context) {
          const last = rowsOf(context.answer('customers')).at(-1)?.['id']
          if (anotherCustomer(context) !== undefined || typeof last !== 'string') return undefined
          return { path: `${searchCustomers.path}?starting_after=${encodeURIComponent(last)}` }
        },
      },
      newIntent('asked', (context) => {
        const customer = anotherCustomer(context)
        return customer === undefined
          ? undefined
          : { networkId: 'foreign_payment_method', body: { customer_id: customer } }
      }),
    ],
    read(context) {
      const answer = context.answer('asked')
      if (!answer)
        return cannotTell(
          'the owner of ids.payment_method is the only customer found',
          '1 more customer, and ids.payment_method that is there',
        )
      if (isRefusedFor(answer, 'payment_method_id')) return value('refuse')
      const error = errorIn(answer)
      const isMissing = error?.shape === 'C' && error.type === 'PAYMENT_METHOD_NOT_FOUND_ERROR'
      return isMissing ? value('not_found') : other(briefly(answer))
    },
  },
  intent_network_id_reuse: {
    id: 'intent_network_id_reuse',
    needs: idsOfIntent,
    steps: [validIntent, newIntent('asked', () => ({ networkId: 'usual' }))],
    read: (context) => unlessMade(context, validIntent.name) ?? readMade(context, 'network_transaction_id'),
  },
  intent_closed_customer: {
    id: 'intent_closed_customer',
    needs: idsOfIntent,
    steps: [
      ...customerPageSteps(pagesForClosed, (rows) => rows.some(isClosed)),
      {
        name: 'methods of the closed customer',
        risk: 'read',
        method: 'POST',
        path: () => listPaymentMethods.path,
        request(context) {
          const customer = closedCustomer(context)
          return customer === undefined ? undefined : { json: { customer_id: customer } }
        },
      },
      newIntent('asked', (context) => {
        const [customer, method] = [closedCustomer(context), methodOfClosed(context)]
        if (customer === undefined || method === undefined) return undefined
        return {
          networkId: 'closed_customer',
          body: { customer_id: customer, payment_method_id: method },
        }
      }),
      controlFor('customer_id', 'closed_customer'),
    ],
    read(context) {
      if (methodOfClosed(context) !== undefined) return readMade(context, 'customer_id')
      return cannotTell(
        'saw no customer with an ACTIVE payment method who is closed in every program',
        `1 such customer on the first ${pagesForClosed} pages of the search`,
      )
    },
  },
  intent_currency: {
    id: 'intent_currency',
    needs: idsOfIntent,
    steps: [validIntent, newIntent('asked', () => ({ networkId: 'currency', body: { currency: 'EUR' } }))],
    read(context) {
      const unclear = unlessMade(context, validIntent.name)
      if (unclear) return unclear
      const answer = answerTo(context, 'asked')
      if (isSuccess(answer)) return value('any_code')
      return isRefusedFor(answer, 'currency') ? value('of_the_account') : other(briefly(answer))
    },
  },
  intent_past_date: {
    id: 'intent_past_date',
    needs: idsOfIntent,
    steps: [
      newIntent('asked', () => ({ networkId: 'past_date', body: { expected_date: '2000-01-01' } })),
      controlFor('expected_date', 'past_date'),
    ],
    read: (context) => readMade(context, 'expected_date'),
  },
}
