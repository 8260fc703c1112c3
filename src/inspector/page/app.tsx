// The page: its frame, where it is, and the view that the address names.
import { useMemo, useRef, useState } from 'hono/jsx/dom'
import type { WorkspaceView } from '../../operations/sandbox-workspace.ts'
import { DifferencesList } from './differences.tsx'
import { RecentCalls } from './recent-calls.ts'
import { KeysDialog, useKeys } from './keys.tsx'
import { useKeptFocus } from './keep-focus.ts'
import { firstView, home, readRoute, linkTo } from './route.ts'
import { canOnlyRead, isKnown, SessionContext, useAnswer, useSession, type Session } from './session.ts'
import type { Connection, LiveEvent, Source } from './source.ts'
import { token } from './token.ts'
import { TokenForm } from './token-form.tsx'
import { views } from './views.ts'
import { useEffect } from './use-effect.ts'

/** The notice for each state of the connection; empty if it works. */
const connectionTexts: Readonly<Record<Connection, string>> = {
  connecting: '',
  live: '',
  asking: 'Other windows use all streams: this one updates every two seconds.',
  paused: '',
  gone: 'This workspace does not exist (any more).',
  refused: '',
  offline: 'The sandbox does not answer. The page retries every second.',
  token: '',
}

/** Duration of a message, in milliseconds. */
const saidFor = 6_000

export function App({ source }: { source: Source }) {
  const [hash, setHash] = useState(location.hash)
  const [said, setSaid] = useState('')
  const [followed, setFollowed] = useState<{ workspace: string; state: Connection; why: string } | undefined>(
    undefined,
  )
  const [notice, setNotice] = useState('')
  const [round, setRound] = useState(0)
  const [visits, setVisits] = useState(0)
  const route = useMemo(() => readRoute(hash), [hash, round])
  const calls = useMemo(() => new RecentCalls(), [route.workspace, source])
  const listeners = useRef(new Set<(event: LiveEvent) => void>())

  useEffect(() => {
    const changed = (): void => setHash(location.hash)
    addEventListener('hashchange', changed)
    // A link to the current address loads it again.
    const clicked = ({ target }: MouseEvent): void => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
      if (link && link.hash !== '' && link.hash === location.hash) setVisits((before) => before + 1)
    }
    addEventListener('click', clicked)
    // Another token reloads everything.
    const stop = token.watch(() => {
      home.workspace = token.workspace ?? source.home
      setRound((before) => before + 1)
    })
    return () => {
      removeEventListener('hashchange', changed)
      removeEventListener('click', clicked)
      stop()
    }
  }, [])

  useEffect(() => {
    setNotice('')
    const tell = (event: LiveEvent): void => {
      if (event.kind === 'connection') setFollowed({ ...event, workspace: route.workspace })
      else if (event.kind === 'requests') calls.add(event.requests)
      else if (event.kind === 'dropped') calls.addDropped(event.count)
      else if (event.kind === 'reset') calls.clear('The workspace was reset: earlier calls are gone.')
      else if (event.kind === 'restarted') {
        calls.clear()
        setSaid('')
        setNotice('The sandbox restarted: earlier calls and unsaved state are gone.')
      }
      for (const listener of listeners.current ?? []) listener(event)
    }
    return source.follow(route.workspace, tell)
  }, [route.workspace, source, calls])

  // The state of another workspace does not apply to this one.
  const { state: connection, why } =
    followed?.workspace === route.workspace ? followed : ({ state: 'connecting', why: '' } as const)
  // A message is about the last action.
  useEffect(() => {
    if (said === '') return undefined
    const timer = setTimeout(() => setSaid(''), saidFor)
    return () => clearTimeout(timer)
  }, [said])
  // A message ends with its view and its workspace.
  useEffect(() => setSaid(''), [route.view, route.workspace])
  const session: Session = {
    source,
    route,
    visits,
    connection,
    calls,
    say: setSaid,
    listen: (tell) => {
      listeners.current?.add(tell)
      return () => listeners.current?.delete(tell)
    },
  }
  return (
    <SessionContext.Provider value={session}>
      <Frame
        key={round}
        connection={connection}
        why={why}
        notice={notice}
        onNoticed={() => setNotice('')}
        said={said}
      />
    </SessionContext.Provider>
  )
}

