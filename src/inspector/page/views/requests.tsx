// The calls of a workspace, newest first: filtered by the server, new ones on top of them or waiting, one of them open.
import { useMemo, useRef, useState } from 'hono/jsx/dom'
import type { ContractPoint } from '../../../coverage/points/point.ts'
import { outcomes, type OutcomeName } from '../../../contract/outcomes.ts'
import type { TimelineEntry } from '../../../workspaces/timeline.ts'
import { CallList } from '../call-list.tsx'
import { earlierCalls, someCalls } from '../earlier-calls.ts'
import { FailureAnnouncer } from '../failure-announcer.tsx'
import { inOrder } from '../in-order.ts'
import type { RecentCalls } from '../recent-calls.ts'
import { isKnown, messageOf, useAnswer, useEvents, useLink, useSession } from '../session.ts'
import type { StreamedEntry } from '../source.ts'
import { Choice, Filters } from './filters.tsx'
import { RequestView } from './request.tsx'
import { RunList } from './run.tsx'
import { useEffect } from '../use-effect.ts'
import { Heading } from '../heading.tsx'

/** The filters of calls: the names of the query of `GET /requests`. */
const filters = ['text', 'test', 'operation', 'status', 'outcome'] as const

export function Requests() {
  const { source, route } = useSession()
  const [open] = route.parts
  if (!source.run) return <WorkspaceRequests />
  return (
    <div class={open === undefined ? 'requests' : 'requests has-open'}>
      <RunList groups={source.run} open={open} />
      {open === undefined ? null : <RequestView key={open} id={open} />}
    </div>
  )
}

function WorkspaceRequests() {
  const { source, route, calls, connection } = useSession()
  const isThere = isKnown(source, connection)
  const [, setRound] = useState(0)
  const filter = Object.fromEntries(filters.map((name) => [name, route.query[name] ?? '']))
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const [open] = route.parts

  // Calls from before the page was opened.
  useEffect(() => {
    if (!isThere) return undefined
    const over = new AbortController()
    const requested = { workspace: route.workspace, signal: over.signal }
    // The frame shows connection problems.
    earlierCalls(source, requested, (found) => calls.addOlder(found.toReversed())).catch(() => undefined)
    return () => over.abort()
  }, [calls, isThere])
  useEffect(() => calls.watch(() => setRound((before) => before + 1)), [calls])

  const { unmatched, refused } = calls.counts
  return (
    <div class={open === undefined ? 'requests' : 'requests has-open'}>
      <section class="list" aria-label="Requests">
        <div class="bar">
          <Heading>Requests</Heading>
          <Badge outcome="unmatched" count={unmatched} about="No endpoint has this method and path." />
          <Badge
            outcome="refused"
            count={refused}
            about="The request is fine; the state or a limit forbids it. exec counts as refused all that failed without a scenario: see Status 4xx."
          />
        </div>
        <FailureAnnouncer />
        <WorkspaceFilters filter={filter} />
        {calls.gone === undefined ? null : <p class="notice">{calls.gone}</p>}
        {isFiltered ? <Filtered filter={filter} open={open} /> : <All calls={calls} open={open} />}
      </section>
      {open === undefined ? null : <RequestView key={open} id={open} />}
    </div>
  )
}

/** The number of calls with an outcome, as a link that filters by it, or removes the filter. */
function Badge({ outcome, count, about }: { outcome: OutcomeName; count: number; about: string }) {
  const { parts, query } = useSession().route
  const link = useLink()
  const isOn = query['outcome'] === outcome
  if (count === 0 && !isOn) return null
  return (
    <a
      class="badge"
      title={about}
      href={link('requests', parts, isOn ? {} : { outcome })}
      aria-current={isOn ? 'true' : undefined}
    >
      {count} {outcome}
    </a>
  )
}

function WorkspaceFilters({ filter }: { filter: Readonly<Record<string, string>> }) {
  const { value: contract } = useAnswer<{ points: ContractPoint[] }>('/contract', {}, { shared: true })
  const operations = (contract?.points ?? []).map(({ operation }) => operation)
  const { text = '', test = '', operation = '', status = '', outcome = '' } = filter
  return (
    <Filters text={text} test={test}>
      <Choice name="Operation" by="operation" value={operation} of={operations} />
      <Choice name="Status" by="status" value={status} of={['2xx', '3xx', '4xx', '5xx', 'lost']} />
      <Choice name="Outcome" by="outcome" value={outcome} of={outcomes} />
    </Filters>
  )
}

/** How long the timeline is not read again (ms): each call may follow an action, and all of it is sent each time. */
const timelineInterval = 2_000

