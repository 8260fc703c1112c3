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
const maxLinks = 40

/** The file that a path stands for, so that a link stays a link when the file behind it is replaced. */
export async function realPathOf(files: Files, path: string): Promise<string> {
  let at = path
  for (let links = 0; links < maxLinks; links++) {
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

/**
 * The name of what somebody needs for a while who holds a lock: a file that is being written, or the way to one that
 * goes. Nobody else has it, on any machine.
 */
export function unfinishedName(file: string, nonce: string, count: number): string {
  return `${file}.${nonce}.${count}.tmp`
}

/** The part after the name of a file; version 0.1.0 had the id of the process in it. */
const unfinished = /\.[0-9a-f]+\.\d+\.tmp$/

/**
 * Removes what others left unfinished in a folder, or may still think to finish.
 * @param of the name of the file that it is of; else whatever is unfinished there.
 * @param goesOn whether to; asked before each.
 */
export async function removeUnfinished(
  files: Files,
  folder: string,
  of: string | undefined,
  goesOn: () => boolean,
): Promise<void> {
  const isMeant = (name: string): boolean => {
    const start = name.replace(unfinished, '')
    return start !== name && (of === undefined || start === of || start === `${of}.lock`)
  }
  for (const name of await files.readdir(folder)) {
    if (isMeant(name) && goesOn()) await files.rm(join(folder, name), { recursive: true, force: true })
  }
}
