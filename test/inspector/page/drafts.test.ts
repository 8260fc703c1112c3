import { afterEach, describe, expect, it } from 'vitest'
import { draftKey, drafts, keepDraft } from '../../../src/inspector/page/drafts.ts'

afterEach(() => drafts.clear())

describe('a draft', () => {
  const key = draftKey('w3', '/state/rewards/rwd_1')

  it('is kept with the row that it is made of, until it is as it was at first', () => {
    const opened = { id: 'rwd_1' }
    keepDraft(key, { text: '{"id": "rwd_2"}', opened }, '{}')
    expect(drafts.get(key)).toEqual({ text: '{"id": "rwd_2"}', opened })
    keepDraft(key, { text: '{}', opened }, '{}')
    expect(drafts.has(key)).toBe(false)
  })

  it('is of one workspace', () => {
    keepDraft(key, { text: 'x' }, '')
    expect(drafts.has(draftKey('default', '/state/rewards/rwd_1'))).toBe(false)
  })
})
