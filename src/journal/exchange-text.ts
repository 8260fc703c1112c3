// An exchange as one line of JSON, for replicas on other machines: whatever is asked of a journal gives the same of an
// exchange that was read as of the one that was written, but for the ends of long bodies and of many rows.
import type { Exchange } from '../exchange/index.ts'
import { stringify } from '../json/stringify.ts'
import { parseExact } from '../reading/parse-exact.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import { readBecame, writeBecame } from './became-text.ts'
import { extents, mostWritten, writtenOfBody, type Extent } from './extent.ts'
import { readFound, writeFound } from './found-text.ts'
import { kept } from './limits.ts'
import { readReceived, writeReceived } from './received-text.ts'
import { RowReader, RowWriter, type KnownRows } from './row-text.ts'

/** What every replica has, so that no exchange need say it again. */
export interface ExchangeContext extends KnownRows {
  /** The scenarios that every workspace knows; undefined where nobody has read them yet. */
  catalogue: Catalogue | undefined
}

/** What writing needs of it. */
type WritingContext = Pick<ExchangeContext, 'baseline' | 'catalogue'>

/** Writes an exchange, just before its answer leaves or later. */
export function writeExchange(exchange: Exchange, context: WritingContext): string {
  const short = kept(exchange, writtenOfBody)
  let text = ''
  for (const extent of extents) {
    text = textOf(short, context, extent)
    // No character takes more than three bytes, so that most texts need not be measured.
    if (text.length <= mostWritten / 3 || Buffer.byteLength(text) <= mostWritten) break
  }
  return text
}

function textOf(exchange: Exchange, context: WritingContext, extent: Extent): string {
  const rows = new RowWriter(context.baseline, extent.rows)
  const parts = stringify(writtenParts(exchange, context, rows, extent))
  return `{"rows":[${rows.texts.join(',')}],${parts.slice(1)}`
}

function writtenParts(
  { received, found, became }: Exchange,
  { catalogue }: WritingContext,
  rows: RowWriter,
  extent: Extent,
) {
  return {
    received: writeReceived(received, extent),
    // Before what was found: where not all rows can be written whole, those that changed are.
    became: writeBecame(became, rows, extent),
    found: writeFound(found, catalogue, rows, extent),
  } satisfies Record<keyof Exchange, unknown>
}

/** Reads what `writeExchange` wrote. */
export function readExchange(text: string, context: ExchangeContext): Exchange {
  // Nobody else writes such texts, and replicas of another format do not share a store.
  const written = parseExact(text, true) as ReturnType<typeof writtenParts> & { rows: object[] }
  const rows = new RowReader(written.rows, context)
  return {
    received: readReceived(written.received),
    found: readFound(written.found, context.catalogue, rows),
    became: readBecame(written.became, rows),
  }
}
