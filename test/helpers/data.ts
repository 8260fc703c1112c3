import { cp, readdir, readFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { DocumentError, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { StorageTestHooks } from '../../src/sandbox/opened-storage.ts'
import type { NotSavedError } from '../../src/workspaces/saver.ts'
import { callerFor, testNow, type CallApi } from './sandbox.ts'
import { watchDisk, type Disk } from './disk.ts'

/** A sandbox with a data file on a disk that a test rules. */
export interface Kept {
  sandbox: Sandbox & { call: CallApi }
  /** Its notices and problems, in order. */
  said: string[]
  /** Resolves with the next line that it says. */
  says(): Promise<string>
  lost: Promise<NotSavedError>
}

export const dataName = 'data.json'

/** Starts a sandbox on a data file; it is closed after the test. */
export async function startOn(
  disk: Disk,
  options: SandboxOptions = {},
  hooks: StorageTestHooks & { signal?: AbortSignal } = {},
): Promise<Kept> {
  const said: string[] = []
  let hear = (_line: string): void => undefined
  let lose = (_error: NotSavedError): void => undefined
  const lost = new Promise<NotSavedError>((resolve) => (lose = resolve))
  const say = (line: string): void => {
    said.push(line.replaceAll(`${disk.folder}/`, ''))
    hear(said.at(-1) ?? '')
  }
  const sandbox = await createSandbox(
    { clock: testNow, frozen: true, data: disk.path(dataName), ...options },
    {
      ...hooks,
      onNotice: say,
      onProblem: say,
      onLost: lose,
      onBug: (error) => {
        throw error instanceof Error ? error : new Error(String(error))
      },
    },
  )
  onTestFinished(() => sandbox.close().catch(() => undefined))
  const says = (): Promise<string> => new Promise((resolve) => (hear = resolve))
  return { sandbox: Object.assign(sandbox, { call: callerFor(sandbox, options) }), said, says, lost }
}

/** The files that a process leaves if it dies now, on a disk of their own. The lock goes while it is closed. */
export async function crashed(disk: Disk): Promise<Disk> {
  const copy = await watchDisk()
  await cp(disk.folder, copy.folder, { recursive: true, filter: (path) => !/\.lock(?:\.|$)/.test(path) })
  return copy
}

/** The whole state as text, to be compared with that of another sandbox: the fields of a row have no order. */
export const stateOf = (sandbox: Pick<Sandbox, 'state'>): string =>
  JSON.stringify(sandbox.state.document(), inOrder)

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the problems of a data file, without the folder of the test. */
export async function refusalOf(disk: Disk, options: SandboxOptions = {}): Promise<string> {
  try {
    const { sandbox } = await startOn(disk, options)
    await sandbox.close()
  } catch (error) {
    if (error instanceof DocumentError) return error.message.replaceAll(`${disk.folder}/`, '')
    throw error
  }
  throw new Error('it was accepted')
}

/** The files on the disk, without locks. */
export async function filesOn(disk: Disk): Promise<Record<string, string>> {
  const names = (await readdir(disk.folder)).filter((name) => !name.endsWith('.lock')).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(disk.path(name), 'utf8')))
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? '']))
}
