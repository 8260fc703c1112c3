// The folder of --mount, /sandbox in the image: its fixtures and scenarios are used if they exist.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OptionsError, type ProvidedOptions, type ProvidedValue } from '../options/read-options.ts'
import { documentFiles, emptyFolder } from '../input/document-files.ts'
import { whyUnreadable } from '../input/source-file.ts'
import { isSystemError } from '../runtime/host.ts'

/** Returns the folder of the option. @throws {OptionsError} for a path that is not a folder or cannot be read. */
export function mountedFolder({ source, value }: ProvidedValue): string {
  const path = String(value)
  let reason = 'is not a folder'
  try {
    if (statSync(path).isDirectory()) return path
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') reason = whyUnreadable(error)
  }
  throw new OptionsError(`${source}: '${path}' ${reason}`, source)
}

/**
 * Its fixtures replace the built-in rows, and its scenarios can be selected by name. Folders without documents count as
 * missing, as a volume may be empty.
 */
export async function mountedOptions(folder: string): Promise<ProvidedOptions> {
  const [fixtures, scenarios] = await Promise.all([
    folderWithDocuments(join(folder, 'fixtures')),
    folderWithDocuments(join(folder, 'scenarios')),
  ])
  return {
    ...(fixtures && { fixtures: { source: fixtures, value: [fixtures] } }),
    ...(scenarios && { scenarioLibrary: { source: scenarios, value: [scenarios] } }),
  }
}

/** Returns the folder itself, unless it is missing or empty. Its reader reports a folder that cannot be read. */
async function folderWithDocuments(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined
  const { files, problem } = await documentFiles(folder, folder)
  return files.length === 0 && problem?.message === emptyFolder ? undefined : folder
}
