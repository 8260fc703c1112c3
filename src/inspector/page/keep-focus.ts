// Keeps the focus on the page: where the element that had it is gone, the heading of what is shown takes it.
import { useEffect } from './use-effect.ts'

/** How long an element that knows better may take to ask for the focus (ms). */
const grace = 100

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : null
    }
    const look = (): void => {
      if (last === null || document.activeElement !== document.body || last.checkVisibility()) return
      // The heading of an open request comes after that of the list.
      ;[...document.querySelectorAll<HTMLElement>('main h1')].at(-1)?.focus({ preventScroll: true })
    }
    const changed = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(look, grace)
    })
    addEventListener('focusin', remember)
    changed.observe(document.body, { childList: true, subtree: true })
    return () => {
      removeEventListener('focusin', remember)
      changed.disconnect()
      clearTimeout(timer)
    }
  }, [])
}
