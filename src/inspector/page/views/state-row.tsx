// One row as JSON: shown, or written with the messages of what is wrong with it, and never over what others wrote.
import { useState } from 'hono/jsx/dom'
import { ConfirmButton } from '../confirm-button.tsx'
import { Heading } from '../heading.tsx'
import { rowsTold } from '../refresh.ts'
import { isSame } from '../row-changes.ts'
import { readRow, textOfRow, type RowPlace } from '../row-draft.ts'
import { RowReferences } from '../row-links.tsx'
import { idFieldOf } from '../row-references.ts'
import { messageOf, useCanChange, useEvents, useLink, useSession } from '../session.ts'
import { Refused } from '../source.ts'
import { RowEditor } from './row-editor.tsx'
import { useEffect } from '../use-effect.ts'

/** @param id undefined for what is one document. */
export function RowView({ collection, id }: { collection: string; id?: string }) {
  const { source, route } = useSession()
  const link = useLink()
  const canChange = useCanChange()
  const path = `/state/${[collection, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/')}`
  const place: RowPlace = { source, path, workspace: route.workspace }
  /** What was read; its row is undefined where there is none. */
  const [read, setRead] = useState<{ row: object | undefined } | undefined>(undefined)
  const [problem, setProblem] = useState('')
  const [isOld, setOld] = useState(false)
  const load = (): Promise<void> =>
    readRow(place).then(
      (row) => {
        setOld(false)
        setProblem('')
        return setRead({ row })
      },
      (error: unknown) => setProblem(messageOf(error)),
    )
  useEffect(() => void load(), [path, route.workspace])
  // Somebody may be writing, so what is shown stays; whether it is another one now is looked at.
  useEvents(
    (event) => {
      const told = rowsTold(event)
      const isTold =
        told === undefined ||
        told.some((row) => row.collection === collection && row.id === (id ?? collection))
      if (isTold && read)
        void readRow(place).then(
          (now) => setOld(!isSame(now, read.row)),
          () => undefined,
        )
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
          This row has changed since it was opened.{' '}
          <button type="button" onClick={() => void load()}>
            Show it as it is now
          </button>
        </p>
      ) : null}
      {!read ? null : canChange ? (
        <RowEditor
          place={place}
          name={name}
          opened={read.row}
          blank={id === undefined ? {} : { [idFieldOf(collection)]: id }}
          onSaved={(row) => {
            setOld(false)
            setRead({ row })
          }}
        />
      ) : read.row ? (
        <pre tabindex={0}>{textOfRow(read.row)}</pre>
      ) : (
        <p class="notice">There is no such row.</p>
      )}
      {canChange && id !== undefined && read?.row ? (
        <DeleteRow place={place} collection={collection} id={id} />
      ) : null}
      <RowReferences collection={collection} row={read?.row} />
    </>
  )
}

function DeleteRow({ place, collection, id }: { place: RowPlace; collection: string; id: string }) {
  const { source, path, workspace } = place
  const { say } = useSession()
  const link = useLink()
  /** Why it cannot go, such as the rows that name it. */
  const [reasons, setReasons] = useState<readonly string[]>([])
  const remove = async (): Promise<void> => {
    try {
      await source.ask('DELETE', path, { workspace })
      say(`Deleted ${id}.`)
      location.hash = link('state', [collection])
    } catch (error) {
      const details = error instanceof Refused ? error.details : []
      setReasons(details.length > 0 ? details.map(({ message }) => message) : [messageOf(error)])
      say(`${id} cannot be deleted.`)
    }
  }
  return (
    <>
      <ConfirmButton name="Delete" question={`Delete ${id}?`} onConfirm={() => void remove()} />
      {reasons.map((reason) => (
        <p key={reason} class="problem">
          {reason}
        </p>
      ))}
    </>
  )
}
