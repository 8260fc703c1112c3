// A button that asks for confirmation in the page before an action that cannot be undone.
import { useRef, useState } from 'hono/jsx/dom'
import { useEffect } from './use-effect.ts'

interface Props {
  /** The label of the button, such as `Delete`. */
  name: string
  /** The question, such as `Delete the snapshot “before”?`. */
  question: string
  onConfirm: () => void
}

export function ConfirmButton({ name, question, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false)
  const wasAsking = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  // The focus moves to the question, and back afterwards.
  useEffect(() => {
    if (isAsking) cancel.current?.focus()
    else if (wasAsking.current) button.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])
  if (!isAsking) {
    return (
      <button key="ask" ref={button} type="button" class="danger" onClick={() => setAsking(true)}>
        {name}
      </button>
    )
  }
  return (
    <span key="answer" class="confirm" role="group" aria-label={question}>
      {question}{' '}
      <button
        type="button"
        class="danger"
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
      >
        {name}
      </button>{' '}
      <button ref={cancel} type="button" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  )
}
