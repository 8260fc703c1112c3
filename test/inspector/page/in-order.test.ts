import { expect, it } from 'vitest'
import { dateMark, inOrder } from '../../../src/inspector/page/in-order.ts'
import type { ActionKind, TimelineEntry } from '../../../src/workspaces/timeline.ts'

const at = '2026-11-01T00:00:00.000Z'
const action = (id: string, kind: ActionKind = 'state'): TimelineEntry => ({
  id,
  at,
  kind,
  summary: 's',
  test: null,
})
const calls = (...numbers: number[]): { id: string }[] => numbers.map((number) => ({ id: `req_w_${number}` }))

it.each<[situation: string, actions: TimelineEntry[], order: string[]]>([
  ['no action', [], ['req_w_2', 'req_w_1']],
  [
    'an action after each call',
    [action('act_w_2_2'), action('act_w_1_1')],
    ['act_w_2_2', 'req_w_2', 'act_w_1_1', 'req_w_1'],
  ],
  [
    'two actions before the first call',
    [action('act_w_0_2'), action('act_w_0_1')],
    ['req_w_2', 'req_w_1', 'act_w_0_2', 'act_w_0_1'],
  ],
  [
    'actions from before a reset',
    [action('act_w_1_3'), action('act_w_0_2', 'reset'), action('act_w_9_1')],
    ['req_w_2', 'act_w_1_3', 'req_w_1', 'act_w_0_2', 'act_w_9_1'],
  ],
])('%s', (_, actions, order) => {
  const merged = inOrder(calls(2, 1), actions)
  expect(merged.map(({ call, action: found }) => (call ?? found)?.id)).toEqual(order)
})

it('in a run the sequence decides, as numbers repeat after a reset', () => {
  const [second, first] = [
    { id: 'req_w_1', sequence: 4 },
    { id: 'req_w_1 (earlier 1)', sequence: 1 },
  ]
  const actions = [
    { ...action('act_w_0_2', 'reset'), sequence: 5 },
    { ...action('act_w_0_1', 'reset'), sequence: 2 },
  ]
  const merged = inOrder([second, first], actions)
  expect(merged.map(({ call, action: found }) => (call ?? found)?.id)).toEqual([
    'act_w_0_2',
    'req_w_1',
    'act_w_0_1',
    'req_w_1 (earlier 1)',
  ])
})

it.each([
  ['the first row', undefined, undefined],
  ['the same day', '2026-11-01T23:00:00.000Z', undefined],
  ['midnight between two minutes', '2026-10-31T23:59:00.000Z', undefined],
  ['a day before', '2026-10-31T00:00:00.000Z', '2026-11-01'],
  ['a month after', '2026-12-01T00:00:00.000Z', '2026-11-01'],
])('date after %s', (_, neighbor, mark) => {
  expect(dateMark(at, neighbor)).toBe(mark)
})
