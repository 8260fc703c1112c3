// The rules that keep the parts apart, read from the syntax tree so that comments and strings never count.
import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Rank of each folder or top file of src. A module imports from its own folder or from a lower rank. */
const RANKS: Record<string, number> = {
  runtime: 0,
  secrets: 0,
  contract: 1,
  reading: 2,
  store: 2,
  documents: 3,
  endpoints: 3,
  population: 4,
  simulation: 4,
  scenarios: 4,
  exchange: 5,
  journal: 6,
  coverage: 6,
  explain: 7,
  workspaces: 7,
  findings: 8,
  persistence: 8,
  verbs: 8,
  'statement-pdf': 8,
  http: 9,
  openapi: 10,
  control: 10,
  options: 11,
  sandbox: 12,
  testing: 13,
  'index.ts': 14,
  cli: 14,
  'bin.ts': 15,
}

/** Imports that point up until what they import has been cut in two: `importer > imported`. */
const ALLOWED = new Set(['reading > documents', 'documents > population'])

/** Libraries that only some folders may know, so that they can be replaced in one place. */
const LIBRARIES: { name: string; matches: RegExp; folders: string[] }[] = [
  { name: 'hono', matches: /^(hono|@hono\/[^/]+)(\/|$)/, folders: ['http', 'control'] },
  { name: 'lowdb', matches: /^lowdb(\/|$)/, folders: ['persistence'] },
  { name: 'chokidar', matches: /^chokidar(\/|$)/, folders: ['cli'] },
  { name: 'vitest', matches: /^vitest(\/|$)/, folders: ['testing'] },
  { name: '@playwright/test', matches: /^@playwright\/test(\/|$)/, folders: ['testing'] },
  { name: '@faker-js/faker', matches: /^@faker-js\/faker(\/|$)/, folders: ['population'] },
]

const PROCESS_FILES = ['bin.ts', 'runtime/host.ts']

/** Names that read OS randomness or an OS clock, whoever they are imported from. */
const RANDOM_NAMES = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'])

const topOf = (file: string) => file.split('/')[0] ?? file

