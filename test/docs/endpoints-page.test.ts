import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'

const page = readFileSync(join(packageRoot(), 'docs', 'endpoints.md'), 'utf8')

it('docs/endpoints.md has no table without a row', () => {
  expect(page).not.toMatch(/^\|[ |-]*-[ |-]*\|\n(?!\|)/m)
})

it('docs/endpoints.md gives each field and parameter a type', () => {
  const cells = page.split('\n').filter((line) => line.startsWith('| `'))
  expect(cells.length).toBeGreaterThan(0)
  expect(cells.filter((line) => /\| any\b/.test(line))).toEqual([])
})

it('docs/endpoints.md lists the fields of an object in a body', () => {
  const fields = [...page.matchAll(/^\| `(merchant_address[^`]*)` *\| *\| (\w+)/gm)]
  expect(fields.map(([, name, type]) => [name, type])).toEqual([
    ['merchant_address', 'object'],
    ...['street_line1', 'street_line2', 'city', 'state', 'postal_code', 'country'].map((name) => [
      `merchant_address.${name}`,
      'string',
    ]),
  ])
})
