// Watches files and folders with chokidar, which sees edits that replace a file; what changes together is one batch.
import { once } from 'node:events'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { watch } from 'chokidar'
import { untilAborted, wait } from '../../runtime/wait.ts'
import { isDocumentName } from '../../input/document-files.ts'

/**
 * How long nothing may have happened before files are read. An edit is often several writes, and chokidar passes over
 * what follows a change within 50 ms and a deletion within 100 ms.
 */
const quietMs = 120

/** What `watchFiles` needs to know beside the paths. */
export interface WatchOptions {
  /** The working directory. */
  cwd: string
  /** Ends the watch. */
  signal: AbortSignal
  /** Told, once, when the system cannot watch everything; with its error code. */
  onTrouble(code: string): void
}

/**
 * Watches state documents and scenarios, named or in folders. Every change after this has resolved counts, also one
 * before anybody asks; what changes together is handed out together. Ends with the signal.
 *
 * @param paths absolute. Whether one is a file, a folder or nothing at all may change meanwhile.
 * @example
 * for await (const files of await watchFiles(['/data/rows.yaml'], options)) await sandbox.reload()
 */
export async function watchFiles(
  paths: readonly string[],
  { cwd, signal, onTrouble }: WatchOptions,
): Promise<AsyncIterable<string[]>> {
  const given = paths.map((path) => resolve(path))
  const isLoaded = (path: string): boolean =>
    given.some((named) => path === named || (dirname(path) === named && isDocumentName(path)))
  const leadsToGiven = (path: string): boolean => given.some((named) => isWithin(path, named))
  // Editors replace a file, and a checkout takes a folder away and brings it back: who watches only what is replaced
  // sees nothing of what comes after it.
  const roots = new Set(given.map((path) => (isWithin(cwd, path) ? cwd : dirname(path))))
  const watcher = watch([...roots], {
    ignoreInitial: true,
    ignored: (path) => !isLoaded(resolve(path)) && !leadsToGiven(resolve(path)),
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
      // Rejects with the signal, and with an error, which onTrouble is told of.
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

/** Whether a path is this folder, or anything below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}
