import { expect, it } from 'vitest'
import { pathNamed } from '../../../src/cli/remote/path-named.ts'
import { pathName } from '../../../src/reading/problems.ts'

const document = {
  customers: [{ id: 'a' }, { 'a.b': { c: 1 }, a: { b: 1 }, 'x[0]': 1, x: [[1, 2]] }],
  long: { ['y'.repeat(90)]: { z: 1 } },
}

it.each<[string, (string | number)[]]>([
  ['', []],
  ['customers', ['customers']],
  ['customers[1].a.b', ['customers', 1, 'a.b']],
  ['customers[1].a.b.c', ['customers', 1, 'a.b', 'c']],
  ['customers[1].x[0]', ['customers', 1, 'x[0]']],
  ['customers[1].x[0][1]', ['customers', 1, 'x', 0, 1]],
  [pathName(['long', 'y'.repeat(90), 'z']), ['long', 'y'.repeat(90), 'z']],
  ['customers[0].missing', ['customers', 0]],
  ['customers[2].id', ['customers']],
  ['custom', []],
  ['nowhere[0]', []],
])('%j -> %j, as far as the document has it', (text, path) => {
  expect(pathNamed(document, text)).toEqual(path)
})

it('in a list -> by its place', () => {
  expect(pathNamed([{ a: 1 }], '[0].a')).toEqual([0, 'a'])
})
