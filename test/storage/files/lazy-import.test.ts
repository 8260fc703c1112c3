import { expect, it } from 'vitest'
import { loadedWith } from '../../helpers/imports.ts'

it.each(['sandbox/index.ts', 'index.ts', 'cli/serve/start.ts'])(
  '%s loads no module of storage but the one that loads the others: a start in memory does not pay for them',
  (entry) => {
    const loaded = [...loadedWith(entry)]
    expect(loaded).toContain('workspaces/workspace.ts')
    const ofStorage = loaded.filter((name) =>
      /lowdb|storage\/files|storage\/core|sandbox\/(?:open|storage)-/.test(name),
    )
    expect(ofStorage).toEqual(['sandbox/storage-option.ts'])
  },
)

it('lowdb is loaded with data files', () => {
  const loaded = [...loadedWith('sandbox/open-files.ts')]
  expect(loaded).toContain('lowdb')
  expect(loaded).toContain('storage/files/document-file.ts')
})
