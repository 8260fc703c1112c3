// Reads one JSON or YAML file, or an object in memory, so that later problems can be shown at their position. It does
// not interpret the document.
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { Lines, type Location } from './excerpt.ts'
import { isJsonObject } from '../contract/formats.ts'
import { isSystemError } from '../runtime/host.ts'
import { positionsOf, type MemberPosition } from '../json/json-positions.ts'
import type { Fault, Path } from '../json/json-text.ts'
import { copyJson } from '../json/plain-json.ts'
import { ProblemList, type Locatable } from './problem-list.ts'
import { DocumentError, maxReported, pathName, refusal, type Problem } from './problems.ts'
import { readJson } from './read-json.ts'
import { secretValuesIn } from '../secrets/mask-source.ts'
import { textOf } from './utf8.ts'

/** Maximum depth of a document: metadata may be 64 deep, and is three levels down. */
export const maxDepth = 100

export const mebibyte = 2 ** 20

/** Maximum size of a file in bytes: a little below the maximum length of a string. */
export const maxSize = 500 * mebibyte

/** Maximum size of YAML in bytes: a mebibyte takes up to a second. */
export const maxYaml = 2 * mebibyte

/** Maximum size of YAML if other calls wait meanwhile: 0.2 s at worst, with only short items. */
export const maxYamlOfCall = 64 * 1024

/** Whether a file is YAML, by its name. */
export function isYamlName(name: string): boolean {
  return /\.ya?ml$/i.test(name)
}

/** Whether a top-level key of a document is ignored: a place for anchors. @example x-usual: &usual { amount: 1 } */
export function isPassedOver(key: string): boolean {
  return key.startsWith('x-')
}

/** Returns a document without its ignored keys; a value that is no object unchanged. */
export function withoutPassedOver(document: unknown): unknown {
  if (!isJsonObject(document)) return document
  return Object.fromEntries(Object.entries(document).filter(([key]) => !isPassedOver(key)))
}

/** A document that was read, with access to its text. */
export interface Source extends Locatable {
  /** Its value; immutable. */
  readonly value: unknown
  /** Its text, if that is JSON. */
  readonly json?: string
  /** The folder that was named, if it is one of the files in it. */
  readonly folder?: string
}

/** Returns the position of one value; see `locateAll`. */
export function locate(source: Source, path: Path, at?: 'key' | 'value'): Location | undefined {
  return source.locateAll([{ path, at }])[0]
}

/** Returns a problem with a value of a source, at its position. */
export function problemAt(source: Source, path: Path, message: string, at?: 'key' | 'value'): Problem {
  return { source: source.name, ...locate(source, path, at), path: pathName(path), message }
}

/**
 * Reads a file: JSON by the extension `.json`, YAML 1.2 by `.yaml` and `.yml`; with any other extension, JSON if it
 * parses, and YAML if not. UTF-8, with or without a byte order mark. Only regular files are read.
 *
 * @param path absolute.
 * @param name the name of the file in messages.
 * @param most maximum size in bytes.
 * @throws {DocumentError} for a file that is missing, unreadable, empty, too large or invalid; every duplicate key is a
 * problem of its own.
 */
export async function readSource(path: string, name: string = path, most: number = maxSize): Promise<Source> {
  const bytes = await readBytes(path, most).catch((error: unknown) => {
    throw error instanceof TooLarge
      ? refusal(name, tooLarge(error.size, most))
      : refusal(name, whyUnreadable(error) + patternHint(path, error))
  })
  return sourceFromText(textOf(bytes, name), name, extname(path).toLowerCase())
}

/** A pattern that a shell did not expand, as in quotes or in a config file. */
function patternHint(path: string, error: unknown): string {
  const isPattern = isSystemError(error) && error.code === 'ENOENT' && /[*?]|\{.*,.*\}/.test(path)
  return isPattern
    ? ': patterns are not expanded here, so name the folder, or write the pattern without quotes for your shell to expand'
    : ''
}

/** Thrown for a file above its maximum size. */
class TooLarge extends Error {
  readonly code = 'ERR_FS_FILE_TOO_LARGE'
  readonly syscall = 'stat'
  readonly size: number

