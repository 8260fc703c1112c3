// The rules that keep the parts apart, read from the syntax tree so that comments and strings never count.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { importsIn, loadedWith, sourceFiles, sourceTree, treeOf, type Import } from './helpers/imports.ts'

/** Rank of each folder or top file of src. A module imports from its own folder or from a lower rank. */
const RANKS: Record<string, number> = {
  json: -1,
  runtime: 0,
  secrets: 0,
  contract: 1,
  input: 2,
  store: 2,
  simulation: 3,
  endpoints: 4,
  fixtures: 5,
  generate: 6,
  scenarios: 6,
  call: 7,
  events: 7,
  journal: 8,
  coverage: 8,
  metrics: 8,
  explain: 9,
  workspaces: 9,
  storage: 10,
  operations: 11,
  http: 12,
  openapi: 13,
  control: 13,
  inspector: 14,
  options: 14,
  sandbox: 15,
  probe: 16,
  'index.ts': 17,
  testing: 18,
  cli: 18,
  'bin.ts': 19,
}

/** Libraries that only some folders may know, so that they can be replaced in one place. */
const LIBRARIES: { name: string; matches: RegExp; folders: string[] }[] = [
  { name: 'hono', matches: /^(hono|@hono\/[^/]+)(\/|$)/, folders: ['http', 'control', 'inspector'] },
  { name: 'lowdb', matches: /^lowdb(\/|$)/, folders: ['storage'] },
  { name: 'chokidar', matches: /^chokidar(\/|$)/, folders: ['cli'] },
  { name: 'vitest', matches: /^vitest(\/|$)/, folders: ['testing'] },
  { name: '@playwright/test', matches: /^@playwright\/test(\/|$)/, folders: ['testing'] },
  { name: 'expect', matches: /^expect(\/|$)/, folders: ['testing'] },
  { name: '@redis/client', matches: /^@redis\/client(\/|$)/, folders: ['storage'] },
  { name: '@faker-js/faker', matches: /^@faker-js\/faker(\/|$)/, folders: ['generate'] },
]

/** The one folder that chooses a driver of storage; all others use the interface in src/workspaces/storage.ts. */
const CHOOSES_DRIVER = 'sandbox'

/** The one file that looks into schemas. */
const SHAPES = 'contract/schema-shape.ts'

const PROCESS_FILES = ['bin.ts', 'runtime/host.ts']

/** Names that read OS randomness or an OS clock, from any module. */
const RANDOM_NAMES = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'])

/** Each of these must be needed somewhere, or it goes. */
const EXCEPTIONS = [
  ...Object.keys(RANKS).map((top) => `rank of ${top}`),
  ...LIBRARIES.flatMap(({ name, folders }) => folders.map((folder) => `${name} in ${folder}`)),
  ...PROCESS_FILES.map((file) => `process in ${file}`),
]

const topOf = (file: string) => file.split('/')[0] ?? file

