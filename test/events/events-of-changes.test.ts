// Tests of src/events/events-of-changes.ts: which changes of a commit create which events.
import { describe, expect, it } from 'vitest'
import { declarationOf, eventTypeNames } from '../../src/contract/event-types.ts'
import { eventsOf } from '../../src/events/events-of-changes.ts'
import type { Change } from '../../src/store/transaction.ts'

const before = { id: 'x', status: 'PENDING' }
const after = { id: 'x', status: 'AVAILABLE' }

const cases: { situation: string; changes: Change[]; types: string[] }[] = [
  {
    situation: 'a new intent',
    changes: [{ collection: 'transaction_intents', id: 'x', after }],
    types: ['transaction_intent.created'],
  },
  {
    situation: 'a changed intent',
    changes: [{ collection: 'transaction_intents', id: 'x', before, after }],
    types: ['transaction_intent.updated'],
  },
  {
    situation: 'a new reward',
    changes: [{ collection: 'rewards', id: 'x', after }],
    types: ['reward.created'],
  },
  {
    situation: 'a changed reward',
    changes: [{ collection: 'rewards', id: 'x', before, after }],
    types: ['reward.updated'],
  },
  {
    situation: 'a deleted reward has no type',
    changes: [{ collection: 'rewards', id: 'x', before }],
    types: [],
  },
  {
    situation: 'a customer with another partner id',
    changes: [{ collection: 'customers', id: 'x', before, after: { ...before, partner_customer_id: 'p' } }],
    types: ['customer.linked'],
  },
  {
    situation: 'a customer with another name',
    changes: [{ collection: 'customers', id: 'x', before, after: { ...before, first_name: 'Ada' } }],
    types: [],
  },
  {
    situation: 'a deleted order event',
    changes: [{ collection: 'order_events', id: 'x', before }],
    types: ['order_event.deleted'],
  },
  {
    situation: 'a new statement',
    changes: [{ collection: 'statements', id: 'x', after }],
    types: ['statement.created'],
  },
  {
    situation: 'a new transaction',
    changes: [{ collection: 'transactions', id: 'x', after }],
    types: [],
  },
  ...(['approved', 'updated', 'voided', 'captured', 'refunded'] as const).map(
    (step): (typeof cases)[number] => ({
      situation: `a step: ${step}`,
      changes: [{ collection: 'transaction_events', id: 'x', after: { status: step.toUpperCase() } }],
      types: [`transaction.${step}`],
    }),
  ),
  {
    situation: 'a changed step has no type',
    changes: [{ collection: 'transaction_events', id: 'x', before, after }],
    types: [],
  },
  {
    situation: 'a new payment method',
    changes: [{ collection: 'payment_methods', id: 'x', after }],
    types: ['payment_method.created'],
  },
  {
    situation: 'a changed payment method',
    changes: [{ collection: 'payment_methods', id: 'x', before, after }],
    types: ['payment_method.updated'],
  },
  {
    situation: 'a closed account',
    changes: [{ collection: 'accounts', id: 'x', before, after: { ...before, status: 'CLOSED' } }],
    types: ['account.closed'],
  },
  {
    situation: 'an account that is open again',
    changes: [{ collection: 'accounts', id: 'x', before, after: { ...before, status: 'OPEN' } }],
    types: [],
  },
  {
    situation: 'a reward that was created and changed in one commit',
    changes: [
      { collection: 'rewards', id: 'x', after: before },
      { collection: 'rewards', id: 'x', before, after },
    ],
    types: ['reward.created'],
  },
  {
    situation: 'a reward that was created and deleted in one commit',
    changes: [
      { collection: 'rewards', id: 'x', after: before },
      { collection: 'rewards', id: 'x', before },
    ],
    types: [],
  },
  {
    situation: 'a reward that was changed back in one commit',
    changes: [
      { collection: 'rewards', id: 'x', before, after },
      { collection: 'rewards', id: 'x', before: after, after: before },
    ],
    types: [],
  },
  { situation: 'the account', changes: [{ collection: 'account', id: 'account', before, after }], types: [] },
]

describe('the events of a commit', () => {
  it.each(cases)('$situation', ({ changes, types }) => {
    expect(eventsOf(changes).map(({ type }) => type)).toEqual(types)
  })

  it('every type is created by a case above', () => {
    expect(new Set(cases.flatMap(({ types }) => types))).toEqual(
      new Set(eventTypeNames.filter((type) => declarationOf(type).collection)),
    )
  })

  it('has the rows before and after the whole commit', () => {
    const last = { ...after, amount: 5 }
    const changes: Change[] = [
      { collection: 'rewards', id: 'x', before, after },
      { collection: 'statements', id: 't', after: { id: 't' } },
      { collection: 'rewards', id: 'x', before: after, after: last },
    ]
    expect(eventsOf(changes)).toEqual([
      { type: 'reward.updated', id: 'x', before, after: last },
      { type: 'statement.created', id: 't', before: undefined, after: { id: 't' } },
    ])
  })
})
