import { expect, it } from 'vitest'
import { onNothing } from '../../src/call/rests-on.ts'

it('nothing -> no ids and no text', () => {
  expect([onNothing.ids, onNothing.text]).toEqual([[], ''])
})

it('ids stand in the order of the catalogue, each once, whatever order they were noted in', () => {
  const one = onNothing.and('create_status').and('not_found_status').and('create_status')
  const other = onNothing.and('not_found_status').and('create_status')
  expect([one.ids, other.ids]).toEqual([
    ['create_status', 'not_found_status'],
    ['create_status', 'not_found_status'],
  ])
  expect(one.text).toBe('create_status, not_found_status')
})

it('the same ids in the same order -> the same set, which is made once and stays as it is', () => {
  const set = onNothing.and('not_found_status')
  expect(onNothing.and('not_found_status')).toBe(set)
  expect(set.and('not_found_status')).toBe(set)
  set.and('create_status')
  expect(set.ids).toEqual(['not_found_status'])
})
