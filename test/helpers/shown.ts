import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import type { Walked } from './walk.ts'

/** Holds what commands printed against what the page shows below them; `npm run docs` writes it there instead. */
export function expectAsShown(page: string, walked: readonly Walked[]): void {
  for (const { code, output, shown } of walked) {
    if (shown === undefined) continue
    if (process.env['UPDATE_DOCS']) show(page, code, output)
    else expect(shown, `what ${page} shows below:\n${code}`).toBe(output)
  }
}

/** Writes text into the block that stands below this one. */
export function show(page: string, above: string, text: string): void {
  const file = join(packageRoot(), page)
  const content = readFileSync(file, 'utf8')
  const at = content.indexOf('```text\n', content.indexOf(above)) + '```text\n'.length
  writeFileSync(file, `${content.slice(0, at)}${text}\n${content.slice(content.indexOf('```\n', at))}`)
}
