// The session that all views share: the source, the current workspace, its calls and its events.
import { createContext, useContext, useState } from 'hono/jsx/dom'
import type { RecentCalls } from './recent-calls.ts'
import { linkTo, type Route } from './route.ts'
import type { ControlRequest, Connection, LiveEvent, Source } from './source.ts'
import { token } from './token.ts'
import { useEffect } from './use-effect.ts'

export interface Session {
  source: Source
  route: Route
  /** How often a link led to where the page was already. */
  visits: number
  connection: Connection
  calls: RecentCalls
  /** Notifies of events in the workspace until the returned function is called. */
  listen(tell: (event: LiveEvent) => void): () => void
  /** Shows a message, which screen readers announce: the action that was done, or the reason why it failed. */
  say(text: string): void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('this is rendered outside of the page')
  return session
}

/** Whether the workspace is known to exist: a request for an unknown one would create it. */
export function isKnown(source: Source, connection: Connection): boolean {
  return !source.isLive || (connection !== 'connecting' && connection !== 'gone')
}

/** A link to a part of the current workspace. */
export function useLink(): (view: string, parts?: readonly string[], query?: Route['query']) => string {
  const { workspace } = useSession().route
  return (view, parts = [], query = {}) => linkTo({ view, parts, workspace, query })
}

/** An answer that may not have arrived yet. */
export interface Loaded<T> {
  value: T | undefined
  /** Why it is missing. */
  problem: string | undefined
  /** Sends the request again; the old value stays until the answer, and if there is none. */
  again(): void
}

/** Whether the page may write: not in a trace, and not if the workspace was deleted, as a write would create it again. */
export function useCanChange(): boolean {
  const { source, connection } = useSession()
  return source.isLive && connection !== 'gone' && !canOnlyRead()
}

/** Over plain http off loopback a browser does not name the page that sends a request, so only a token allows changes. */
export function canOnlyRead(): boolean {
  return !isSecureContext && token.get() === undefined
}

/**
 * The answer of the control plane to GET; requested again when the workspace or the path changes.
 * @param path the path after `/_sandbox`; undefined sends no request.
 * @param shared for answers that are the same in all workspaces.
 * @example const { value } = useAnswer<ClockReading>('/clock')
 */
export function useAnswer<T>(
  path: string | undefined,
  query: ControlRequest['query'] = {},
  { shared = false }: { shared?: boolean } = {},
): Loaded<T> {
  const { source, route, connection } = useSession()
  const [answer, setAnswer] = useState<{ key: string; value?: T; problem?: string }>({ key: '' })
  const [round, setRound] = useState(0)
  const workspace = shared ? undefined : route.workspace
  const key = JSON.stringify([path, query, workspace])
  const isToAsk = path !== undefined && (shared || isKnown(source, connection))
  // A failed request is retried when the connection is back. A restarted process has other data.
  useEvents(
    (event) => {
      const isBack = event.kind === 'connection' && event.state !== 'offline' && answer.problem !== undefined
      if (isBack || event.kind === 'restarted') setRound((before) => before + 1)
    },
    [answer.problem],
  )
  useEffect(() => {
    if (!isToAsk) return undefined
    const over = new AbortController()
    source.ask<T>('GET', path, { workspace, query, signal: over.signal }).then(
      (value) => over.signal.aborted || setAnswer({ key, value }),
      (error: unknown) =>
        over.signal.aborted ||
        setAnswer((before) => ({ ...(before.key === key ? before : {}), key, problem: messageOf(error) })),
    )
    return () => over.abort()
  }, [key, round, isToAsk])
  const isOfThis = answer.key === key
  return {
    value: isOfThis ? answer.value : undefined,
    problem: isOfThis ? answer.problem : undefined,
    again: () => setRound((before) => before + 1),
  }
}

/** Calls a function on each event in the workspace. */
export function useEvents(tell: (event: LiveEvent) => void, deps: readonly unknown[]): void {
  const { listen, route } = useSession()
  useEffect(() => listen(tell), [route.workspace, ...deps])
}

/** The message of an action that succeeded: a text, or a function of the result. */
type Done<T> = string | ((result: T) => string)

/** Runs an action and shows its result. */
export function useAct(): <T>(act: () => Promise<T>, done: Done<T>) => Promise<boolean> {
  const { say } = useSession()
  return async (act, done) => {
    try {
      const result = await act()
      say(typeof done === 'string' ? done : done(result))
      return true
    } catch (error) {
      say(messageOf(error))
      return false
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
