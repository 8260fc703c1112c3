// Reading one JSON or YAML file, or an object from memory, so that whatever is found wrong with it later can be
// shown at its place. Knows nothing of what the document means.
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { Lines, type Location } from './excerpt.ts'
import { JsonPositions, type Place } from './json-positions.ts'
import { findFaults, hidesFaults, type Fault, type Path } from './json-text.ts'
import { copyJson } from './plain-json.ts'
import { DocumentError, pathName, refusal, type Problem } from './problems.ts'
import { textOf } from './utf8.ts'

/** How deep a document may be: metadata may be 64 deep, and stands three levels down. */
const maxDepth = 100

const mebibyte = 2 ** 20

/** How large a file may be: a little below the longest text that JavaScript can hold. */
export const maxSize = 500 * mebibyte

/** A document that was read, and the way back to its text. */
export interface Source {
  /** The file as its user knows it, or a word for what is in memory. */
  readonly name: string
  /** What it holds; never changed. */
  readonly value: unknown
  /** Its own text, where that is JSON. */
  readonly json?: string
  /**
   * Where a value stands, or the innermost value around it that is there; undefined for what is in memory.
   * @param at whether to point at the value or at the key in front of it.
   */
  locate(path: Path, at?: 'key' | 'value'): Location | undefined
}

/** A problem with a value of a source, at its place. */
export function problemAt(source: Source, path: Path, message: string, at?: 'key' | 'value'): Problem {
  return { source: source.name, ...source.locate(path, at), path: pathName(path), message }
}

/**
 * Reads a file: JSON by the extension `.json`, YAML 1.2 by `.yaml` and `.yml`; with any other extension, JSON when it
 * is JSON and YAML else. UTF-8, with or without a byte order mark.
 *
 * @param path absolute.
 * @param name how messages name the file.
 * @param most how many bytes it may have.
 * @throws {DocumentError} for a file that is missing, cannot be read, is empty, too large or not what it should be;
 * every key that stands twice is a problem of its own.
 */
export async function readSource(path: string, name: string = path, most: number = maxSize): Promise<Source> {
  const checkSize = (size: number): void => {
    if (size <= most) return
    const [is, may] = [Math.ceil(size / mebibyte), Math.floor(most / mebibyte)]
    throw refusal(
      name,
      `is too large to be read (${is} MiB, at most ${may}): use --generate for large populations`,
    )
  }
  let bytes: Buffer
  try {
    checkSize((await stat(path)).size)
    bytes = await readFile(path)
  } catch (error) {
    throw error instanceof DocumentError ? error : refusal(name, whyUnreadable(error))
  }
  // Pipes tell their size only when they were read.
  checkSize(bytes.length)
  return sourceFromText(textOf(bytes, name), name, extname(path).toLowerCase())
}

/**
 * Reads a text as `readSource` reads a file.
 * @throws {DocumentError} see `readSource`.
 */
export async function sourceFromText(text: string, name: string, extension: string): Promise<Source> {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  const lines = new Lines(content)
  const refuseAll = (faults: readonly Fault[]): void => {
    const problems = faults.map(({ offset, path, message }) => {
      return { source: name, ...lines.locate(offset), path: pathName(path), message }
    })
    if (problems.length > 0) throw new DocumentError(problems)
  }
  const located = (value: unknown, positions: { find(path: Path): Place }): Source => ({
    name,
    value,
    locate: (path, at = 'value') => lines.locate(positions.find(path)[at]),
  })
  if (content.trim() === '') throw refusal(name, 'is empty; expected a JSON or YAML document')

  if (!/^\.ya?ml$/.test(extension)) {
    const parsed = parseJson(content)
    if (parsed !== undefined) {
      if (hidesFaults(content, parsed.value, maxDepth)) refuseAll(findFaults(content, maxDepth))
      return { ...located(parsed.value, new JsonPositions(content)), json: content }
    }
    // A text that starts like JSON was meant as JSON, whatever the file is called.
    if (extension === '.json' || /^\s*[{[]/.test(content)) refuseAll(findFaults(content, maxDepth))
  }
  const { readYaml } = await import('./yaml-text.ts')
  const yaml = readYaml(content, maxDepth)
  refuseAll(yaml.faults)
  return located(yaml.value, yaml)
}

/**
 * Takes an object from memory as a document. It is copied, so that later changes to it change nothing here.
 *
 * @param name the word by which messages name it, such as `fixtures`.
 * @throws {DocumentError} for what JSON cannot write: functions, dates, infinite numbers, circles.
 */
export function sourceFromObject(value: unknown, name: string): Source {
  const problems: Problem[] = []
  const copy = copyJson(value, maxDepth, (path, message) => {
    problems.push({ source: name, path: pathName(path), message })
  })
  if (problems.length > 0) throw new DocumentError(problems)
  return { name, value: copy, locate: () => undefined }
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // What V8 says differs from version to version and quotes the text; findFaults says it in our words.
    return undefined
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder; expected a file',
  EACCES: 'may not be read: permission denied',
  EPERM: 'may not be read: permission denied',
  ERR_FS_FILE_TOO_LARGE: 'is too large to be read',
}

/** Why the file system would not give a file, without its own wording. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? `cannot be read${code === '' ? '' : ` (${code})`}`
}
