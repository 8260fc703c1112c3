import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemFiles, type OpenFile } from '../../src/storage/files/files.ts'

/** One step that saving takes, such as `fsync data.json.tmp`; unfinished files are all called `.tmp`. */
export type Step = `${string} ${string}`

/** The outcome of a step: undefined lets it happen, a code makes it fail; a promise delays it until it is resolved. */
export type Verdict = string | undefined | Promise<string | undefined>

/** The file system as it is watched by a test. */
export interface Disk {
  /** A folder that is gone after the test. */
  folder: string
  /** A path in it. */
  path(name: string): string
  /** Everything that was done so far to files of the folder, in order. */
  steps: Step[]
  /** Decides about each step before it happens. */
  judge: (step: Step) => Verdict
}

/** An error as the file system gives it. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}

/** Those of tests that still run. */
const disks = new Set<Disk>()

/** A folder, and the power to have any step of saving to it fail, until the test is over. */
export async function watchDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-disk-'))
  const disk: Disk = { folder, path: (name) => join(folder, name), steps: [], judge: () => undefined }
  if (disks.size === 0) watchFiles()
  disks.add(disk)
  onTestFinished(async () => {
    disks.delete(disk)
    if (disks.size === 0) stopWatching()
    await rm(folder, { recursive: true, force: true })
  })
  return disk
}

let stopWatching = (): void => undefined

/** Has every step in a folder of a test be noted, and judged. */
function watchFiles(): void {
  const { open, rename, link, unlink, copyFile, readFile } = systemFiles
  const real = { open, rename, link, unlink, copyFile, readFile }
  stopWatching = () => void Object.assign(systemFiles, real)
  /** Open files get the new name. */
  const renamed = new Map<string, string>()
  const watched = (file: OpenFile, path: string): OpenFile => {
    const step =
      <A extends unknown[], R>(syscall: string, work: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        await take(syscall, renamed.get(path) ?? path)
        return work(...args)
      }
    // No test turns off the power, so that the order of syncs counts, and not their effect.
    const sync = async (): Promise<void> => undefined
    return {
      writeFile: step('write', file.writeFile.bind(file)),
      sync: step('fsync', sync),
      datasync: step('fdatasync', sync),
      truncate: step('ftruncate', file.truncate.bind(file)),
      chmod: step('fchmod', file.chmod.bind(file)),
      chown: step('fchown', file.chown.bind(file)),
      stat: file.stat.bind(file),
      overwrite: step('overwrite', file.overwrite.bind(file)),
      close: file.close.bind(file),
    }
  }
  Object.assign(systemFiles, {
    open: async (path: string, flags: string, mode?: number) => {
      await take('open', path)
      const file = await real.open(path, flags, mode)
      return diskOf(path) ? watched(file, path) : file
    },
    rename: async (from: string, to: string) => {
      await take('rename', to)
      await real.rename(from, to)
      renamed.set(from, to)
    },
    link: async (from: string, to: string) => {
      await take('link', to)
      return real.link(from, to)
    },
    unlink: async (path: string) => {
      await take('unlink', path)
      return real.unlink(path)
    },
    copyFile: async (from: string, to: string) => {
      await take('copy', to)
      return real.copyFile(from, to)
    },
    readFile: async (path: string) => {
      await take('read', path)
      return real.readFile(path)
    },
  } satisfies Partial<typeof systemFiles>)
}

function diskOf(path: string): Disk | undefined {
  for (const disk of disks) if (path.startsWith(disk.folder)) return disk
  return undefined
}

async function take(syscall: string, path: string): Promise<void> {
  const disk = diskOf(path)
  if (!disk) return
  const name = path === disk.folder ? '.' : basename(path).replace(/\.[0-9a-f]+\.\d+\.tmp$/, '.tmp')
  const step: Step = `${syscall} ${name}`
  // Every so often a lock is renewed: a matter of the real time that a test takes, and of no step of saving.
  if (!/^overwrite .*\.lock$/.test(step)) disk.steps.push(step)
  const code = await disk.judge(step)
  if (code !== undefined) throw systemError(code, syscall)
}

/** Something that is held back until a test lets it happen. */
export function gate(): { opened: Promise<undefined>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined)
  })
  return { opened, open }
}
