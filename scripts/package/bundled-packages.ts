// The libraries of which code is in dist, read from what the bundler says it wrote: name, version, licence.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What the bundler says of a file that it wrote. */
export interface BuiltChunk {
  outDir: string
  fileName?: string
  /** Whether it is what users import, and no part that several share. */
  isEntry?: boolean
  /** Left out for files that hold no code. */
  modules?: Record<string, { renderedLength: number }>
}

/** A library of which code is in our files. */
export interface BundledPackage {
  name: string
  version: string
  license: string
  licenseText: string
  /** From the lockfile, such as `sha512-…`. */
  integrity: string
}

interface Manifest {
  name: string
  version: string
  license?: string
}

/** The libraries that really went in, by name. */
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

/** Where the lockfile has a package, also when node_modules is a link to somewhere else. */
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

/** Packages that leave it in their repository have it in a folder of ours. */
async function licenceIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder).catch(() => [])
  const file = entries.find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry))
  return file === undefined ? undefined : (await readFile(join(folder, file), 'utf8')).trim()
}

/** Nothing of others goes out without its licence. */
function fail(name: string, missing: string): never {
  throw new Error(`${name} is bundled, but has no ${missing}`)
}
