// A service that does something else than any value of an assumption: calibrate says so, and never names a value.
import { describe, expect, it } from 'vitest'
import { otherValues } from '../helpers/other-values.ts'
import { everything, observableIds, plantedRun } from '../helpers/planted-run.ts'

describe('what is none of the values is told as such', () => {
  it.each(observableIds)('of %s', async (id) => {
    const { assume = {}, rewrite } = otherValues[id] ?? {}
    const run = await plantedRun(assume, { allow: everything, only: [id] }, rewrite?.())
    const { verdict, value, seen = '' } = run.observations[id] ?? {}
    expect({ verdict, value }).toEqual({ verdict: 'observed_other', value: undefined })
    expect(seen).not.toBe('')
  })
})
