import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { readSettings } from '../../src/cli/settings.ts'
import { optionNames, optionOf, flagOf, variableOf } from '../../src/options/index.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { cli } from '../helpers/fake-io.ts'
import { blocksOf, type Block } from '../helpers/markdown-blocks.ts'
import { readPipeline, type Pipeline } from '../helpers/pipeline-files.ts'
import { runSnippet } from '../helpers/run-snippet.ts'

const readFile = (...path: string[]): string => readFileSync(join(packageRoot(), ...path), 'utf8')
const page = readFile('docs', 'pipelines.md')
const dockerfile = readFile('Dockerfile')
const { version } = JSON.parse(readFile('package.json')) as { version: string }
const blocks = blocksOf(page)

const isRun = ({ label = '' }: Block): boolean => label.startsWith('Tested: run.')
const isYaml = ({ language }: Block): boolean => language === 'yaml'
const titled = (some: readonly Block[]): [string, Block][] => some.map((block) => [block.heading, block])
const under = (heading: string): Block => {
  const found = blocks.find((block) => block.heading === heading)
  if (!found) throw new Error(`the page has no block under '${heading}'`)
  return found
}

const servedPort = String(optionOf('port').default)

describe('docs/pipelines.md says what is tried', () => {
  it('above every block, in one of these ways', () => {
    const known =
      /^(Tested: run( with the image)?\.|(Tested: parsed(, and the commands of its steps run)?\. )?Untested: .+\.)$/
    expect(blocks.filter(({ label }) => !known.test(label ?? ''))).toEqual([])
    expect(blocks.length).toBeGreaterThan(7)
  })

  it('run: those that are run below, and those that scripts/image/compose.mjs runs', () => {
    expect(blocks.filter(isRun).map(({ heading }) => heading)).toEqual([
      'From npm, without a container',
      'A step that needs nothing else',
      'Playwright',
    ])
    const withImage = blocks.filter(({ label }) => label === 'Tested: run with the image.')
    expect(withImage.map(({ heading }) => heading)).toEqual(['The image', 'Docker Compose'])
    const check = readFile('scripts', 'image', 'compose.mjs')
    expect(withImage.filter(({ heading }) => !check.includes(`'${heading}'`))).toEqual([])
  })

  it('parsed: what is YAML or TypeScript, as it can be', () => {
    const parsed = blocks.filter(({ label = '' }) => label.startsWith('Tested: parsed'))
    expect(
      parsed.map(({ language }) => language).filter((language) => !/^(yaml|ts)$/.test(language)),
    ).toEqual([])
  })
})

