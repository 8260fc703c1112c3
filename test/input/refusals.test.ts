import { describe, expect, it } from 'vitest'
import { NotFoundError, notThere } from '../../src/input/refusals.ts'

const many = Array.from({ length: 23 }, (_, at) => `w${String(at).padStart(2, '0')}`)

describe('notThere', () => {
  it.each([
    ['like one', 'befor', ['after', 'before'], ", did you mean 'before'?"],
    ['like none', 'x', ['after', 'before'], ": there is 'after', 'before'"],
    ['without any', 'x', [], ': there is none'],
    [
      'like none of many',
      'a',
      many,
      `: there is ${many
        .slice(0, 20)
        .map((name) => `'${name}'`)
        .join(', ')} and 3 more`,
    ],
  ])('a name %s -> what to ask for instead', (_what, name, known, hint) => {
    expect(notThere('snapshot', name, known)).toEqual(
      new NotFoundError(`no snapshot is called '${name}'${hint}`),
    )
  })

  it('a name that a terminal would obey is shown without', () => {
    expect(notThere('workspace', 'a\u001b[31m', []).message).toBe(
      "no workspace is called 'a?[31m': there is none",
    )
  })
})
