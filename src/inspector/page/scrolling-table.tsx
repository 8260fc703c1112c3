// A table that scrolls by itself where the page is too narrow for it.
import type { Child } from 'hono/jsx'

interface Props {
  /** Its name for screen readers. */
  name: string
  columns: readonly string[]
  /** Those of `columns` that have numbers. */
  numbers?: readonly string[]
  /** `rows` cuts long texts; `is-stacked` puts the cells of a row below each other on a narrow page. */
  class?: string
  /** The rows. */
  children: Child
}

export function ScrollingTable({ name, columns, numbers = [], class: own = '', children }: Props) {
  return (
    <div class={`scrolls ${own}`.trim()} tabindex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={numbers.includes(column) ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
