// Finds the documents in a folder, in the order of their names.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from './problems.ts'
import { whyUnreadable } from './source-file.ts'

/** Whether a file in a folder is a document. */
export function isDocumentName(name: string): boolean {
  return /\.(json|ya?ml)$/i.test(name)
}

/** The message for a folder without documents. */
export const emptyFolder = 'is a folder without .json, .yaml or .yml files'

/**
 * Returns the file itself, or the documents of a folder in the order of their names.
 *
 * @param path absolute.
 * @param source the name of the path in messages.
 */
export async function documentFiles(
  path: string,
  source: string,
): Promise<{ files: string[]; problem?: Problem }> {
  let names: string[]
  try {
    names = await readdir(path)
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES'
    // Not a folder: reading it as a file reports its kind.
    return isDenied
      ? { files: [], problem: { source, path: '', message: whyUnreadable(error) } }
      : { files: [path] }
  }
  const files = names.filter(isDocumentName).toSorted()
  if (files.length > 0) return { files: files.map((name) => join(path, name)) }
  return { files, problem: { source, path: '', message: emptyFolder } }
}
