// The rows that a request changed, field by field before and after.
import type { EntryChange } from '../../../journal/entry.ts'
import { fieldDifferences } from '../field-differences.ts'
import { useLink } from '../session.ts'
import { ScrollingTable } from '../scrolling-table.tsx'

export function Changes({ changes }: { changes: readonly EntryChange[] }) {
  return (
    <div>
      <h2>Rows changed</h2>
      {changes.length === 0 ? <p>It changed no row.</p> : null}
      {changes.map((change) => (
        <Change key={`${change.collection} ${change.id}`} change={change} />
      ))}
    </div>
  )
}

function Change({ change: { collection, id, before, after } }: { change: EntryChange }) {
  const link = useLink()
  const fields = fieldDifferences(before, after)
  const changed = fields.filter(({ isChanged }) => isChanged)
  const same = fields.length - changed.length
  return (
    <div>
      <h3>
        {kindOf(before, after)} <a href={link('state', [collection, id])}>{`${collection} ${id}`}</a>
      </h3>
      <ScrollingTable name={`Fields of ${id}`} columns={['Field', 'Before', 'After']}>
        {changed.map(({ field, before: was, after: is }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <Value of={was} />
            <Value of={is} />
          </tr>
        ))}
      </ScrollingTable>
      {same === 0 ? null : <p class="faint">{same === 1 ? '1 field' : `${same} fields`} as before.</p>}
    </div>
  )
}

function Value({ of }: { of: string | undefined }) {
  if (of === undefined) return <td class="faint">none</td>
  return (
    <td>
      <code>{of}</code>
    </td>
  )
}

function kindOf(before: object | undefined, after: object | undefined): string {
  if (!before) return 'Created'
  return after ? 'Changed' : 'Deleted'
}
