// The calls and actions of a run, grouped by test: failed tests first.
import { hasText } from '../../journal/match-entry.ts'
import { testKey, type TracedTest } from '../../call/test-result.ts'
import type { Trace, TracedCall } from '../trace.ts'
import { inOrder, type Happening } from './in-order.ts'

/** A call or an action of a run, and where it happened. */
export type RunItem = Happening<TracedCall> & { workspace: string; processName: string }

/** One test of a run, or the calls without a test. */
export interface RunGroup {
  key: string
  /** Undefined for the calls without a test. */
  name: string | undefined
  file: string | null
  /** Null while it is unknown: only the test kits report it. */
  result: TracedTest['result'] | null
  duration_ms: number | null
  /** Oldest first. */
  items: readonly RunItem[]
}

/** The filter of a run; an empty text matches everything. */
export interface RunFilter {
  /** A part of the name or the file of a test, in any case. */
  test: string
  workspace: string
  processName: string
  /** Only failed tests, and calls that `isFailed` takes. */
  failures: boolean
  /** A part of a call: its path, its id, its bodies. */
  text: string
}

/** The style of a result. */
export const resultClass = { passed: 'is-good', failed: 'is-bad', skipped: 'is-warn' } as const

const withoutTest = 'without a test'

/** Groups the calls of a trace; failed tests come first, calls without a test last, and others by their first call. */
export function groupsOf({ workspaces, tests = [] }: Pick<Trace, 'workspaces' | 'tests'>): RunGroup[] {
  const groups = new Map<string, RunGroup & { items: RunItem[] }>()
  for (const test of tests) groups.set(testKey(test), { ...test, key: testKey(test), items: [] })
  for (const { name, processName = '', requests, timeline } of workspaces) {
    for (const happening of inOrder(requests, timeline).toReversed()) {
      const { test } = happening.call ?? happening.action
      const key = test ? testKey(test) : withoutTest
      const known = groups.get(key) ?? {
        key,
        name: test?.name,
        file: test?.file ?? null,
        result: null,
        duration_ms: null,
        items: [],
      }
      groups.set(key, known)
      known.items.push({ ...happening, workspace: name, processName })
    }
  }
  for (const { items } of groups.values()) items.sort(byTime)
  return [...groups.values()].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || compare(startOf(a), startOf(b)) || compare(a.key, b.key),
  )
}

/** The groups that a filter leaves, with the items that it leaves in each: tests without a call, too. */
export function filteredGroups(groups: readonly RunGroup[], filter: RunFilter): RunGroup[] {
  const { test, workspace, processName, failures, text } = filter
  const fitsTest = ({ name, file }: RunGroup): boolean =>
    test === '' || `${name ?? ''}\n${file ?? ''}`.toLowerCase().includes(test.toLowerCase())
  const isForCalls = workspace !== '' || processName !== '' || text !== ''
  return groups.filter(fitsTest).flatMap((group) => {
    const items = group.items.filter(
      (item) =>
        (workspace === '' || item.workspace === workspace) &&
        (processName === '' || item.processName === processName) &&
        (text === '' || hasTextOf(item, text)) &&
        (!failures || group.result === 'failed' || isFailed(item)),
    )
    const isShownEmpty = !isForCalls && (!failures || group.result === 'failed')
    return items.length > 0 || isShownEmpty ? [{ ...group, items }] : []
  })
}

/** Whether a call was lost, answered 4xx or 5xx, or had a transport fault such as a slow answer. */
export function isFailed({ call }: Happening<Pick<TracedCall, 'status' | 'outcome'>>): boolean {
  return call !== undefined && (call.status === null || call.status >= 400 || call.outcome === 'fault')
}

/** How many calls a group has. */
export function callsIn({ items }: RunGroup): number {
  return items.filter(({ call }) => call !== undefined).length
}

function hasTextOf({ call, action }: RunItem, text: string): boolean {
  if (action) return action.summary.toLowerCase().includes(text.toLowerCase())
  return hasText(call, [call.request.body, call.response.body], text)
}

const rankOf = ({ name, result }: RunGroup): number => {
  if (result === 'failed') return 0
  return name === undefined ? 2 : 1
}

const atOf = ({ call, action }: RunItem): string => (call ?? action)?.at ?? ''
const startOf = ({ items: [first] }: RunGroup): string => (first ? atOf(first) : '')
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** Within one workspace the order is that of the calls: a restore can set the clock back. */
function byTime(a: RunItem, b: RunItem): number {
  return a.workspace === b.workspace ? 0 : compare(atOf(a), atOf(b))
}
