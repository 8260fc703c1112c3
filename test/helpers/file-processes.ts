import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Storage } from '../../src/workspaces/storage.ts'
import { systemFiles, type Files, type OpenFile } from '../../src/storage/files/files.ts'
import { isSystemError } from '../../src/runtime/host.ts'
import type { LockTestHooks } from '../../src/storage/files/lock.ts'
import { openFiles } from '../../src/storage/files/index.ts'
import type { TestMedium, TestProcess } from '../storage/core/storage.contract.ts'
import { systemError, type Step } from './disk.ts'
import { fakeTimes, type FakeTimes } from './lock.ts'

/**
 * Decides about a step before it happens: a code makes it fail, and a promise delays it. `half CODE` makes a write fail
 * after half of its text.
 */
export type Fault = (step: Step) => string | undefined | Promise<string | undefined>

/** A process with the file driver, and power over its file system. */
export interface FileProcess extends TestProcess {
  /** The steps that the driver has taken, without those of reading. */
  steps: Step[]
  fault: Fault
  /** Whether it crashed. */
  isDead(): boolean
  /** Lets the heartbeat of a process that was suspended run. */
  wake(): Promise<void>
  /** Ends all its work: every later step fails. @param isPowerCut whether unsynced text is lost. */
  die(isPowerCut?: boolean): Promise<void>
}

/** A disk with processes that may use it. */
export interface FileMedium extends TestMedium {
  /** The folder that has the data, and nothing else. */
  folder: string
  path(name: string): string
  start(options?: { fault?: Fault }): Promise<FileProcess>
}

const name = (path: string, folder: string): string =>
  path === folder ? '.' : basename(path).replace(/\.[0-9a-f]+\.\d+\.tmp$/, '.tmp')

/** Steps that change nothing. */
const reading = new Set([
  'readFile',
  'readEnd',
  'readStart',
  'readdir',
  'readlink',
  'realpath',
  'stat',
  'readNow',
])

/** The file system of one process. */
class ProcessFiles {
  readonly steps: Step[] = []
  fault: Fault = () => undefined
  isDead = false
  readonly #folder: string
  readonly #open = new Set<{ file: OpenFile; size: number; synced: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  get files(): Files {
    const take = async (syscall: string, path: string): Promise<void> => this.#take(syscall, path)
    const wrapped = Object.entries(systemFiles).map(([syscall, run]: [string, unknown]) => [
      syscall,
      typeof run !== 'function'
        ? run
        : async (...args: string[]) => {
            const target = syscall === 'rename' || syscall === 'link' ? args[1] : args[0]
            await take(syscall, target ?? '')
            return (run as (...rest: string[]) => unknown)(...args)
          },
    ])
    return {
      ...(Object.fromEntries(wrapped) as unknown as Files),
      open: async (path, flags, mode) => {
        await take(flags === 'r' ? 'stat' : 'open', path)
        return this.#watched(await systemFiles.open(path, flags, mode), path)
      },
      readNow: (path) => {
        if (this.isDead) throw new Error('this process is dead')
        return systemFiles.readNow(path)
      },
    }
  }

  async #take(syscall: string, path: string): Promise<void> {
    if (this.isDead) throw new Error('this process is dead')
    const step: Step = `${syscall} ${name(path, this.#folder)}`
    if (reading.has(syscall) || step.endsWith('lock') || step === 'mkdir .') return
    this.steps.push(step)
    const code = await this.fault(step)
    if (code !== undefined) throw systemError(code, syscall)
    if (this.isDead) throw new Error('this process is dead')
  }

  /** Writes a part of a text, when its fault says so. */
  async #write(path: string, file: OpenFile, text: string | Uint8Array): Promise<number> {
    try {
      await this.#take('write', path)
    } catch (error) {
      const half = isSystemError(error) ? /^half (.*)/.exec(error.code)?.[1] : undefined
      if (half === undefined) throw error
      const part = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2))
      await file.writeFile(part)
      throw systemError(half, 'write')
    }
    await file.writeFile(text)
    return Buffer.byteLength(text)
  }

  #watched(file: OpenFile, path: string): OpenFile {
    const opened = { file, size: 0, synced: 0 }
    this.#open.add(opened)
    const take = (syscall: string): Promise<void> => this.#take(syscall, path)
    const sync = (syscall: string) => async (): Promise<void> => {
      await take(syscall)
      opened.synced = opened.size
    }
    return {
      writeFile: async (text: string | Uint8Array) => {
        opened.size += await this.#write(path, file, text)
      },
      sync: sync('fsync'),
      datasync: sync('fdatasync'),
      truncate: async (size) => {
        await take('ftruncate')
        await file.truncate(size)
        opened.size = size ?? 0
      },
      chmod: async (mode) => (await take('fchmod'), file.chmod(mode)),
      chown: async (uid, gid) => (await take('fchown'), file.chown(uid, gid)),
      stat: file.stat.bind(file),
      overwrite: async (text: string) => (await take('overwrite'), file.overwrite(text)),
      close: async () => {
        this.#open.delete(opened)
        await file.close()
      },
    } as OpenFile
  }

  async die(isPowerCut: boolean): Promise<void> {
    this.isDead = true
    for (const { file, size, synced } of this.#open) {
      if (isPowerCut && synced < size) await file.truncate(synced)
      await file.close()
    }
    this.#open.clear()
  }
}

/** A medium of files: `data.json`, or the folder `data`. */
export async function fileMedium(kind: 'file' | 'folder'): Promise<FileMedium> {
  const root = mkdtempSync(join(tmpdir(), 'sandbox-files-'))
  const folder = kind === 'file' ? root : join(root, 'data')
  const processes = new Map<number, { times: FakeTimes; isRunning: boolean }>()
  const storages: Storage[] = []
  const disks: ProcessFiles[] = []
  onTestFinished(async () => {
    for (const storage of storages) await storage.close().catch(() => undefined)
    for (const disk of disks) await disk.die(false)
    rmSync(root, { recursive: true, force: true })
  })
  let pids = 0

  const start = async ({ fault }: { fault?: Fault } = {}): Promise<FileProcess> => {
    const pid = ++pids
    const times = fakeTimes()
    const disk = new ProcessFiles(folder)
    if (fault) disk.fault = fault
    disks.push(disk)
    // A process that waits for the lock sees the heartbeats of the others.
    times.onLook = async () => {
      for (const [other, { times: theirs, isRunning }] of processes)
        if (other !== pid && isRunning) await theirs.renew()
    }
    const here = { times, isRunning: true }
    processes.set(pid, here)
    const events: string[] = []
    const hooks: Required<LockTestHooks> = {
      times,
      processes: {
        pid,
        namespace: 'here',
        host: 'machine',
        mark: (other) => (processes.has(other) ? `start of ${other}` : undefined),
      },
    }
    const storage = await openFiles({
      path: kind === 'file' ? join(root, 'data.json') : folder,
      isFolder: kind === 'folder',
      files: disk.files,
      ...hooks,
      now: () => Date.now(),
      events: { onEnd: () => events.push('end'), onProblem: () => undefined },
    })
    storages.push(storage)
    const die = async (isPowerCut = false): Promise<void> => {
      processes.delete(pid)
      await disk.die(isPowerCut)
    }
    return {
      storage,
      events,
      steps: disk.steps,
      get fault() {
        return disk.fault
      },
      set fault(next) {
        disk.fault = next
      },
      isDead: () => disk.isDead,
      die,
      wake: () => times.renew(),
      crash: () => die(),
      expire: async () => {
        here.isRunning = false
        times.pass(60_000)
      },
    }
  }
  return { folder, path: (file) => join(folder, file), start }
}
