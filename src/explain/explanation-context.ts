import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { State } from '../store/state.ts'
import type { Journal } from '../journal/journal.ts'
import type { ExchangeRecord } from '../journal/record.ts'

/** What an explanation may draw on beside the record of the exchange. */
export interface ExplanationContext {
  environment: Environment
  assumptions: Assumptions
  /** The path of `--base-url`, which is stripped from those of calls; empty without one. */
  basePath: string
  /** The journal that holds the record. */
  journal: Journal
  /** The rows of the workspace as they are now. */
  state: State
  /** The rows as they were at start. */
  baseline: State
  /** Every other workspace, for rows and keys that were looked for in the wrong one. */
  others(): Iterable<{ name: string; state: State }>
}

/** The values of a request header, in the order in which they came; none where it was not sent. */
export function headerValues({ requestHeaders }: ExchangeRecord, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < requestHeaders.length; at += 2) {
    if (requestHeaders[at]?.toLowerCase() === name) values.push(requestHeaders[at + 1] ?? '')
  }
  return values
}

/** A request header as HTTP reads it: what was sent several times is joined. */
export function headerOf(record: ExchangeRecord, name: string): string | undefined {
  const values = headerValues(record, name)
  return values.length === 0 ? undefined : values.join(', ')
}
