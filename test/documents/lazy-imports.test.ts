import { expect, it } from 'vitest'
import { importsIn, loadedWith, sourceFiles, sourceTree } from '../helpers/imports.ts'

it.each(['documents/load.ts', 'documents/row.ts', 'population/baseline.ts'])(
  '%s loads neither YAML nor the library for names',
  (entry) => {
    const loaded = [...loadedWith(entry)]
    expect(loaded).toContain('documents/rules.ts')
    expect(loaded.filter((name) => /yaml|faker|made-customer|compile/.test(name))).toEqual([])
  },
)

it('the libraries are loaded along with the modules that need them', () => {
  const users = (library: string) =>
    sourceFiles.filter((file) =>
      importsIn(sourceTree(file)).some(({ to, kind }) => kind === 'static' && to === library),
    )
  expect(users('yaml')).toEqual(['documents/dump-yaml.ts', 'reading/yaml-text.ts'])
  expect(users('@faker-js/faker')).toEqual(['population/made-customer.ts'])
})
