// One row as JSON: shown, or edited with messages about problems, and never overwriting changes of others.
import { useRef, useState } from 'hono/jsx/dom'
import { ConfirmButton } from '../confirm-button.tsx'
import { draftKey, drafts } from '../drafts.ts'
import { Heading } from '../heading.tsx'
import { rowsReported } from '../refresh.ts'
import { isSame } from '../row-changes.ts'
import { readRow, textOfRow, type RowPlace } from '../row-draft.ts'
import { RowReferences } from '../row-links.tsx'
import { idFieldOf } from '../row-references.ts'
import { messageOf, useCanChange, useEvents, useLink, useSession } from '../session.ts'
import { Refused } from '../source.ts'
import { RowEditor } from './row-editor.tsx'
import { useEffect } from '../use-effect.ts'

/** @param id undefined for a single document. */
export function RowView({ collection, id }: { collection: string; id?: string }) {
  const { source, route } = useSession()
  const link = useLink()
  const canChange = useCanChange()
  const path = `/state/${[collection, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/')}`
  const place: RowPlace = { source, path, workspace: route.workspace }
  /** The row that was read; its `row` is undefined if there is none. */
  const [read, setRead] = useState<{ row: object | undefined } | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const [isOld, setOld] = useState(false)
  const [isGone, setGone] = useState(false)
  /** The row as this page knows it, also between two renderings. */
  const known = useRef<object | undefined>(undefined)
  /** Whether this page is writing the row: the stream reports that write, too. */
  const isOurs = useRef(false)
  const know = (row: object | undefined): void => {
    known.current = row
    setRead({ row })
  }
  const load = (): Promise<void> =>
    readRow(place).then(
      (row) => {
        setProblem('')
        // A draft continues from the row it was based on.
        const draft = drafts.get(draftKey(route.workspace, path))
        know(draft ? draft.opened : row)
        return setOld(!isSame(row, known.current))
      },
      (error: unknown) => setProblem(messageOf(error)),
    )
  const look = (): void => {
    if (isOurs.current || !read) return
    const compare = (now: object | undefined): void => {
      if (isOurs.current) return
      setOld(!isSame(now, known.current))
      setGone(now === undefined)
    }
    void readRow(place).then(compare, () => undefined)
  }
  useEffect(() => void load(), [path, route.workspace])
  // The user may be typing, so the shown row stays; this checks whether it has changed.
  useEvents(
    (event) => {
      const reported = rowsReported(event)
      const isReported =
        reported === undefined ||
        reported.some((row) => row.collection === collection && row.id === (id ?? collection))
      if (isReported) look()
    },
    [path, read],
  )
  const name = id ?? collection
  return (
    <>
      <p>
        <a href={link('state')}>State</a>
        {id === undefined ? null : (
          <>
            {' / '}
            <a href={link('state', [collection])}>{collection}</a>
          </>
        )}
      </p>
      <Heading>{name}</Heading>
      {problem === '' ? null : <p class="problem">{problem}</p>}
      {isOld ? (
        <p class="notice">
          {isGone ? 'This row was deleted since it was opened.' : 'This row has changed since it was opened.'}{' '}
          <button
            type="button"
            onClick={() => {
              drafts.delete(draftKey(route.workspace, path))
              void load()
            }}
          >
            Show it as it is now
          </button>
        </p>
      ) : null}
      {!read ? null : canChange ? (
        <RowEditor
          place={place}
          collection={collection}
          name={name}
          opened={read.row}
          blank={id === undefined ? {} : { [idFieldOf(collection)]: id }}
          onSaving={(isSaving) => {
            isOurs.current = isSaving
            // Changes by others during the save were ignored.
            if (!isSaving) look()
          }}
          onSaved={(row) => {
            setOld(false)
            know(row)
          }}
          onDiscard={() => void load()}
        >
          {id !== undefined && read.row ? (
            <DeleteRow
              place={place}
              collection={collection}
              id={id}
              onDeleting={(isDeleting) => {
                isOurs.current = isDeleting
              }}
            />
          ) : null}
        </RowEditor>
      ) : read.row ? (
        <pre tabindex={0}>{textOfRow(read.row)}</pre>
      ) : (
        <p class="notice">There is no such row.</p>
      )}
      <RowReferences collection={collection} row={read?.row} />
    </>
  )
}

interface DeleteProps {
  place: RowPlace
  collection: string
  id: string
  /** Called while this page deletes the row, which must not be read again. */
  onDeleting: (isDeleting: boolean) => void
}

/** At the other end of the bar than Save. */
function DeleteRow({ place, collection, id, onDeleting }: DeleteProps) {
  const { source, path, workspace } = place
  const { say } = useSession()
  const link = useLink()
  /** Why it cannot be deleted, such as the rows that refer to it. */
  const [reasons, setReasons] = useState<readonly string[]>([])
  const remove = async (): Promise<void> => {
    onDeleting(true)
    try {
      await source.ask('DELETE', path, { workspace })
      drafts.delete(draftKey(workspace, path))
      say(`Deleted ${id}.`)
      location.hash = link('state', [collection])
    } catch (error) {
      onDeleting(false)
      const details = error instanceof Refused ? error.details : []
      setReasons(details.length > 0 ? details.map(({ message }) => message) : [messageOf(error)])
      say(`${id} cannot be deleted.`)
    }
  }
  return (
    <>
      <span class="at-end">
        <ConfirmButton name="Delete" question={`Delete ${id}?`} onConfirm={() => void remove()} />
      </span>
      {reasons.map((reason) => (
        <p key={reason} class="problem">
          {reason}
        </p>
      ))}
    </>
  )
}
