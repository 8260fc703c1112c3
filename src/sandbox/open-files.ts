// Opens the data file or the folder of data of a sandbox (`--data`), and says why it cannot be used.
import { resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { DocumentError } from '../input/problems.ts'
import { defaultSeed } from '../options/index.ts'
import { hostName, processIdentity, processNamespace, shownPath, systemHost } from '../runtime/host.ts'
import { readDocument } from '../storage/core/read-document.ts'
import { openFiles, WrongKindError } from '../storage/files/index.ts'
import { isFinal, LostLockError, whyNotSaved } from '../storage/files/files.ts'
import { UncertainWriteError } from '../storage/files/file-context.ts'
import { LockedError } from '../storage/files/lock.ts'
import { defaultWorkspace } from '../workspaces/names.ts'
import { DamagedError } from '../workspaces/storage.ts'
import { NotSavedError } from '../workspaces/saver.ts'
import { MismatchError } from '../storage/core/persisted-owners.ts'
import type { OpenedStorage, StorageOptions } from './opened-storage.ts'

/** A log is replaced by a checkpoint when it is larger, and larger than the checkpoint (bytes). */
const minLogBytes = 1024 * 1024

/**
 * Opens the data, and reads workspace `default`, whose seed decides all generated values.
 * @throws {DocumentError} if it is in use, damaged or cannot be reached; all files are unchanged.
 */
export async function openData(
  data: string,
  isFolder: boolean,
  {
    assumptions,
    seed,
    events,
    listener,
    testHooks,
  }: StorageOptions & { assumptions: Assumptions; seed: number | undefined },
): Promise<OpenedStorage> {
  const { cwd, pid } = systemHost()
  const path = resolve(cwd, data)
  const name = shownPath(path, cwd)
  const shown = (workspace: string): string =>
    isFolder ? `${name.replace(/\/$/, '')}/${workspace}.json` : name
  const explain = (error: unknown): unknown => unusable(error, name)
  try {
    const storage = await openFiles({
      path,
      isFolder,
      name,
      processes: { pid, mark: processIdentity, namespace: processNamespace(), host: hostName() },
      events: listener,
      signal: events.signal,
      ...testHooks,
    })
    try {
      const { checkpoint, deltas } = await storage.open(defaultWorkspace, '{}')
      const home =
        checkpoint &&
        (await readDocument({ checkpoint, deltas }, shown(defaultWorkspace), {
          assumptions,
          seed: seed ?? defaultSeed,
          ...(events.signal ? { signal: events.signal } : {}),
        }))
      if (home?.part?.isolation && !isFolder) throw ofPartner(name, home.part.isolation.of)
      return {
        storage,
        name,
        home,
        isShared: false,
        persists: (workspace) => isFolder || workspace === defaultWorkspace,
        shown,
        minLogBytes: testHooks?.minLogBytes ?? minLogBytes,
        reasonOf: reasonOf,
        isFinal: (error) => isFinal(error) || error instanceof UncertainWriteError,
        explain,
        lost: (error) => lost(name, error),
      }
    } catch (error) {
      await storage.close()
      throw error
    }
  } catch (error) {
    throw explain(error)
  }
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof UncertainWriteError
    ? `${error.message}: ${reasonOf(error.cause) ?? 'for an unknown reason'}`
    : whyNotSaved(error)
}

function ofPartner(name: string, of: string): DocumentError {
  const message = `belongs to partner '${of}': start its folder with --isolation partner, or look at a copy of it with --fixtures`
  return new DocumentError([{ source: name, path: '', message }])
}

/** Returns the message of a failure for the user who named the data. */
function unusable(error: unknown, name: string): unknown {
  const problem = (message: string): DocumentError => new DocumentError([{ source: name, path: '', message }])
  if (error instanceof WrongKindError) {
    return problem(
      error.isFolder
        ? 'is a file and no folder; remove the trailing slash, or name a folder with --data and copy the file there as default.json'
        : 'is no file; name one with --data',
    )
  }
  if (error instanceof LockedError) {
    const who = error.isThisProcess ? 'this process' : error.who
    return problem(`is in use by another sandbox (${who}); stop it, or give each its own file with --data`)
  }
  if (error instanceof DamagedError || error instanceof MismatchError) return problem(error.message)
  if (error instanceof NotSavedError) return problem(error.message)
  const reason = reasonOf(error)
  if (reason === undefined) return error
  return problem(`cannot be used: ${reason}; correct that, or name another file with --data`)
}

/** The error when nothing can be persisted any more. */
function lost(name: string, error: Error): NotSavedError {
  const next =
    error instanceof LostLockError
      ? 'stop one of the two, or give each its own file with --data'
      : 'start again when the disk works'
  const reason = reasonOf(error) ?? error.message
  return new NotSavedError(
    `${name} cannot be written any more: ${reason}. It has every acknowledged change; ${next}.`,
    'not made',
    name,
  )
}
