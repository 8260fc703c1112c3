import { existsSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../src/runtime/host.ts'
import { blocksOf, type Block } from './helpers/markdown-blocks.ts'
import { partnerProject, runNode, saveFile } from './helpers/partner-project.ts'
import { expectAsShown } from './helpers/shown.ts'
import { walk } from './helpers/walk.ts'

const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8')
const repository = (name: string): string => readFileSync(join(packageRoot(), name), 'utf8')

describe('README.md', () => {
  test('has at most 200 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  })

  test('says what the sandbox does not serve', () => {
    expect(readme).toMatch(/Operations that the contract does not list/)
    expect(readme).toMatch(/Webhook events/)
  })

  test('its first screen says what it is, of whose API, for whom, and what only it has', () => {
    const [screen = ''] = readme.split('\n## ')
    const [, what = ''] = screen.split('\n\n')
    expect(what.split(/(?<=\.)\s+(?=[A-Z])/)).toHaveLength(2)
    expect(what.replaceAll('\n', ' ')).toMatch(
      /Partner Rewards, Cards and Transaction Intents API.+partners.+engineers/,
    )
    expect(what.replaceAll('\n', ' ')).toContain('offline, in CI, with no account and no telemetry')
    const [, picture = ''] = /^!\[[^\]]+\]\((docs\/images\/[^)]+)\)$/m.exec(screen) ?? []
    expect(existsSync(join(packageRoot(), picture))).toBe(true)
    const items = screen.split(/\n(?=- )/).slice(1)
    expect(items).toHaveLength(4)
    for (const item of items) {
      expect(item).toMatch(/\]\(docs\/[^)]+\)/)
      expect(item).toMatch(/`npx partner-rewards-sandbox [^`]+`/)
    }
  })

  test('names every page for how to do something', () => {
    const missing = readFileSync(join(packageRoot(), 'docs/README.md'), 'utf8')
      .split('## How-to')[1]
      ?.split('## Reference')[0]
      ?.match(/\((\w[\w-]*\.md)\)/g)
      ?.map((link) => `docs/${link.slice(1, -1)}`)
      .filter((page) => !readme.includes(`(${page}`))
    expect(missing).toEqual([])
  })

  test('the two commands of a checkout are those that the checks of this repository run', () => {
    expect(readme).toContain('`npm ci && npm start`')
    expect(readme).toContain('`npm ci && npm test`')
    const { scripts } = JSON.parse(repository('package.json')) as { scripts: Record<string, string> }
    expect(scripts).toMatchObject({ start: 'node dist/bin.cjs start', test: 'node scripts/test.mjs' })
    expect(repository('.ci/run')).toMatch(/^run npm ci\nrun npm test /m)
  })
})

describe('its test of twelve lines', { timeout: 60_000 }, () => {
  const example = under('A test', 'ts')

  test('has twelve lines, and passes', async () => {
    expect(example.code.trimEnd().split('\n')).toHaveLength(12)
    const { code, output } = await runVitest(example.code)
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests {2}1 passed/) })
    expect(output).not.toContain('What the sandbox saw')
  })

  test('rests on no assumption, as the README names none', async () => {
    const last = '  expect(workspace).toHaveNoUnmatchedRequests()\n'
    expect(example.code).toContain(last)
    const rests = 'workspace.requests.list().flatMap(({ assumptions }) => assumptions)'
    const { code, output } = await runVitest(
      example.code.replace(last, `${last}  expect(${rests}).toEqual([])\n`),
    )
    expect(output).toMatch(/Tests {2}1 passed/)
    expect(code).toBe(0)
  })

  test('it fails with a client that gives up; its error and the output of the commands are as shown', async () => {
    const walked = await walk('README.md')
    expect(walked.filter(({ shown }) => shown !== undefined)).toHaveLength(2)
    const { code, output } = await runVitest(example.code.replace('tries = 3', 'tries = 2'))
    expect(code).toBe(1)
    const [whole = ''] = /^Error: [\s\S]*?(?=\n+ ❯ )/m.exec(output) ?? []
    // The working directory differs from machine to machine.
    const error = whole.replace(/^Trace: .*[/\\](partner-rewards-traces)[/\\](.*)$/m, 'Trace: /app/$1/$2')
    const { code: shown } = under('A test', 'text')
    await expectAsShown('README.md', [...walked, { code: example.code, output: error, shown }])
  })
})

test('its code in process runs', async () => {
  const folder = await partnerProject()
  await saveFile(folder, 'in-process.mjs', under('Three ways to run it', 'ts').code)
  expect(await runNode(['in-process.mjs'], folder)).toEqual({ code: 0, output: '200\n' })
})

function under(heading: string, language: string): Block {
  const found = blocksOf(readme).find((block) => block.heading === heading && block.language === language)
  if (!found) throw new Error(`README.md has no ${language} under '${heading}'`)
  return found
}

/** Runs a test file in a project that has the package and vitest. */
async function runVitest(content: string): Promise<{ code: number | null; output: string }> {
  const folder = await partnerProject()
  await symlink(join(packageRoot(), 'node_modules', 'vitest'), join(folder, 'node_modules', 'vitest'))
  await saveFile(folder, 'retry.test.ts', content)
  return runNode(['node_modules/vitest/vitest.mjs', 'run'], folder)
}
