import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../src/runtime/host.ts'
import { walk } from './helpers/walk.ts'

const page = readFileSync(join(packageRoot(), 'AGENTS.md'), 'utf8')

test('AGENTS.md has two pages, ten recipes, and names pages that exist', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(200)
  expect(page.match(/^\*\*\d+\. /gm)).toHaveLength(10)
  const pages = [...page.matchAll(/page `([\w-]+\.md)`/g)].map(([, name]) => name ?? '')
  expect(pages.length).toBeGreaterThan(2)
  for (const name of pages) expect(readFileSync(join(packageRoot(), 'docs', name), 'utf8')).not.toBe('')
})

test('the commands of AGENTS.md run from top to bottom', { timeout: 60_000 }, async () => {
  const outputs = (await walk('AGENTS.md')).map(({ output }) => output)
  expect(outputs).toEqual(
    [
      /"id":"rwd_ada_pending"/,
      /^Sandbox listening on /,
      /"id":"rwd_ada_pending"/,
      /^req_default_1: retrieveReward answered 200\.$/m,
      /"status": "PENDING"[^]+"status": "AVAILABLE"[^]+"status": "AVAILABLE"/,
      /RATE_LIMIT_ERROR/,
      /^2026-12-21T12:00:00\.000Z \(frozen\)[^]+^intent int_ada_1$/m,
      /^It holds: 1 request matched\.$/,
      /"id": "rwd_ada_pending"/,
      /^Contract coverage: 3 %/,
    ].map((printed) => expect.stringMatching(printed)),
  )
})
