// Lists the libraries whose code is in dist, from the output of the bundler: name, version, licence.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that the bundler wrote. */
export interface BuiltChunk {
  outDir: string
  fileName?: string
  /** Whether users import it. It is false for code that several entries share. */
  isEntry?: boolean
  /** Omitted for files without code. */
  modules?: Record<string, { renderedLength: number }>
}

/** A library whose code is in our files. */
export interface BundledPackage {
  name: string
  version: string
  license: string
  licenseText: string
  /** The hash in the lockfile, such as `sha512-…`. */
  integrity: string
}

interface Manifest {
  name: string
  version: string
  license?: string
}

/** Returns the libraries with code in the bundle, by name. */
export async function bundledPackages(
  chunks: readonly BuiltChunk[],
  root: string,
): Promise<BundledPackage[]> {
  const folders = new Set<string>()
  for (const { modules = {} } of chunks) {
    for (const [file, { renderedLength }] of Object.entries(modules)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replace(/^\0/, ''))?.[0]
      if (folder !== undefined && renderedLength > 0) folders.add(folder)
    }
  }
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>
  }
  const packages = await Promise.all([...folders].map((folder) => readPackage(folder, root)))
  return packages
    .map(({ at, ...found }) => ({
      ...found,
      integrity:
        lock.packages[lockedAs(at, root)]?.integrity ?? fail(found.name, 'integrity in the lockfile'),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the path of a package in the lockfile, also if node_modules is a link to another folder. */
function lockedAs(folder: string, root: string): string {
  const path = folder.startsWith(root) ? folder.slice(root.length) : folder
  return path.slice(path.indexOf('/node_modules/') + 1)
}

async function readPackage(
  folder: string,
  root: string,
): Promise<Omit<BundledPackage, 'integrity'> & { at: string }> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Manifest
  const licence = (await licenceIn(folder)) ?? (await licenceIn(join(root, 'scripts/package/licences', name)))
  return {
    at: folder,
    name,
    version,
    license: license ?? fail(name, 'license in its package.json'),
    licenseText: licence ?? fail(name, 'licence file'),
  }
}

/** Returns the licence in a folder. Some packages do not include it, so `scripts/package/licences` has it. */
async function licenceIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder).catch(() => [])
  const file = entries.find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry))
  return file === undefined ? undefined : (await readFile(join(folder, file), 'utf8')).trim()
}

/** Code of others must not be published without its licence. */
function fail(name: string, missing: string): never {
  throw new Error(`${name} is bundled, but has no ${missing}`)
}
