import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CST, Lexer, Parser } from 'yaml'
import { samples } from '../setup/samples.ts'
import { readYaml } from '../../src/input/yaml-text.ts'
import { alone, deepYaml } from '../helpers/deep-yaml.ts'

const tooDeep = 'is nested deeper than 100 levels'

/** Maps and lists around the innermost one of what was read. */
function levelsOf(value: unknown): number {
  let levels = 0
  for (let row = [value]; ; levels++) {
    row = row.flatMap((one) => (typeof one === 'object' && one !== null ? [one] : []))
    if (row.length === 0) return levels
    row = row.flatMap((one) => Object.values(one as object))
  }
}

describe('deep YAML', () => {
  it.each(Object.entries(alone(20_000)))('%s, 20,000 times -> no error but faults', (_name, text) => {
    expect(readYaml(text, 100).faults.length).toBeGreaterThan(0)
  })

  it('any mixture -> a value of at most 100 levels, or faults', () => {
    fc.assert(
      fc.property(deepYaml, (text) => {
        const { value, faults } = readYaml(text, 100)
        if (faults.length === 0) expect(levelsOf(value)).toBeLessThanOrEqual(100)
        // The error that the composer of the library reports when it has reached the end of the stack.
        for (const { message } of faults) expect(message).not.toContain('call stack')
      }),
      { numRuns: samples(150) },
    )
  })

  it('no tree that reaches the composer has more than 203 levels', () => {
    // A map that takes the list before it as its key replaces that list on the stack: at most twice the limit.
    fc.assert(
      fc.property(deepYaml, (text) => {
        expect(levelsOfTrees(text)).toBeLessThanOrEqual(203)
      }),
      { numRuns: samples(150) },
    )
  })
})

/** How deep the maps and lists are in the trees that the parser gives before its stack passes the limit. */
function levelsOfTrees(text: string): number {
  const parser = new Parser()
  const trees: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    trees.push(...parser.next(lexeme))
    const top = parser.stack.at(-1)
    if (parser.stack.length > 101 && top && CST.isCollection(top)) return most(trees)
  }
  trees.push(...parser.end())
  return most(trees)
}

function most(trees: readonly CST.Token[]): number {
  let levels = 0
  let row = trees.flatMap((tree) => (tree.type === 'document' ? [tree.value] : []))
  for (; row.length > 0; levels++) {
    row = row
      .flatMap((token) =>
        CST.isCollection(token ?? null) && token && 'items' in token
          ? token.items.flatMap((item) => [item.key ?? undefined, item.value])
          : [],
      )
      .filter((token) => token !== undefined)
  }
  return levels
}

describe('YAML that only looks deep', () => {
  const dashes = '- '.repeat(500)
  it.each([
    ['a block scalar', `a: |\n  ${dashes}\n  ${'['.repeat(500)}\n  ${'? '.repeat(500)}\n`],
    ['a folded scalar in a list', `- >-\n  ${dashes}\n- |\n  ${'{'.repeat(500)}\n`],
    ['a quoted string', `a: "${dashes}${'['.repeat(500)}"\nb: '${dashes}${'{'.repeat(500)}'\n`],
    ['a string of several lines', `a: "${'[\n  '.repeat(500)}"\n`],
    ['a comment', `# ${dashes}\na: 1 # ${'['.repeat(500)}\n`],
    ['a plain string', `a: b${' -'.repeat(500)} c\nd: e${'['.repeat(500)}\n`],
    ['a rule of dashes', `a: ${'-'.repeat(500)}\nb: |\n  ${'-'.repeat(500)}\n`],
    ['lists after each other', `a:\n${'  - [[[[1]]]]\n'.repeat(500)}`],
    ['items on one line that close', `a: [${'[[[]]],'.repeat(500)}]`],
    ['a wide indentation', `a:\n${' '.repeat(500)}b:\n${' '.repeat(900)}- c\n`],
    ['100 items', `${'- '.repeat(100)}x`],
    ['100 members', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['100 brackets around a scalar', `${'['.repeat(100)}x${']'.repeat(100)}`],
    ['Windows line ends', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\r\n')],
  ])('%s -> read', (_name, text) => {
    expect(readYaml(text, 100).faults).toEqual([])
  })

  it.each([
    ['items', `${'- '.repeat(101)}x`],
    ['members', `${Array.from({ length: 101 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')} x`],
    ['brackets', `${'['.repeat(101)}x${']'.repeat(101)}`],
    ['explicit keys', `${'? '.repeat(101)}x`],
    ['a second document', `a: 1\n---\n${'- '.repeat(101)}x`],
  ])('101 %s -> refused', (_name, text) => {
    expect(readYaml(text, 100).faults.map(({ message }) => message)).toContain(tooDeep)
  })

  it.each(['fixtures', 'scenarios'])('each file of %s -> read', (folder) => {
    for (const name of readdirSync(folder).filter((file) => /\.ya?ml$/.test(file))) {
      expect({ name, faults: readYaml(readFileSync(join(folder, name), 'utf8'), 100).faults }).toEqual({
        name,
        faults: [],
      })
    }
  })
})
