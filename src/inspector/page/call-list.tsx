// A list of calls and actions of any length: only the rows that can be seen are drawn; a call is a link to its request.
import { useLayoutEffect, useRef, useState, type RefObject } from 'hono/jsx/dom'
import type { TimelineEntry } from '../../workspaces/timeline.ts'
import { dateMark, type Happening } from './in-order.ts'
import { useLink, useSession } from './session.ts'
import type { StreamedEntry } from './source.ts'
import { statusClass } from './status-class.ts'
import { useEffect } from './use-effect.ts'

/** How many rows are drawn beyond those that can be seen. */
const beyond = 8

/** After so many rows that are scrolled by, others are drawn. */
const step = 4

interface Props {
  listRef: RefObject<HTMLElement | null>
  size: number
  /** The call or action at a place, counted from the newest that is shown. */
  at: (place: number) => Happening<StreamedEntry> | undefined
  /** How many of them are actions. */
  actions?: number
  /** The id of the one that is open. */
  open: string | undefined
  /** How many wait to be shown. */
  fresh: number
  onFresh: () => void
  emptyText: string
  /** How many are missing, as they came too fast. */
  dropped?: number
}

export function CallList({
  listRef,
  size,
  at,
  open,
  fresh,
  onFresh,
  emptyText,
  dropped = 0,
  actions = 0,
}: Props) {
  const { route } = useSession()
  const link = useLink()
  const rows = useRef<HTMLElement>(null)
  const all = size - actions + fresh
  /** The first row that can be seen, in steps of some: between them nothing is drawn again. */
  const [seen, setSeen] = useState(0)
  const [height, setHeight] = useState(600)
  const [rowHeight, setRowHeight] = useState(36)
  useLayoutEffect(() => {
    const { current } = listRef
    if (!current) return undefined
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setRowHeight(rem * Number.parseFloat(getComputedStyle(current).getPropertyValue('--row')))
      // While it is empty it is hidden, and has no height.
      if (current.clientHeight > 0) setHeight(current.clientHeight)
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  const first = Math.max(0, Math.min(seen, size) - beyond)
  const last = Math.min(size, seen + step + Math.ceil(height / rowHeight) + beyond)

  // No style attribute: the content policy of the page has none.
  useLayoutEffect(() => {
    const { current } = rows
    if (!current) return
    current.style.height = `${size * rowHeight}px`
    for (const [place, row] of [...current.children].entries()) {
      if (row instanceof HTMLElement) row.style.top = `${(first + place) * rowHeight}px`
    }
  })
  useMoves(listRef, rows, { seen, size, rowHeight })
  useOpenRow(listRef, { open, size, at, rowHeight })

  const places = Array.from({ length: Math.max(0, last - first) }, (_, place) => first + place)
  return (
    <>
      <div class="bar count">
        {fresh === 0 ? null : (
          <button
            type="button"
            class="main"
            onClick={(event: MouseEvent) => {
              onFresh()
              // The button is gone then.
              if (isByKey(event)) dispatchEvent(new CustomEvent('move', { detail: { to: 0 } }))
            }}
          >
            {fresh} new
          </button>
        )}
        <span class="faint">
          {all === 1 ? '1 call' : `${all} calls`}
          {dropped === 0 ? '' : `, ${dropped} more came too fast to show: the journal may have them`}
        </span>
      </div>
      <p class="columns" aria-hidden="true">
        <span class="is-wide">Time</span>
        <span>Method</span>
        <span>Path</span>
        <span class="is-wide">Operation</span>
        <span>Status</span>
        <span>Outcome</span>
        <span class="is-wide">ms</span>
        <span class="is-wide" title="How many rows it changed">
          Rows
        </span>
      </p>
      {size === 0 ? <p class="faint">{emptyText}</p> : null}
      <div
        class="calls"
        ref={listRef}
        hidden={size === 0}
        onScroll={(event: Event) => {
          const { scrollTop } = event.target as HTMLElement
          setSeen(Math.floor(scrollTop / rowHeight / step) * step)
        }}
      >
        <ol ref={rows} aria-label="Calls, newest first">
          {places.map((place) => {
            const { call, action } = at(place) ?? {}
            const before = at(place + 1)
            const date = dateMark((call ?? action)?.at ?? '', (before?.call ?? before?.action)?.at)
            if (action)
              return (
                <li key={action.id} aria-setsize={size} aria-posinset={place + 1} data-place={place}>
                  <ActionRow action={action} date={date} />
                </li>
              )
            if (!call) return null
            return (
              <li
                key={call.id}
                aria-setsize={size}
                aria-posinset={place + 1}
                data-place={place}
                data-id={call.id}
              >
                <a
                  href={link('requests', [call.id], route.query)}
                  aria-current={call.id === open ? 'true' : undefined}
                  onClick={(event: MouseEvent) => call.id === open && isByKey(event) && toOpenRequest()}
                >
                  <CallRow call={call} date={date} />
                </a>
              </li>
            )
          })}
        </ol>
      </div>
    </>
  )
}

/** Whether a key pressed it, and no pointer. */
const isByKey = ({ detail }: MouseEvent): boolean => detail === 0

/** The key of a request that is already open moves the focus to it. */
function toOpenRequest(): void {
  document.querySelector<HTMLElement>('.request h1')?.focus()
}

/** @param date where the clock moved by a day or more since the row below. */
export function ActionRow({ action, date }: { action: TimelineEntry; date?: string | undefined }) {
  const { at, kind, summary } = action
  return (
    <p class="action" tabindex={-1}>
      <time class="is-wide faint" datetime={at} title={at}>
        {at.slice(11, 19)}
      </time>
      <span class="faint">{kind}</span>
      <span title={summary}>
        {date === undefined ? null : <span class="badge">{date}</span>} {summary}
      </span>
    </p>
  )
}

/** @param date where the clock moved by a day or more since the row below. */
export function CallRow({ call, date }: { call: StreamedEntry; date?: string | undefined }) {
  const { at, method, path, query, operation, status, outcome, duration_ms, changes } = call
  const target = query === '' ? path : `${path}?${query}`
  const marks = [
    ...(date === undefined ? [] : [date]),
    ...(call.off_contract ? ['off contract'] : []),
    ...call.scenario_rules,
  ]
  return (
    <>
      <time class="is-wide faint" datetime={at} title={at}>
        {at.slice(11, 19)}
      </time>
      <span class="method">{method}</span>
      <span title={target}>
        {target}
        {marks.map((mark) => (
          <span key={mark} class="badge">
            {mark}
          </span>
        ))}
      </span>
      <span class="is-wide">{operation ?? 'no endpoint'}</span>
      <span class={`status ${statusClass(status)}`}>{status ?? 'lost'}</span>
      <span>{outcome}</span>
      <span class="is-wide">{duration_ms.toFixed(1)} ms</span>
      <span class="is-wide">
        {changes.length === 0 ? null : (
          <>
            {changes.length}
            <span class="unseen"> changed</span>
          </>
        )}
      </span>
    </>
  )
}

/** To another row from the one that has the focus, or to the one at a place. */
type Move = { by: number } | { to: number }

/** `j` and `k` move through the rows, also to those that are not drawn. */
function useMoves(
  list: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  { seen, size, rowHeight }: { seen: number; size: number; rowHeight: number },
): void {
  /** Where the keys lead that were pressed since the row was last focused. */
  const target = useRef<number | undefined>(undefined)
  useEffect(() => {
    const moved = (event: Event): void => {
      const { detail } = event as CustomEvent<Move>
      const focused = document.activeElement?.closest('li[data-place]')
      const current = focused ?? rows.current?.querySelector('[aria-current]')?.closest('li')
      const from = target.current ?? (current ? Number(current.getAttribute('data-place')) : seen - 1)
      const to = 'to' in detail ? detail.to : Math.min(Math.max(from + detail.by, 0), size - 1)
      const box = list.current
      if (!box || size === 0) return
      if (to * rowHeight < box.scrollTop) box.scrollTop = to * rowHeight
      const bottom = (to + 1) * rowHeight - box.clientHeight
      if (bottom > box.scrollTop) box.scrollTop = bottom
      target.current = to
      // Drawn by then.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (target.current !== to) return
          target.current = undefined
          rows.current
            ?.querySelector<HTMLElement>(`li[data-place="${to}"] > *`)
            ?.focus({ preventScroll: true })
        }),
      )
    }
    addEventListener('move', moved)
    return () => removeEventListener('move', moved)
  }, [seen, size, rowHeight])
}

/** Shows the row of a request that was open from the start, once, and gives a row the focus when its request is closed. */
function useOpenRow(
  list: RefObject<HTMLElement | null>,
  { open, size, at, rowHeight }: Pick<Props, 'open' | 'size' | 'at'> & { rowHeight: number },
): void {
  const wanted = useRef(open)
  const before = useRef(open)
  const placeOf = (id: string): number | undefined => {
    for (let place = 0; place < size; place++) if (at(place)?.call?.id === id) return place
    return undefined
  }
  useEffect(() => {
    const { current: id } = wanted
    const box = list.current
    if (id === undefined || !box || size === 0) return
    const place = placeOf(id)
    if (place === undefined) return
    wanted.current = undefined
    if ((place + 1) * rowHeight > box.clientHeight) box.scrollTop = (place - 2) * rowHeight
  }, [size, rowHeight])
  useEffect(() => {
    const closed = before.current
    before.current = open
    const focused = document.activeElement
    if (open !== undefined || !closed || (focused && focused !== document.body)) return
    const place = placeOf(closed)
    if (place !== undefined) dispatchEvent(new CustomEvent('move', { detail: { to: place } }))
  }, [open])
}
