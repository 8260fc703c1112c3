// Generates the TypeScript clients of the tests from the OpenAPI documents. It fails if the generator warns.
// The generator needs an older version of TypeScript than this project, so npx downloads both on first use.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSandbox } from '../../src/sandbox/index.ts'

/** The output of the generator without warnings: its name, and the path that it wrote. */
const statusLine = /^(✨ openapi-typescript |🚀 )/

/** @param control of the control plane, in place of the API. */
export async function testClient(control = false): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-client-'))
  try {
    const [document, client] = [join(folder, 'openapi.json'), join(folder, 'api.generated.ts')]
    // Every operation that there can be.
    const sandbox = await createSandbox({ assume: { unlisted_operations: 'documented' } })
    writeFileSync(document, JSON.stringify(await sandbox.openapi(undefined, { control })))
    const packages = ['-p', 'typescript@5.9.3', '-p', 'openapi-typescript@7.13.0']
    const { stdout, stderr } = await promisify(execFile)(
      'npx',
      ['-y', '--loglevel=error', ...packages, 'openapi-typescript', document, '-o', client],
      { cwd: folder },
    )
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '')
    const warnings = lines.filter((line) => !statusLine.test(line))
    if (warnings.length > 0) throw new Error(`openapi-typescript has warnings:\n${warnings.join('\n')}`)
    return readFileSync(client, 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
