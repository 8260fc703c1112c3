// Lives of purchases, generated and compared with a model that knows the table of steps only.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accruals, type Accrual } from '../../src/contract/resources/reward.ts'
import { transactionStatuses, type TransactionStatus } from '../../src/contract/resources/card-transaction.ts'
import { rewardAmount } from '../../src/contract/reward-amount.ts'
import { eventsOf } from '../../src/events/events-of-changes.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { ConflictError } from '../../src/input/refusals.ts'
import { simulateTransaction } from '../../src/simulation/arrive-transaction.ts'
import { closeStatement } from '../../src/simulation/close-statement.ts'
import { simulateRewards } from '../../src/simulation/settle-rewards.ts'
import type { Row } from '../../src/store/rows.ts'
import type { State } from '../../src/store/state.ts'
import type { Transaction } from '../../src/store/transaction.ts'
import { begin, card, category, now, product, worldOf } from '../helpers/simulation.ts'
import { samples } from '../setup/samples.ts'

type Assume = Parameters<typeof simulateTransaction>[3]

/**
 * A step that a life tries: `of` and `capture` choose among what there is, or a new transaction; `isFrozen` puts it
 * at the instant of the command before it.
 */
type Command =
  | { do: 'step'; status: TransactionStatus; amount: number; of: number; capture: number; isFrozen: boolean }
  | { do: 'close' }
  | { do: 'settle' }

interface Life {
  accrual: Accrual
  rate: string
  refund_reward: Assume['refund_reward']
  reward_rounding: Assume['reward_rounding']
  transaction_amount: Assume['transaction_amount']
  commands: readonly Command[]
}

const step = fc.record({
  do: fc.constant('step' as const),
  // Refunds need a capture before them, so that these are more frequent.
  status: fc.constantFrom<TransactionStatus>(
    ...transactionStatuses,
    'CAPTURED',
    'CAPTURED',
    'REFUNDED',
    'REFUNDED',
  ),
  amount: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 40_000 })),
  of: fc.integer({ min: 0, max: 3 }),
  capture: fc.integer({ min: 0, max: 2 }),
  isFrozen: fc.boolean(),
})

const life: fc.Arbitrary<Life> = fc.record({
  accrual: fc.constantFrom(...accruals),
  rate: fc.constantFrom('1', '1.5', '3.00', '0.03', '0.333'),
  refund_reward: fc.constantFrom('own_row', 'same_reward'),
  reward_rounding: fc.constantFrom('down', 'half_up'),
  transaction_amount: fc.constantFrom('last_step', 'total'),
  commands: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: step },
      { weight: 1, arbitrary: fc.constant({ do: 'close' as const }) },
      { weight: 1, arbitrary: fc.constant({ do: 'settle' as const }) },
    ),
    { minLength: 3, maxLength: 24 },
  ),
})

