// A list of calls of any length: only the rows that can be seen are drawn, and each is a link to its request.
import { useLayoutEffect, useRef, useState, type RefObject } from 'hono/jsx/dom'
import { useLink, useSession } from './session.ts'
import type { StreamedEntry } from './source.ts'
import { statusClass } from './status-class.ts'
import { useEffect } from './use-effect.ts'

/** How many rows are drawn beyond those that can be seen. */
const beyond = 8

interface Props {
  listRef: RefObject<HTMLElement | null>
  size: number
  /** The call at a place, counted from the newest that is shown. */
  at: (place: number) => StreamedEntry | undefined
  /** The id of the one that is open. */
  open: string | undefined
  /** How many came since somebody last looked. */
  fresh: number
  onFresh: () => void
  emptyText: string
}

export function CallList({ listRef, size, at, open, fresh, onFresh, emptyText }: Props) {
  const { route } = useSession()
  const link = useLink()
  const rows = useRef<HTMLElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [rowHeight, setRowHeight] = useState(36)
  useLayoutEffect(() => {
    const { current } = listRef
    if (!current) return
    setHeight(current.clientHeight)
    setRowHeight(2.25 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  }, [])
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const last = Math.min(size, Math.ceil((top + height) / rowHeight) + beyond)

  // No style attribute: the content policy of the page has none.
  useLayoutEffect(() => {
    const { current } = rows
    if (!current) return
    current.style.height = `${size * rowHeight}px`
    for (const [place, row] of [...current.children].entries()) {
      if (row instanceof HTMLElement) row.style.top = `${(first + place) * rowHeight}px`
    }
  })
  useMoves(listRef, rows, { first, size, rowHeight })

  const places = Array.from({ length: Math.max(0, last - first) }, (_, place) => first + place)
  return (
    <>
      <div class="bar">
        {fresh === 0 ? null : (
          <button type="button" class="main" onClick={onFresh}>
            {fresh} new
          </button>
        )}
        <span class="faint">{size === 1 ? '1 call' : `${size} calls`}</span>
      </div>
      <p class="columns" aria-hidden="true">
        <span>Method</span>
        <span>Path</span>
        <span class="is-wide">Operation</span>
        <span>Status</span>
        <span>Outcome</span>
        <span class="is-wide">ms</span>
        <span class="is-wide">Rows</span>
      </p>
      {size === 0 ? <p class="faint">{emptyText}</p> : null}
      <div
        class="calls"
        ref={listRef}
        hidden={size === 0}
        onScroll={(event: Event) => {
          const { scrollTop, clientHeight } = event.target as HTMLElement
          setTop(scrollTop)
          setHeight(clientHeight)
        }}
      >
        <ol ref={rows} aria-label="Calls, newest first">
          {places.map((place) => {
            const call = at(place)
            if (!call) return null
            return (
              <li key={call.id} aria-setsize={size} aria-posinset={place + 1} data-place={place}>
                <a
                  href={link('requests', [call.id], route.query)}
                  aria-current={call.id === open ? 'true' : undefined}
                >
                  <Row call={call} />
                </a>
              </li>
            )
          })}
        </ol>
      </div>
    </>
  )
}

function Row({ call }: { call: StreamedEntry }) {
  const { method, path, query, operation, status, outcome, duration_ms, changes } = call
  const marks = [...(call.off_contract ? ['off contract'] : []), ...call.scenario_rules]
  return (
    <>
      <span class="method">{method}</span>
      <span title={path}>
        {path}
        {query === '' ? '' : `?${query}`}
        {marks.map((mark) => (
          <span key={mark} class="badge">
            {mark}
          </span>
        ))}
      </span>
      <span class="is-wide">{operation ?? 'no endpoint'}</span>
      <span class={statusClass(status)}>{status}</span>
      <span>{outcome}</span>
      <span class="is-wide">{duration_ms.toFixed(1)} ms</span>
      <span class="is-wide">{changes.length === 0 ? '' : `${changes.length} changed`}</span>
    </>
  )
}

/** `j` and `k` move through the rows, also to those that are not drawn. */
function useMoves(
  list: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  { first, size, rowHeight }: { first: number; size: number; rowHeight: number },
): void {
  useEffect(() => {
    const moved = (event: Event): void => {
      const { detail: by } = event as CustomEvent<number>
      const focused = document.activeElement?.closest('li[data-place]')
      const from = focused ? Number(focused.getAttribute('data-place')) : first - 1
      const to = Math.min(Math.max(from + by, 0), size - 1)
      const box = list.current
      if (!box || size === 0) return
      if (to * rowHeight < box.scrollTop) box.scrollTop = to * rowHeight
      const bottom = (to + 1) * rowHeight - box.clientHeight
      if (bottom > box.scrollTop) box.scrollTop = bottom
      // Drawn by then.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          rows.current?.querySelector<HTMLElement>(`li[data-place="${to}"] a`)?.focus({ preventScroll: true })
        }),
      )
    }
    addEventListener('move', moved)
    return () => removeEventListener('move', moved)
  }, [first, size, rowHeight])
}
