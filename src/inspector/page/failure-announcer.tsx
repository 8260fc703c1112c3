// Tells those who listen of calls that failed since the page was opened, and of no others.
import { useState } from 'hono/jsx/dom'
import { failureText } from './failure-text.ts'
import { useEvents } from './session.ts'

export function FailureAnnouncer() {
  const [text, setText] = useState('')
  useEvents((event) => {
    if (event.kind === 'reset') setText('')
    if (event.kind === 'requests') setText((before) => failureText(event.requests) || before)
  }, [])
  return (
    <p class="unseen" role="log" aria-label="Failed calls">
      {text}
    </p>
  )
}