/** A transaction, as the table of steps sees it. */
interface Model {
  id: string
  steps: TransactionStatus[]
  /** What the last authorisation allows. */
  authorised: number
  captures: { id: string; amount: number; refunds: number[] }[]
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
const capturedOf = ({ captures }: Model): number => sum(captures.map(({ amount }) => amount))

/** Whether the table allows a step; written without looking at the code that decides it. */
function allows(
  model: Model | undefined,
  status: TransactionStatus,
  amount: number,
  capture?: Model['captures'][0],
) {
  if (!model) return status === 'APPROVED' || status === 'CAPTURED' || status === 'REFUNDED'
  const last = model.steps.at(-1)
  const isAuthorisation = last === 'APPROVED' || last === 'UPDATED'
  switch (status) {
    case 'APPROVED':
      return false
    case 'UPDATED':
    case 'VOIDED':
      return isAuthorisation
    case 'CAPTURED':
      return last !== 'VOIDED' && capturedOf(model) + amount <= model.authorised
    case 'REFUNDED':
      return capture !== undefined && sum(capture.refunds) + amount <= capture.amount
  }
}

const customer_id = 'cus_1'

/** Runs a life, checks every step against the model, and returns what is left. */
function live({ accrual, rate, commands, ...assumptions }: Life) {
  const state = worldOf({
    products: [product({ accrual, categories: [category('Base', rate)] })],
    accounts: [{ id: 'acct_1', customer_id, currency: 'USD' }],
    payment_methods: [card('pm_1', customer_id, 'acct_1')],
  })
  const models: Model[] = []
  const events: string[] = []
  const statements: { purchases: number; refunds: number }[] = []
  let at = now
  let hasBlind = false
  const run = <T>(act: (tx: Transaction) => T): T => {
    const tx = begin(state)
    try {
      const result = act(tx)
      events.push(
        ...eventsOf(tx.changes).map(({ type, id, after }) => `${type} ${id} ${JSON.stringify(after)}`),
      )
      return result
    } catch (error) {
      tx.rollback()
      throw error
    }
  }
  for (const command of commands) {
    // A cycle lasts some time at least.
    if (command.do !== 'step' || !command.isFrozen) at += 60_000
    if (command.do === 'close') {
      statements.push(run((tx) => closeStatement(tx, { account_id: 'acct_1' }, at)).statement)
    } else if (command.do === 'settle') {
      const reward_type = accrual === 'delayed' ? 'DELAYED' : 'STATEMENT'
      const settle = () => run((tx) => simulateRewards(tx, { customer_id, reward_type }, at))
      if (accrual === 'instant') expect(settle).toThrow(DocumentError)
      else settle()
    } else {
      const { status, amount } = command
      const model = models[command.of]
      const capture = status === 'REFUNDED' ? model?.captures[command.capture] : undefined
      const input = model
        ? {
            transaction_id: model.id,
            status,
            ...(status === 'VOIDED' ? {} : { amount }),
            ...(capture ? { event_id: capture.id } : {}),
          }
        : { customer_id, payment_method_id: 'pm_1', amount, currency: 'USD', merchant_name: 'Shop', status }
      const before = JSON.stringify([...state.all('transactions'), ...state.all('rewards')])
      const act = () => run((tx) => simulateTransaction(tx, input, at, assumptions))
      // Without event_id, the only open capture is meant; the model names captures only.
      if (model && status === 'REFUNDED' && !capture) continue
      if (!allows(model, status, amount, capture)) {
        expect(act).toThrow(ConflictError)
        expect(JSON.stringify([...state.all('transactions'), ...state.all('rewards')])).toBe(before)
        continue
      }
      const { transaction, event } = act()
      expect(transaction.status).toBe(status)
      const known = model ?? { id: transaction.id, steps: [], authorised: 0, captures: [] }
      if (!model) models.push(known)
      known.steps.push(status)
      if (status === 'APPROVED' || status === 'UPDATED') known.authorised = amount
      if (status === 'CAPTURED') known.captures.push({ id: event?.id ?? '', amount, refunds: [] })
      capture?.refunds.push(amount)
      hasBlind ||= status === 'REFUNDED' && !capture
    }
    expect(balanceOf(state, assumptions), 'the balance').toBeGreaterThanOrEqual(hasBlind ? -Infinity : 0)
  }
  return { state, models, events, statements, at, hasBlind, run }
}

const rewardsOf = (state: State): Row<'rewards'>[] => state.scan('rewards', 'by_customer', customer_id)

/** Under the value of balance_statuses that fits. */
function balanceOf(state: State, { refund_reward }: Pick<Assume, 'refund_reward'>): number {
  const sign = {
    AVAILABLE: 1,
    PENDING: 0,
    PENDING_DEDUCTION: 0,
    DEDUCTED: refund_reward === 'own_row' ? -1 : 0,
  }
  return sum(rewardsOf(state).map(({ status, amount }) => sign[status] * amount))
}

/** Settles everything: closes the cycle, or lets the delay pass. */
function settleAll({ accrual }: Life, { run, at }: Pick<ReturnType<typeof live>, 'run' | 'at'>): void {
  run((tx) => closeStatement(tx, { account_id: 'acct_1' }, at + 60_000))
  if (accrual === 'delayed')
    run((tx) => simulateRewards(tx, { customer_id, reward_type: 'DELAYED' }, at + 60_000))
}

const runs = { numRuns: samples(2000) }

describe('generated lives of purchases', () => {
  it('statuses only as the table allows; sums of captures, refunds, rewards and statements agree; each event once', () => {
    fc.assert(
      fc.property(life, (one) => {
        const lived = live(one)
        const { state, models, events, statements, hasBlind } = lived
        const steps = [...state.all('transaction_events')]
        // Every step, and nothing else, has an event; no event is there twice.
        expect(new Set(events).size).toBe(events.length)
        const ofSteps = events
          .filter((text) => text.startsWith('transaction.'))
          .map((text) => text.split(' ', 2).join(' '))
          .toSorted()
        expect(ofSteps).toEqual(
          steps.map(({ id, status }) => `transaction.${status.toLowerCase()} ${id}`).toSorted(),
        )
        for (const { id, steps: expected } of models) {
          const own = state.scan('transaction_events', 'by_transaction', id)
          expect(own.map(({ n, status }) => [n, status])).toEqual(
            expected.map((status, index) => [index + 1, status]),
          )
          const times = own.map(({ posted_at }) => posted_at)
          expect(times.toSorted()).toEqual(times)
        }
        settleAll(one, lived)
        const all = [...state.all('statements')]
        expect(all.length).toBe(statements.length + 1)
        const total = (status: TransactionStatus): number =>
          sum(steps.filter((each) => each.status === status).map(({ amount }) => amount))
        expect(sum(all.map(({ purchases }) => purchases))).toBe(total('CAPTURED'))
        expect(sum(all.map(({ refunds }) => refunds)) + total('REFUNDED')).toBe(0)
        expect(
          [...state.all('transaction_events')].filter(
            ({ status, statement_id }) =>
              (status === 'CAPTURED' || status === 'REFUNDED') !== (statement_id !== undefined),
          ),
        ).toEqual([])
        if (hasBlind && one.refund_reward === 'same_reward') return
        // What the captures earned less what the refunds took back, each share rounded once over all refunds so far.
        const earned = (amount: number): number =>
          rewardAmount({
            amount,
            currency: 'USD',
            earnRate: one.rate,
            rewardCurrency: 'POINTS',
            rounding: one.reward_rounding,
          })
        const captures = models.flatMap((model) => model.captures)
        const blind = steps.filter(
          ({ status, capture_id }) => status === 'REFUNDED' && capture_id === undefined,
        )
        const expected =
          sum(captures.map(({ amount, refunds }) => earned(amount) - earned(sum(refunds)))) -
          sum(blind.map(({ amount }) => earned(amount)))
        expect(rewardsOf(state).filter(({ status }) => status.startsWith('PENDING'))).toEqual([])
        const isSum = one.accrual === 'statement_aggregated'
        const balance = balanceOf(state, { refund_reward: isSum ? 'own_row' : one.refund_reward })
        expect(balance + 0).toBe(expected + 0)
      }),
      runs,
    )
  })

  it('after a full refund that is settled, the balance is what it was, whatever amount the partner set', () => {
    fc.assert(
      fc.property(life, fc.option(fc.integer({ min: 0, max: 5000 })), (one, set) => {
        const lived = live(one)
        const { state, models, run, hasBlind } = lived
        if (hasBlind) return
        for (const { id, captures } of models) {
          for (const { id: event_id, amount, refunds } of captures) {
            if (sum(refunds) === amount) continue
            const { reward_id } = state.get('transaction_events', event_id) ?? {}
            const reward = reward_id === undefined ? undefined : state.get('rewards', reward_id)
            if (set !== null && refunds.length === 0 && reward?.transaction_event_id === event_id)
              run((tx) => tx.put('rewards', { ...reward, amount: set }))
            const input = { transaction_id: id, status: 'REFUNDED', event_id }
            run((tx) => simulateTransaction(tx, input, lived.at, one))
          }
        }
        settleAll(one, lived)
        const isSum = one.accrual === 'statement_aggregated'
        expect(balanceOf(state, { refund_reward: isSum ? 'own_row' : one.refund_reward }) + 0).toBe(0)
      }),
      { numRuns: samples(500) },
    )
  })

  it('the same life again -> the same rows and events', () => {
    fc.assert(
      fc.property(life, (one) => {
        const [first, second] = [live(one), live(one)].map(({ state, events }) => ({
          rows: (['transactions', 'transaction_events', 'rewards', 'statements'] as const).map((name) => [
            ...state.all(name),
          ]),
          events,
        }))
        expect(second).toEqual(first)
      }),
      { numRuns: samples(200) },
    )
  })
})