/** The timeline of the workspace, read again when something changes it. */
function useActions(isRead: boolean): readonly TimelineEntry[] {
  const { value, again } = useAnswer<{ timeline: TimelineEntry[] }>('/timeline')
  const known = useRef<readonly TimelineEntry[]>([])
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEvents(
    ({ kind }) => {
      if (kind === 'connection' || pending.current !== undefined || !isRead) return
      pending.current = setTimeout(() => {
        pending.current = undefined
        again()
      }, timelineInterval)
    },
    [isRead],
  )
  if (value) known.current = value.timeline
  return known.current ?? []
}

/** All calls that the page has seen. New calls go on top, or wait while the user reads the list. */
function All({ calls, open }: { calls: RecentCalls; open: string | undefined }) {
  const list = useRef<HTMLElement>(null)
  const [, setRound] = useState(0)
  const { added, size } = calls
  /** How many there were when the list was last let grow, and when it was last drawn. */
  const counted = useRef({ shown: added, drawn: added }).current ?? { shown: added, drawn: added }
  const isRead = (): boolean => {
    const { current } = list
    // A pointer on its way to the button counts as reading.
    const isAt = current?.matches(':focus-within') || current?.closest('.list')?.matches(':hover')
    return open !== undefined || (current?.scrollTop ?? 0) > 0 || isAt === true
  }
  // Only when some came: those that wait do not move the list when it is left, or a request is closed.
  if (added !== counted.drawn) {
    const isEmpty = size <= added - counted.shown
    if (isEmpty || !isRead()) counted.shown = added
    counted.drawn = added
  }
  // A reset drops the waiting calls.
  const waiting = Math.min(added - counted.shown, size)
  const showNew = (): void => {
    counted.shown = added
    setRound((before) => before + 1)
    list.current?.scrollTo({ top: 0 })
  }
  const actions = useActions(open === undefined)
  // Calls that wait are newer than every row of the list.
  const rows = useMemo(
    () => (actions.length === 0 ? undefined : inOrder(calls.newestFirst(waiting), actions)),
    [actions, added, size, waiting],
  )
  return (
    <CallList
      listRef={list}
      size={rows?.length ?? size - waiting}
      at={(place) => {
        if (rows) return rows[place]
        const call = calls.at(place + waiting)
        return call && { call }
      }}
      actions={actions.length}
      open={open}
      fresh={waiting}
      onFresh={showNew}
      emptyText="No calls so far. Send one, and it is shown here as it comes."
      dropped={calls.dropped}
    />
  )
}

/** The calls of the journal that match a filter. New matches wait until the user asks for them. */
function Filtered({ filter, open }: { filter: Readonly<Record<string, string>>; open: string | undefined }) {
  const { source, route } = useSession()
  const list = useRef<HTMLElement>(null)
  const [found, setFound] = useState<readonly StreamedEntry[] | undefined>(undefined)
  const [fresh, setFresh] = useState(0)
  const [problem, setProblem] = useState('')
  const [round, setRound] = useState(0)
  const key = JSON.stringify([filter, route.workspace])
  useEffect(() => {
    const over = new AbortController()
    // Not at each letter that is typed.
    const timer = setTimeout(() => {
      const requested = { workspace: route.workspace, query: filter, signal: over.signal }
      let all: readonly StreamedEntry[] = []
      const add = (calls: StreamedEntry[]): void => {
        all = [...all, ...calls]
        setFound(all)
        setFresh(0)
        setProblem('')
      }
      earlierCalls(source, requested, add).catch(
        (error: unknown) => over.signal.aborted || setProblem(messageOf(error)),
      )
    }, 150)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [key, round])

  // The server reports how many of the new ones match.
  const [newest] = found ?? []
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEvents(
    ({ kind }) => {
      if (kind === 'reset' || kind === 'restarted') setRound((before) => before + 1)
      if (kind !== 'requests' || pending.current !== undefined) return
      pending.current = setTimeout(() => {
        pending.current = undefined
        const query = { ...filter, ...(newest ? { after: newest.id } : {}) }
        someCalls(source, { workspace: route.workspace, query }).then(
          ({ length }) => setFresh(length),
          () => undefined,
        )
      }, 500)
    },
    [key, newest?.id],
  )
  const calls = useMemo(() => found ?? [], [found])
  if (problem !== '') return <p class="problem">{problem}</p>
  if (!found) return <p class="faint">Looking …</p>
  return (
    <CallList
      listRef={list}
      size={calls.length}
      at={(place) => {
        const call = calls[place]
        return call && { call }
      }}
      open={open}
      fresh={fresh}
      onFresh={() => setRound((before) => before + 1)}
      emptyText="No call in the journal fits this filter."
    />
  )
}
