// The folder of --mount, as the image has it at /sandbox: its fixtures and scenarios are used where they exist.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OptionsError, type Given, type GivenValue } from '../options/read-options.ts'
import { documentFiles, emptyFolder } from '../reading/document-files.ts'

/** The folder that the option names. @throws {OptionsError} when there is none. */
export function mountedFolder({ source, value }: GivenValue): string {
  const path = String(value)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new OptionsError(`${source}: '${path}' is not a folder`, source)
}

/**
 * What a mounted folder sets: its fixtures replace the built-in rows, and its
 * scenarios can be chosen by name. Folders without a document count as not there, as a volume may be empty.
 *
 * @param folder absolute.
 */
export async function mountedOptions(folder: string): Promise<Given> {
  const [fixtures, scenarios] = await Promise.all([
    holdsDocuments(join(folder, 'fixtures')),
    holdsDocuments(join(folder, 'scenarios')),
  ])
  return {
    ...(fixtures && { fixtures: { source: fixtures, value: [fixtures] } }),
    ...(scenarios && { scenarioLibrary: { source: scenarios, value: [scenarios] } }),
  }
}

/** The folder itself, unless it is not there or empty. Whoever reads it tells when it cannot be read. */
async function holdsDocuments(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined
  const { files, problem } = await documentFiles(folder, folder)
  return files.length === 0 && problem?.message === emptyFolder ? undefined : folder
}
