// Persists the workspaces of a sandbox, where the options name a data file or a folder.
import type { Service } from '../http/service.ts'
import type { Settings } from '../options/index.ts'
import type { DataFolder } from '../storage/file/data-folder.ts'
import type { OpenData } from '../storage/file/open-data.ts'
import type { OpenFolder } from '../storage/file/open-folder.ts'
import { systemHost } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import type { NotSavedError } from '../workspaces/keeper.ts'
import type { SandboxEvents } from './events.ts'

interface Persisted {
  /** Saves what is written; undefined in memory. */
  keeper?: Pick<DataFolder, 'isWell' | 'close'>
  /** The folder, where it is one. */
  folder?: DataFolder
}

/** @param close closes the sandbox, when nothing can be saved any more. */
export async function persist(
  data: OpenData | OpenFolder | undefined,
  service: Service,
  settings: Settings,
  events: SandboxEvents,
  close: () => void,
): Promise<Persisted> {
  if (!data) return {}
  const { workspaces, closing } = service
  let isLost = false
  const how = {
    seed: workspaces.default.seed,
    clock: { now: systemHost().now, asked: settings },
    pause: (milliseconds: number, ...signals: readonly AbortSignal[]) =>
      wait(milliseconds, closing, ...signals),
    signal: events.signal,
    onProblem: (line: string) => events.onProblem?.(line),
    onBug: (error: unknown) => service.onBug(error, 'none'),
    onLost: (error: NotSavedError) => {
      // Each file of a folder is lost.
      if (isLost) return
      isLost = true
      events.onLost?.(error)
      close()
    },
  }
  if ('keep' in data) return { keeper: await data.keep(workspaces.default, how) }
  const folder = await data.keepAll(workspaces, how)
  service.folder = folder
  return { keeper: folder, folder }
}
