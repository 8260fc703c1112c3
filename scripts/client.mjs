// Generates the TypeScript client of the tests from the OpenAPI document. It fails if the generator warns.
//   node scripts/client.mjs            compares the client with the committed one
//   node scripts/client.mjs --write    replaces the committed one
// The generator needs an older version of TypeScript than this project, so npx downloads both.
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const committed = join(root, 'test', 'clients', 'typescript', 'api.generated.ts')
const folder = mkdtempSync(join(tmpdir(), 'sandbox-client-'))

/** The output of the generator without warnings: its name, and the path that it wrote. */
const usual = /^(✨ openapi-typescript |🚀 )/

try {
  const [document, made] = [join(folder, 'openapi.json'), join(folder, 'api.generated.ts')]
  writeFileSync(document, execFileSync(process.execPath, [join(root, 'dist', 'bin.cjs'), 'openapi']))
  const packages = ['-p', 'typescript@5.9.3', '-p', 'openapi-typescript@7.13.0']
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['-y', '--loglevel=error', ...packages, 'openapi-typescript', document, '-o', made],
    { encoding: 'utf8', cwd: folder },
  )
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '')
  const unusual = said.filter((line) => !usual.test(line))
  if (status !== 0) throw new Error(`the client was not generated:\n${said.join('\n')}`)
  if (unusual.length > 0) throw new Error(`the generator has warnings:\n${unusual.join('\n')}`)
  if (process.argv.includes('--write')) copyFileSync(made, committed)
  else if (readFileSync(made, 'utf8') !== readFileSync(committed, 'utf8')) {
    throw new Error(`${committed} is not what the OpenAPI document gives; run: npm run client`)
  }
  console.log('client: generated without a warning')
} catch (error) {
  console.error(`client: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
