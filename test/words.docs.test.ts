import { readFileSync, readdirSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** Words of a private language: each has a term of the field in its place, such as "reported", "no client", "reset". */
const refusedWords = ['told', 'whoever', 'nobody', 'somebody', 'anew', 'mended']
const refusedNames = /^(?:most|least)[A-Z]|^giveWay$/
const refusedBeginnings = /(?:^|[.:;?!]\s)(What|Whoever|Of a|One that)\s/

/** Returns the problems of one file, each with its line. */
function problemsOf(path: string, code: string): string[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const comments = new Map<number, string>()
  const problems: string[] = []
  const report = (position: number, problem: string): void => {
    problems.push(`${path}:${file.getLineAndCharacterOfPosition(position).line + 1}: ${problem}`)
  }
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return
    for (const range of [
      ...(ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(code, node.getEnd()) ?? []),
    ])
      comments.set(range.pos, code.slice(range.pos, range.end))
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const words = node.text.split(/(?=[A-Z])|\W|_/).map((word) => word.toLowerCase())
      const refused = words.find((word) => refusedWords.includes(word))
      if (refused !== undefined || refusedNames.test(node.text))
        report(node.getStart(), `name '${node.text}'`)
    }
    for (const child of node.getChildren(file)) visit(child)
  }
  visit(file)
  for (const [position, comment] of comments) {
    const text = comment
      .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    const word = new RegExp(`\\b(?:${refusedWords.join('|')})\\b`, 'i').exec(text)?.[0]
    if (word !== undefined) report(position, `comment with '${word}'`)
    const beginning = refusedBeginnings.exec(text)?.[1]
    if (beginning !== undefined) report(position, `comment sentence that begins with '${beginning}'`)
  }
  return problems
}

it('names and comments of src use the terms of the field', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.generated)\.tsx?$/.test(name),
  )
  expect(files.flatMap((name) => problemsOf(name, readFileSync(`src/${name}`, 'utf8')))).toEqual([])
})

it.each([
  ['a name', 'const isTold = 1', `x.ts:1: name 'isTold'`],
  ['a private name', 'class A { #nobody = 1 }', `x.ts:1: name '#nobody'`],
  ['a limit', 'const mostRows = 1', `x.ts:1: name 'mostRows'`],
  ['a comment', '\n// Whoever comes.\nconst a = 1', `x.ts:2: comment with 'Whoever'`],
  [
    'a beginning',
    '/** Fine. What is left. */\nconst a = 1',
    `x.ts:1: comment sentence that begins with 'What'`,
  ],
])('%s is refused', (_, code, problem) => {
  expect(problemsOf('x.ts', code)).toContain(problem)
})
