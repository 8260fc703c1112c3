// The heading of a view; it can take the focus.
import type { Child } from 'hono/jsx'

export function Heading({ children }: { children?: Child }) {
  return <h1 tabindex={-1}>{children}</h1>
}
