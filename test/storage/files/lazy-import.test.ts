import { expect, it } from 'vitest'
import { loadedWith } from '../../helpers/imports.ts'

it.each(['sandbox/index.ts', 'index.ts', 'cli/serve/start.ts'])(
  '%s loads nothing of data files: a start without one does not pay for it',
  (entry) => {
    const loaded = [...loadedWith(entry)]
    expect(loaded).toContain('workspaces/workspace.ts')
    // The one that decides whether there is a data file, and loads the rest when there is.
    const ofData = loaded.filter((name) => /lowdb|storage\/file|data-option/.test(name))
    expect(ofData).toEqual(['sandbox/data-option.ts'])
  },
)

it('lowdb is used for data files, and for nothing else', () => {
  const loaded = [...loadedWith('storage/file/open-data.ts')]
  expect(loaded).toContain('lowdb')
  expect(loaded).toContain('storage/file/data-file.ts')
})
