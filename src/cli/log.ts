// The log of a serving sandbox: a line per request and problem on stderr, for people or as JSON; quiet, colours.
import { styleText } from 'node:util'
import type { JournalEntry } from '../journal/entry.ts'
import type { ControlCall } from '../control/audit.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { packageVersion, shownPath, systemHost } from '../runtime/host.ts'
import type { Sandbox, StartedSandbox } from '../sandbox/index.ts'
import type { DocumentError } from '../input/problems.ts'
import { ownedCollections } from '../endpoints/visible.ts'
import { collectionNames } from '../store/rows.ts'
import { readyKeyIfAny } from '../workspaces/ready-key.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Io } from './io.ts'

export interface Log {
  answer(this: void, entry: JournalEntry, why: string | undefined): void
  /** A call of the control plane that could change something. */
  control(this: void, call: ControlCall): void
  /** The sandbox stops. @param reason such as `by a signal`. */
  stop(this: void, reason: string): void
  bug(this: void, error: unknown, requestId: string): void
  note(this: void, line: string): void
  /** A notice for the operator, unless quiet. */
  notice(this: void, line: string): void
  /** A warning about a probable mistake; immediately, and always. */
  warning(this: void, line: string): void
  /** A problem, always. */
  problem(this: void, line: string): void
  /** Prints a key, the rows and the page. @param hasPublicKeys whether the keys of the rows open workspaces. */
  ready(sandbox: StartedSandbox, inspector?: string, hasPublicKeys?: boolean): void
  /** The rows after a reload of these files. */
  reloaded(sandbox: StartedSandbox, files: readonly string[]): void
  /** Why an edit of these files changed nothing. */
  refused(error: DocumentError, files: readonly string[]): void
  /** Writes all buffered lines. */
  flush(this: void): void
}

type Level = 'info' | 'warn' | 'error'

const colours = { info: 'green', warn: 'yellow', error: 'red' } as const

/** The fields of a line about a call. */
type Call = Pick<
  JournalEntry,
  'workspace' | 'key_id' | 'method' | 'path' | 'query' | 'operation' | 'status' | 'duration_ms' | 'outcome'
> & { id: string | null }

/** Empty fields of a call of the control plane. */
const emptyCallFields = { id: null, key_id: null, operation: null }

/** Empty fields of a line that is not about a call. */
const emptyFields = {
  ...emptyCallFields,
  workspace: null,
  method: null,
  path: null,
  query: null,
  status: null,
  duration_ms: null,
  outcome: null,
}

