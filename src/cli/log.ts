import { styleText } from 'node:util'
import type { AnsweredCall } from '../http/service.ts'
import type { Sandbox } from '../sandbox.ts'
import { collectionNames } from '../store/rows.ts'
import type { Io } from './io.ts'

/** What `start` says while it serves; all of it goes to stderr. */
export interface Log {
  answer(this: void, call: AnsweredCall): void
  bug(this: void, error: unknown, requestId: string): void
  note(this: void, line: string): void
  /** What a newcomer needs first: a key, and what there is. */
  ready(sandbox: Sandbox, seed: number): void
}

/** A log for people or, with format `json`, one event a line for programs. Quiet leaves only problems. */
export function createLog(io: Io, { quiet, format }: { quiet: boolean; format: 'pretty' | 'json' }): Log {
  const event = (name: string, fields: object): void =>
    io.stderr(`${JSON.stringify({ event: name, ...fields })}\n`)
  const paint = (colour: 'red' | 'yellow' | 'dim' | 'green', text: string): string =>
    io.colour ? styleText(colour, text) : text

  return {
    answer(call) {
      if (quiet) return
      const { requestId, method, path, operation, status, reason } = call
      const why = reasonOf(reason)
      if (format === 'json') {
        event('request', { id: requestId, method, path: onOneLine(path), operation, status, reason: why })
        return
      }
      const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
      const tail = why === undefined ? '' : ` ${paint('dim', why)}`
      io.stderr(`${paint(colour, String(status))} ${method} ${onOneLine(path)}${tail}\n`)
    },
    bug(error, requestId) {
      const kind = error instanceof Error ? error.constructor.name : typeof error
      if (format === 'json') event('bug', { id: requestId, kind })
      else io.stderr(`${paint('red', 'bug')} ${requestId}: ${kind}. Please report it.\n`)
    },
    note(line) {
      if (format === 'json') event('progress', { message: line })
      else io.stderr(`${line}\n`)
    },
    ready(sandbox, seed) {
      if (quiet) return
      const document = collectionNames.map((name) => [name, sandbox.state.size(name)] as const)
      const rows = document.filter(([, size]) => size > 0)
      if (format === 'json') {
        event('ready', {
          api_key: sandbox.apiKey,
          seed,
          version: sandbox.version,
          rows: Object.fromEntries(rows),
        })
        return
      }
      io.stderr(`API key: ${sandbox.apiKey}   seed: ${seed}   version: ${sandbox.version}\n`)
      io.stderr(`${rows.map(([name, size]) => `${size} ${name.replaceAll('_', ' ')}`).join(', ')}\n`)
    },
  }
}

/** What an error body says, without the rest of it. */
function reasonOf(body: string | undefined): string | undefined {
  if (body === undefined) return undefined
  const value: unknown = JSON.parse(body)
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

/** A path comes from the client and must not break the log's lines. */
function onOneLine(path: string): string {
  return path.replace(/[^\x21-\x7e]/g, '?').slice(0, 200)
}
