// Uses of a workspace: how many calls and streams are open in it, and since when it is idle; real time, never its clock.
import { monotonicNow } from '../runtime/host.ts'

/** As much of a workspace as its uses are counted in. */
interface Used {
  uses: number
  usedAt: number
}

/** A call, a stream or a verb begins. Each is ended once: a workspace that is in use is neither closed nor forgotten. */
export function beginUse(workspace: Used): void {
  workspace.uses += 1
}

/** From then on it is idle, unless there are other uses. @param at in the machine's own time (ms). */
export function endUse(workspace: Used, at: number): void {
  workspace.uses -= 1
  workspace.usedAt = at
}

/** Somebody gets hold of it, who is about to use it. */
export function noteUse(workspace: Used): void {
  workspace.usedAt = monotonicNow()
}

/** Begins a use. @returns ends it; asked again, it does nothing. */
export function useOf(workspace: Used): () => void {
  let isOpen = true
  beginUse(workspace)
  return () => {
    if (isOpen) endUse(workspace, monotonicNow())
    isOpen = false
  }
}
