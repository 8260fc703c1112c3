// A call as one line of JSON, for replicas on other machines: whatever is asked of a journal gives the same of an
// call that was read as of the one that was written, but for the ends of long bodies and of many rows.
import type { Call } from '../call/index.ts'
import { stringify } from '../json/stringify.ts'
import { parseExact } from '../json/parse-exact.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import { readOutcome, writeOutcome } from './outcome-text.ts'
import { extents, maxWritten, writtenOfBody, type Extent } from './extent.ts'
import { readResolution, writeResolution } from './resolution-text.ts'
import { kept } from './limits.ts'
import { readRequest, writeRequest } from './request-text.ts'
import { RowReader, RowWriter, type KnownRows } from './row-text.ts'

/** What every replica has, so that no call need say it again. */
export interface CallContext extends KnownRows {
  /** The scenarios that every workspace knows; undefined before they are read. */
  catalogue: Catalogue | undefined
}

/** What writing needs of it. */
type WritingContext = Pick<CallContext, 'baseline' | 'catalogue'>

/** Writes a call, just before its answer leaves or later. */
export function writeCall(call: Call, context: WritingContext): string {
  const short = kept(call, writtenOfBody)
  let text = ''
  for (const extent of extents) {
    text = textOf(short, context, extent)
    // No character takes more than three bytes, so that most texts need not be measured.
    if (text.length <= maxWritten / 3 || Buffer.byteLength(text) <= maxWritten) break
  }
  return text
}

function textOf(call: Call, context: WritingContext, extent: Extent): string {
  const rows = new RowWriter(context.baseline, extent.rows)
  const parts = stringify(writtenParts(call, context, rows, extent))
  return `{"rows":[${rows.texts.join(',')}],${parts.slice(1)}`
}

function writtenParts(
  { request, resolution, outcome }: Call,
  { catalogue }: WritingContext,
  rows: RowWriter,
  extent: Extent,
) {
  return {
    request: writeRequest(request, extent),
    // Before the resolution: where not all rows can be written whole, those that changed are.
    outcome: writeOutcome(outcome, rows, extent),
    resolution: writeResolution(resolution, catalogue, rows, extent),
  } satisfies Record<keyof Call, unknown>
}

/** Reads what `writeCall` wrote. */
export function readCall(text: string, context: CallContext): Call {
  // Only `writeCall` writes such texts, and replicas of another format do not share a store.
  const written = parseExact(text, true) as ReturnType<typeof writtenParts> & { rows: object[] }
  const rows = new RowReader(written.rows, context)
  return {
    request: readRequest(written.request),
    resolution: readResolution(written.resolution, context.catalogue, rows),
    outcome: readOutcome(written.outcome, rows),
  }
}
