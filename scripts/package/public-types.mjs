// What users see of our types is plain data, `Request` and `Response`: a type inferred from a library would drag that
// library's declarations into ours, and its next version would break our users (the runner of a test kit is theirs). And
// what they see, they can name: every type in a signature, and every error that a docstring promises, can be imported
// from the entry that shows it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * What breaks this, a line each.
 * @param {string} folder of a package
 * @returns {string[]}
 */
export function publicTypeDefects(folder) {
  const { peerDependencies, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const unnamed = entries(folder, exports).flatMap(unnameable)
  return [...leakedLibraries(join(folder, 'dist'), peerDependencies), ...new Set(unnamed)]
}

/**
 * Declarations of libraries in ours, or imports of them.
 * @param {string} dist
 * @param {object} peerDependencies
 * @returns {string[]}
 */
function leakedLibraries(dist, peerDependencies) {
  const allowed = (name) => name.startsWith('node:') || name in peerDependencies
  return readdirSync(dist)
    .filter((name) => /\.d\.[cm]ts$/.test(name))
    .flatMap((file) => {
      const types = readFileSync(join(dist, file), 'utf8')
      const leaked = new Set(
        [...types.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)|from ["']([^."'][^"']*)["']/gm)]
          // An example in a comment may import us.
          .map(([, bundled, imported]) => bundled ?? imported)
          .filter((name) => !allowed(name) && !/^partner-rewards-sandbox(\/|$)/.test(name)),
      )
      if (leaked.size === 0) return []
      return [`dist/${file} exposes types of: ${[...leaked].join(', ')}. Write the public type out.`]
    })
}

/**
 * The files of declarations that can be imported.
 * @param {string} folder
 * @param {Record<string, { types?: string }>} exports
 * @returns {string[]}
 */
function entries(folder, exports) {
  return Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(folder, types)]))
}

/** What an entry shows and does not export: types that signatures name, and errors that docstrings promise. */
function unnameable(entry) {
  const program = ownProgram(entry)
  const checker = program.getTypeChecker()
  const resolved = (symbol) =>
    symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const source = program.getSourceFile(entry)
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source))
  const named = new Set(exported.map(resolved))
  const classes = new Set(
    exported
      .filter((symbol) => !symbol.declarations.some(ts.isTypeOnlyExportDeclaration))
      .map(({ name }) => name),
  )
  const found = []
  const seen = new Set()

  const show = (symbol) => {
    if (seen.has(symbol)) return
    seen.add(symbol)
    for (const declaration of symbol.declarations ?? []) visit(declaration, symbol.name)
  }
  const visit = (node, shownIn) => {
    if (
      ts.canHaveModifiers(node) &&
      node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
    )
      return
    for (const [, error] of (node.jsDoc ?? []).flatMap((doc) => [
      ...doc.getText().matchAll(/@throws \{(\w+)\}/g),
    ])) {
      if (!classes.has(error) && !isForeign(error)) {
        found.push(`dist/${basename(entry)} promises ${error} in ${shownIn}, and does not export it.`)
      }
    }
    const symbol = resolved(nameIn(node) && checker.getSymbolAtLocation(nameIn(node)))
    // Type parameters have no place of their own; what a runner or the platform declares is imported from there.
    if (symbol?.declarations && !(symbol.flags & ts.SymbolFlags.TypeParameter)) {
      if (!named.has(symbol)) {
        found.push(`dist/${basename(entry)} shows ${symbol.name} in ${shownIn}, and does not export it.`)
      }
      show(symbol)
    }
    ts.forEachChild(node, (child) => visit(child, shownIn))
  }
  for (const symbol of named) show(symbol)
  // What an entry adds to the declarations of others is shown as well.
  for (const node of source.statements) if (ts.isModuleDeclaration(node)) visit(node, node.name.text)
  return found
}

/** The type that a node names, if it does; of `typeof list`, the type has no name. */
function nameIn(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
}

/** Errors of the platform: those that are global, and that of node:assert. */
function isForeign(error) {
  return error in globalThis || error === 'AssertionError'
}

/** Our declarations alone: those of others are neither ours to export nor worth the time. */
function ownProgram(entry) {
  const options = { module: ts.ModuleKind.NodeNext, noLib: true, types: [] }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? {
            resolvedFileName: join(dirname(from), text.replace(/\.([cm])js$/, '.d.$1ts')),
            extension: `.d.${text.at(-3)}ts`,
          }
        : undefined,
    }))
  return ts.createProgram([entry], options, host)
}
