// Simulates changes of what a customer holds: a payment method changes or is new, an account closes.
import { z } from 'zod'
import { changePaymentMethod, paymentMethodFields } from '../simulation/change-payment-method.ts'
import { accountChange, closeAccount } from '../simulation/close-account.ts'
import type { Transaction } from '../store/transaction.ts'
import { operation } from './declare.ts'

/** Runs a simulation in one commit, and records its summary in the timeline. */
type Simulate = <T extends object>(
  run: (tx: Transaction, now: number) => T,
  summary: (result: T) => string,
) => T

/** Takes unvalidated input, and returns rows that are the state's own. */
export function holdingsSimulation(simulate: Simulate) {
  return {
    paymentMethod: (input: unknown) =>
      simulate(
        (tx, now) => changePaymentMethod(tx, input, now),
        ({ payment_method: method }) =>
          `Payment method ${method.id} of ${method.customer_id}: ${shown(method)}`,
      ),
    account: (input: unknown) =>
      simulate(
        (tx) => closeAccount(tx, input),
        ({ account }) => `Account ${account.id} of ${account.customer_id}: ${account.status}`,
      ),
  }
}

const card = z.looseObject({ last4: z.string(), network: z.string().optional() }).optional()
const typeAndCard = z.object({ type: z.string(), status: z.string(), card, secured_credit_card: card })

/** @example shown(method)   // 'CARD, ACTIVE, VISA ending in 4242' */
function shown({ type, status, ...cards }: z.output<typeof typeAndCard>): string {
  const { last4, network = 'number' } = cards.card ?? cards.secured_credit_card ?? {}
  return `${type}, ${status}${last4 === undefined ? '' : `, ${network} ending in ${last4}`}`
}

interface HoldingsTarget {
  workspace: { simulate: { own: ReturnType<typeof holdingsSimulation> } }
}

export const holdingsOperations = [
  operation({
    id: 'simulate.paymentMethod',
    route: 'POST /_sandbox/simulate/payment_method',
    verb: {
      name: 'simulate payment-method',
      empty: 'no change: set --id with --status or --reissue, or --customer-id with --type',
    },
    about: 'change the status of a payment method, reissue a card, or add a virtual card of a customer',
    body: paymentMethodFields,
    status: 201,
    result: z.object({
      payment_method: z.looseObject({ id: z.string(), customer_id: z.string(), ...typeAndCard.shape }),
    }),
    printed: { text: ({ payment_method: method }) => `payment method ${method.id}: ${shown(method)}\n` },
    run: ({ workspace }: HoldingsTarget, { body }) => workspace.simulate.own.paymentMethod(body),
  }),
  operation({
    id: 'simulate.account',
    route: 'POST /_sandbox/simulate/account',
    verb: { name: 'simulate account', args: ['id'], options: { id: 'account-id' } },
    about: 'close an account',
    body: accountChange,
    status: 201,
    result: z.object({ account: z.looseObject({ id: z.string(), status: z.string() }) }),
    printed: { text: ({ account }) => `account ${account.id}: ${account.status}\n` },
    run: ({ workspace }: HoldingsTarget, { body }) => workspace.simulate.own.account(body),
  }),
]
