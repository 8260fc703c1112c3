// The keys that the page knows, and the dialog that lists them.
import { useRef } from 'hono/jsx/dom'
import { canOnlyRead, useSession } from './session.ts'
import { useEffect } from './use-effect.ts'

const keys: readonly (readonly [key: string, what: string, isToReplay?: true])[] = [
  ['/', 'filters'],
  ['j, k', 'the next, the one before'],
  ['Enter', 'opens a request, and goes to it'],
  ['Escape', 'closes it, and goes back to its row; leaves the filter when it is empty'],
  ['r', 'replays the request that is open', true],
  ['?', 'shows the keys'],
]

/** The action of a key outside of text fields. Elements declare their key by `data-key`. */
export function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape' && isEmptySearch(event.target)) event.target.blur()
      // A dialog that is open has the keys for itself.
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      if (event.key === '?') onHelp()
      else if (event.key === 'j' || event.key === 'k') {
        dispatchEvent(new CustomEvent('move', { detail: { by: event.key === 'j' ? 1 : -1 } }))
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

function isEmptySearch(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'search' && target.value === ''
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { source } = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const canReplay = source.isLive && !canOnlyRead()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="pairs">
        {keys
          .filter(([, , isToReplay]) => canReplay || !isToReplay)
          .map(([key, what]) => (
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
