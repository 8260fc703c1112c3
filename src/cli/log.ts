import { styleText } from 'node:util'
import { maskInPath, maskSecrets } from '../secrets/mask.ts'
import type { AnsweredCall } from '../http/service.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { shownPath } from '../runtime/host.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { DocumentError } from '../reading/problems.ts'
import { collectionNames } from '../store/rows.ts'
import type { Io } from './io.ts'

/** What `start` says while it serves; all of it goes to stderr. */
export interface Log {
  answer(this: void, call: AnsweredCall, secrets: KnownSecrets): void
  bug(this: void, error: unknown, requestId: string): void
  note(this: void, line: string): void
  /** What an operator should know, unless nothing is to be printed. */
  notice(this: void, line: string): void
  /** What is wrong, always. */
  problem(this: void, line: string): void
  /** What a newcomer needs first: a key, and what there is. */
  ready(sandbox: Sandbox): void
  /** What there is, now that these files were read again. */
  reloaded(sandbox: Sandbox, files: readonly string[]): void
  /** Why an edit of these files changed nothing. */
  refused(error: DocumentError, files: readonly string[]): void
  /** Writes what is still waiting. */
  flush(this: void): void
}

/** A log for people or, with format `json`, one event a line for programs. Quiet leaves only problems. */
export function createLog(io: Io, { quiet, format }: { quiet: boolean; format: 'pretty' | 'json' }): Log {
  let secrets: readonly string[] = []
  let waiting = ''
  // Writing to stderr waits for whoever reads it; lines of one turn of the event loop are written together.
  const later = (line: string): void => {
    if (waiting === '') setImmediate(flush)
    waiting += `${maskSecrets(line, secrets)}\n`
  }
  const flush = (): void => {
    const lines = waiting
    waiting = ''
    if (lines !== '') io.stderr(lines)
  }
  /** At once, but after what waits. */
  const now = (text: string): void => {
    flush()
    io.stderr(`${text}\n`)
  }
  const shown = (files: readonly string[]): string[] => files.map((file) => shownPath(file, io.cwd))
  const event = (name: string, fields: object): void => later(JSON.stringify({ event: name, ...fields }))
  const paint = (colour: 'red' | 'yellow' | 'dim' | 'green', text: string): string =>
    // Whether colours are shown was decided for stderr; left to itself, styleText looks at stdout.
    io.colour ? styleText(colour, text, { validateStream: false }) : text

  return {
    flush,
    answer(call, known) {
      if (quiet) return
      const { requestId, method, operation, status } = call
      // Hidden before it is cut or escaped: a part of a secret could not be told.
      const hide = (text: string): string => maskSecrets(known.mask(text), [])
      const path = onOneLine(maskInPath(call.path, hide))
      const reason = reasonOf(call.reason)
      const why = reason === undefined ? undefined : onOneLine(hide(reason))
      if (format === 'json') {
        event('request', { id: requestId, method, path, operation, status, reason: why })
        return
      }
      const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
      const tail = why === undefined ? '' : ` ${paint('dim', why)}`
      later(`${paint(colour, String(status))} ${method} ${path}${tail}`)
    },
    bug(error, requestId) {
      const kind = error instanceof Error ? error.name : typeof error
      if (format === 'json') event('bug', { id: requestId, kind })
      else later(`${paint('red', 'bug')} ${requestId}: ${kind}. Please report it.`)
    },
    note(line) {
      // At once: the work it tells of keeps the event loop busy.
      io.stderr(format === 'json' ? `${JSON.stringify({ event: 'progress', message: line })}\n` : `${line}\n`)
    },
    notice(line) {
      if (quiet) return
      if (format === 'json') event('notice', { message: line })
      else later(line)
    },
    problem(line) {
      if (format === 'json') event('problem', { message: line })
      else later(paint('red', line))
    },
    ready(sandbox) {
      secrets = secretsOf(sandbox)
      if (quiet) return
      const rows = rowsOf(sandbox)
      if (format === 'json') {
        const ready = {
          event: 'ready',
          api_key: readyKeyOf(sandbox),
          seed: sandbox.seed,
          version: sandbox.version,
          rows,
        }
        // The one line that may show a key: it is what a newcomer needs first.
        io.stderr(`${JSON.stringify(ready)}\n`)
        return
      }
      const key = readyKeyOf(sandbox) ?? `none is for environment ${sandbox.environment}`
      io.stderr(`API key: ${key}   seed: ${sandbox.seed}   version: ${sandbox.version}\n`)
      later(rowsText(rows))
    },
    reloaded(sandbox, files) {
      secrets = secretsOf(sandbox)
      if (quiet) return
      const rows = rowsOf(sandbox)
      if (format === 'json') event('reloaded', { files: shown(files), rows })
      else later(`${paint('green', 'reloaded')} ${shown(files).join(', ')}: ${rowsText(rows)}`)
    },
    refused({ message, problems }, files) {
      if (format === 'json') {
        now(
          JSON.stringify({
            event: 'refused',
            files: shown(files),
            message: 'the last good version stays in force',
            problems,
          }),
        )
        return
      }
      const edit = `${paint('red', 'refused')} the edit of ${shown(files).join(', ')}`
      // As at start, so excerpts show what the file holds.
      now(`${edit}: the last good version stays in force\n${message}`)
    },
  }
}

/** How many rows each collection has that has some. */
function rowsOf(sandbox: Sandbox): Record<string, number> {
  const sizes = collectionNames.map((name) => [name, sandbox.state.size(name)] as const)
  return Object.fromEntries(sizes.filter(([, size]) => size > 0))
}

function rowsText(rows: Record<string, number>): string {
  return Object.entries(rows)
    .map(([name, size]) => `${size} ${name.replaceAll('_', ' ').replace(/s$/, size === 1 ? '' : 's')}`)
    .join(', ')
}

/** What is secret in the state document, longest first, so that a part of one never hides it only partly. */
function secretsOf(sandbox: Sandbox): string[] {
  return sandbox.state
    .list('api_keys')
    .flatMap(({ api_key: key, secret }) => [key, secret])
    .filter((text) => typeof text === 'string')
    .toSorted((a, b) => b.length - a.length)
}

/** A document may hold no key for the environment; then every call is refused, which is worth serving as well. */
export function readyKeyOf(sandbox: Pick<Sandbox, 'apiKey'>): string | undefined {
  try {
    return sandbox.apiKey
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** What an error body says, without the rest of it. */
function reasonOf(body: string | undefined): string | undefined {
  if (body === undefined) return undefined
  const value = readJson(body)
  if (typeof value !== 'object' || value === null) return undefined
  if ('details' in value && Array.isArray(value.details)) return value.details.join('; ')
  if (
    'error' in value &&
    typeof value.error === 'object' &&
    value.error !== null &&
    'message' in value.error
  ) {
    return String(value.error.message)
  }
  return 'message' in value ? String(value.message) : undefined
}

/** A scenario may answer with anything, which is then no reason that could be told. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What comes from a client must not break the log's lines, nor colour them. */
function onOneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)
}
