// Writes a copied test for vitest, Playwright, Jest and node:test.
import type { CopiedTest, Credential } from './copied-test.ts'
import { fetchOptions } from './fetch-options.ts'
import { accessOf, literal, quotedText } from './javascript.ts'

/** How the tests of a runner differ. */
interface Dialect {
  /** The lines before the test. @param test for runners that set options per file. */
  head(test: CopiedTest): readonly string[]
  /** The code around the body of the test function. */
  around(test: CopiedTest): readonly [before: string, after: string]
  equal(actual: string, expected: string): string
  /** Compares JSON. */
  same(actual: string, expected: string): string
  /** Any text, where it differs from run to run. @param path how it is read, such as `body.id`. */
  anyText(path: string): string
  /** @param error a part of the error as JavaScript; undefined for any. */
  rejects(promise: string, error?: string): string
}

const options = (test: CopiedTest): Record<string, unknown> => ({
  ...(hasOptions(test) && { sandboxOptions: test.sandbox }),
  workspaceOptions: test.workspace,
})

const withExpect = {
  equal: (actual, expected) => `expect(${actual}).toBe(${expected})`,
  same: (actual, expected) => `expect(${actual}).toEqual(${expected})`,
  anyText: () => 'expect.any(String)',
  rejects: (promise, error) =>
    `await expect(${promise}).rejects.${error === undefined ? 'toThrow()' : `toMatchObject(${error})`}`,
} satisfies Partial<Dialect>

/** For runners whose kit passes a test the fixtures that it names. */
const withFixtures = {
  ...withExpect,
  around: ({ title }) => [`test(${quotedText(title)}, async ({ workspace }) => {`, '})'],
} satisfies Partial<Dialect>

/** For runners whose kit wraps the body. */
const wrapped = (test: CopiedTest): readonly [string, string] => {
  const { title, sandbox, workspace } = test
  const wrapper = hasOptions(test) ? `withSandbox(${literal(sandbox)})` : 'withWorkspace'
  return [`test(${quotedText(title)}, ${wrapper}(async ({ workspace }) => {`, `}, ${literal(workspace)}))`]
}

const hasOptions = ({ sandbox }: CopiedTest): boolean => Object.keys(sandbox).length > 0

const wrapperOf = (test: CopiedTest): string => (hasOptions(test) ? 'withSandbox' : 'withWorkspace')

/** The JavaScript runners, by the name that the page shows. */
export const javascriptRunners = {
  vitest: {
    ...withFixtures,
    head: (test) => [
      "import { expect, test as base } from 'partner-rewards-sandbox/vitest'",
      '',
      `const test = base.extend(${literal(options(test))})`,
    ],
  },
  Playwright: {
    ...withFixtures,
    head: (test) => [
      "import { expect, test } from 'partner-rewards-sandbox/playwright'",
      '',
      `test.use(${literal(options(test))})`,
    ],
  },
  Jest: {
    ...withExpect,
    head: (test) => [`const { ${wrapperOf(test)} } = require('partner-rewards-sandbox/jest')`],
    around: wrapped,
  },
  'node:test': {
    head: (test) => [
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      `import { ${wrapperOf(test)} } from 'partner-rewards-sandbox/node-test'`,
    ],
    around: wrapped,
    equal: (actual, expected) => `assert.equal(${actual}, ${expected})`,
    same: (actual, expected) => `assert.deepEqual(${actual}, ${expected})`,
    anyText: (path) => `String(${path})`,
    rejects: (promise, error) => `await assert.rejects(${promise}${error === undefined ? '' : `, ${error}`})`,
  },
} as const satisfies Record<string, Dialect>

export type JavascriptRunner = keyof typeof javascriptRunners

/** A file of one test, which passes as it is. */
export function asJavascriptTest(test: CopiedTest, runner: JavascriptRunner): string {
  const dialect: Dialect = javascriptRunners[runner]
  const [before, after] = dialect.around(test)
  return [...dialect.head(test), '', before, ...arranged(test), ...asserted(test, dialect), after, ''].join(
    '\n',
  )
}

function arranged({ scenario, comments }: CopiedTest): string[] {
  const notes = comments.map((comment) => `  // ${comment}`)
  if (scenario === undefined) return notes
  return [
    ...notes,
    `  await workspace.scenarios.register(${literal(scenario, 2)})`,
    `  await workspace.scenarios.activate(${quotedText(scenario.name)})`,
  ]
}

function asserted(test: CopiedTest, { equal, same, anyText, rejects }: Dialect): string[] {
  const { call, credential, expected, isVarying } = test
  const isTimeout = expected.kind === 'timeout'
  const sent = fetchOptions(call, authorizationOf(credential), 2, isTimeout ? ['signal: client.signal,'] : [])
  const words = [quotedText(call.target), ...(sent === undefined ? [] : [sent])].join(', ')
  const fetched = `workspace.fetch(${words})`
  if (isTimeout)
    return [
      // The timer of AbortSignal.timeout would not keep the process alive.
      '  const client = new AbortController()',
      '  setTimeout(() => client.abort(), 300)',
      `  ${rejects(fetched, "{ name: 'AbortError' }")}`,
    ]
  if (expected.kind === 'spoiled') return [`  ${rejects(`${fetched}.then((response) => response.json())`)}`]
  const { status, body, isBodyWhole } = expected
  return [
    `  const response = await ${fetched}`,
    `  ${equal('response.status', String(status))}`,
    ...bodyAsserted(),
  ]

  function bodyAsserted(): string[] {
    if (body === null) return [`  ${equal('await response.text()', "''")}`]
    if (!isBodyWhole) return ['  // The journal has only the beginning of the body.']
    if (typeof body === 'string') return [`  ${equal('await response.text()', quotedText(body))}`]
    const value = literal(body, 2, (text, path) =>
      isVarying(text, path) ? anyText(`body${path.map(accessOf).join('')}`) : undefined,
    )
    return ['  const body = await response.json()', `  ${same('body', value)}`]
  }
}

/** The header as JavaScript, where it is not the one that the kit sends. */
function authorizationOf(credential: Credential): string | undefined {
  switch (credential.kind) {
    case 'own':
      return undefined
    case 'none':
      return "''"
    case 'text':
      return quotedText(credential.text)
    case 'key':
      return `\`Bearer \${workspace.state.get('api_keys', ${quotedText(credential.id)})?.api_key}\``
  }
}
