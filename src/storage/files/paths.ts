// Paths of data: how links are resolved, the names of unfinished files, and leftovers of a crashed process.
import { basename, dirname, join, resolve } from 'node:path'
import { ifThere, type Files } from './files.ts'

/** Maximum number of links to follow to a file that does not exist yet. */
const maxLinks = 40

/** Resolves a path, so that a link stays a link when the file behind it is replaced. */
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

/** Returns the target of a link whose target does not exist; undefined if it is no link. */
async function targetOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return await files.readlink(path)
  } catch {
    return undefined
  }
}

/**
 * Returns a temporary name for the holder of a lock: for a file that is being written, or for the path to one that is
 * being removed. It is unique across machines.
 */
export function unfinishedName(file: string, nonce: string, count: number): string {
  return `${file}.${nonce}.${count}.tmp`
}

/** The part after the name of a file. */
const unfinished = /\.[0-9a-f]+\.\d+\.tmp$/

/**
 * Removes unfinished files that other processes left in a folder, or might still want to finish.
 * @param of the name of the file that they belong to; without it, all unfinished files.
 * @param goesOn whether to continue; called before each file.
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
