import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryValues } from '../../src/http/query-values.ts'
import { samples } from '../setup/samples.ts'

const part = fc.stringMatching(/^(?:[a-z_=.~!*-]|%[0-9A-Fa-f]{2}|\+|%|&){0,12}$/)

test('reads any query as URLSearchParams does', () => {
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom('limit', 'a', 'starting_after', 'b_'), (parts, name) => {
      const query = parts.map((text, at) => (at % 2 === 0 ? `${name}=${text}` : text)).join('&')
      const sent = new URLSearchParams(query)
      expect(queryValues(query).of(name)).toEqual(sent.getAll(name))
      expect(queryValues(query).size).toBe([...sent].length)
    }),
    { seed: 1, numRuns: samples(1000) },
  )
})

test.each([
  ['', []],
  ['limit', ['']],
  ['limit=', ['']],
  ['limit=1&limit=2', ['1', '2']],
  ['limits=1&xlimit=2', []],
  ['limit=1=2', ['1=2']],
  ['&&limit=%31&', ['1']],
])('%j -> %j', (query, values) => {
  expect(queryValues(query).of('limit')).toEqual(values)
})
