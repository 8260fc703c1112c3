// Watches files and folders with chokidar, which handles edits that replace a file; concurrent changes are one batch.
import { once } from 'node:events'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { watch } from 'chokidar'
import { untilAborted, wait } from '../../runtime/wait.ts'
import { isDocumentName } from '../../input/document-files.ts'

/**
 * Quiet time before files are read (ms). An edit is often several writes, and chokidar ignores changes within 50 ms of
 * a change and 100 ms of a deletion.
 */
const quietMs = 120

/** The options of `watchFiles` in addition to the paths. */
export interface WatchOptions {
  /** The working directory. */
  cwd: string
  /** Ends the watch. */
  signal: AbortSignal
  /** Called once with the error code if the system cannot watch everything. */
  onTrouble(code: string): void
}

/**
 * Watches state documents and scenarios, by name or in folders. Every change after this resolves is reported, even
 * before the first iteration; concurrent changes are reported together. Ends with the signal.
 *
 * @param paths absolute. Whether each is a file, a folder or missing may change meanwhile.
 * @example
 * for await (const files of await watchFiles(['/data/rows.yaml'], options)) await sandbox.reload()
 */
export async function watchFiles(
  paths: readonly string[],
  { cwd, signal, onTrouble }: WatchOptions,
): Promise<AsyncIterable<string[]>> {
  const watchedPaths = paths.map((path) => resolve(path))
  const isLoaded = (path: string): boolean =>
    watchedPaths.some((named) => path === named || (dirname(path) === named && isDocumentName(path)))
  const leadsToWatched = (path: string): boolean => watchedPaths.some((named) => isWithin(path, named))
  // Editors replace a file, and a checkout deletes a folder and creates it again: a watch on the replaced file or
  // folder itself would miss all later changes.
  const roots = new Set(watchedPaths.map((path) => (isWithin(cwd, path) ? cwd : dirname(path))))
  const watcher = watch([...roots], {
    ignoreInitial: true,
    ignored: (path) => !isLoaded(resolve(path)) && !leadsToWatched(resolve(path)),
  })
  void untilAborted(signal).then(() => watcher.close())

  const changed = new Set<string>()
  let changes = 0
  watcher.on('all', (_event, path) => {
    if (!isLoaded(path)) return
    changed.add(path)
    changes += 1
  })
  let isInTrouble = false
  watcher.on('error', (error) => {
    if (!isInTrouble) onTrouble(error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
    isInTrouble = true
  })
  await Promise.race([new Promise((ready) => watcher.once('ready', () => ready(true))), untilAborted(signal)])
  return batches()

  async function* batches(): AsyncGenerator<string[]> {
    while (!signal.aborted) {
      // Rejects with the signal, and with an error, which is reported to onTrouble.
      if (changed.size === 0) await once(watcher, 'all', { signal }).catch(() => undefined)
      for (let before = -1; before !== changes;) {
        before = changes
        await wait(quietMs, signal)
      }
      if (signal.aborted || changed.size === 0) continue
      const files = [...changed].toSorted()
      changed.clear()
      yield files
    }
  }
}

/** Whether a path is this folder, or is inside it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}
