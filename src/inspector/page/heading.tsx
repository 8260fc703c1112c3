// The heading of a view, which takes the focus where the element that had it is gone.
import type { Child } from 'hono/jsx'
import { useRef } from 'hono/jsx/dom'
import { useEffect } from './use-effect.ts'

const begun = { yes: false }

export function Heading({ children }: { children?: Child }) {
  const heading = useRef<HTMLElement>(null)
  useEffect(() => {
    // Who just opens the page begins at its top.
    if (begun.yes && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
    begun.yes = true
  }, [])
  return (
    <h1 ref={heading} tabindex={-1}>
      {children}
    </h1>
  )
}
