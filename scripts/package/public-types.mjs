// Checks the public types. They must be plain data, `Request` and `Response`: a type inferred from a library would add
// the library's declarations to ours, and its next version would break our users (a test kit may use the types of its
// runner). Every public type must have a name that can be imported: each type in a signature, and each error in a
// docstring, must be exported by the entry that shows it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * Returns the violations of these rules, one a line.
 * @param {string} folder of a package
 * @returns {string[]}
 */
export function publicTypeDefects(folder) {
  const { peerDependencies, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const unnamed = entries(folder, exports).flatMap(unnameable)
  return [...leakedLibraries(join(folder, 'dist'), peerDependencies), ...new Set(unnamed)]
}

/**
 * Finds declarations of libraries in ours, and imports of libraries.
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
          // An example in a comment may import this package.
          .map(([, bundled, imported]) => bundled ?? imported)
          .filter((name) => !allowed(name) && !/^partner-rewards-sandbox(\/|$)/.test(name)),
      )
      if (leaked.size === 0) return []
      return [`dist/${file} exposes types of: ${[...leaked].join(', ')}. Write the public type out.`]
    })
}

/**
 * Returns the declaration files that can be imported.
 * @param {string} folder
 * @param {Record<string, { types?: string }>} exports
 * @returns {string[]}
 */
function entries(folder, exports) {
  return Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(folder, types)]))
}

/** Finds types in signatures and errors in docstrings that an entry does not export. */
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
    // Type parameters need no export. Types of a runner or the platform are imported from there.
    if (symbol?.declarations && !(symbol.flags & ts.SymbolFlags.TypeParameter)) {
      if (!named.has(symbol)) {
        found.push(`dist/${basename(entry)} shows ${symbol.name} in ${shownIn}, and does not export it.`)
      }
      show(symbol)
    }
    ts.forEachChild(node, (child) => visit(child, shownIn))
  }
  for (const symbol of named) show(symbol)
  // The entry also shows the declarations that it adds to other modules.
  for (const node of source.statements) if (ts.isModuleDeclaration(node)) visit(node, node.name.text)
  return found
}

/** Returns the name of the type that a node refers to, if there is one. A `typeof list` has no type name. */
function nameIn(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
}

/** Whether an error belongs to the platform: a global one, or that of node:assert. */
function isForeign(error) {
  return error in globalThis || error === 'AssertionError'
}

/** Creates a program with our declarations only. Those of others need no export, and would take time. */
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