/** Returns the broken rules of one module, and the exceptions that it needs. */
function check(source: ts.SourceFile): { found: string[]; used: string[] } {
  const file = source.fileName
  const used: string[] = []
  const found: string[] = []
  const top = topOf(file)
  const rank = RANKS[top]
  // The page of the inspector runs in a browser, whose time is its own.
  const hasOwnTime = top === 'runtime' || file.startsWith('inspector/page/')

  const report = (node: ts.Node, rule: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    found.push(`src/${file}:${line + 1} ${rule}`)
  }

  if (rank === undefined) report(source, `imports-point-down: src/${top} has no rank; give it one in RANKS`)
  used.push(`rank of ${top}`)

  const checkProcess = (node: ts.Node) => {
    if (PROCESS_FILES.includes(file)) used.push(`process in ${file}`)
    else report(node, `process-is-injected: only ${PROCESS_FILES.join(' and ')} may use process`)
  }

  const checkImport = ({ node, specifier, to }: Import) => {
    if (!specifier.startsWith('.')) {
      if (/^(node:)?process$/.test(specifier)) checkProcess(node)
      for (const { name, matches, folders } of LIBRARIES) {
        if (!matches.test(specifier)) continue
        if (folders.includes(top)) used.push(`${name} in ${top}`)
        else
          report(node, `library-stays-home: ${name} only in ${folders.map((f) => `src/${f}`).join(' and ')}`)
      }
      return
    }
    if (to.startsWith('..')) return report(node, `imports-point-down: ${specifier} leaves src`)
    const targetTop = topOf(to)
    const targetRank = RANKS[targetTop]
    if (targetTop === top || rank === undefined) return
    if (targetTop === 'storage' && top !== CHOOSES_DRIVER)
      report(node, `drivers-stay-home: only src/${CHOOSES_DRIVER} imports a driver of storage`)
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

    if (node.text === 'process') {
      // A property or type member of that name is something else.
      const names = isMember || ts.isPropertyAssignment(parent) || ts.isTypeElement(parent)
      const isGlobal = owner === 'globalThis' || !names || !('name' in parent && parent.name === node)
      if (isGlobal) checkProcess(node)
    }
    if (hasOwnTime) return
    const rule = 'time-and-randomness-are-injected: '
    if (node.text === 'now' && ownerIs('Date')) report(node, `${rule}Date.now only in src/runtime`)
    if (node.text === 'now' && ownerIs('performance'))
      report(node, `${rule}performance.now only in src/runtime`)
    if (node.text === 'random' && ownerIs('Math')) report(node, `${rule}Math.random only in src/runtime`)
    if (RANDOM_NAMES.has(node.text)) report(node, `${rule}${node.text} only in src/runtime`)
  }

  const isDate = (node: ts.Expression) => /^(globalThis\.)?Date$/.test(node.getText(source))

  const visit = (node: ts.Node): void => {
    const isOfZod = ts.isBinaryExpression(node) && node.right.getText(source).startsWith('z.Zod')
    if (isOfZod && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword && file !== SHAPES)
      report(node, `one-walker: only src/${SHAPES} asks zod which kind of schema it has`)
    if (ts.isCallExpression(node)) {
      if (isDate(node.expression) && !hasOwnTime) {
        report(node, 'time-and-randomness-are-injected: Date() only in src/runtime')
      }
    } else if (ts.isNewExpression(node)) {
      if (isDate(node.expression) && !node.arguments?.length && !hasOwnTime) {
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
  importsIn(source).forEach(checkImport)
  visit(source)
  return { found, used }
}

/** The circles in which files import each other, types and dynamic imports included, in the order of their imports. */
function circles(sources: readonly ts.SourceFile[]): string[] {
  const graph = new Map(
    sources.map((source) => [source.fileName, new Set(importsIn(source).map(({ to }) => to))] as const),
  )
  const found: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const follow = (file: string): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' > '))
    if (path.includes(file) || done.has(file)) return
    path.push(file)
    graph.get(file)?.forEach(follow)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) follow(file)
  return found
}

/** Folders of like things, in which a file is called after what it is about. */
const LIKE_THINGS = /(^|\/)(effects|points|operations|control|cli|probe\/(assumptions|checks))\//

/** Names of files that say nothing, as more than one file has them. */
function namesakes(files: readonly string[]): string[] {
  const named = files.filter((file) => !LIKE_THINGS.test(file) && posix.basename(file) !== 'index.ts')
  const like = (file: string) => named.filter((other) => posix.basename(other) === posix.basename(file))
  const found = named.map(like).filter(({ length }) => length > 1)
  return [...new Set(found.map((same) => same.join(' = ')))]
}

