// Finds the traces that have a request or an event: those of failed tests, and those of runs in the working directory.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defaultTraceDir, variableOf } from '../../options/index.ts'
import { reportKindOf } from '../../options/report-files.ts'
import { isSystemError, shownPath } from '../../runtime/host.ts'
import type { Io } from '../io.ts'

/** The maximum number of traces that are named. */
const maxNamed = 3

/** Returns the folder into which test kits write traces, as a user would type it. */
export const traceFolderOf = ({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string =>
  shownPath(folderOf({ env, cwd }), cwd)

/** Returns the paths of the newest traces that have a request or an event of this id, newest first. */
export async function tracesOf(id: string, io: Pick<Io, 'env' | 'cwd'>): Promise<string[]> {
  const files = [...(await tracesIn(io.cwd, false)), ...(await tracesIn(folderOf(io), true))]
  const times = await Promise.all(
    files.map(async (file) => ({ file, stats: await stat(file).catch(() => undefined) })),
  )
  // An event is a row, and a fact about the call that caused it, which is also in traces without rows.
  const parts = [`{"id":"${id}",`, `{"name":"${id}",`]
  const found: string[] = []
  for (const { file, stats } of times.toSorted((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0))) {
    if (!stats?.isFile()) continue
    const html = await readFile(file, 'utf8')
    if (parts.some((part) => html.includes(part))) found.push(shownPath(file, io.cwd))
    if (found.length === maxNamed) break
  }
  return found
}

const folderOf = ({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string =>
  resolve(cwd, env[variableOf('traceDir')] || defaultTraceDir)

/** Returns the traces of a folder; none if it cannot be read. @param recursive `matrix` writes into subfolders. */
async function tracesIn(folder: string, recursive: boolean): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive })
    return names.filter((name) => reportKindOf(name) === 'trace').map((name) => join(folder, name))
  } catch (error) {
    if (!isSystemError(error)) throw error
    return []
  }
}
