// The table of changed fields: each before and after.
import { stringify } from '../../json/stringify.ts'
import type { FieldChanges } from './row-changes.ts'
import { ScrollingTable } from './scrolling-table.tsx'

export function FieldChangesTable({ name, fields }: { name: string; fields: FieldChanges }) {
  return (
    <ScrollingTable name={name} columns={['Field', 'Before', 'After']}>
      {Object.entries(fields).map(([field, change]) => (
        <tr key={field}>
          <th scope="row">{field}</th>
          <td>
            <Shown is={'before' in change} value={change.before} />
          </td>
          <td>
            <Shown is={'after' in change} value={change.after} />
          </td>
        </tr>
      ))}
    </ScrollingTable>
  )
}

function Shown({ is, value }: { is: boolean; value: unknown }) {
  return is ? <code class="json">{stringify(value, 2)}</code> : <span class="faint">not there</span>
}
