// The keys that the page knows, and the dialog that lists them.
import { useRef } from 'hono/jsx/dom'
import { useEffect } from './use-effect.ts'

const keys: readonly (readonly [string, string])[] = [
  ['/', 'filters'],
  ['j, k', 'the next, the one before'],
  ['Enter', 'opens'],
  ['r', 'replays the request that is open'],
  ['?', 'shows the keys'],
]

/** What a key does where nobody types; elements say which key is theirs by `data-key`. */
export function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      if (event.key === '?') onHelp()
      else if (event.key === 'j' || event.key === 'k') {
        dispatchEvent(new CustomEvent('move', { detail: event.key === 'j' ? 1 : -1 }))
      } else {
        const target = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key)}"]`)
        if (!target) return
        if (target instanceof HTMLInputElement) target.focus()
        else target.click()
      }
      event.preventDefault()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="pairs">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
