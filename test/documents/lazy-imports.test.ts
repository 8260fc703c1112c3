import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

const folder = new URL('../../src/', import.meta.url)

/** What a module loads when it is loaded: its imports of values, without those that wait for a call. */
function loadedBy(file: string): string[] {
  const text = readFileSync(new URL(file, folder), 'utf8')
  return [...text.matchAll(/^(?:import|export) (?!type )[^']*?from '([^']+)'/gms)].map(([, name = '']) =>
    name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : name,
  )
}

/** Everything that is loaded along with a module. */
function loadedWith(entry: string): Set<string> {
  const seen = new Set<string>()
  const queue = [entry]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (file.endsWith('.ts')) queue.push(...loadedBy(file))
  }
  return seen
}

it.each(['documents/load.ts', 'documents/row.ts', 'population/baseline.ts'])(
  '%s loads neither YAML nor the library for names',
  (entry) => {
    const loaded = [...loadedWith(entry)]
    expect(loaded).toContain('documents/rules.ts')
    expect(loaded.filter((name) => /yaml|faker|made-customer|compile/.test(name))).toEqual([])
  },
)

it('the libraries are imported in one module each', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const users = (library: string): string[] => files.filter((file) => loadedBy(file).includes(library))
  expect(users('yaml')).toEqual(['reading/yaml-text.ts'])
  expect(users('@faker-js/faker')).toEqual(['population/made-customer.ts'])
})
