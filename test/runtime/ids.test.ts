import { describe, expect, test } from 'vitest'
import { idAt } from '../../src/runtime/ids.ts'
import { samples } from '../setup/samples.ts'

const places = samples(200_000)

describe('ids of the sequence', () => {
  test.each([1, 0, 2, 4_294_967_296, -1])(
    `seed %i: no two of ${places.toLocaleString('en')} places are alike, not even in their first 7 characters`,
    (seed) => {
      const [whole, first] = [new Set<string>(), new Set<string>()]
      for (let place = 0; place < places; place++) {
        const id = idAt(seed, place, 'int')
        whole.add(id)
        first.add(id.slice(0, 11))
      }
      expect([whole.size, first.size]).toEqual([places, places])
    },
  )

  test('a prefix and 12 characters that nobody takes for one another', () => {
    for (let place = 0; place < 1000; place++) {
      expect(idAt(1, place, 'int')).toMatch(/^int_[0-9a-hjkmnp-tv-z]{12}$/)
    }
  })

  test('they do not look like a counter: neighbours differ in most characters', () => {
    let alike = 0
    for (let place = 0; place < 1000; place++) {
      const [one, two] = [idAt(1, place, 'x'), idAt(1, place + 1, 'x')]
      // The first character holds only 2 bits, so it is left out.
      for (let at = 3; at < one.length; at++) if (one[at] === two[at]) alike++
    }
    expect(alike / (1000 * 11)).toBeLessThan(0.05)
  })

  test('the same seed and place -> the same id, in every version of this package', () => {
    expect([idAt(1, 0, 'int'), idAt(1, 1, 'int'), idAt(2, 0, 'int')]).toMatchInlineSnapshot(`
      [
        "int_1mavfg50541m",
        "int_189vv290q565",
        "int_1msysscy8272",
      ]
    `)
  })

  test('another seed -> another sequence', () => {
    const of = (seed: number) => Array.from({ length: 1000 }, (_, place) => idAt(seed, place, 'x'))
    const one = new Set(of(1))
    expect(of(2).filter((id) => one.has(id))).toEqual([])
  })

  test('without a prefix -> the underscore stands first', () => {
    expect(idAt(1, 0, '')).toBe(idAt(1, 0, 'int').slice(3))
  })
})
