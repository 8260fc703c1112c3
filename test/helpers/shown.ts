import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import type { Walked } from './walk.ts'

/** Compares the output of commands with the page, which shows it below them; `vitest -u` writes it there. */
export async function expectAsShown(
  page: string,
  walked: readonly Pick<Walked, 'code' | 'output' | 'shown'>[],
): Promise<void> {
  const file = join(packageRoot(), page)
  const text = walked.reduce(
    (content, { code, output, shown }) => (shown === undefined ? content : withOutput(content, code, output)),
    readFileSync(file, 'utf8'),
  )
  await expect(text, `the output of commands on ${page}`).toMatchFileSnapshot(file)
}

/** Replaces the first block of text below these commands. */
function withOutput(content: string, code: string, output: string): string {
  const at = content.indexOf('```text\n', content.indexOf(code)) + '```text\n'.length
  return `${content.slice(0, at)}${output}\n${content.slice(content.indexOf('```\n', at))}`
}