/** What one module breaks. `file` is relative to src. */
function check(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const top = topOf(file)
  const rank = RANKS[top]

  const report = (node: ts.Node, rule: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    found.push(`src/${file}:${line + 1} ${rule}`)
  }

  if (rank === undefined) report(source, `imports-point-down: src/${top} has no rank; give it one in RANKS`)

  const checkImport = (node: ts.Node, specifier: string) => {
    if (!specifier.startsWith('.')) {
      if (/^(node:)?process$/.test(specifier) && !PROCESS_FILES.includes(file)) {
        report(node, `process-is-injected: only ${PROCESS_FILES.join(' and ')} may use process`)
      }
      for (const { name, matches, folders } of LIBRARIES) {
        if (matches.test(specifier) && !folders.includes(top)) {
          report(node, `library-stays-home: ${name} only in ${folders.map((f) => `src/${f}`).join(' and ')}`)
        }
      }
      return
    }
    const target = posix.normalize(posix.join(posix.dirname(file), specifier))
    if (target.startsWith('..')) return report(node, `imports-point-down: ${specifier} leaves src`)
    const targetTop = topOf(target)
    const targetRank = RANKS[targetTop]
    if (targetTop === top || rank === undefined || ALLOWED.has(`${top} > ${targetTop}`)) return
    if (targetRank === undefined) return report(node, `imports-point-down: ${targetTop} has no rank`)
    if (targetRank < rank) return
    const direction = targetRank === rank ? 'sideways' : 'up'
    report(
      node,
      `imports-point-down: ${top} (${rank}) imports ${direction} from ${targetTop} (${targetRank})`,
    )
  }

  const checkIdentifier = (node: ts.Identifier) => {
    const parent = node.parent
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node
    const owner = isMember ? parent.expression.getText(source) : undefined
    const ownerIs = (name: string) => owner === name || owner === `globalThis.${name}`

    if (node.text === 'process' && !PROCESS_FILES.includes(file)) {
      // A property or type member of that name is something else.
      const names = isMember || ts.isPropertyAssignment(parent) || ts.isTypeElement(parent)
      const isGlobal = owner === 'globalThis' || !names || !('name' in parent && parent.name === node)
      if (isGlobal) report(node, `process-is-injected: only ${PROCESS_FILES.join(' and ')} may use process`)
    }
    if (top === 'runtime') return
    const rule = 'time-and-randomness-are-injected: '
    if (node.text === 'now' && ownerIs('Date')) report(node, `${rule}Date.now only in src/runtime`)
    if (node.text === 'now' && ownerIs('performance'))
      report(node, `${rule}performance.now only in src/runtime`)
    if (node.text === 'random' && ownerIs('Math')) report(node, `${rule}Math.random only in src/runtime`)
    if (RANDOM_NAMES.has(node.text)) report(node, `${rule}${node.text} only in src/runtime`)
  }

  const isDate = (node: ts.Expression) => /^(globalThis\.)?Date$/.test(node.getText(source))

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const from = node.moduleSpecifier
      if (from && ts.isStringLiteral(from)) checkImport(from, from.text)
    } else if (ts.isCallExpression(node)) {
      const [first] = node.arguments
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        if (first && ts.isStringLiteralLike(first)) checkImport(first, first.text)
      }
      if (isDate(node.expression) && top !== 'runtime') {
        report(node, 'time-and-randomness-are-injected: Date() only in src/runtime')
      }
    } else if (ts.isImportTypeNode(node)) {
      const from = node.argument
      if (ts.isLiteralTypeNode(from) && ts.isStringLiteral(from.literal)) checkImport(from, from.literal.text)
    } else if (ts.isNewExpression(node)) {
      if (isDate(node.expression) && !node.arguments?.length && top !== 'runtime') {
        report(node, 'time-and-randomness-are-injected: new Date() only in src/runtime')
      }
    } else if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) {
      if (node.type.kind === ts.SyntaxKind.AnyKeyword) report(node, 'no-as-any: say what the value is')
    } else if (ts.isExportAssignment(node)) {
      report(node, 'no-default-export: a thing has one name everywhere')
    } else if (node.kind === ts.SyntaxKind.DefaultKeyword && ts.canHaveModifiers(node.parent)) {
      report(node, 'no-default-export: a thing has one name everywhere')
    } else if (ts.isExportSpecifier(node) && node.name.text === 'default') {
      report(node, 'no-default-export: a thing has one name everywhere')
    } else if (ts.isIdentifier(node)) {
      checkIdentifier(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const root = new URL('../', import.meta.url)

const modules = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
  .toSorted()

describe('architecture', () => {
  it('src keeps every rule', () => {
    expect(modules.length).toBeGreaterThan(0)
    const found = modules.flatMap((file) => check(file, readFileSync(new URL(`src/${file}`, root), 'utf8')))
    expect(found, `\n${found.join('\n')}\n`).toEqual([])
  })

  it('the package runs nothing when it is installed', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: object }
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
  })

  it('the package has no dependencies: every library is bundled', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('optionalDependencies')
    // The test runners are those of whoever uses a kit; nobody else needs one.
    expect(manifest).toMatchObject({
      peerDependencies: { '@playwright/test': expect.any(String), vitest: expect.any(String) },
      peerDependenciesMeta: { '@playwright/test': { optional: true }, vitest: { optional: true } },
    })
    expect(Object.keys((manifest as { peerDependencies: object }).peerDependencies)).toHaveLength(2)
  })
})