interface FrameProps {
  connection: Connection
  /** Why it was refused. */
  why: string
  notice: string
  onNoticed: () => void
  said: string
}

function Frame({ connection, why, notice, onNoticed, said }: FrameProps) {
  const { source, route } = useSession()
  const [showsKeys, setShowsKeys] = useState(false)
  useKeys(() => setShowsKeys(true))
  useKeptFocus()
  const view = views.find(({ path }) => path === route.view)
  useEffect(() => {
    document.title = `${view?.name ?? 'Not found'} · ${route.workspace} · Partner rewards sandbox`
  }, [view, route.workspace])
  // The list of a run contains all workspaces.
  const isRunList = source.run !== undefined && route.view === firstView
  const problem = why || connectionTexts[connection] || notice
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to content
      </a>
      <header class="top">
        <p class="brand">Partner rewards sandbox</p>
        <p class={said === '' ? 'said' : 'said is-saying'} role="status">
          {said}
        </p>
        {isRunList ? null : <WorkspaceChoice />}
        <button type="button" class="quiet" onClick={() => setShowsKeys(true)}>
          Keys <kbd>?</kbd>
        </button>
        {isRunList || !isKnown(source, connection) ? null : (
          <DifferencesList key={route.workspace} said={said} />
        )}
      </header>
      <nav class="views" aria-label="Views">
        <ul>
          {views
            .filter(({ isLiveOnly }) => source.isLive || !isLiveOnly)
            .map(({ path, name }) => (
              <li key={path}>
                <a
                  href={linkTo({ view: path, workspace: route.workspace })}
                  aria-current={path === route.view ? 'page' : undefined}
                >
                  {name}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <main id="main" tabindex={-1} class={`view-${view?.path ?? 'none'}`}>
        {source.about === '' ? null : <p class="about">{source.about}</p>}
        {source.isLive && canOnlyRead() ? (
          <p class="notice">
            Over plain http from another machine this page is read-only: open it at localhost or over https,
            or start the sandbox with --admin-token.
          </p>
        ) : null}
        {problem === '' ? null : (
          <p class="notice">
            {problem}{' '}
            {notice === '' ? null : (
              <button type="button" class="quiet" onClick={onNoticed}>
                Dismiss
              </button>
            )}
          </p>
        )}
        {connection === 'token' ? <TokenForm /> : null}
        {connection === 'token' || connection === 'refused' ? null : (
          <Shown key={isRunList ? route.view : `${route.view} ${route.workspace}`} />
        )}
      </main>
      {showsKeys ? <KeysDialog onClose={() => setShowsKeys(false)} /> : null}
    </>
  )
}

/** A skip link is no view. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Shown() {
  const { route } = useSession()
  const View = views.find(({ path }) => path === route.view)?.View
  if (!View) return <p class="notice">There is no view “{route.view}”.</p>
  return <View />
}

/** Which workspace is shown. */
function WorkspaceChoice() {
  const { route, listen, connection } = useSession()
  const { value, again } = useAnswer<{ workspaces: WorkspaceView[] }>('/workspaces', {}, { shared: true })
  useEffect(() => {
    const timer = setInterval(() => document.hidden || again(), 5_000)
    const stop = listen(({ kind }) => void (kind === 'connection' && again()))
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [route.workspace])
  const names = new Set((value?.workspaces ?? []).map(({ name }) => name))
  if (connection !== 'refused') names.add(route.workspace)
  return (
    <label class="workspace">
      Workspace
      <select
        onChange={(event: Event) => {
          const { value: workspace } = event.target as HTMLSelectElement
          location.hash = linkTo({ view: route.view, workspace })
        }}
      >
        {names.has(route.workspace) ? null : (
          <option hidden selected>
            choose
          </option>
        )}
        {[...names].map((name) => (
          <option key={name} value={name} selected={name === route.workspace}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
