// After a build: writes what the package holds beside code (OpenAPI document, schemas, contract, notices, SBOM).
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as library from '../../src/index.ts'
import { bundledPackages, type BuiltChunk } from './bundled-packages.ts'
import { contractModule } from './contract-module.ts'
import { notices } from './notices.ts'
import { bill } from './sbom.ts'

/** The documents are made from the declarations, by asking the sandbox that was just built. */
export async function writePackageFiles(chunks: readonly BuiltChunk[]): Promise<void> {
  const dist = chunks[0]?.outDir
  if (dist === undefined) throw new Error('nothing was built')
  const names = Object.keys(createRequire(join(dist, 'library.cjs'))('./library.cjs') as object)
  await writeFile(join(dist, 'index.mjs'), libraryModule(names))
  // Asked in a process that may have loaded an earlier build, so the address must be a new one.
  const address = `${pathToFileURL(join(dist, 'index.mjs')).href}?built=${Date.now()}`
  const { createSandbox } = (await import(address)) as typeof library
  const sandbox = await createSandbox()
  const openapi = await sandbox.openapi('http://127.0.0.1:4010')
  const { code, types } = contractModule(openapi)
  const packages = await bundledPackages(chunks, rootOf(dist))
  const files: Record<string, string> = {
    'openapi.json': json(openapi),
    'schemas/fixtures.json': json(await sandbox.schema('fixtures')),
    'schemas/scenario.json': json(await sandbox.schema('scenario')),
    'contract.mjs': code,
    'contract.d.mts': types,
    'THIRD-PARTY-NOTICES.txt': notices(packages),
    'sbom.cdx.json': json(bill({ name: 'partner-rewards-sandbox', version: sandbox.version }, packages)),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true })
    await writeFile(join(dist, name), text)
  }
}

/** The library for those who import it: node reads the names of a CommonJS file by guessing. */
function libraryModule(names: readonly string[]): string {
  return `import library from './library.cjs'\nexport const { ${names.join(', ')} } = library\n`
}

function rootOf(dist: string): string {
  return dirname(dist.startsWith('/') ? dist : fileURLToPath(pathToFileURL(dist)))
}

function json(document: object): string {
  return `${JSON.stringify(document)}\n`
}
