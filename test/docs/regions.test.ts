import { describe, expect, it } from 'vitest'
import { replaceRegions } from '../../scripts/docs/regions.ts'

const end = '<!-- end of generated -->'
const start = (name: string): string => `<!-- generated: ${name} -->`
const pageOf = (...lines: string[]): string => `${lines.join('\n')}\n`

describe('generated regions of a page', () => {
  const regions = { paths: () => 'new paths\n', verbs: async () => '\nnew verbs' }
  const current = pageOf(
    'Before.',
    start('paths'),
    '',
    'new paths',
    '',
    end,
    'Between.',
    start('verbs'),
    '',
    'new verbs',
    '',
    end,
    'After.',
  )

  it('replaces only the text between the marker lines', async () => {
    const stale = pageOf(
      'Before.',
      start('paths'),
      'old',
      '',
      '- old',
      end,
      'Between.',
      start('verbs'),
      end,
      'After.',
    )
    expect(await replaceRegions('docs/x.md', stale, regions)).toBe(current)
  })

  it('changes nothing in a current page', async () => {
    expect(await replaceRegions('docs/x.md', current, regions)).toBe(current)
  })

  it('formats the regions, and not the rest of the page', async () => {
    const formatted = await replaceRegions('docs/x.md', current, regions, (text) => text.toUpperCase())
    expect(formatted).toBe(current.replace('new paths', 'NEW PATHS').replace('new verbs', 'NEW VERBS'))
  })

  it('replaces a region in each of its positions', async () => {
    const twice = pageOf(start('a'), end, start('a'), 'old', end)
    const filled = [start('a'), '', 'new', '', end]
    expect(await replaceRegions('docs/x.md', twice, { a: () => 'new' })).toBe(pageOf(...filled, ...filled))
  })
})

describe('problems of marker lines', () => {
  const needsEnd = `has no line '${end}' after it: add that line, or delete this one`
  const needsStart = `has no line '<!-- generated: NAME -->' before it: add that line, or delete this one`
  const regions = { paths: () => '', verbs: () => '' }
  const both = [start('paths'), end, start('verbs'), end]

  it.each<[problem: string, lines: string[], messages: string[]]>([
    [
      'an unknown name',
      [...both, start('path'), end],
      [
        `docs/x.md:5: '${start('path')}' names no region of this page: use one of paths, verbs, or declare path in scripts/docs/pages/`,
      ],
    ],
    [
      'the name of a member of every object',
      [...both, start('toString'), end],
      [
        `docs/x.md:5: '${start('toString')}' names no region of this page: use one of paths, verbs, or declare toString in scripts/docs/pages/`,
      ],
    ],
    [
      'no end marker before the next start',
      [start('paths'), ...both.slice(2)],
      [`docs/x.md:1: '${start('paths')}' ${needsEnd}`],
    ],
    [
      'no end marker before the end of the page',
      both.slice(0, -1),
      [`docs/x.md:3: '${start('verbs')}' ${needsEnd}`],
    ],
    ['an end marker without a start', [...both, 'text', end], [`docs/x.md:6: '${end}' ${needsStart}`]],
    [
      'a region without markers',
      both.slice(0, 2),
      [
        `docs/x.md: has no line '${start('verbs')}': add it, and '${end}' after it, or delete region verbs in scripts/docs/pages/`,
      ],
    ],
    [
      'several, all of them',
      [end, start('paths')],
      [
        `docs/x.md:1: '${end}' ${needsStart}`,
        `docs/x.md:2: '${start('paths')}' ${needsEnd}`,
        `docs/x.md: has no line '${start('verbs')}': add it, and '${end}' after it, or delete region verbs in scripts/docs/pages/`,
      ],
    ],
  ])('%s', async (_, lines, messages) => {
    await expect(replaceRegions('docs/x.md', pageOf(...lines), regions)).rejects.toThrow(
      new Error(messages.join('\n')),
    )
  })
})
