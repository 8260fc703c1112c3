import { describe, expect, it } from 'vitest'
import { closest, didYouMean } from '../../src/input/did-you-mean.ts'

const statuses = ['PENDING_DEDUCTION', 'PENDING', 'AVAILABLE', 'DEDUCTED']

describe('didYouMean', () => {
  it.each([
    ['a letter too many', 'PENDINGG', 'PENDING'],
    ['another case', 'available', 'AVAILABLE'],
    ['two letters in each other’s place', 'AVIALABLE', 'AVAILABLE'],
    ['the beginning -> the shortest that has it', 'pend', 'PENDING'],
    ['more of it', 'pending_ded', 'PENDING_DEDUCTION'],
  ])('%s', (_what, word, meant) => {
    expect(didYouMean(word, statuses)).toBe(`, did you mean '${meant}'?`)
  })

  it.each([
    ['two letters, which say too little', 'av'],
    ['nothing', ''],
    ['what is like none', 'zzzzzz'],
  ])('%s -> what there is', (_what, word) => {
    expect(didYouMean(word, statuses, ', or nothing')).toBe(', or nothing')
  })
})

it('closest, with so many letters wrong and no more', () => {
  const names = ['SANDBOX_HOST', 'SANDBOX_PORT']
  expect(closest('SANDBOX_PROT', names, 2)).toBe('SANDBOX_PORT')
  expect(closest('SANDBOX_NOTHING', names, 2)).toBeUndefined()
})
