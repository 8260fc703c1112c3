// The names of the data file and of what stands beside it; where links lead; leftovers of a process that died.
import { basename, dirname, join, resolve } from 'node:path'
import { ifThere, type Files } from './files.ts'

/** The data file and what stands beside it. */
export type DataPaths = ReturnType<typeof dataPaths>

export function dataPaths(file: string) {
  return {
    /** The snapshot: a state document. */
    file,
    folder: dirname(file),
    /** The snapshot before that. */
    previous: `${file}.prev`,
    /** What was committed since the snapshot. */
    journal: `${file}.wal`,
    /** Says which process uses the file. */
    lock: `${file}.lock`,
  }
}

/** How many links are followed to a file that is not there yet. */
const mostLinks = 40

/** The file that a path stands for, so that a link stays a link when the file behind it is replaced. */
export async function realPathOf(files: Files, path: string): Promise<string> {
  let at = path
  for (let links = 0; links < mostLinks; links++) {
    const found = await ifThere(files.realpath(at))
    if (found !== undefined) return found
    const folder = await files.realpath(dirname(at))
    const target = await targetOf(files, at)
    if (target === undefined) return join(folder, basename(at))
    at = resolve(folder, target)
  }
  return at
}

/** Where a link leads whose end is not there; undefined for what is no link. */
async function targetOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return await files.readlink(path)
  } catch {
    return undefined
  }
}

/** The name of a file that is being written, told apart by process and number. */
export function unfinishedName(file: string, pid: number, count: number): string {
  return `${file}.${pid}.${count}.tmp`
}

/** Removes what a process that died left unfinished. Only whoever holds the lock writes such files. */
export async function removeUnfinished(files: Files, { file, folder }: DataPaths): Promise<void> {
  const start = `${basename(file)}.`
  for (const name of await files.readdir(folder)) {
    const isUnfinished = name.startsWith(start) && /^(?:lock\.)?\d+\.\d+\.tmp$/.test(name.slice(start.length))
    if (isUnfinished) await ifThere(files.unlink(join(folder, name)))
  }
}
