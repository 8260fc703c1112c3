import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { folderWith } from '../helpers/fake-io.ts'

const named = (name: string): string =>
  `name: ${name}\ndescription: d\nrules: [{ on: '*', effect: unauthenticated }]\n`

/** A library of the built-in scenarios and these, and a way to edit the file among them. */
async function libraryWith(...others: (string | object)[]) {
  const cwd = await folderWith({ 'mine.yaml': named('mine') })
  const file = join(cwd, 'mine.yaml')
  const library = new ScenarioLibrary(join(packageRoot(), 'scenarios'), [file, ...others], (path) =>
    path.slice(cwd.length + 1),
  )
  return { library, edit: (text: string) => writeFile(file, text) }
}

describe('the names of what was given', () => {
  it('are unknown before it was read, and then in its order', async () => {
    const object = { name: 'object', description: 'd', rules: [{ on: '*', effect: 'unauthenticated' }] }
    const { library } = await libraryWith('slow', object, 'reset')
    expect([library.activeNames, library.catalogue]).toEqual([[], undefined])
    const catalogue = await library.load()
    expect(library.activeNames).toEqual(['mine', 'slow', 'object', 'reset'])
    expect(['mine', 'slow', 'object', 'nobody'].map((name) => catalogue.has(name))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})

describe('reading again', () => {
  it('changes nothing until it is used', async () => {
    const { library, edit } = await libraryWith()
    const before = await library.load()
    await edit(named('renamed'))
    const reading = await library.read()
    expect(library.catalogue).toBe(before)
    expect(await library.load()).toBe(before)
    expect(library.activeNames).toEqual(['mine'])
    library.use(reading)
    expect(library.activeNames).toEqual(['renamed'])
    expect(await library.load()).toBe(library.catalogue)
    expect(library.catalogue).not.toBe(before)
    expect(['mine', 'renamed', 'slow'].map((name) => library.catalogue?.has(name))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('a file that cannot be used -> every problem, and what was known stays', async () => {
    const { library, edit } = await libraryWith()
    const before = await library.load()
    await edit('name: Mine\ndescription: d\nrules: []\n')
    const error: unknown = await library.read().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DocumentError)
    expect((error as DocumentError).problems.map(({ source, line, path }) => [source, line, path])).toEqual([
      ['mine.yaml', 1, 'name'],
      ['mine.yaml', 3, 'rules'],
    ])
    expect([library.catalogue, library.activeNames]).toEqual([before, ['mine']])
  })

  it('an engine follows the names at its next reset', async () => {
    const { library, edit } = await libraryWith()
    await library.load()
    const engine = new ScenarioEngine(library, 1)
    await edit(named('renamed'))
    library.use(await library.read())
    engine.reset()
    expect(engine.active).toEqual(['renamed'])
    expect([engine.find('mine'), engine.find('renamed')?.name]).toEqual([undefined, 'renamed'])
  })
})
