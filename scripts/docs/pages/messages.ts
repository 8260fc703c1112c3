import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../../src/runtime/host.ts'

/** Who reads the messages of which folders. Folders that are not named are shared by all of them. */
const surfaces: Readonly<Record<string, readonly string[]>> = {
  'Command line': ['bin.ts', 'cli', 'options', 'probe'],
  HTTP: ['call', 'contract', 'control', 'endpoints', 'explain', 'http', 'openapi'],
  Library: ['index.ts', 'sandbox', 'testing'],
  Page: ['inspector'],
}
const shared = 'Shared by all: files, rows, scenarios, workspaces, storage'

/** All messages in the source, for a reader who checks their words. */
export function messagesPage(): string {
  const src = join(packageRoot(), 'src')
  const bySurface = new Map<string, string[]>([...Object.keys(surfaces), shared].map((name) => [name, []]))
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!/\.tsx?$/.test(path) || path.includes('.generated.') || path.includes('/style/')) continue
    const messages = messagesOf(path, readFileSync(join(src, path), 'utf8'))
    if (messages.length === 0) continue
    const [folder = ''] = path.split('/')
    const surface = Object.keys(surfaces).find((name) => surfaces[name]?.includes(folder)) ?? shared
    bySurface.get(surface)?.push(`### src/${path}\n\n${messages.map((text) => `- ${text}\n`).join('')}`)
  }
  const parts = [...bySurface].map(([name, files]) => `## ${name}\n\n${files.join('\n')}`)
  return `# Messages

All texts that the sandbox shows, by source file, to check their words.

${parts.join('\n')}`
}

/** Returns the texts of a file that a person reads: string literals of three words and more, and texts of elements. */
export function messagesOf(path: string, code: string): string[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    // Tagged templates are styles and scripts.
    if (ts.isTaggedTemplateExpression(node)) return
    const text = ts.isJsxText(node) ? node.text : joined(node)
    if (text === undefined) return ts.forEachChild(node, visit)
    const line = text.replaceAll(/\s+/g, ' ').trim()
    if (ts.isJsxText(node) ? /[a-z]/.test(line) : isMessage(line)) found.add(asMarkdown(line))
    // Expressions in a template may hold messages of their own.
    if (!ts.isJsxText(node)) ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

/** Returns the text of a literal, of a template, or of several joined by "+", with expressions as {name}. */
function joined(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, { expression, literal }) => `${text}{${nameOf(expression)}}${literal.text}`,
      node.head.text,
    )
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [joined(node.left), joined(node.right)]
    return left === undefined || right === undefined ? undefined : left + right
  }
  return undefined
}

/** Returns a short name of an expression: its last identifier. */
function nameOf(expression: ts.Expression): string {
  return /(\w+)\W*$/.exec(expression.getText().replaceAll(/\s+/g, ' '))?.[1] ?? '…'
}

/** Three words make a message; whole files, such as copied tests, are no messages. */
function isMessage(line: string): boolean {
  // Lists of names, and the first line of an object, are code.
  if (/^[\w$]+(?: as \w+)?(?:, [\w$]+(?: as \w+)?)+$|^\{ \w+: /.test(line)) return false
  return line.length < 400 && line.split(' ').filter((word) => /^[("'`]*[A-Za-z]/.test(word)).length >= 3
}

function asMarkdown(line: string): string {
  return line.replaceAll(/([\\`*_<>|[\]])/g, String.raw`\$1`)
}
