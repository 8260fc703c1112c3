// Writes the other files of the package after a build (OpenAPI document, schemas, contract, notices, SBOM).
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as library from '../../src/index.ts'
import type * as probeLibrary from '../../src/probe/index.ts'
import { bundledPackages, type BuiltChunk } from './bundled-packages.ts'
import { contractModule } from './contract-module.ts'
import { notices } from './notices.ts'
import { bill } from './sbom.ts'

/**
 * Generates the documents with the sandbox that was just built.
 * @param commonJs the names of the libraries that are CommonJS. @param parts those of files that only kits import.
 */
export async function writePackageFiles(
  chunks: readonly BuiltChunk[],
  commonJs: readonly string[],
  parts: readonly string[],
): Promise<void> {
  const dist = chunks[0]?.outDir
  if (dist === undefined) throw new Error('nothing was built')
  for (const name of [...commonJs, ...parts]) await writeModule(join(dist, name))
  await shareTypes(chunks, commonJs)
  // The process may have imported an earlier build, so the URL must be new.
  const address = `${pathToFileURL(join(dist, 'index.mjs')).href}?built=${Date.now()}`
  const { createSandbox } = (await import(address)) as typeof library
  const probe = createRequire(join(dist, 'probe.cjs'))('./probe.cjs') as typeof probeLibrary
  const sandbox = await createSandbox()
  const openapi = await sandbox.openapi('http://127.0.0.1:4010')
  const serving = await createSandbox({ webhooks: 'standard' })
  const { code, types } = contractModule(openapi, await serving.openapi('http://127.0.0.1:4010'))
  const packages = await bundledPackages(chunks, rootOf(dist))
  const files: Record<string, string> = {
    'openapi.json': json(openapi),
    'schemas/fixtures.json': json(await sandbox.schema('fixtures')),
    'schemas/scenario.json': json(await sandbox.schema('scenario')),
    'schemas/webhooks.json': json(await sandbox.schema('webhooks')),
    'schemas/target.json': json(probe.targetJsonSchema()),
    'contract.cjs': code,
    'contract.d.cts': types,
    'contract.d.mts': `export * from './contract.cjs'\n`,
    'THIRD-PARTY-NOTICES.txt': notices(packages),
    'sbom.cdx.json': json(bill({ name: 'partner-rewards-sandbox', version: sandbox.version }, packages)),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true })
    await writeFile(join(dist, name), text)
  }
  await writeModule(join(dist, 'contract'))
}

/** Writes an ES module for a CommonJS file, as Node can only guess the names of its exports. */
async function writeModule(path: string): Promise<void> {
  const file = `./${basename(path)}.cjs`
  const names = Object.keys(createRequire(`${path}.cjs`)(file) as object)
  await writeFile(`${path}.mjs`, `import all from '${file}'\nexport const { ${names.join(', ')} } = all\n`)
}

/**
 * Shares the declarations between ES modules and CommonJS. Modules may import types from CommonJS, but not every
 * compiler allows the reverse. So the shared declarations, and those of CommonJS libraries, become CommonJS. The
 * package then has each declaration once.
 */
async function shareTypes(chunks: readonly BuiltChunk[], commonJs: readonly string[]): Promise<void> {
  for (const { outDir, fileName = '', isEntry } of chunks) {
    const [, name] = /^(.+)\.d\.mts$/.exec(fileName) ?? []
    if (name === undefined) continue
    const path = join(outDir, name)
    const types = await readFile(`${path}.d.mts`, 'utf8')
    const text = withDisposables(types.replaceAll(/(from "\.\/[^"]+)\.mjs"/g, '$1.cjs"'))
    const isModule = isEntry === true && !commonJs.includes(name)
    if (!isModule) await writeFile(`${path}.d.cts`, text)
    if (isModule) await writeFile(`${path}.d.mts`, text)
    else if (isEntry) await writeFile(`${path}.d.mts`, `export * from './${name}.cjs'\n`)
    else await rm(`${path}.d.mts`)
  }
}

/** Adds the TypeScript library that `await using` needs, as no target before ESNext includes it. */
function withDisposables(types: string): string {
  return types.includes('[Symbol.asyncDispose]')
    ? `/// <reference lib="esnext.disposable" />\n${types}`
    : types
}

function rootOf(dist: string): string {
  return dirname(dist.startsWith('/') ? dist : fileURLToPath(pathToFileURL(dist)))
}

function json(document: object): string {
  return `${JSON.stringify(document)}\n`
}
