import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import { root } from './server.mjs'

/**
 * Builds the library as it is shipped, except that some modules of `src` are replaced: the same build with a
 * part of it switched off, for which the product itself has no switch.
 *
 * @param {string} folder
 * @param {string} name
 * @param {Readonly<Record<string, string>>} replaced the new text of a module, by its path in `src`.
 * @returns {Promise<string>} the URL of the built library.
 */
export async function buildVariant(folder, name, replaced) {
  const outDir = join(folder, name, 'dist')
  const wanted = new Map(Object.entries(replaced).map(([path, text]) => [join(root, 'src', path), text]))
  await build({
    cwd: root,
    entry: ['src/index.ts'],
    outDir,
    dts: false,
    logLevel: 'error',
    // What else goes into the package is made from what is measured as it is.
    hooks: { 'build:done': () => undefined },
    plugins: [
      {
        name: 'replace-modules',
        load(/** @type {string} */ id) {
          const text = wanted.get(id)
          wanted.delete(id)
          return text
        },
      },
    ],
  })
  // A module that was moved would be measured against itself.
  if (wanted.size > 0) throw new Error(`not in the build: ${[...wanted.keys()].join(', ')}`)
  for (const beside of ['package.json', 'fixtures', 'scenarios'])
    cpSync(join(root, beside), join(folder, name, beside), { recursive: true })
  return pathToFileURL(join(outDir, 'index.mjs')).href
}
