import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../../src/runtime/host.ts'
import { block } from '../markdown.ts'
import type { Regions } from '../regions.ts'

/** The generated region of the page of the architecture. */
export const architectureRegions: Regions = { 'traced-files': tracedFiles }

/** Lists the files that one call runs through. */
async function tracedFiles(): Promise<string> {
  const script = join(packageRoot(), 'scripts', 'trace-call', 'index.mjs')
  const { stdout: files } = await promisify(execFile)(process.execPath, [script])
  return block('text', files)
}
