import { expect, it } from 'vitest'
import type { TestResult } from '../../../src/call/test-result.ts'
import { filteredGroups, groupsOf, isFailed, type RunFilter } from '../../../src/inspector/page/run-groups.ts'
import type { TracedCall, TracedWorkspace } from '../../../src/inspector/trace.ts'
import { partsOf } from '../../helpers/trace.ts'
import { startSandbox } from '../../helpers/sandbox.ts'

/** A call of a real sandbox, from which the calls of these tests differ in what is given. */
const { trace: traceOf, ...sandbox } = await startSandbox()
await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
const [real] = partsOf(await traceOf()).trace.workspaces[0]?.requests ?? []

function call(change: Partial<TracedCall>): TracedCall {
  if (!real) throw new Error('the trace has no call')
  return { ...real, ...change }
}

const named = (name: string) => ({ name, file: `${name}.test.ts` })
const second = (n: number): string => `2026-11-01T00:00:0${n}.000Z`

const workspaces: TracedWorkspace[] = [
  {
    name: 'w1',
    processName: 'process 1',
    dropped: 0,
    timeline: [
      {
        id: 'act_w1_0_1',
        at: second(0),
        kind: 'clock',
        summary: 'Moved by 1 d',
        test: named('one'),
        sequence: 1,
      },
    ],
    requests: [
      call({ id: 'req_w1_2', at: second(3), test: named('one'), status: null, sequence: 3 }),
      call({ id: 'req_w1_1', at: second(1), test: named('one'), sequence: 2 }),
    ],
  },
  {
    name: 'w2',
    processName: 'process 2',
    dropped: 0,
    timeline: [],
    requests: [call({ id: 'req_w2_1', at: second(2), test: named('two'), status: 404, sequence: 1 })],
  },
  {
    name: 'default',
    processName: 'exec',
    dropped: 0,
    timeline: [],
    requests: [call({ id: 'req_default_1', at: second(0), test: null })],
  },
]
const tests: TestResult[] = [
  { ...named('two'), result: 'failed', duration_ms: 12 },
  { ...named('silent'), result: 'skipped', duration_ms: 0 },
]

const shown = (filter: Partial<RunFilter>) =>
  filteredGroups(groupsOf({ workspaces, tests }), {
    test: '',
    workspace: '',
    processName: '',
    failures: false,
    text: '',
    ...filter,
  }).map(({ name, items }) => [name, ...items.map((item) => (item.call ?? item.action)?.id)])

it.each<[filter: string, Partial<RunFilter>, unknown[]]>([
  [
    'none: failed tests first, calls without a test last',
    {},
    [
      ['two', 'req_w2_1'],
      ['silent'],
      ['one', 'act_w1_0_1', 'req_w1_1', 'req_w1_2'],
      [undefined, 'req_default_1'],
    ],
  ],
  [
    'failures: failed tests, and lost calls of others',
    { failures: true },
    [
      ['two', 'req_w2_1'],
      ['one', 'req_w1_2'],
    ],
  ],
  ['the name of a test in other letters', { test: 'ONE' }, [['one', 'act_w1_0_1', 'req_w1_1', 'req_w1_2']]],
  ['the file of a test', { test: 'two.test' }, [['two', 'req_w2_1']]],
  ['a workspace', { workspace: 'w2' }, [['two', 'req_w2_1']]],
  ['a process', { processName: 'exec' }, [[undefined, 'req_default_1']]],
  ['a text', { text: 'req_w1_1' }, [['one', 'req_w1_1']]],
])('%s', (_, filter, groups) => {
  expect(shown(filter)).toEqual(groups)
})

it('a group has the result of its test, or null where it is unknown', () => {
  const facts = groupsOf({ workspaces, tests }).map(({ name, file, result, duration_ms }) => ({
    name,
    file,
    result,
    duration_ms,
  }))
  expect(facts).toEqual([
    { ...named('two'), result: 'failed', duration_ms: 12 },
    { ...named('silent'), result: 'skipped', duration_ms: 0 },
    { ...named('one'), result: null, duration_ms: null },
    { name: undefined, file: null, result: null, duration_ms: null },
  ])
})

it.each<[what: string, Partial<TracedCall>, boolean]>([
  ['a success', { status: 200, outcome: 'success' }, false],
  ['a refusal', { status: 409, outcome: 'refused' }, true],
  ['an answer that was lost', { status: null, outcome: 'fault' }, true],
  ['a slow answer', { status: 200, outcome: 'fault' }, true],
])('%s -> failed %s', (_, change, isExpected) => {
  expect(isFailed({ call: call(change) })).toBe(isExpected)
})