describe('what it names is there', () => {
  it('variables: options, and the two that tests read', () => {
    const known = new Set([...optionNames.map(variableOf), 'SANDBOX_URL', 'SANDBOX_API_KEY'])
    const named = [...page.matchAll(/SANDBOX_[A-Z_]+/g)].map(([name]) => name)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('commands: each verb takes the flags it is given, or is labelled as one that is not there yet', async () => {
    const commands = blocks.flatMap(({ code, label }) =>
      [...code.matchAll(/partner-rewards-sandbox (\w+)([^'&|\n]*)/g)].map(([, verb = '', rest = '']) => ({
        verb,
        flags: [...(rest.split(' -- ')[0] ?? '').matchAll(/ (-[-\w]+)/g)].map(([, flag]) => flag),
        isMissing: label === `Untested: \`${verb}\` is not part of this version yet.`,
      })),
    )
    expect(commands.length).toBeGreaterThan(5)
    for (const { verb, flags, isMissing } of commands) {
      const { code, stdout } = await cli([verb, '--help'])
      expect(code === 0, `${verb}: is there, unless the label says otherwise`).toBe(!isMissing)
      for (const flag of isMissing ? [] : flags) expect(stdout, `${verb} ${flag}`).toContain(` ${flag}`)
    }
  })

  it('flags in the text', () => {
    const text = page.replaceAll(/^```[\s\S]*?^```$/gm, '')
    const named = [...text.matchAll(/`(--[a-z-]+)`/g)].map(([, flag]) => flag)
    const known = new Set<string | undefined>(optionNames.map(flagOf))
    expect(named.filter((flag) => !known.has(flag))).toEqual([])
  })

  it('keys and rows of the built-in fixtures', () => {
    const fixtures = readFile('fixtures', 'default.json')
    const named = [...page.matchAll(/\b(?:sk|rwd|cus|int)_\w+/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !fixtures.includes(`"${name}"`))).toEqual([])
  })

  it('the image: one of this version, with a health check, on the port that is given', () => {
    const images = [...page.matchAll(/([\w.-]+\/)?partner-rewards-sandbox:(\d[\w.]*)/g)]
    expect(images.length).toBeGreaterThan(4)
    expect(images.filter(([, , tag]) => tag !== version)).toEqual([])
    expect(new Set(images.map(([, registry]) => registry))).toEqual(
      new Set([undefined, 'registry.example.com/']),
    )
    expect(dockerfile).toMatch(/^HEALTHCHECK /m)
    expect(dockerfile).toContain(`EXPOSE ${servedPort}\n`)
    expect(dockerfile).toContain('SANDBOX_HOST=0.0.0.0')
  })
})

describe.each(titled(blocks.filter(isYaml)))('the YAML of %s', (_heading, { code }) => {
  const read = (): Pipeline => readPipeline(parseDocument(code))

  it('starts the sandbox with options that it takes', async () => {
    for (const { image, env } of read().sandboxes) {
      expect(image).toMatch(/partner-rewards-sandbox:/)
      const known = new Set(optionNames.map(variableOf))
      expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([])
      await expect(readSettings({}, { env, cwd: packageRoot() })).resolves.toBeDefined()
    }
  })

  it('calls it at a name and port at which it can be reached', () => {
    const urls = [...code.matchAll(/http:\/\/([\w.]+):(\d+)/g)].map(([, host, port]) => `${host}:${port}`)
    const { reachable } = read()
    expect(urls.filter((url) => !reachable.has(url))).toEqual([])
    expect(urls.length).toBeGreaterThan(0)
  })

  it('waits for a service that there is', () => {
    const { sandboxes, waitsFor } = read()
    const names = new Set(sandboxes.map(({ name }) => name))
    expect(waitsFor.filter((name) => !names.has(name))).toEqual([])
  })
})

describe.each(titled(blocks.filter(({ language }) => language === 'ts')))(
  'the code of %s',
  (_heading, { code }) => {
    it('is TypeScript', () => {
      const { diagnostics = [] } = ts.transpileModule(code, {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
      })
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([])
    })

    it('asks for a port and paths that are served', () => {
      const ports = [...code.matchAll(/\b(\d{4,5})\b/g)].map(([, port]) => port)
      expect(new Set(ports)).toEqual(new Set([servedPort]))
      expect(code).toContain('/_sandbox/health')
    })
  },
)

// Each starts npm several times, which is slow on a machine that is busy.
describe('what is run', { timeout: 60_000 }, () => {
  it('from npm, without a container', async () => {
    const { stdout, folder, url } = await runSnippet([under('From npm, without a container').code])
    await expect(fetch(url), 'it has ended').rejects.toThrow('fetch failed')
    const [listening, ...answers] = stdout.trim().split(/\n|(?<=\})(?=\{)/)
    expect(listening).toMatch(/^Sandbox listening on http:/)
    expect(answers.map((text) => JSON.parse(text))).toMatchObject([
      { id: 'rwd_ada_pending', status: 'PENDING' },
      { id: 'rwd_ada_pending', status: 'AVAILABLE' },
      {},
    ])
    expect(readFileSync(join(folder, 'coverage.html'), 'utf8')).toContain('updateReward')
  })

  it('a step that needs nothing else', async () => {
    const { stdout } = await runSnippet([under('A step that needs nothing else').code])
    const printed = stdout.split('\n').filter((line) => line.startsWith('{'))
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { id: 'rwd_ada_pending', status: 'PENDING' },
    ])
  })

  it('the configuration of Playwright', async () => {
    const spec = `
      import { expect, test } from '@playwright/test'
      test('the sandbox is there', async ({ request }) => {
        const headers = { authorization: 'Bearer sk_sandbox_full' }
        const answer = await request.get('http://127.0.0.1:4010/v2/rewards/rwd_ada_pending', { headers })
        expect(answer.status()).toBe(200)
      })
    `
    const files = { 'playwright.config.ts': under('Playwright').code, 'sandbox.spec.ts': spec }
    const { stdout, url } = await runSnippet(
      ['node node_modules/@playwright/test/cli.js test'],
      { CI: '1' },
      files,
    )
    expect(stdout).toMatch(/^ +1 passed/m)
    await expect(fetch(url), 'it has ended').rejects.toThrow('fetch failed')
  })

  it('the steps of GitHub Actions', async () => {
    const { commands, env } = readPipeline(parseDocument(under('GitHub Actions: a step').code))
    expect(commands).toHaveLength(3)
    const { stdout } = await runSnippet(commands, env)
    const printed = stdout.split('\n').filter((line) => line.startsWith('{'))
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'listening' },
      { id: 'rwd_ada_pending', status: 'PENDING' },
    ])
  })
})
