import { createHash } from 'node:crypto'
import { parseExact } from '../../src/json/parse-exact.ts'
import type { Trace } from '../../src/inspector/trace.ts'

/** The parts of a trace's file. */
export interface TraceParts {
  policy: string
  /** Hashes of what stands in it, as a content policy names them. */
  script: string
  style: string
  data: string
  trace: Trace
}

/** Takes a trace's file apart. */
export function partsOf(html: string): TraceParts {
  const only = (pattern: RegExp): string => {
    const found = [...html.matchAll(pattern)]
    if (found.length !== 1) throw new Error(`${String(pattern)} stands ${found.length} times in the trace`)
    return found[0]?.[1] ?? ''
  }
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const data = only(/<script type="application\/json" id="trace">([^<]*)<\/script>/g)
  return {
    policy: only(/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/g),
    script: hash(only(/<script>([^]*?)<\/script>/g)),
    style: hash(only(/<style>([^]*?)<\/style>/g)),
    data,
    trace: parseExact(data, true) as Trace,
  }
}
