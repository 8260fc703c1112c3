// The lookups and changes of a call, as text.
import { listReads, type Change, type Read } from '../store/transaction.ts'
import { idOfRow, type RowReader, type RowText, type RowWriter } from './row-text.ts'

/** A list instead of an object, as a page can have a hundred of them. */
type ReadText = [
  collection: Read['collection'],
  id: string | null,
  group: string | null,
  rows: number,
  row: RowText | null,
  ...listed: RowText[],
]

type ChangeText = [
  collection: Change['collection'],
  id: string,
  before: RowText | null,
  after: RowText | null,
]

/** Further rows of one list are counted and not written. */
const maxListed = 200

export function writeReads(last: Read | undefined, writer: RowWriter): ReadText[] {
  return listReads(last).map(({ collection, id, group, rows, row, listed }) => {
    const text = (one: object): RowText => writer.write(collection, idOfRow(collection, one), one)
    return [
      collection,
      id ?? null,
      group ?? null,
      rows,
      row === undefined ? null : text(row),
      ...listed.slice(0, maxListed).map(text),
    ]
  })
}

/** Returns the last read, which refers to those before it. */
export function readReads(texts: readonly ReadText[], reader: RowReader): Read | undefined {
  let before: Read | undefined
  for (const [collection, id, group, rows, row, ...listed] of texts) {
    before = {
      collection,
      id: id ?? undefined,
      group: group ?? undefined,
      rows,
      row: row === null ? undefined : reader.read(collection, row),
      listed: listed.map((one) => reader.find(collection, one)).filter((one) => one !== undefined),
      before,
    }
  }
  return before
}

export function writeChanges(changes: readonly Change[], writer: RowWriter): ChangeText[] {
  return changes.map(({ collection, id, before, after }) => {
    const text = (row: object | undefined): RowText | null =>
      row === undefined ? null : writer.write(collection, id, row)
    return [collection, id, text(before), text(after)]
  })
}

export function readChanges(texts: readonly ChangeText[], reader: RowReader): Change[] {
  return texts.map(([collection, id, before, after]) => ({
    collection,
    id,
    ...(before === null ? {} : { before: reader.read(collection, before) }),
    ...(after === null ? {} : { after: reader.read(collection, after) }),
  }))
}