/** Returns a log for people or, with format `json`, one event a line for programs. Quiet prints no notices, and no lines about start, reload and stop. */
export function createLog(io: Io, { quiet, format }: { quiet: boolean; format: 'pretty' | 'json' }): Log {
  const isJson = format === 'json'
  const { now } = systemHost()
  const secrets = new KnownSecrets()
  let waiting = ''
  // Writing to stderr blocks on its reader; lines of one iteration of the event loop are written together.
  const later = (line: string): void => {
    if (waiting === '') setImmediate(flush)
    waiting += `${secrets.hide(line)}\n`
  }
  const flush = (): void => {
    const lines = waiting
    waiting = ''
    if (lines !== '') io.stderr(lines)
  }
  const lineOf = (level: Level, event: string, fields: object, text: string): string =>
    isJson ? JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields }) : text
  const say = (level: Level, event: string, fields: object, text: string): void =>
    later(lineOf(level, event, fields, text))
  const shown = (files: readonly string[]): string[] => files.map((file) => shownPath(file, io.cwd))
  const paint = (colour: 'red' | 'yellow' | 'dim' | 'green', text: string): string =>
    // Colours were decided for stderr; by default, styleText would check stdout.
    io.colour ? styleText(colour, text, { validateStream: false }) : text

  /** A line about a call, with the same fields for every kind of call. */
  const sayCall = (event: string, call: Call, where: string, why?: string): void => {
    const { id, workspace, key_id, method, operation, status, duration_ms, outcome } = call
    const [path, query] = [onOneLine(call.path), onOneLine(call.query)]
    const reason = why === undefined ? undefined : onOneLine(why)
    const level = status === null || status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
    const target = query === '' ? path : `${path}?${query}`
    const tail = reason === undefined ? where : `${where} ${reason}`
    say(
      level,
      event,
      { id, workspace, key_id, method, path, query, operation, status, duration_ms, outcome, reason },
      // A request that was refused before it was read may have no target.
      [paint(colours[level], String(status ?? 'lost')), method, target, paint('dim', tail)]
        .filter((part) => part !== '')
        .join(' '),
    )
  }

  return {
    flush,
    answer(entry, why) {
      sayCall('request', entry, `(${entry.workspace} ${entry.id})`, why)
    },
    control(call) {
      const workspace = onOneLine(call.workspace)
      sayCall('control', { ...call, ...emptyCallFields, workspace }, `(${workspace})`)
    },
    stop(reason) {
      if (!quiet) say('info', 'stop', { ...emptyFields, reason }, `Stopped ${reason}.`)
    },
    bug(error, id) {
      const kind = error instanceof Error ? error.name : typeof error
      say('error', 'bug', { id, kind }, `${paint('red', 'bug')} ${id}: ${kind}. Please report it.`)
    },
    note(message) {
      // Immediately: the work that it reports blocks the event loop.
      io.stderr(`${lineOf('info', 'progress', { message }, message)}\n`)
    },
    warning(message) {
      io.stderr(`${lineOf('warn', 'warning', { message }, `${paint('yellow', 'warning:')} ${message}`)}\n`)
    },
    notice(message) {
      if (!quiet) say('info', 'notice', { message }, message)
    },
    problem(message) {
      say('error', 'problem', { message }, paint('red', message))
    },
    ready(sandbox, inspector, hasPublicKeys = true) {
      // With a store, `default` is not open yet: it has the rows of the baseline.
      const { home, seed, environment, rowsFrom } = sandbox
      const version = packageVersion()
      secrets.note(home.state.all('api_keys'))
      if (quiet) return
      const rows = rowsOf(home)
      const key = hasPublicKeys ? readyKeyIfAny(home, environment) : undefined
      const none = hasPublicKeys
        ? `none is for environment ${environment}`
        : 'create one by workspaces create NAME'
      const text = `API key: ${key ?? none}   seed: ${seed}   version: ${version}`
      // The only line that may show a key: a new user needs it first.
      io.stderr(
        `${lineOf('info', 'ready', { api_key: key, seed, version, rows, rows_from: rowsFrom, inspector }, text)}\n`,
      )
      if (isJson) return
      if (inspector !== undefined) io.stderr(`Inspector: ${inspector}\n`)
      later(`${rowsText(rows, visibleTo(key, home))}, from ${shortList(rowsFrom)}`)
    },
    reloaded({ home, environment }, paths) {
      secrets.note(home.state.all('api_keys'))
      if (quiet) return
      const rows = rowsOf(home)
      const files = shown(paths)
      say(
        'info',
        'reloaded',
        { files, rows },
        `${paint('green', 'reloaded')} ${files.join(', ')}: ${rowsText(rows, visibleTo(readyKeyIfAny(home, environment), home))}`,
      )
    },
    refused({ message: problemsText, problems }, paths) {
      const files = shown(paths)
      const message = 'the last valid version stays active'
      // As at start, so excerpts show the contents of the file.
      const text = `${paint('red', 'refused')} the edit of ${files.join(', ')}: ${message}\n${problemsText}`
      // Immediately, but after buffered lines.
      flush()
      io.stderr(`${lineOf('error', 'refused', { files, message, problems }, text)}\n`)
    },
  }
}

/** The number of rows of each collection that has rows. */
function rowsOf({ state }: Workspace): Record<string, number> {
  const sizes = collectionNames.map((name) => [name, state.size(name)] as const)
  return Object.fromEntries(sizes.filter(([, size]) => size > 0))
}

/** The number of rows of each collection that a key sees, as its calls are for one product. */
interface VisibleRows {
  product: string
  rows: ReadonlyMap<string, number>
}

/** The maximum number of rows that are counted by product: reading them delays the start. */
const maxCounted = 10_000

/** Counts the rows that a key sees; undefined for a key of several products, and for very many rows. */
function visibleTo(key: string | undefined, { state }: Workspace): VisibleRows | undefined {
  const { products = [] } = [...state.all('api_keys')].find(({ api_key }) => api_key === key) ?? {}
  const [product, ...others] = products
  if (product === undefined || others.length > 0 || state.rows > maxCounted) return undefined
  const customers = new Set(
    [...state.all('customers')].flatMap((customer) => (customer.product === product ? customer.id : [])),
  )
  const rows = new Map<string, number>([['customers', customers.size]])
  for (const name of ownedCollections) {
    rows.set(name, [...state.all(name)].filter(({ customer_id: owner }) => customers.has(owner)).length)
  }
  return { product, rows }
}

/** @example '28 customers (26 of mk_summit), 3 accounts' */
function rowsText(rows: Record<string, number>, visible: VisibleRows | undefined): string {
  return Object.entries(rows)
    .map(([name, size]) => {
      const seen = visible?.rows.get(name) ?? size
      const ofProduct = seen === size ? '' : ` (${seen} of ${visible?.product})`
      return `${size} ${name.replaceAll('_', ' ').replace(/s$/, size === 1 ? '' : 's')}${ofProduct}`
    })
    .join(', ')
}

/** Returns only the first names of a long list, and how many more there are. */
function shortList(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, maxNamed), names.length - maxNamed]
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

const maxNamed = 5

/** A document may have no key for the environment; then every call is refused, which is a valid setup. */
export function readyKeyOf(sandbox: Pick<Sandbox, 'apiKey'>): string | undefined {
  try {
    return sandbox.apiKey
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Text from a client must not break or colour the lines of the log. */
function onOneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)
}
