import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'

const page = join(packageRoot(), 'docs', 'architecture.md')
const block = /(`npm run trace:call`[\s\S]*?```text\n)([\s\S]*?)(```)/

it('docs/architecture.md lists the files that one call runs through, the app among them', () => {
  const script = join(packageRoot(), 'scripts', 'trace-call', 'index.mjs')
  const files = execFileSync(process.execPath, [script], { encoding: 'utf8' })
  const text = readFileSync(page, 'utf8')
  if (process.env['UPDATE_DOCS']) writeFileSync(page, text.replace(block, `$1${files}$3`))
  expect(block.exec(readFileSync(page, 'utf8'))?.[2]).toBe(files)
  expect(files.split('\n')).toContain('http/app.ts')
}, 60_000)