/** Whether a file begins with a comment in words, after the line that makes it a program. */
function saysItsJob(source: ts.SourceFile): boolean {
  return /^(#!.*\n)?(\/\/ (?!oxlint-|@ts-)|\/\*\* )[\w`'"]/.test(source.text)
}

const manifestText = readFileSync(new URL('../package.json', import.meta.url), 'utf8')

describe('architecture', () => {
  const checked = sourceFiles.map((file) => check(sourceTree(file)))

  it('src keeps every rule', () => {
    expect(checked.length).toBeGreaterThan(0)
    const found = checked.flatMap((one) => one.found)
    expect(found, `\n${found.join('\n')}\n`).toEqual([])
  })

  it('no files of src import each other in a circle', () => {
    const found = circles(sourceFiles.map(sourceTree))
    expect(found, `\n${found.join('\n')}\n`).toEqual([])
  })

  it('the page loads no zod, which probes for eval where the policy of the page forbids it', () => {
    const entries = sourceFiles.filter((file) => file.startsWith('inspector/page/'))
    expect(entries.filter((file) => loadedWith(file).has('zod'))).toEqual([])
  })

  it('no two files of src have one name', () => {
    expect(namesakes(sourceFiles)).toEqual([])
  })

  it('the first line of each file of src says its job', () => {
    const silent = sourceFiles.filter((file) => !saysItsJob(sourceTree(file)))
    expect(silent, `\n${silent.join('\n')}\n`).toEqual([])
  })

  it('src needs every exception that there is', () => {
    const used = new Set(checked.flatMap((one) => one.used))
    expect(EXCEPTIONS.filter((exception) => !used.has(exception))).toEqual([])
  })

  it('the package runs nothing when it is installed', () => {
    const { scripts } = JSON.parse(manifestText) as { scripts: object }
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
  })

  it('the package has no dependencies: every library is bundled', () => {
    const manifest: unknown = JSON.parse(manifestText)
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('optionalDependencies')
    // Users of a kit install the test runners; others need none. The types for Jest extend those of `expect`.
    expect(manifest).toMatchObject({
      peerDependencies: {
        '@playwright/test': expect.any(String),
        expect: expect.any(String),
        jest: expect.any(String),
        vitest: expect.any(String),
      },
      peerDependenciesMeta: {
        '@playwright/test': { optional: true },
        expect: { optional: true },
        jest: { optional: true },
        vitest: { optional: true },
      },
    })
    expect(Object.keys((manifest as { peerDependencies: object }).peerDependencies)).toHaveLength(4)
  })
})

describe('the checker finds what it must', () => {
  it.each([
    ['store/a.ts', `\nimport { x } from '../http/app.ts'`, 'src/store/a.ts:2 imports-point-down: store (2)'],
    ['generate/a.ts', `import type { X } from '../scenarios/x.ts'`, 'sideways'],
    ['endpoints/a.ts', `export * from '../journal/x.ts'`, 'imports-point-down'],
    ['http/stages/a.ts', `const x = await import('../../openapi/x.ts')`, 'imports-point-down'],
    ['http/a.ts', `let x: import('../sandbox/index.ts').Sandbox`, 'imports-point-down'],
    ['index.ts', `export * from './testing/a.ts'`, 'imports-point-down'],
    ['cli/a.ts', `import { x } from '../../package.json'`, 'leaves src'],
    ['cli/a.ts', `import { x } from '../helpers/x.ts'`, 'helpers has no rank'],
    ['helpers/a.ts', `export {}`, 'src/helpers has no rank'],
    ['workspaces/a.ts', `import { Hono } from 'hono'`, 'library-stays-home: hono'],
    ['cli/a.ts', `import { serve } from '@hono/node-server'`, 'library-stays-home: hono'],
    ['cli/a.ts', `import { html } from 'hono/html'`, 'library-stays-home: hono'],
    ['control/a.ts', `import { a } from '../storage/file/a.ts'`, 'drivers-stay-home'],
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
    ['http/a.ts', `const x = y instanceof z.ZodObject`, 'one-walker'],
    ['http/a.ts', `const x = {} as any`, 'no-as-any'],
    ['http/a.ts', `const x = <any>{}`, 'no-as-any'],
    ['http/a.ts', `export default 1`, 'no-default-export'],
    ['http/a.ts', `export default function f() {}`, 'no-default-export'],
    ['http/a.ts', `const f = 1\nexport { f as default }`, 'src/http/a.ts:2 no-default-export'],
  ])('%s: %s', (file, text, message) => {
    const { found } = check(treeOf(file, text))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  it.each([
    ['http/a.ts', `import { Hono } from 'hono'\nimport { x } from './stages/y.ts'\nimport '../store/x.ts'`],
    ['sandbox/index.ts', `import { options } from '../options/x.ts'\nimport { x } from './x.ts'`],
    ['sandbox/a.ts', `import { options } from '../options/x.ts'`],
    ['index.ts', `export * from './sandbox/index.ts'`],
    ['testing/a.ts', `import { x } from '../index.ts'`],
    ['cli/run.ts', `import { createSandbox } from '../sandbox/index.ts'\nimport { parse } from 'yaml'`],
    ['bin.ts', `import { run } from './cli/run.ts'\nprocess.exitCode = await run(process.argv)`],
    ['runtime/clock.ts', `export const now = () => Date.now() + performance.now() + Math.random()`],
    ['runtime/host.ts', `import process from 'node:process'\nexport const { pid } = process`],
    ['generate/a.ts', `import { Faker } from '@faker-js/faker'`],
    ['http/a.ts', `const t = new Date(0) // not Date.now()\nconst u = clock.now() + 'process.env as any'`],
    ['http/a.ts', `interface Worker { process: string }\nconst w = { process: 1 }\nw.process`],
    ['http/a.ts', `const xs = [] as const\nswitch (1) { default: }`],
  ])('%s may: %s', (file, text) => {
    expect(check(treeOf(file, text)).found).toEqual([])
  })
})

describe('what is checked of all files together', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['two files', { 'a.ts': `import './b.ts'`, 'b.ts': `import './a.ts'` }, ['a.ts > b.ts > a.ts']],
    [
      'types alone, over folders',
      {
        'http/a.ts': `import type { B } from '../store/b.ts'`,
        'store/b.ts': `export type { C } from './c.ts'`,
        'store/c.ts': `let a: import('../http/a.ts').A`,
      },
      ['http/a.ts > store/b.ts > store/c.ts > http/a.ts'],
    ],
    [
      'one of several ways, which waits for a call',
      {
        'a.ts': `import './b.ts'\nimport type { B } from './b.ts'\nimport './c.ts'`,
        'b.ts': `export {}`,
        'c.ts': `import './b.ts'\nvoid import('./a.ts')`,
      },
      ['a.ts > c.ts > a.ts'],
    ],
    [
      'two that share a file, and one entered from outside',
      {
        'a.ts': `import './b.ts'`,
        'b.ts': `import './c.ts'\nimport './d.ts'`,
        'c.ts': `import './b.ts'`,
        'd.ts': `import './b.ts'`,
      },
      ['b.ts > c.ts > b.ts', 'b.ts > d.ts > b.ts'],
    ],
    ['a file and itself', { 'a.ts': `import './a.ts'` }, ['a.ts > a.ts']],
    [
      'none: two ways to one file',
      {
        'a.ts': `import './b.ts'\nimport './c.ts'`,
        'b.ts': `import './d.ts'`,
        'c.ts': `import './d.ts'`,
        'd.ts': `import 'yaml'`,
      },
      [],
    ],
  ])('circles: %s', (_, files, found) => {
    expect(circles(Object.entries(files).map(([file, text]) => treeOf(file, text)))).toEqual(found)
  })

  it.each<[string[], string[]]>([
    [
      ['http/a.ts', 'store/a.ts', 'store/b.ts', 'http/stages/a.ts'],
      ['http/a.ts = store/a.ts = http/stages/a.ts'],
    ],
    [['scenarios/effects/a.ts', 'coverage/points/a.ts', 'control/a.ts', 'cli/remote/a.ts', 'http/a.ts'], []],
    [['http/index.ts', 'store/index.ts', 'index.ts'], []],
  ])('names of files: %j', (files, found) => {
    expect(namesakes(files)).toEqual(found)
  })

  it.each([
    [`// The lock of the data file.\nimport 'a'`, true],
    [`/** The lock of the data file. */\nimport 'a'`, true],
    [`/**\n * The lock of the data file.\n */\nimport 'a'`, false],
    [`#!/usr/bin/env node\n// The one place that touches the process.\nimport 'a'`, true],
    [`import 'a'\n\n/** The lock of the data file. */\nexport const a = 1`, false],
    [`\n// The lock of the data file.`, false],
    [`// oxlint-disable-next-line no-console\nimport 'a'`, false],
    [`//\nimport 'a'`, false],
    [`/** */\nimport 'a'`, false],
    [``, false],
  ])('a file says its job: %j -> %s', (text, says) => {
    expect(saysItsJob(treeOf('http/a.ts', text))).toBe(says)
  })
})
