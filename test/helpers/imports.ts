// Reads the imports of src from its syntax trees, so that comments and strings never count.
import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

export interface Import {
  /** As it is written: `../store/rows.ts`, `hono/html`. */
  specifier: string
  /** Where it leads: a file of src (`store/rows.ts`, from `../` on when it lies outside), or the specifier itself. */
  to: string
  /** A static import or re-export is loaded along, a dynamic one when the call comes to it, a type never. */
  kind: 'static' | 'dynamic' | 'type'
  node: ts.Node
}

const folder = new URL('../../src/', import.meta.url)

/** Every module of src, relative to it. */
export const sourceFiles: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
  .toSorted()

const trees = new Map<string, ts.SourceFile>()

/** The syntax tree of a file of src. */
export function sourceTree(file: string): ts.SourceFile {
  const known = trees.get(file)
  if (known) return known
  const tree = treeOf(file, readFileSync(new URL(file, folder), 'utf8'))
  trees.set(file, tree)
  return tree
}

/** The syntax tree of a text that would stand in a file of src. */
export function treeOf(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

export function importsIn(tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (kind: Import['kind'], node: ts.Node | undefined) => {
    if (!node || !ts.isStringLiteralLike(node)) return
    const specifier = node.text
    const to = specifier.startsWith('.') ? posix.join(posix.dirname(tree.fileName), specifier) : specifier
    found.push({ specifier, to, kind, node })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type' : 'static',
        node.moduleSpecifier,
      )
    } else if (ts.isExportDeclaration(node)) {
      add(node.isTypeOnly ? 'type' : 'static', node.moduleSpecifier)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add('dynamic', node.arguments[0])
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add('type', node.argument.literal)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The files and libraries that are loaded along with a file of src: what static imports lead to, itself included. */
export function loadedWith(entry: string): Set<string> {
  // A set is walked in the order of insertion, what is added on the way included.
  const loaded = new Set([entry])
  for (const file of loaded) {
    if (!sourceFiles.includes(file)) continue
    for (const { to, kind } of importsIn(sourceTree(file))) if (kind === 'static') loaded.add(to)
  }
  return loaded
}
