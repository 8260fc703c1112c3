// Routes of the page, in the hash of its address: every view and everything in a view has a link.

/** A view, the part of it, and its filter. @example { view: 'state', parts: ['rewards', 'rwd_1'], workspace: 'default' } */
export interface Route {
  view: string
  /** The part of the view, such as the id of a request, or a collection and the id of a row. */
  parts: readonly string[]
  workspace: string
  /** Further parameters of the view, such as a filter. */
  query: Readonly<Record<string, string>>
}

/** The view that comes first. */
export const firstView = 'requests'

/** The workspace of an address that names none; a trace may have another first one. */
export const home = { workspace: 'default' }

/** Parses the hash of a URL; an unknown hash leads to the first view. */
export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view = '', ...parts] = path.split('/').map(decoded)
  const { workspace = home.workspace, ...query } = Object.fromEntries(new URLSearchParams(search))
  return { view: view === '' ? firstView : view, parts, workspace, query }
}

/** The hash that leads to a route. @example linkTo({ view: 'requests', parts: [], workspace: 'w3' }) */
export function linkTo({ view, parts = [], workspace, query = {} }: Partial<Route>): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))
  if (workspace !== undefined && workspace !== home.workspace) search.set('workspace', workspace)
  const path = [view ?? firstView, ...parts].map(encodeURIComponent).join('/')
  return `#/${path}${search.size === 0 ? '' : `?${search}`}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
