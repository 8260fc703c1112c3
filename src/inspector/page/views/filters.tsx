// The filters of a list of requests: fields whose values are part of the address.
import type { Child } from 'hono/jsx'
import { linkTo } from '../route.ts'
import { useSession } from '../session.ts'

/** Sets a filter of the address, or removes it with an empty value. */
export function useFilter(): (name: string, value: string) => void {
  const { route } = useSession()
  return (name, value) => {
    // Typing adds nothing to the browser's history.
    history.replaceState(null, '', linkTo({ ...route, query: { ...route.query, [name]: value } }))
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

/** The form around the filters, with the two that every list of requests has. */
export function Filters({ text, test, children }: { text: string; test: string; children: Child }) {
  const filter = useFilter()
  return (
    <form
      class="filters"
      role="search"
      aria-label="Requests"
      onSubmit={(event: Event) => event.preventDefault()}
    >
      <label>
        Filter
        <input
          type="search"
          data-key="/"
          placeholder="path, id, body …"
          value={text}
          onInput={(event: Event) => filter('text', valueOf(event))}
        />
      </label>
      <label>
        Test
        <input
          type="search"
          placeholder="name or file"
          value={test}
          onInput={(event: Event) => filter('test', valueOf(event))}
        />
      </label>
      {children}
    </form>
  )
}

/** One of several values, or all. @param by the name in the address. */
export function Choice({
  name,
  by,
  value,
  of,
}: {
  name: string
  by: string
  value: string
  of: readonly string[]
}) {
  const filter = useFilter()
  return (
    <label>
      {name}
      <select onChange={(event: Event) => filter(by, valueOf(event))}>
        {['', ...new Set(of)].map((each) => (
          <option key={each} value={each} selected={each === value}>
            {each === '' ? 'all' : each}
          </option>
        ))}
      </select>
    </label>
  )
}

const valueOf = ({ target }: Event): string => (target as HTMLInputElement | HTMLSelectElement).value
