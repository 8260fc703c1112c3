// The rows of a workspace: collections, pages, one row as JSON, snapshots.
import { isCollection } from '../row-references.ts'
import { useSession } from '../session.ts'
import { Collections } from './state-collections.tsx'
import { RowView } from './state-row.tsx'
import { Rows } from './state-rows.tsx'

/** Names that hold one document instead of rows. */
const single: readonly string[] = ['account', 'stubs']

export function StateView() {
  const [collection, id] = useSession().route.parts
  if (collection === undefined || collection === '') return <Collections />
  if (single.includes(collection)) return <RowView key={collection} collection={collection} />
  if (id === undefined || id === '' || !isCollection(collection))
    return <Rows key={collection} collection={collection} />
  return <RowView key={`${collection}/${id}`} collection={collection} id={id} />
}
