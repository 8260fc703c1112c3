// The assertions on webhook events and on changed rows, with their messages.
import { describe, expect, it } from 'vitest'
import {
  checkChanged,
  checkChangedNothingElse,
  checkEmitted,
  checkEmittedNothingElse,
} from '../../src/testing/observed-changes.ts'
import { startSandbox } from '../helpers/sandbox.ts'

async function settled() {
  const sandbox = await startSandbox({ webhooks: 'standard' })
  await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
  await sandbox.call('DELETE', '/v2/order_events/ord_ada_1')
  return sandbox
}

describe('toHaveEmitted', () => {
  it.each([
    ['a type', { type: 'reward.updated' }, true],
    ['a part of the data', { type: 'reward.updated', data: { status: 'AVAILABLE' } }, true],
    ['a glob', { type: 'reward.updated', data: { id: 'rwd_*' } }, true],
    ['the exact number', { type: 'reward.updated', count: 1 }, true],
    ['another number', { type: 'reward.updated', count: 2 }, false],
    ['none', { type: 'reward.created', count: 0 }, true],
    ['another type', { type: 'reward.created' }, false],
    ['other data', { type: 'reward.updated', data: { status: 'CANCELED' } }, false],
  ] as const)('%s', async (_title, expected, holds) => {
    expect(checkEmitted(await settled(), expected).holds).toBe(holds)
  })

  it('a failure names the nearest events, with what differs', async () => {
    const { message } = checkEmitted(await settled(), {
      type: 'reward.updated',
      data: { status: 'CANCELED', note: 'x' },
    })
    expect(message)
      .toBe(`expected an event {"type":"reward.updated","data":{"status":"CANCELED","note":"x"}}, but found none

nearest:
  evt_1 reward.updated
    data.status: expected "CANCELED", got "AVAILABLE"
    data.note: expected "x", got nothing`)
  })

  it('a failure without a near event lists all events', async () => {
    expect(checkEmitted(await settled(), { type: 'customer.linked' }).message).toBe(
      `expected an event {"type":"customer.linked"}, but found none

events: evt_1 reward.updated, evt_2 order_event.deleted`,
    )
  })
})

it('toHaveEmittedNothingElse holds once every event was asserted', async () => {
  const sandbox = await settled()
  checkEmitted(sandbox, { type: 'reward.updated' })
  expect(checkEmittedNothingElse(sandbox)).toEqual({
    holds: false,
    message: 'expected no further events, but found evt_2 order_event.deleted',
  })
  checkEmitted(sandbox, { type: 'order_event.deleted', data: { id: 'ord_ada_1' } })
  expect(checkEmittedNothingElse(sandbox).holds).toBe(true)
})

describe('toHaveChanged', () => {
  it.each([
    ['a collection', { collection: 'rewards' }, true],
    ['a row', { collection: 'rewards', id: 'rwd_ada_pending' }, true],
    ['its new fields', { collection: 'rewards', to: { status: 'AVAILABLE' } }, true],
    ['a deletion', { collection: 'order_events', id: 'ord_ada_1', to: null }, true],
    ['another row', { collection: 'rewards', id: 'rwd_x' }, false],
    ['other fields', { collection: 'rewards', to: { status: 'CANCELED' } }, false],
    ['a deletion that was none', { collection: 'rewards', id: 'rwd_ada_pending', to: null }, false],
    ['events, which are no change of a call', { collection: 'events' }, false],
  ] as const)('%s', async (_title, expected, holds) => {
    expect(checkChanged(await settled(), expected).holds).toBe(holds)
  })
})

it('toHaveChangedNothingElse holds once every change was asserted, whatever events there are', async () => {
  const sandbox = await settled()
  checkChanged(sandbox, { collection: 'rewards', id: 'rwd_ada_pending' })
  expect(checkChangedNothingElse(sandbox)).toEqual({
    holds: false,
    message: 'expected no further changes, but found order_events ord_ada_1',
  })
  checkChanged(sandbox, { collection: 'order_events', to: null })
  expect(checkChangedNothingElse(sandbox).holds).toBe(true)
})

it('changes are asserted without events, too', async () => {
  const sandbox = await startSandbox()
  expect(checkChangedNothingElse(sandbox).holds).toBe(true)
  await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
  expect(checkChangedNothingElse(sandbox).holds).toBe(false)
})

it('anything else than a workspace is refused', () => {
  expect(() => checkEmitted({}, { type: 'reward.updated' })).toThrow(
    'toHaveEmitted: expected a workspace or a sandbox, as in expect(workspace).toHaveEmitted(…), got object',
  )
})
