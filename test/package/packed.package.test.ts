import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../helpers/processes.ts'
import { addFiles, limits, packedPackage, programs, readJson } from '../helpers/consumer.ts'

const user = packedPackage()

/** The package as its users get it: packed, installed into an empty project without a network, and used there. */
const patience = { timeout: 240_000 }
const { version } = (await readJson('package.json')) as { version: string }

describe.concurrent('the packed package', patience, () => {
  let folder: string
  beforeAll(async () => {
    folder = await user.project()
  }, 60_000)

  it('installs alone', async () => {
    expect(await readdir(join(folder, 'node_modules'))).toEqual([
      '.bin',
      '.package-lock.json',
      'partner-rewards-sandbox',
    ])
  })

  it('no page in it has a link to what is not in it', async () => {
    const root = join(folder, 'node_modules/partner-rewards-sandbox')
    const files = new Set(await readdir(root, { recursive: true }))
    const pages = [...files].filter((name) => name.endsWith('.md'))
    expect(pages).toContain('README.md')
    for (const page of pages) {
      const text = await readFile(join(root, page), 'utf8')
      // Pictures show what the text says, and would be half of the package.
      const links = [...text.matchAll(/(?<!!\[[^\]]*)\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, to = '']) => to)
      expect([page, links.filter((to) => !files.has(join(dirname(page), to)))]).toEqual([page, []])
    }
  })

  it('it has what its image is built of', async () => {
    const root = join(folder, 'node_modules/partner-rewards-sandbox')
    const files = new Set(await readdir(root, { recursive: true }))
    const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
    const copied = [...dockerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(copied.length).toBeGreaterThan(3)
    expect(copied.map((name) => name.replace('/app/', '')).filter((name) => !files.has(name))).toEqual([])
    expect(dockerfile).toContain('if [ ! -e dist/bin.cjs ]')
    expect(files).toContain('dist/bin.cjs')
  })

  it('npx … --version', async () => {
    expect(await user.run('npx', ['partner-rewards-sandbox', '--version'], folder)).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })

  it('every export that needs no other library can be imported', async () => {
    const script = `
      import { createSandbox } from 'partner-rewards-sandbox'
      import { withWorkspace } from 'partner-rewards-sandbox/node-test'
      import { operations, scopes, errorTypes, versions } from 'partner-rewards-sandbox/contract'
      import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      const json = (name) => require('partner-rewards-sandbox/' + name)
      const sandbox = await createSandbox({ seed: 1 })
      const openapi = json('openapi.json')
      console.log(JSON.stringify({
        status: (await sandbox.workspace('w1').fetch('/v2/customers')).status,
        kit: typeof withWorkspace,
        operations: Object.keys(operations),
        paths: Object.entries(operations).every(([id, { method, path }]) =>
          openapi.paths[path][method.toLowerCase()].operationId === id),
        scopes, versions,
        odd: errorTypes.includes('TRANSACTION_INTENT_FOUND_ERROR'),
        openapi: JSON.stringify(openapi) === JSON.stringify(await sandbox.openapi(openapi.servers[0].url)),
        fixtures: JSON.stringify(json('schemas/fixtures.json')) === JSON.stringify(await sandbox.schema('fixtures')),
        scenario: JSON.stringify(json('schemas/scenario.json')) === JSON.stringify(await sandbox.schema('scenario')),
        version: json('package.json').version,
      }))`
    await addFiles(folder, { 'script.mjs': script })
    const { code, stdout, stderr } = await user.node(['script.mjs'], folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      status: 200,
      kit: 'function',
      operations: expect.arrayContaining(['createTransactionIntent', 'createApiKey']),
      paths: true,
      scopes: expect.arrayContaining(['ORDER_WRITE']),
      versions: ['2025-05-05', '2026-10-13', 'latest'],
      odd: true,
      openapi: true,
      fixtures: true,
      scenario: true,
      version,
    })
  })

  it('every export that can be required is, with the same in it', async () => {
    const script = `
      import * as library from 'partner-rewards-sandbox'
      import * as jest from 'partner-rewards-sandbox/jest'
      import * as contract from 'partner-rewards-sandbox/contract'
      import { createRequire } from 'node:module'
      const require = createRequire(import.meta.url)
      const same = (required, imported) =>
        Object.keys(required).sort().join() === Object.keys(imported).sort().join() &&
        Object.entries(required).every(([name, value]) => imported[name] === value)
      console.log(
        same(require('partner-rewards-sandbox'), library),
        same(require('partner-rewards-sandbox/jest'), jest),
        same(require('partner-rewards-sandbox/contract'), contract))
      console.log(typeof require('partner-rewards-sandbox/node-test').withWorkspace, Object.keys(library).join(' '))`
    await addFiles(folder, { 'require.mjs': script })
    const { stdout } = await user.node(['--no-warnings', 'require.mjs'], folder)
    expect(stdout).toMatch(/^true true true\nfunction .*\bcreateSandbox\b/)
  })

  it('stack traces name classes and what they are asked', async () => {
    const script = `
      import { createSandbox } from 'partner-rewards-sandbox'
      import { withWorkspace } from 'partner-rewards-sandbox/node-test'
      Error.stackTraceLimit = 100
      const stackOf = async (failing) => console.log((await failing.catch((error) => error)).stack)
      const t = { signal: new AbortController().signal, diagnostic() {} }
      await stackOf(createSandbox({ fixtures: 'nowhere.yaml' }))
      await stackOf(withWorkspace(({ workspace }) => workspace.requests.list({ operation: 'none' }))(t))`
    await addFiles(folder, { 'stacks.mjs': script })
    const { stdout } = await user.node(['stacks.mjs'], folder)
    const frames = [...stdout.matchAll(/^ {4}at (?:async )?(?:Object\.)?(\S+) \(.*\/dist\//gm)].map(
      ([, name]) => name,
    )
    expect(frames).toEqual(expect.arrayContaining(['SharedSandbox.run', 'ProblemList.error']))
  })

  it('what is no export stays inside', async () => {
    const script = `import('partner-rewards-sandbox/dist/bin.cjs').catch(({ code }) => console.log(code))`
    const { stdout } = await user.node(['-e', script], folder)
    expect(stdout).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n')
  })
})

describe('the packed command line', () => {
  it('start serves', async () => {
    const folder = await user.project()
    const child = launch([join(folder, 'node_modules/.bin/partner-rewards-sandbox'), 'start', '-p', '0'], {
      cwd: folder,
    })
    await child.errUntil(/API key: \S+/)
    const [url = ''] = /http:\S+/.exec(child.out()) ?? []
    const answer = await fetch(`${url}/v2/customers`, {
      headers: { authorization: 'Bearer sk_sandbox_full' },
    })
    expect(answer.status).toBe(200)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })
})

describe.concurrent(
  'the example suites and those of docs/test-kits.md, against the packed package',
  patience,
  () => {
    let folder: string
    beforeAll(async () => {
      folder = await user.examples()
      await addFiles(folder, {
        'vitest/test-kits.test.ts': await exampleOf('vitest'),
        'vitest/scenario-in-test.test.ts': await exampleOf('scenario-in-test'),
        'playwright/test-kits.spec.ts': await exampleOf('playwright'),
        'jest/test-kits.test.js': await exampleOf('jest'),
        'node-test/test-kits.test.mjs': await exampleOf('node-test'),
      })
    }, 60_000)

    it('vitest', async () => {
      const { stdout } = await user.node(
        [programs.vitest, 'run', '--reporter=json', ...limits.vitest],
        join(folder, 'vitest'),
      )
      expect(JSON.parse(stdout)).toMatchObject({ success: true, numTotalTests: 17, numPassedTests: 17 })
    })

    it('Jest: CommonJS, and what is made of modules and of TypeScript', async () => {
      const { stdout } = await user.node([programs.jest, '--json', ...limits.jest], join(folder, 'jest'))
      expect(JSON.parse(stdout)).toMatchObject({ success: true, numTotalTests: 18, numPassedTests: 18 })
    })

    it('node:test', async () => {
      const { code, stdout } = await user.node(['--test', '--test-reporter=tap'], join(folder, 'node-test'))
      expect({ code, passed: /^# pass \d+$/m.exec(stdout)?.[0], stdout }).toMatchObject({
        code: 0,
        passed: '# pass 11',
      })
    })

    it('Playwright', async () => {
      const { stdout } = await user.node(
        [programs.playwright, 'test', '--reporter=json', ...limits.playwright],
        join(folder, 'playwright'),
      )
      expect(JSON.parse(stdout)).toMatchObject({
        stats: { expected: 13, unexpected: 0, flaky: 0, skipped: 0 },
      })
    })
  },
)

/** The code between two marks of docs/test-kits.md. */
async function exampleOf(name: string): Promise<string> {
  const marked = new RegExp(`<!-- ${name} -->\\s+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\`\\s+<!-- /${name} -->`)
  const [, code] = marked.exec(await readFile('docs/test-kits.md', 'utf8')) ?? []
  if (code === undefined) throw new Error(`docs/test-kits.md has no example ${name}`)
  return code
}
