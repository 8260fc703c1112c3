import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allAtOnce, sortInSlices, stepLength } from '../../src/store/sort-in-slices.ts'

/** Numbers that come in no order, the same every time. */
const mixed = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => String((at * 7919) % 1_000_003))

function stepsOf(work: Generator<void, readonly string[]>): { steps: number; sorted: readonly string[] } {
  for (let steps = 0; ; steps++) {
    const step = work.next()
    if (step.done === true) return { steps, sorted: step.value }
  }
}

const self = (text: string): string => text

describe('sorting in steps', () => {
  it.each([0, 1, 2, stepLength, stepLength + 1, 5 * stepLength + 3])(
    '%i texts -> as toSorted has them',
    (count) => {
      const texts = mixed(count)
      expect(allAtOnce(sortInSlices(texts, self))).toEqual(texts.toSorted())
    },
  )

  it('any texts -> as toSorted has them', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 50 }), (texts) => {
        expect(allAtOnce(sortInSlices(texts, self))).toEqual(texts.toSorted())
      }),
    )
  })

  it('texts in order are given back as they are, in no step', () => {
    const texts = mixed(3 * stepLength).toSorted()
    const { steps, sorted } = stepsOf(sortInSlices(texts, self))
    expect(steps).toBe(0)
    expect(sorted).toBe(texts)
  })

  it('no step is longer than it may be', () => {
    let looks = 0
    const counting = (text: string): string => (looks++, text)
    const work = sortInSlices(mixed(20 * stepLength), counting)
    // Whether all of it is in order is seen at once.
    work.next()
    let longest = 0
    for (let before = looks, step = work.next(); step.done !== true; before = looks, step = work.next()) {
      longest = Math.max(longest, looks - before)
    }
    expect(longest).toBeLessThan(3 * stepLength * Math.log2(stepLength))
  })
})
