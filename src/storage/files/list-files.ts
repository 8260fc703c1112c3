// Lists a workspace by the ends of its files, without reading its rows.
import type { ListedWorkspace } from '../../workspaces/storage.ts'
import { ifThere, isFinal, whyNotSaved } from './files.ts'
import { readEnd } from './document-end.ts'
import type { FileContext } from './file-context.ts'
import type { WorkspaceFiles } from './file-layout.ts'
import { FileDamage } from './file-damage.ts'
import { readHeader, type LogHeader } from './log-lines.ts'
import { endLength, longEndLength, missingDocument, readDocument } from './read-workspace.ts'

/** The JSON text for a workspace whose document a person wrote. */
const unknown = '{}'

/**
 * Returns the entry of a workspace; undefined if its files are none of a workspace, such as after an interrupted removal.
 * @param about its JSON text, if this process knows it.
 */
export async function listFiles(
  context: FileContext,
  name: string,
  { hasDocument, hasPrevious, generations }: WorkspaceFiles,
  about: string | undefined,
): Promise<ListedWorkspace | undefined> {
  const { layout, files } = context
  const newest = generations.at(-1)
  const paths = [layout.document(name), ...(newest === undefined ? [] : [layout.log(name, newest)])]
  const found = await Promise.all(paths.map((path) => ifThere(files.stat(path))))
  const usedAt = Math.max(0, ...found.map((one) => one?.mtimeMs ?? 0))
  if (about !== undefined) return { name, about, usedAt }
  try {
    if (!hasDocument && hasPrevious) throw new FileDamage(layout.document(name), missingDocument)
    const end = hasDocument ? await endOf(context, name) : undefined
    if (hasDocument && !end) return undefined
    const later = await aboutInLogs(context, name, generations, end)
    if (!end && later === undefined) return undefined
    return { name, about: later ?? end?.about ?? unknown, usedAt }
  } catch (error) {
    // Files that cannot be read concern their workspace alone.
    const damage = error instanceof FileDamage ? error.message : whyNotSaved(error)
    if (damage === undefined || isFinal(error)) throw error
    return { name, about: unknown, usedAt, damage }
  }
}

/** The part of a document that the list needs. */
interface End {
  about: string | undefined
  log: number | undefined
}

/** Undefined if the document was removed meanwhile. @throws {FileDamage} */
async function endOf({ files, layout }: FileContext, name: string): Promise<End | undefined> {
  const path = layout.document(name)
  for (const length of [endLength, longEndLength]) {
    const bytes = await ifThere(files.readEnd(path, length))
    if (bytes === undefined) return undefined
    const end = readEnd(bytes)
    if (end?.checksum !== undefined) return end
  }
  const bytes = await ifThere(files.readFile(path))
  return bytes && readDocument(path, bytes)
}

/** Returns the newest text in the logs after the document; without one, only if a log begins a workspace. */
async function aboutInLogs(
  context: FileContext,
  name: string,
  generations: readonly number[],
  end: End | undefined,
): Promise<string | undefined> {
  let about: string | undefined
  for (const generation of generations.toReversed()) {
    // The first log of the document has what the document has.
    if (end?.log !== undefined && generation <= end.log) return about
    const header = await headerOf(context, name, generation)
    about ??= header?.about
    if (end && about !== undefined) return about
    if (!end && header?.begins) return about
  }
  return end ? about : undefined
}

/** Undefined if the log was removed meanwhile. @throws {FileDamage} */
async function headerOf(
  { files, layout }: FileContext,
  name: string,
  generation: number,
): Promise<LogHeader | undefined> {
  const path = layout.log(name, generation)
  const start = await ifThere(files.readStart(path, endLength))
  const isWhole = start === undefined || start.includes(0x0a)
  const bytes = isWhole ? start : await ifThere(files.readFile(path))
  return bytes && readHeader(path, Buffer.from(bytes), generation)
}
