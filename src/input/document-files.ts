// Finds the documents in a folder, in the order of their names.
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { printable, type Problem } from './problems.ts'
import { whyUnreadable } from './source-file.ts'

/** Whether a file in a folder is a document. */
export function isDocumentName(name: string): boolean {
  return /\.(json|ya?ml)$/i.test(name)
}

/** The message for a folder without documents. */
export const emptyFolder = 'is a folder without .json, .yaml or .yml files'

/** Whether an entry of a folder may be meant as documents, although it is not read. */
function isMeantAsDocuments(entry: Dirent): boolean {
  return entry.isDirectory() ? !entry.name.startsWith('.') : /\.(jsonc|json5|jsonl|ndjson)$/i.test(entry.name)
}

/** Names of entries, at most ten. */
function listOf(entries: readonly Dirent[]): string {
  const names = entries.map((entry) => printable(entry.name) + (entry.isDirectory() ? '/' : '')).toSorted()
  return [...names.slice(0, 10), ...(names.length > 10 ? [`${names.length - 10} more`] : [])].join(', ')
}

/**
 * Returns the file itself, or the documents of a folder in the order of their names.
 *
 * @param path absolute.
 * @param source the name of the path in messages.
 * @returns also a warning that names the other files and folders that may be meant as documents.
 */
export async function documentFiles(
  path: string,
  source: string,
): Promise<{ files: string[]; problem?: Problem; warning?: Problem }> {
  let entries: Dirent[]
  try {
    entries = await readdir(path, { withFileTypes: true })
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES'
    // Not a folder: reading it as a file reports its kind.
    return isDenied
      ? { files: [], problem: { source, path: '', message: whyUnreadable(error) } }
      : { files: [path] }
  }
  const files = entries
    .map(({ name }) => name)
    .filter(isDocumentName)
    .toSorted()
  const others = entries.filter((entry) => isMeantAsDocuments(entry) && !isDocumentName(entry.name))
  const list = listOf(others)
  if (files.length === 0) {
    const message = others.length === 0 ? emptyFolder : `${emptyFolder}; it has ${list}`
    return { files, problem: { source, path: '', message } }
  }
  const found = files.map((name) => join(path, name))
  if (others.length === 0) return { files: found }
  const isRead = others.length === 1 ? 'is not read' : 'are not read'
  const message = `has ${list}, which ${isRead}: only its own .json, .yaml and .yml files are`
  return { files: found, warning: { source, path: '', message } }
}