describe('the checker finds what it must', () => {
  it.each([
    ['store/a.ts', `\nimport { x } from '../http/app.ts'`, 'src/store/a.ts:2 imports-point-down: store (2)'],
    ['documents/a.ts', `import type { X } from '../endpoints/x.ts'`, 'sideways'],
    ['endpoints/a.ts', `export * from '../journal/x.ts'`, 'imports-point-down'],
    ['http/stages/a.ts', `const x = await import('../../openapi/x.ts')`, 'imports-point-down'],
    ['http/a.ts', `let x: import('../sandbox/index.ts').Sandbox`, 'imports-point-down'],
    ['testing/a.ts', `import { x } from '../index.ts'`, 'imports-point-down'],
    ['cli/a.ts', `import { x } from '../../package.json'`, 'leaves src'],
    ['cli/a.ts', `import { x } from '../helpers/x.ts'`, 'helpers has no rank'],
    ['helpers/a.ts', `export {}`, 'src/helpers has no rank'],
    ['workspaces/a.ts', `import { Hono } from 'hono'`, 'library-stays-home: hono'],
    ['cli/a.ts', `import { serve } from '@hono/node-server'`, 'library-stays-home: hono'],
    ['cli/a.ts', `import { html } from 'hono/html'`, 'library-stays-home: hono'],
    ['workspaces/a.ts', `import { Low } from 'lowdb'`, 'library-stays-home: lowdb'],
    ['workspaces/a.ts', `const { watch } = await import('chokidar')`, 'library-stays-home: chokidar'],
    ['cli/a.ts', `import { test } from 'vitest'`, 'library-stays-home: vitest'],
    ['cli/a.ts', `import { test } from '@playwright/test'`, 'library-stays-home: @playwright/test'],
    ['cli/a.ts', `const f = await import('@faker-js/faker/locale/en')`, 'library-stays-home: @faker-js'],
    ['cli/a.ts', `const port = process.env.PORT`, 'process-is-injected'],
    ['cli/a.ts', `const { env } = globalThis.process`, 'process-is-injected'],
    ['cli/a.ts', `const x = { p: process }`, 'process-is-injected'],
    ['cli/a.ts', `const x = { process }`, 'process-is-injected'],
    ['runtime/clock.ts', `import { env } from 'node:process'`, 'process-is-injected'],
    ['http/a.ts', `const t = Date.now()`, 'Date.now only'],
    ['http/a.ts', `const t = new globalThis.Date()`, 'new Date() only'],
    ['http/a.ts', `const t = new Date`, 'new Date() only'],
    ['http/a.ts', `const t = Date()`, 'Date() only'],
    ['http/a.ts', `const t = [1].map(Math.random)`, 'Math.random only'],
    ['http/a.ts', `import { randomUUID as id } from 'node:crypto'`, 'randomUUID only'],
    ['http/a.ts', `const t = crypto.randomUUID()`, 'randomUUID only'],
    ['http/a.ts', `const t = performance.now()`, 'performance.now only'],
    ['http/a.ts', `const x = {} as any`, 'no-as-any'],
    ['http/a.ts', `const x = <any>{}`, 'no-as-any'],
    ['http/a.ts', `export default 1`, 'no-default-export'],
    ['http/a.ts', `export default function f() {}`, 'no-default-export'],
    ['http/a.ts', `const f = 1\nexport { f as default }`, 'src/http/a.ts:2 no-default-export'],
  ])('%s: %s', (file, text, message) => {
    const found = check(file, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  it.each([
    ['http/a.ts', `import { Hono } from 'hono'\nimport { x } from './stages/y.ts'\nimport '../store/x.ts'`],
    ['sandbox/index.ts', `import { options } from '../options/x.ts'\nimport { x } from './x.ts'`],
    ['sandbox/a.ts', `import { options } from '../options/x.ts'`],
    ['index.ts', `export * from './sandbox/index.ts'\nexport * from './testing/a.ts'`],
    ['cli/run.ts', `import { createSandbox } from '../sandbox/index.ts'\nimport { parse } from 'yaml'`],
    ['bin.ts', `import { run } from './cli/run.ts'\nprocess.exitCode = await run(process.argv)`],
    ['runtime/clock.ts', `export const now = () => Date.now() + performance.now() + Math.random()`],
    ['runtime/host.ts', `import process from 'node:process'\nexport const { pid } = process`],
    ['population/a.ts', `import { Faker } from '@faker-js/faker'`],
    ['http/a.ts', `const t = new Date(0) // not Date.now()\nconst u = clock.now() + 'process.env as any'`],
    ['http/a.ts', `interface Worker { process: string }\nconst w = { process: 1 }\nw.process`],
    ['http/a.ts', `const xs = [] as const\nswitch (1) { default: }`],
  ])('%s may: %s', (file, text) => {
    expect(check(file, text)).toEqual([])
  })
})
