import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { bundledPackages } from '../../scripts/package/bundled-packages.ts'
import { notices } from '../../scripts/package/notices.ts'
import { bill } from '../../scripts/package/sbom.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { importsIn, sourceFiles, sourceTree } from '../helpers/imports.ts'
import { readJson } from '../helpers/consumer.ts'

interface Component {
  name: string
  version: string
  purl: string
  hashes: object[]
  licenses: object[]
}

/** The libraries whose code src imports; the runners of the kits are their users' own. */
async function importedBySource(): Promise<string[]> {
  const runners = Object.keys((await readJson('package.json'))['peerDependencies'] as object)
  const imports = sourceFiles.flatMap((file) => importsIn(sourceTree(file)))
  const names = imports
    .filter(({ specifier, kind }) => kind !== 'type' && !/^(\.|node:)/.test(specifier))
    .map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
  return [...new Set(names)].filter((name) => !runners.includes(name)).toSorted()
}

const components = (await readJson('dist/sbom.cdx.json'))['components'] as Component[]
const texts = await readFile('dist/THIRD-PARTY-NOTICES.txt', 'utf8')

describe('what is bundled', () => {
  it('is listed in the bill of materials: all that src imports, and what that needs in turn', async () => {
    const imported = await importedBySource()
    expect(imported).toContain('zod')
    expect(components.map(({ name }) => name)).toEqual([...imported, 'readdirp'].toSorted())
  })

  it('is listed as npm lists it', async () => {
    const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline']
    const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 2 ** 26 })
    const { components: all } = JSON.parse(stdout) as { components: Component[] }
    const facts = ({ name, version, purl, hashes, licenses }: Component): object => ({
      name,
      version,
      purl,
      hashes,
      licenses,
    })
    const byPurl = new Map(all.map((one) => [one.purl, one]))
    for (const one of components) {
      const known = byPurl.get(one.purl)
      expect(known && facts({ ...known, name: one.name })).toEqual(facts(one))
    }
  })

  it('goes out with its licence', async () => {
    for (const { name, version, licenses } of components) {
      const [licensed] = licenses as { license: { id: string } }[]
      const places = ['node_modules', 'scripts/package/licences'].map((folder) =>
        resolve(folder, name, 'LICENSE'),
      )
      const licence = await readFile(places.find((place) => existsSync(place)) ?? '', 'utf8')
      expect(texts).toContain(`\n${name} ${version} (${licensed?.license.id})\n`)
      expect(texts).toContain(licence.trim())
    }
  })
})

describe('finding what is bundled', () => {
  const root = resolve('.')
  const chunk = (modules: Record<string, number>) => ({
    outDir: 'dist',
    modules: Object.fromEntries(
      Object.entries(modules).map(([file, renderedLength]) => [join(root, file), { renderedLength }]),
    ),
  })

  it('takes what has code in a file, once, and not what was left out', async () => {
    const found = await bundledPackages(
      [
        chunk({ 'src/bin.ts': 9, 'node_modules/zod/v4/index.js': 5, 'node_modules/hono/a.js': 0 }),
        chunk({ 'node_modules/zod/v4/core.js': 5, 'node_modules/@hono/node-server/dist/index.mjs': 1 }),
        { outDir: 'dist' },
      ],
      root,
    )
    expect(found.map(({ name, license }) => [name, license])).toEqual([
      ['@hono/node-server', 'MIT'],
      ['zod', 'MIT'],
    ])
  })

  it('the same packages -> the same bytes', async () => {
    const chunks = [chunk({ 'node_modules/zod/v4/index.js': 5, 'node_modules/yaml/a.js': 1 })]
    const write = async (): Promise<string> => {
      const packages = await bundledPackages(chunks, root)
      return notices(packages) + JSON.stringify(bill({ name: 'a', version: '1' }, packages))
    }
    expect(await write()).toBe(await write())
  })

  it.each([
    ['a licence file', { license: 'MIT' }, {}, 'x is bundled, but has no licence file'],
    [
      'a name of its licence',
      {},
      { LICENSE: 'Mine.' },
      'x is bundled, but has no license in its package.json',
    ],
    ['a hash', { license: 'MIT' }, { 'COPYING.md': 'Mine.' }, 'x is bundled, but has no integrity'],
  ])('a package without %s -> stops the build', async (_, manifest, files, message) => {
    const folder = await folderWith({
      'package-lock.json': { packages: {} },
      'node_modules/x/package.json': { name: 'x', version: '1.0.0', ...manifest },
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`node_modules/x/${name}`, text])),
    })
    const modules = { [join(folder, 'node_modules/x/a.js')]: { renderedLength: 1 } }
    await expect(bundledPackages([{ outDir: 'dist', modules }], folder)).rejects.toThrow(message)
  })
})
