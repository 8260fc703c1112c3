// A call as one line of JSON, for replicas on other machines: a journal answers every query equally for a call that was
// read and for the original, except for the ends of long bodies and of many rows.
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

/** Data that every replica has, so that no call must repeat it. */
export interface CallContext extends KnownRows {
  /** The scenarios of every workspace; undefined before they are read. */
  catalogue: Catalogue | undefined
}

/** The parts of it that writing needs. */
type WritingContext = Pick<CallContext, 'baseline' | 'catalogue'>

/** Writes a call, before or after its answer leaves. */
export function writeCall(call: Call, context: WritingContext): string {
  const short = kept(call, writtenOfBody)
  let text = ''
  for (const extent of extents) {
    text = textOf(short, context, extent)
    // No character takes more than three bytes, so most texts need no measuring.
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
    // Before the resolution: if not all rows can be written completely, the changed ones are.
    outcome: writeOutcome(outcome, rows, extent),
    resolution: writeResolution(resolution, catalogue, rows, extent),
  } satisfies Record<keyof Call, unknown>
}

/** Reads a text of `writeCall`. */
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
