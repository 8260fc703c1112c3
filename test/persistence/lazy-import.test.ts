import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

const folder = new URL('../../src/', import.meta.url)

/** Every module that is loaded along with one, without those that wait for a call. */
function loadedWith(entry: string): Set<string> {
  const seen = new Set<string>()
  const queue = [entry]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(new URL(file, folder), 'utf8')
    for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type )[^']*?from '([^']+)'/gms)) {
      queue.push(name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : name)
    }
  }
  return seen
}

it.each(['sandbox/index.ts', 'index.ts', 'cli/serve/start.ts'])(
  '%s loads nothing of data files: a start without one does not pay for it',
  (entry) => {
    const loaded = [...loadedWith(entry)]
    expect(loaded).toContain('workspaces/workspace.ts')
    // The one that decides whether there is a data file, and loads the rest when there is.
    const ofData = loaded.filter((name) => /lowdb|persistence|data-option/.test(name))
    expect(ofData).toEqual(['sandbox/data-option.ts'])
  },
)

it('lowdb is used for data files, and for nothing else', () => {
  const loaded = [...loadedWith('persistence/open-data.ts')]
  expect(loaded).toContain('lowdb')
  expect(loaded).toContain('persistence/data-file.ts')
})
