// Refresh: polls while the page is visible, or reloads soon after an event.
import { useRef } from 'hono/jsx/dom'
import { useEvents, useSession } from './session.ts'
import type { LiveEvent } from './source.ts'
import { useEffect } from './use-effect.ts'

/** Refreshes every two seconds while the page is visible; not for a deleted workspace, which a request would create. */
export function useRefresh(again: () => void, every = 2_000): void {
  const { source, route, connection } = useSession()
  const canAsk = source.isLive && connection !== 'gone'
  useEffect(() => {
    if (!canAsk) return undefined
    const timer = setInterval(() => {
      if (document.hidden) return
      const path = `/workspaces/${encodeURIComponent(route.workspace)}`
      source.ask('GET', path).then(again, () => undefined)
    }, every)
    return () => clearInterval(timer)
  }, [route.workspace, canAsk])
}

/** Asks again once after all events of half a second. @param matters which of them are a reason. */
export function useAgainOn(
  matters: (event: LiveEvent) => boolean,
  again: () => void,
  deps: readonly unknown[] = [],
): void {
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEvents((event) => {
    if (pending.current !== undefined || !matters(event)) return
    pending.current = setTimeout(() => {
      pending.current = undefined
      again()
    }, 500)
  }, deps)
  useEffect(() => () => clearTimeout(pending.current), [])
}

/** The rows that an event names; undefined if any row may have changed. */
export function rowsReported(event: LiveEvent): readonly { collection: string; id: string }[] | undefined {
  if (event.kind === 'change') return event.changes
  if (event.kind === 'requests') return event.requests.flatMap(({ changes }) => changes)
  return event.kind === 'connection' ? [] : undefined
}
