// Counts open calls and streams of a workspace, and its last access in real time, whatever its clock shows.
import { monotonicNow } from '../runtime/host.ts'

/** The counters of a workspace. */
interface Used {
  uses: number
  usedAt: number
}

/** A call, a stream or an operation begins. Each ends once: a workspace in use is neither closed nor evicted. */
export function beginUse(workspace: Used): void {
  workspace.uses += 1
}

/** From then on it is idle, unless it has other uses. @param at in monotonic time (ms). */
export function endUse(workspace: Used, at: number): void {
  workspace.uses -= 1
  workspace.usedAt = at
}

/** A caller gets a reference to it and is about to use it. */
export function touch(workspace: Used): void {
  workspace.usedAt = monotonicNow()
}

/** Begins a use. @returns a function that ends it; later calls of it do nothing. */
export function useOf(workspace: Used): () => void {
  let isOpen = true
  beginUse(workspace)
  return () => {
    if (isOpen) endUse(workspace, monotonicNow())
    isOpen = false
  }
}
