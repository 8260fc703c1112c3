// Effects that begin once and end for certain. Those of hono/jsx/dom wait for the next frame: one of an element that is
// drawn again before that begins twice, of which one never ends, and one of an element that is gone by then never ends.
import { useLayoutEffect, useRef, useEffect as useFrameEffect } from 'hono/jsx/dom'

/** As `useEffect` of hono/jsx/dom; nothing of the page takes that one. */
export function useEffect(effect: () => void | (() => void), deps?: readonly unknown[]): void {
  const current = useRef<Run | null>(null)
  const run: Run = { hasBegun: false, end: undefined }
  // At once, unlike the other one: which of the runs that wait for a frame is to begin, if any.
  useLayoutEffect(() => {
    current.current = run
    return () => {
      if (current.current === run) current.current = null
    }
  }, deps)
  useFrameEffect(() => {
    if (current.current !== run) return undefined
    if (!run.hasBegun) {
      run.hasBegun = true
      run.end = effect()
    }
    return run.end ?? undefined
  }, deps)
}

/** One run of an effect. */
interface Run {
  hasBegun: boolean
  end: void | (() => void)
}
