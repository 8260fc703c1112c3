import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../../src/json/exact-number.ts'
import { fieldChanges } from '../../../src/inspector/page/row-changes.ts'
import { changedMeanwhile, readRow, saveRow } from '../../../src/inspector/page/row-draft.ts'
import { Refused, Unreachable, type ControlRequest, type Source } from '../../../src/inspector/page/source.ts'

/** A sandbox with one row, or an answer in its place. */
function sandbox(row: object | Error | undefined, put?: (body: unknown) => unknown) {
  const requests: [string, string, unknown][] = []
  const source: Source = {
    isLive: true,
    about: '',
    home: 'default',
    ask: async <T>(method: string, path: string, { body }: ControlRequest = {}) => {
      requests.push([method, path, body])
      if (method === 'PUT') return (put ?? ((sent) => sent))(body) as T
      if (row === undefined) throw new Refused(404, 'no such row')
      if (row instanceof Error) throw row
      return row as T
    },
    follow: () => () => undefined,
  }
  return { place: { source, path: '/state/rewards/rwd_1', workspace: 'w1' }, requests }
}

const row = { id: 'rwd_1', amount: 1 }

describe('saving a row', () => {
  it('that is as it was when it was opened: it is sent, with every digit', async () => {
    const { place, requests } = sandbox({ ...row })
    const text = '{"id": "rwd_1", "amount": 2, "metadata": {"n": 9223372036854775807}}'
    const sent = { id: 'rwd_1', amount: 2, metadata: { n: new ExactNumber('9223372036854775807') } }
    expect(await saveRow(place, text, row)).toEqual({ kind: 'saved', row: sent })
    expect(requests).toEqual([
      ['GET', '/state/rewards/rwd_1', undefined],
      ['PUT', '/state/rewards/rwd_1', sent],
    ])
  })

  it.each([
    ['became another one', { id: 'rwd_1', amount: 9 }, row],
    ['was deleted', undefined, row],
    ['was made by somebody else', row, undefined],
  ])('that %s meanwhile: it is not overwritten', async (_what, now, opened) => {
    const { place, requests } = sandbox(now)
    expect(await saveRow(place, '{}', opened)).toEqual({ kind: 'changed', now })
    expect(requests.map(([method]) => method)).toEqual(['GET'])
  })

  it('that is not there yet: it is sent', async () => {
    expect(await saveRow(sandbox(undefined).place, '{"id": "rwd_1"}', undefined)).toEqual({
      kind: 'saved',
      row: { id: 'rwd_1' },
    })
  })

  it('that is no JSON: nobody is asked', async () => {
    const { place, requests } = sandbox(row)
    expect(await saveRow(place, '{', row)).toMatchObject({ kind: 'refused', problems: [{ line: 1 }] })
    expect(requests).toEqual([])
  })

  it.each([
    [
      new Refused(400, 'both', [{ path: 'amount', message: 'must be an integer' }]),
      [{ line: 2, path: 'amount', message: 'must be an integer' }],
    ],
    [new Refused(503, 'not saved'), [{ line: undefined, path: '', message: 'not saved' }]],
  ])('that is refused: %s', async (refused, problems) => {
    const { place } = sandbox(row, () => {
      throw refused
    })
    expect(await saveRow(place, '{\n"amount": "x"}', row)).toEqual({ kind: 'refused', problems })
  })

  it('where nobody answers: it throws', async () => {
    await expect(saveRow(sandbox(new Unreachable('nobody')).place, '{}', row)).rejects.toThrow('nobody')
  })
})

describe('reading a row', () => {
  it('of a collection that is not there is no row to be written', async () => {
    const place = { ...sandbox(undefined).place, path: '/state/nope' }
    await expect(readRow(place)).rejects.toThrow('no such row')
  })
})

describe('the fields in which rows differ', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1, b: { c: 1 } }, { a: 2, b: { c: 1 } }, { a: { before: 1, after: 2 } }],
    [{ a: 1 }, { b: undefined }, { a: { before: 1 }, b: { after: undefined } }],
    [{ n: new ExactNumber('1e400') }, { n: new ExactNumber('1e400') }, {}],
  ])('%j, %j', (before, after, changes) => {
    expect(fieldChanges(before, after)).toEqual(changes)
  })

  it('of one that was deleted have no after', () => {
    expect(changedMeanwhile({ a: 1 }, undefined)).toEqual({ a: { before: 1 } })
  })
})
