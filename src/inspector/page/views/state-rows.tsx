// The rows of a collection by page, and those whose id begins with a text.
import { useState } from 'hono/jsx/dom'
import { Heading } from '../heading.tsx'
import { columnsOf, idOf } from '../row-columns.ts'
import { rowsReported, useAgainOn } from '../refresh.ts'
import { linkTo } from '../route.ts'
import { RowLink } from '../row-links.tsx'
import { idFieldOf, targetOf } from '../row-references.ts'
import { useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { ScrollingTable } from '../scrolling-table.tsx'

/** How many rows a page has. */
const pageSize = 50

export function Rows({ collection }: { collection: string }) {
  const { route } = useSession()
  const link = useLink()
  const canChange = useCanChange()
  const { after = '', id_prefix: prefix = '' } = route.query
  /** After which ids the pages begin that were shown. */
  const [starts, setStarts] = useState<readonly string[]>([''])
  const [isOld, setOld] = useState(false)
  // One row more than is shown: it shows whether there is a next page.
  const query = { limit: pageSize + 1, after, id_prefix: prefix }
  const { value, problem, again } = useAnswer<Record<string, object[]>>(
    `/state/${encodeURIComponent(collection)}`,
    query,
  )
  useAgainOn(
    (event) => {
      const reported = rowsReported(event)
      return reported === undefined || reported.some((row) => row.collection === collection)
    },
    () => setOld(true),
    [collection],
  )
  const all = value?.[collection] ?? []
  const rows = all.slice(0, pageSize)
  const last = rows.at(-1)
  const go = (to: string): void => {
    setOld(false)
    location.hash = linkTo({ ...route, query: { id_prefix: prefix, after: to } })
  }
  return (
    <>
      <p>
        <a href={link('state')}>State</a>
      </p>
      <Heading>{collection}</Heading>
      <Search
        prefix={prefix}
        onChange={(id_prefix) => {
          setStarts([''])
          // Typing adds nothing to the browser's history.
          history.replaceState(null, '', linkTo({ ...route, query: { id_prefix } }))
          dispatchEvent(new HashChangeEvent('hashchange'))
        }}
      />
      {isOld ? (
        <p class="notice">
          Rows of this collection have changed.{' '}
          <button
            type="button"
            onClick={() => {
              setOld(false)
              again()
            }}
          >
            Show them
          </button>
        </p>
      ) : null}
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value && rows.length === 0 ? (
        <p class="faint">{prefix + after === '' ? 'No rows.' : 'No rows here that fit.'}</p>
      ) : null}
      {rows.length === 0 ? null : <RowTable collection={collection} rows={rows} />}
      {value && after === '' && all.length <= pageSize ? null : (
        <div class="bar pages">
          <button
            type="button"
            disabled={after === ''}
            onClick={() => go(starts[starts.indexOf(after) - 1] ?? '')}
          >
            Previous
          </button>
          <button
            type="button"
            disabled={all.length <= pageSize || !last}
            onClick={() => {
              const next = last ? idOf(collection, last) : ''
              setStarts([...starts.slice(0, starts.indexOf(after) + 1), next])
              go(next)
            }}
          >
            Next
          </button>
        </div>
      )}
      {canChange ? <AddRow collection={collection} /> : null}
    </>
  )
}

function Search({ prefix, onChange }: { prefix: string; onChange: (prefix: string) => void }) {
  return (
    <form class="bar" role="search" aria-label="Rows" onSubmit={(event: Event) => event.preventDefault()}>
      <label>
        Id begins with
        <input
          type="search"
          data-key="/"
          value={prefix}
          autocomplete="off"
          onInput={(event: Event) => onChange((event.target as HTMLInputElement).value)}
        />
      </label>
    </form>
  )
}

function RowTable({ collection, rows }: { collection: string; rows: readonly object[] }) {
  const columns = columnsOf(collection, rows)
  return (
    <ScrollingTable name={`Rows of ${collection}`} columns={[idFieldOf(collection), ...columns]} class="rows">
      {rows.map((row) => {
        const id = idOf(collection, row)
        const fields = new Map<string, unknown>(Object.entries(row))
        return (
          <tr key={id}>
            <th scope="row">
              <RowLink collection={collection} id={id} />
            </th>
            {columns.map((name) => (
              <td key={name}>
                <Cell target={targetOf(collection, name)} value={fields.get(name)} />
              </td>
            ))}
          </tr>
        )
      })}
    </ScrollingTable>
  )
}

function Cell({ target, value }: { target: string | undefined; value: unknown }) {
  if (target !== undefined && typeof value === 'string') return <RowLink collection={target} id={value} />
  return <>{value === undefined ? '' : String(value)}</>
}

/** Leads to the row of an id, where one can be written that is not there yet. */
function AddRow({ collection }: { collection: string }) {
  const link = useLink()
  const add = (event: Event): void => {
    event.preventDefault()
    const id = new FormData(event.target as HTMLFormElement).get('id')
    if (typeof id === 'string' && id !== '') location.hash = link('state', [collection, id])
  }
  return (
    <form class="bar" onSubmit={add}>
      <label>
        Id of a new row
        <input name="id" required autocomplete="off" />
      </label>
      <button>Add a row</button>
    </form>
  )
}
