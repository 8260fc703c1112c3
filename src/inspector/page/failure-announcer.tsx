// Tells those who listen of calls that failed since the page was opened, and of no others.
import { useState } from 'hono/jsx/dom'
import { failureText } from './failure-text.ts'
import { useEvents } from './session.ts'

export function FailureAnnouncer() {
  /** The newest failure: a new element each time, so that screen readers repeat an equal text. */
  const [last, setLast] = useState({ number: 0, text: '' })
  useEvents((event) => {
    if (event.kind === 'reset') setLast(({ number }) => ({ number, text: '' }))
    if (event.kind !== 'requests') return
    const text = failureText(event.requests)
    if (text !== '') setLast(({ number }) => ({ number: number + 1, text }))
  }, [])
  return (
    <div class="unseen" role="log" aria-label="Failed calls">
      <p key={last.number}>{last.text}</p>
    </div>
  )
}
