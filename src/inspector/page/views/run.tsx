// The calls of a run, grouped by test: the first view of a trace of several sandboxes.
import { useState } from 'hono/jsx/dom'
import { ActionRow, CallRow } from '../call-list.tsx'
import { dateMark } from '../in-order.ts'
import { linkTo } from '../route.ts'
import {
  callsIn,
  filteredGroups,
  isFailed,
  resultClass,
  type RunFilter,
  type RunGroup,
  type RunItem,
} from '../run-groups.ts'
import { useSession } from '../session.ts'
import { Choice, Filters, useFilter } from './filters.tsx'
import { Heading } from '../heading.tsx'

/** How many rows of a group are shown at first; drawing thousands takes seconds. */
const maxRows = 300

/** @param open the id of the request that is open. */
export function RunList({ groups, open }: { groups: readonly RunGroup[]; open: string | undefined }) {
  const { route } = useSession()
  const filter: RunFilter = {
    test: route.query['test'] ?? '',
    workspace: route.query['in'] ?? '',
    processName: route.query['process'] ?? '',
    failures: (route.query['failures'] ?? '') !== '',
    text: route.query['text'] ?? '',
  }
  const shown = filteredGroups(groups, filter)
  const failed = groups.filter(({ result }) => result === 'failed').length
  const tests = groups.filter(({ name }) => name !== undefined).length
  const calls = shown.reduce((sum, group) => sum + callsIn(group), 0)
  return (
    <section class="list" aria-label="Requests">
      <div class="bar">
        <Heading>Run</Heading>
        {failed === 0 ? null : <strong class="is-bad">{counted(failed, 'failed test')}</strong>}
        <span class="faint">
          {counted(tests, 'test')}, {counted(calls, 'call')}
        </span>
      </div>
      <RunFilters groups={groups} filter={filter} />
      {shown.length === 0 ? <p class="faint">Nothing in the trace fits this filter.</p> : null}
      <div class="run">
        {shown.map((group) => (
          <Group
            key={group.key}
            group={group}
            open={open}
            isOpen={group.result === 'failed' || filter.failures || shown.length === 1}
          />
        ))}
      </div>
    </section>
  )
}

function RunFilters({ groups, filter }: { groups: readonly RunGroup[]; filter: RunFilter }) {
  const items = groups.flatMap((group) => group.items)
  const setFilter = useFilter()
  return (
    <Filters text={filter.text} test={filter.test}>
      <Choice name="Workspace" by="in" value={filter.workspace} of={items.map((item) => item.workspace)} />
      <Choice
        name="Process"
        by="process"
        value={filter.processName}
        of={items.map((item) => item.processName)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filter.failures}
          onChange={(event: Event) =>
            setFilter('failures', (event.target as HTMLInputElement).checked ? 'only' : '')
          }
        />
        Failures
      </label>
    </Filters>
  )
}

function Group({ group, open, isOpen }: { group: RunGroup; open: string | undefined; isOpen: boolean }) {
  const [toggled, setToggled] = useState(false)
  const [rows, setRows] = useState(maxRows)
  const { name, file, result, duration_ms: took, items } = group
  const isExpanded = toggled !== (isOpen || items.some(({ call }) => call !== undefined && call.id === open))
  const facts = [
    ...(took === null ? [] : [`${Math.round(took)} ms`]),
    counted(callsIn(group), 'call'),
    ...(file === null ? [] : [file]),
  ]
  return (
    <section class="group">
      <h2>
        <button
          type="button"
          class="quiet"
          aria-expanded={isExpanded ? 'true' : 'false'}
          onClick={() => setToggled(!toggled)}
        >
          <span aria-hidden="true">{isExpanded ? '▾' : '▸'}</span>
          {result === null ? null : <span class={`badge ${resultClass[result]}`}>{result}</span>}
          <span>{name ?? 'Calls without a test'}</span>
          <span class="faint">{facts.join(' · ')}</span>
        </button>
      </h2>
      {isExpanded ? (
        <ol aria-label={name ?? 'Calls without a test'}>
          {items.slice(0, rows).map((item, index) => (
            <Item key={(item.call ?? item.action)?.id} item={item} before={items[index - 1]} open={open} />
          ))}
        </ol>
      ) : null}
      {isExpanded && items.length > rows ? (
        <button type="button" onClick={() => setRows(rows + 10 * maxRows)}>
          Show {Math.min(items.length - rows, 10 * maxRows)} more
        </button>
      ) : null}
    </section>
  )
}

function Item({
  item,
  before,
  open,
}: {
  item: RunItem
  before: RunItem | undefined
  open: string | undefined
}) {
  const { route } = useSession()
  const { call, action } = item
  const date = dateMark((call ?? action)?.at ?? '', (before?.call ?? before?.action)?.at)
  if (!call) {
    return (
      <li>
        <ActionRow action={action} date={date} />
      </li>
    )
  }
  const { query } = route
  return (
    <li class={isFailed(item) ? 'is-failed' : ''}>
      <a
        href={linkTo({ view: 'requests', parts: [call.id], workspace: item.workspace, query })}
        aria-current={call.id === open ? 'true' : undefined}
      >
        <CallRow call={call} date={date} />
      </a>
    </li>
  )
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
