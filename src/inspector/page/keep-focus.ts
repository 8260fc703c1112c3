// Keeps the focus on the page: if the focused element is removed, the heading of the view gets the focus.
import { useEffect } from './use-effect.ts'

/** How long another element may take to request the focus (ms). */
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
      // The last heading is that of the open request, if any.
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
