// The section of a page that lists the files that one call runs through.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/runtime/host.ts'

const section = /(?<=`npm run trace:call`[\s\S]*?```text\n)[\s\S]*?(?=```)/

/** Returns the page with the current list. */
export async function withTracedFiles(page: string): Promise<string> {
  const text = readFileSync(join(packageRoot(), page), 'utf8')
  if (!section.test(text)) throw new Error(`${page} has no list of files below \`npm run trace:call\``)
  const script = join(packageRoot(), 'scripts', 'trace-call', 'index.mjs')
  const { stdout: files } = await promisify(execFile)(process.execPath, [script])
  return text.replace(section, () => files)
}
