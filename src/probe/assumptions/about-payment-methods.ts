// Probes of the assumptions about payment methods.
import { unknownRowViolations } from '../checks/answers.ts'
import { listPaymentMethods, retrievePaymentMethod } from '../../endpoints/payment-methods.ts'
import { retrieveTransactionIntent } from '../../endpoints/transaction-intents.ts'
import { pathTo } from '../path-to.ts'
import { valuesOf } from '../../contract/assumptions.ts'
import { fieldOf, isViolation, pageIn, isSuccess, typeOf, unlike } from '../answers.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Step } from '../probe.ts'
import { found, need } from '../target.ts'
import type { ProbesOf } from './probes-of.ts'
import { orderOf } from './row-order.ts'

type PaymentMethodAssumptionId =
  | 'payment_methods_required_filter'
  | 'payment_methods_unknown_customer'
  | 'payment_methods_pagination'
  | 'payment_methods_order'
  | 'payment_methods_listed'

/** A list of payment methods, which only reads although it is a POST. */
const list = (
  name: string,
  filter: (context: ProbeContext) => object | undefined,
  risk: 'read' | 'refusal' = 'read',
): Step => ({
  name,
  risk,
  method: 'POST',
  path: () => listPaymentMethods.path,
  request(context) {
    const json = filter(context)
    return json && { json }
  },
})

const unknownPan = { customer_id: 'cus_cannot_exist' }
/** A valid card number that no customer has. */
const pan = '4242424242424242'

const listUnknownPan = list('of an unknown customer', () => unknownPan)
const ofCustomer = list('of the customer', ({ target }) => ({ customer_id: need(target, 'ids.customer') }))

const moreOfCustomer = list('more of the customer', (context) =>
  pageIn(context.answer('of the customer'))?.more
    ? { customer_id: need(context.target, 'ids.customer'), limit: 100 }
    : undefined,
)

/** The intent of the target, whose payment method may no longer be ACTIVE. */
const intent: Step = {
  name: 'intent',
  risk: 'read',
  method: 'GET',
  path: ({ target }) => pathTo(retrieveTransactionIntent, { intent_id: found(target, 'ids.intent') }),
  request: ({ target }) => (found(target, 'ids.intent') === undefined ? undefined : {}),
}

const methodOfIntent: Step = {
  name: 'method of the intent',
  risk: 'read',
  method: 'GET',
  path: () => pathTo(retrievePaymentMethod),
  request(context) {
    const id = fieldOf(context.answer('intent'), 'payment_method_id')
    return typeof id === 'string'
      ? { path: pathTo(retrievePaymentMethod, { payment_method_id: id }) }
      : undefined
  },
}

export const paymentMethodProbes: ProbesOf<PaymentMethodAssumptionId> = {
  payment_methods_required_filter: {
    id: 'payment_methods_required_filter',
    needs: [],
    steps: [
      listUnknownPan,
      // Shows that the number itself is not a violation.
      list('of an unknown pan', () => ({ ...unknownPan, pan })),
      list('by pan', () => ({ pan })),
      // One of the types, as a list of all may be long.
      list('by type', () => ({ type: 'LOAN' })),
    ],
    read(context) {
      const [byCustomer, byBoth, byPan, byType] = [
        'of an unknown customer',
        'of an unknown pan',
        'by pan',
        'by type',
      ].map((step) => context.answer(step))
      if (isViolation(byCustomer)) return other('a customer_id alone is refused')
      if (isViolation(byBoth)) return cannotTell('a test card number is refused together with a customer_id')
      const unclear = [byPan, byType].find((answer) => !isSuccess(answer) && !isViolation(answer))
      if (unclear) return unlike(unclear)
      if (isViolation(byPan)) {
        return isViolation(byType) ? value('customer_id') : other('a type is enough, and a pan is not')
      }
      return value(isViolation(byType) ? 'customer_id_or_pan' : 'none')
    },
  },
  payment_methods_unknown_customer: {
    id: 'payment_methods_unknown_customer',
    needs: [],
    steps: [listUnknownPan],
    read(context) {
      const answer = context.answer('of an unknown customer')
      if (typeOf(answer) === 'CUSTOMER_NOT_FOUND_ERROR') return value('not_found')
      const page = pageIn(answer)
      if (!page) return unlike(answer)
      return page.items.length === 0 ? value('empty_list') : other('payment methods of another customer')
    },
    violations: unknownRowViolations,
  },
  payment_methods_pagination: {
    id: 'payment_methods_pagination',
    needs: ['ids.customer'],
    steps: [
      list('a page of one', () => ({ ...unknownPan, limit: 1 })),
      list('a page of none', () => ({ ...unknownPan, limit: 0 }), 'refusal'),
      ofCustomer,
      list('the page after', (context) => {
        const first = pageIn(context.answer('of the customer'))?.items[0]?.['id']
        if (typeof first !== 'string' || !isLimited(context)) return undefined
        return { customer_id: need(context.target, 'ids.customer'), limit: 1, starting_after: first }
      }),
    ],
    read(context) {
      const [one, zero] = ['a page of one', 'a page of none'].map((step) => context.answer(step))
      const whole = pageIn(context.answer('of the customer'))
      if (!whole) return unlike(context.answer('of the customer'))
      if (!isLimited(context)) {
        if (isViolation(one) !== isViolation(zero))
          return one ? other(`limit 1 is answered ${briefly(one)}`) : unlike(one)
        return whole.more ? other('there are more payment methods, and no limit is read') : value('none')
      }
      const next = pageIn(context.answer('the page after'))
      const isNext = next?.items.length === 1 && next.items[0]?.['id'] !== whole.items[0]?.['id']
      if (isNext) return value('limit_and_starting_after')
      if (whole.items.length < 2 && !whole.more) {
        return cannotTell('there is no second payment method', '2 payment methods of ids.customer')
      }
      return other('limit works, but starting_after does not return the next payment method')
    },
  },
  payment_methods_order: {
    id: 'payment_methods_order',
    needs: ['ids.customer'],
    steps: [ofCustomer, moreOfCustomer],
    read(context) {
      const first = pageIn(context.answer('of the customer'))
      if (!first) return unlike(context.answer('of the customer'))
      const { items } = pageIn(context.answer('more of the customer')) ?? first
      return orderOf(
        valuesOf('payment_methods_order'),
        items,
        '2 payment methods of ids.customer with different created_at',
      )
    },
  },
  payment_methods_listed: {
    id: 'payment_methods_listed',
    needs: ['ids.customer'],
    steps: [ofCustomer, moreOfCustomer, intent, methodOfIntent],
    read(context) {
      const first = pageIn(context.answer('of the customer'))
      if (!first) return unlike(context.answer('of the customer'))
      const { items, more } = pageIn(context.answer('more of the customer')) ?? first
      if (items.some(({ status }) => status !== 'ACTIVE')) return value('all')
      const method = context.answer('method of the intent')
      const isOther =
        fieldOf(method, 'customer_id') === need(context.target, 'ids.customer') &&
        fieldOf(method, 'status') !== 'ACTIVE'
      if (isOther && !more) return value('active_only')
      return cannotTell(
        'every payment method that was listed is ACTIVE',
        '1 INACTIVE or CANCELED payment method of ids.customer, used by ids.intent',
      )
    },
  },
}

/**
 * Under the right name, a limit of 0 is a violation and a limit of 1 is not; under any other name, neither or both are.
 */
function isLimited(context: ProbeContext): boolean {
  return !isViolation(context.answer('a page of one')) && isViolation(context.answer('a page of none'))
}