  constructor(size: number) {
    super()
    this.size = size
  }
}

function tooLarge(size: number, most: number): string {
  const [is, may] = [Math.ceil(size / mebibyte), Math.floor(most / mebibyte)]
  return `is too large to be read (${is} MiB, at most ${may}): use --generate for large populations`
}

/** Thrown for a path that is neither a file nor a folder: a pipe or a device may never end. */
class NoFile extends Error {
  readonly code = 'ENOFILE'
  readonly syscall = 'stat'
}

/**
 * Returns the bytes of a file. Opening a pipe would wait for a writer, so the kind of file is checked first.
 * @throws {TooLarge} @throws {NoFile} @throws the error of the file system.
 */
export async function readBytes(path: string, most: number = maxSize): Promise<Buffer> {
  const found = await stat(path)
  if (!found.isFile() && !found.isDirectory()) throw new NoFile()
  if (found.size > most) throw new TooLarge(found.size)
  return readFile(path)
}

/**
 * Reads a text like `readSource` reads a file.
 * @param most maximum length as YAML.
 * @throws {DocumentError} see `readSource`.
 */
export async function sourceFromText(
  text: string,
  name: string,
  extension: string,
  most: number = maxYaml,
): Promise<Source> {
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  const lines = new Lines(content)
  const refuseAll = (faults: readonly Fault[]): void => {
    const problems = faults.slice(0, maxReported).map(({ offset, path, message }) => {
      return { source: name, ...lines.locate(offset), path: pathName(path), message }
    })
    if (faults.length > 0) throw new DocumentError(problems, faults.length - problems.length)
  }
  const located = (value: unknown, find: (paths: readonly Path[]) => MemberPosition[]): Source => ({
    name,
    value,
    locateAll: (places) =>
      find(places.map(({ path }) => path)).map((place, index) =>
        lines.locate(place[places[index]?.at ?? 'value']),
      ),
  })
  if (content.trim() === '') throw refusal(name, 'is empty; expected a JSON or YAML document')

  if (!isYamlName(extension)) {
    // A text that starts like JSON was meant as JSON, whatever the name of the file.
    const isJson = extension === '.json' || /^\s*[{[]/.test(content)
    const { value, faults } = readJson(content, maxDepth)
    if (!faults) return { ...located(value, (paths) => positionsOf(content, paths)), json: content }
    if (isJson) refuseAll(faults)
  }
  if (content.length > most) {
    const shown = most < mebibyte ? `${most / 1024} KiB` : `${most / mebibyte} MiB`
    throw refusal(name, `is too long for YAML (at most ${shown}): write it as JSON`)
  }
  const { readYaml } = await import('./yaml-text.ts')
  const yaml = readYaml(content, maxDepth)
  refuseAll(yaml.faults)
  return located(yaml.value, (paths) => {
    // An alias repeats a secret that is under another name.
    lines.hide([...secretValuesIn(yaml.value)])
    return paths.map(yaml.find)
  })
}

/**
 * Converts an object in memory to a document. It is copied, so that later changes to it have no effect.
 *
 * @param name the word for it in messages, such as `fixtures`.
 * @throws {DocumentError} for values that JSON cannot write: functions, dates, infinite numbers, cycles.
 */
export function sourceFromObject(value: unknown, name: string): Source {
  const problems = new ProblemList()
  const copy = copyJson(value, maxDepth, (path, message) => {
    problems.add({ source: name, path: pathName(path), message })
  })
  problems.throwIfAny()
  return sourceOfValue(copy, name)
}

/** Returns a document for an object that no other code can change, without a copy. */
export function sourceOfValue(value: unknown, name: string): Source {
  return { name, value, locateAll: () => [] }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder; expected a file',
  EACCES: 'may not be read: permission denied',
  EPERM: 'may not be read: permission denied',
  ELOOP: 'cannot be read: its symbolic links loop',
  ENAMETOOLONG: 'cannot be read: its name is too long',
  ERR_FS_FILE_TOO_LARGE: 'is too large to be read',
  ENOFILE: 'is not a regular file: a pipe or device may never end',
}

/** Returns why a file could not be read, without the wording of the file system. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? `cannot be read${code === '' ? '' : ` (${code})`}`
}
