// The calls of a workspace, newest first: filtered by the server, new ones on top of them or waiting, one of them open.
import { useMemo, useRef, useState } from 'hono/jsx/dom'
import type { ContractPoint } from '../../../coverage/points/point.ts'
import { outcomes } from '../../../contract/outcomes.ts'
import { CallList } from '../call-list.tsx'
import { earlierCalls, someCalls } from '../earlier-calls.ts'
import type { RecentCalls } from '../recent-calls.ts'
import { linkTo } from '../route.ts'
import { isKnown, messageOf, useAnswer, useEvents, useSession } from '../session.ts'
import type { StreamedEntry } from '../source.ts'
import { RequestView } from './request.tsx'
import { useEffect } from '../use-effect.ts'

/** What calls can be filtered by; the names of the query of `GET /requests`. */
const filters = ['text', 'operation', 'status', 'outcome'] as const

export function Requests() {
  const { source, route, calls, connection } = useSession()
  const isThere = isKnown(source, connection)
  const [, setRound] = useState(0)
  const filter = Object.fromEntries(filters.map((name) => [name, route.query[name] ?? '']))
  const isFiltered = Object.values(filter).some((value) => value !== '')
  const [open] = route.parts

  // What was there before the page was opened.
  useEffect(() => {
    if (!isThere) return undefined
    const over = new AbortController()
    const asked = { workspace: route.workspace, signal: over.signal }
    // What is wrong with the connection is told at the top.
    earlierCalls(source, asked, (found) => calls.addOlder(found.toReversed())).catch(() => undefined)
    return () => over.abort()
  }, [calls, isThere])
  useEffect(() => calls.watch(() => setRound((before) => before + 1)), [calls])

  const { unmatched, refused } = calls.counts
  return (
    <div class={open === undefined ? 'requests' : 'requests has-open'}>
      <section class="list" aria-label="Requests">
        <div class="bar">
          <h1>Requests</h1>
          <span class="badge">{unmatched} unmatched</span>
          <span class="badge">{refused} refused</span>
        </div>
        <Filters filter={filter} />
        {calls.gone === undefined ? null : <p class="notice">{calls.gone}</p>}
        {isFiltered ? <Filtered filter={filter} open={open} /> : <All calls={calls} open={open} />}
      </section>
      {open === undefined ? null : <RequestView key={open} id={open} />}
    </div>
  )
}

function Filters({ filter }: { filter: Readonly<Record<string, string>> }) {
  const { route } = useSession()
  const { value: contract } = useAnswer<{ points: ContractPoint[] }>('/contract', {}, { shared: true })
  const operations = [...new Set((contract?.points ?? []).map(({ operation }) => operation))]
  const change = (name: string) => (event: Event) => {
    const { value } = event.target as HTMLInputElement | HTMLSelectElement
    const query = { ...route.query, [name]: value }
    // Typing makes no history.
    history.replaceState(null, '', linkTo({ ...route, query }))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return (
    <form class="bar" role="search" aria-label="Requests" onSubmit={(event: Event) => event.preventDefault()}>
      <label>
        Filter
        <input
          type="search"
          data-key="/"
          placeholder="path, id, body …"
          value={filter['text']}
          onInput={change('text')}
        />
      </label>
      <Choice name="Operation" value={filter['operation']} of={operations} onChange={change('operation')} />
      <Choice
        name="Status"
        value={filter['status']}
        of={['2xx', '3xx', '4xx', '5xx']}
        onChange={change('status')}
      />
      <Choice name="Outcome" value={filter['outcome']} of={outcomes} onChange={change('outcome')} />
    </form>
  )
}

function Choice(props: {
  name: string
  value: string | undefined
  of: readonly string[]
  onChange: (event: Event) => void
}) {
  const { name, value = '', of, onChange } = props
  return (
    <label>
      {name}
      <select onChange={onChange}>
        {['', ...of].map((each) => (
          <option key={each} value={each} selected={each === value}>
            {each === '' ? 'all' : each}
          </option>
        ))}
      </select>
    </label>
  )
}

/** All that the page has seen. New ones stand on top while nobody reads the list, and else wait. */
function All({ calls, open }: { calls: RecentCalls; open: string | undefined }) {
  const list = useRef<HTMLElement>(null)
  /** How many there were when the list was last let grow, and when it was last looked through. */
  const [shown, setShown] = useState(calls.added)
  const [looked, setLooked] = useState(calls.added)
  const isRead = (): boolean => {
    const { current } = list
    if (open !== undefined || !current) return open !== undefined
    return current.scrollTop > 0 || current.matches(':hover, :focus-within')
  }
  const { added } = calls
  useEffect(() => {
    if (!isRead()) setShown(added)
  }, [added, open])
  const waiting = added - shown
  const fresh = added - looked
  const showNew = (): void => {
    setShown(added)
    setLooked(added)
    list.current?.scrollTo({ top: 0 })
  }
  return (
    <CallList
      listRef={list}
      size={Math.max(calls.size - waiting, 0)}
      at={(place) => calls.at(place + waiting)}
      open={open}
      fresh={fresh}
      onFresh={showNew}
      emptyText="No calls so far. Send one, and it is shown here as it comes."
      untold={calls.untold}
    />
  )
}

/** What the journal has that fits a filter; new ones that fit wait until they are asked for. */
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
      const asked = { workspace: route.workspace, query: filter, signal: over.signal }
      let all: readonly StreamedEntry[] = []
      const add = (calls: StreamedEntry[]): void => {
        all = [...all, ...calls]
        setFound(all)
        setFresh(0)
        setProblem('')
      }
      earlierCalls(source, asked, add).catch(
        (error: unknown) => over.signal.aborted || setProblem(messageOf(error)),
      )
    }, 150)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [key, round])

  // The server says how many of the new ones fit.
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
      at={(place) => calls[place]}
      open={open}
      fresh={fresh}
      onFresh={() => setRound((before) => before + 1)}
      emptyText="No call in the journal fits this filter."
    />
  )
}
