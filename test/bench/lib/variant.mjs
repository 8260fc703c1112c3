import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import { root } from './server.mjs'

/**
 * Builds the library, except that some modules of `src` are replaced: a part of it is switched off, for which the
 * product itself has no switch. To be compared with a build in which nothing is replaced.
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
    config: false,
    cwd: root,
    entry: ['src/index.ts'],
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    minify: true,
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    logLevel: 'error',
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
