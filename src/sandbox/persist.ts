// Persists the workspaces of a sandbox in a data file or a folder.
import type { OpenData } from '../storage/file/open-data.ts'
import type { OpenFolder } from '../storage/file/open-folder.ts'
import { systemHost } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import type { NotSavedError } from '../workspaces/saver.ts'
import type { Storage } from '../workspaces/storage.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Settings } from '../options/index.ts'
import type { SandboxEvents } from './events.ts'

interface PersistOptions {
  settings: Settings
  events: SandboxEvents
  /** Aborted when the sandbox closes. */
  closing: AbortSignal
  /** Called when nothing can be saved any more. */
  onLost: () => void
}

export async function persist(
  data: OpenData | OpenFolder,
  workspaces: Workspaces,
  { settings, events, closing, onLost }: PersistOptions,
): Promise<Storage> {
  let isLost = false
  return data.persistAll(workspaces, {
    seed: workspaces.default.seed,
    clock: { now: systemHost().now, requested: settings },
    pause: (milliseconds, ...signals) => wait(milliseconds, closing, ...signals),
    signal: events.signal,
    onProblem: (line: string) => events.onProblem?.(line),
    onBug: (error: unknown) => events.onBug?.(error, 'none'),
    onLost: (error: NotSavedError) => {
      // Every file of a folder reports the loss: only the first report counts.
      if (isLost) return
      isLost = true
      events.onLost?.(error)
      onLost()
    },
  })
}
