// Links to rows: one, and those that a row names.
import { referencesIn } from './row-references.ts'
import { useLink } from './session.ts'

export function RowLink({ collection, id }: { collection: string; id: string }) {
  return <a href={useLink()('state', [collection, id])}>{id}</a>
}

/** The rows that a row names. */
export function RowReferences({ collection, row }: { collection: string; row: unknown }) {
  const found = referencesIn(collection, row)
  if (found.length === 0) return null
  return (
    <>
      <h2>References</h2>
      <dl class="pairs">
        {found.map(({ field, collection: target, id }) => (
          <div key={`${target} ${id}`}>
            <dt>{field}</dt>
            <dd>
              <RowLink collection={target} id={id} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
