import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { execute, folderWith } from '../helpers/fake-io.ts'
import { freePort } from '../helpers/free-port.ts'
import { testNow } from '../helpers/test-now.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerProject, runNode, saveFile } from '../helpers/partner-project.ts'
import { caller, startSuite } from '../helpers/suite-in-process.ts'
import { expectAsShown } from '../helpers/shown.ts'
import { isLabelled, walk, type Walked, type WalkOptions } from '../helpers/walk.ts'

const textOf = (page: string): string => readFileSync(join(packageRoot(), page), 'utf8')
const commandsOf = (page: string): string[] =>
  blocksOf(textOf(page)).flatMap(({ language, code }) => (language === 'sh' ? [code] : []))

/** Pages whose commands are run by a test of their own: pipelines.docs.test.ts and python.docs.test.ts next to this one. */
const elsewhere = ['docs/pipelines.md', 'docs/python.md']

/** Pages with commands, as the folder has them. */
const pages = readdirSync(join(packageRoot(), 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((page) => !elsewhere.includes(page) && commandsOf(page).length > 0)

/** How a page is read, where that is not from top to bottom; what its blocks print beside what it shows. */
const particular: Record<string, WalkOptions & { also?: (walked: Walked[]) => void }> = {
  'docs/coverage.md': { except: ['exec', 'matrix'] },
  'docs/endpoints.md': { startsOver: true, except: ['A flow'], also: expectAnswersOfEndpoints },
  'docs/simulation.md': { also: expectSimulation },
  'docs/tutorial.md': { also: expectSession },
  'docs/workspaces-and-time.md': { also: expectIsolation },
}

// Each starts processes, which is slow on a machine that is busy.
describe('the commands of a page, from top to bottom, print what it says', { timeout: 60_000 }, () => {
  it.each(pages)('%s', async (page) => {
    const { also, ...options } = particular[page] ?? {}
    const walked = await walk(page, options)
    expect(walked.length).toBeGreaterThan(0)
    await expectAsShown(page, walked)
    also?.(walked)
  })

  it('there are pages, and each that is read in a way of its own is one of them', () => {
    expect(Object.keys(particular).filter((page) => !pages.includes(page))).toEqual([])
    expect(pages.length).toBeGreaterThan(7)
  })
})

it('the flow of docs/endpoints.md, in one shell, answers as it shows', { timeout: 60_000 }, async () => {
  const page = textOf('docs/endpoints.md')
  const flow = page.slice(page.indexOf('### A flow'))
  const [, first = ''] = /```sh\n([\s\S]*?)```/.exec(flow) ?? []
  const steps = [...flow.matchAll(/^.+?: (\d{3})(?:, `(.*)`)?\n\n```sh\n(.*)\n```$/gm)]
  expect(steps.length).toBe(blocksOf(flow).filter(({ language }) => language === 'sh').length - 1)
  // Each answer with its status, whether or not the step keeps a field of it in a variable.
  const seen = `seen() { curl -w '\\n%{http_code}\\n' "$@" | tee -a answers | sed '$d'; }`
  const stop = `trap 'npx partner-rewards-sandbox stop --port 4010' EXIT`
  const script = [stop, seen, first.replace('curl', 'seen'), ...steps.map(([, , , command]) => command)].join(
    '\n',
  )
  const answers = await answersOf(script.replaceAll('4010', String(await freePort())))
  const lines = answers.split('\n').filter((line) => line !== '')
  expect(lines.map((line) => (line.length > 160 ? `${line.slice(0, 157)}…` : line))).toEqual(
    steps.flatMap(([, status, body]) => (body === undefined ? [status] : [body, status])),
  )
})

/** Runs a script in the project of a partner, and returns what it wrote to the file `answers`. */
async function answersOf(script: string): Promise<string> {
  const folder = await partnerProject()
  const shell = spawn('bash', ['-e', '-c', script], {
    cwd: folder,
    // A group of its own, with the sandbox that the script starts.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      SANDBOX_CLOCK: testNow,
      SANDBOX_FROZEN: 'true',
    },
  })
  const { pid } = shell
  onTestFinished(() => {
    if (pid !== undefined && shell.exitCode === null) process.kill(-pid, 'SIGKILL')
  })
  let printed = ''
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const [code] = (await once(shell, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`exit code ${code}: ${printed}`)
  return readFileSync(join(folder, 'answers'), 'utf8')
}

it('all commands are run', () => {
  const labelled = ['README.md', ...pages].flatMap((page) =>
    blocksOf(textOf(page)).flatMap(({ label, language, heading }) =>
      language === 'sh' && isLabelled(label) ? [`${page}: ${heading}`] : [],
    ),
  )
  expect(labelled).toEqual([])
})

it('the container commands of the README are those that CI runs against the image', () => {
  const [containers = ''] = commandsOf('README.md').filter((code) => code.startsWith('docker'))
  expect(containers.match(/^docker \w+/gm)).toEqual(['docker build', 'docker run'])
  expect(textOf('scripts/image/check.mjs')).toContain('the two commands of the README')
  expect(textOf('.ci/run')).toMatch(/^run scripts\/image\/run\.sh$/m)
})

it('the code in process, in docs/test-kits.md, runs', async () => {
  const code =
    blocksOf(textOf('docs/test-kits.md')).find(({ heading }) => heading === 'In process')?.code ?? ''
  const folder = await partnerProject()
  await saveFile(folder, 'in-process.mjs', `${code}\nconsole.log(answer.status, reward.status)`)
  expect(await runNode(['in-process.mjs'], folder)).toEqual({ code: 0, output: '200 PENDING\n' })
})

describe('exec and matrix, in docs/coverage.md', () => {
  it('run a suite, write what they are asked to, and end with the code that the page says', async () => {
    const cwd = await folderWith()
    const startProgram = startSuite(async (env) => {
      const intent = { customer_id: 'cus_ada', amount: 1, currency: 'USD' }
      const { status } = await caller(env)('POST', '/v2/transaction_intents', intent)
      expect(status).toBe(200)
    })
    const codes: number[] = []
    const blocks = blocksOf(textOf('docs/coverage.md'))
    for (const line of ['exec', 'matrix'].flatMap((heading) => linesUnder(heading))) {
      const words = line.replace('npx partner-rewards-sandbox ', '')
      // All values take long, and are tried elsewhere.
      const argv = words.replace('matrix -- ', 'matrix --only link_replaces -- ').split(' ')
      codes.push((await execute(argv, { cwd, startProgram })).code)
    }
    expect(codes).toEqual([0, 0, 0, 6, 6])
    for (const written of ['coverage.html', 'coverage.xml']) {
      expect(readFileSync(join(cwd, written), 'utf8').length).toBeGreaterThan(100)
    }

    function linesUnder(heading: string): string[] {
      return (
        blocks
          .find((block) => block.heading === heading)
          ?.code.trim()
          .split('\n') ?? []
      )
    }
  })
})

/** The output of the steps under a heading. */
function stepsUnder(heading: string, walked: readonly Walked[]): string[] {
  return walked.find((each) => each.heading === heading)?.steps ?? []
}

function expectSession(walked: readonly Walked[]): void {
  const [customer, , intent, before, settled, after, page, forbidden, missing, version] = stepsUnder(
    'Read and write',
    walked,
  )
  expect(JSON.parse(customer ?? '')).toMatchObject({ data: [{ id: 'cus_ada' }], total: 1 })
  expect(JSON.parse(intent ?? '')).toMatchObject({ amount: 1250, status: 'CONFIRMED' })
  expect(JSON.parse(before ?? '')).toMatchObject({ reward_balance: 29590 })
  expect(JSON.parse(settled ?? '')).toMatchObject({ id: 'rwd_ada_pending', status: 'AVAILABLE', amount: 252 })
  expect(JSON.parse(after ?? '')).toMatchObject({ reward_balance: 29842 })
  expect(JSON.parse(page ?? '')).toMatchObject({ has_more: false })
  expect(JSON.parse(page ?? '').data).toHaveLength(7)
  expect(JSON.parse(forbidden ?? '')).toMatchObject({ error: { type: 'FORBIDDEN_ERROR' } })
  expect(JSON.parse(missing ?? '')).toMatchObject({
    type: 'TRANSACTION_INTENT_FOUND_ERROR',
    param: 'intent_id',
  })
  expect(version).toMatch(/^HTTP\/1.1 400/)
  expect(version).not.toMatch(/^x-service-version/im)
}

function expectSimulation(walked: readonly Walked[]): void {
  const [, , reward, settled, unannounced, statement] = stepsUnder('With the API', walked)
  expect(JSON.parse(reward ?? '')).toMatchObject({ amount: 37, status: 'PENDING' })
  const [after, balance] = (settled ?? '').split('\n').map((line) => JSON.parse(line))
  expect(after).toMatchObject({ amount: 37, status: 'AVAILABLE' })
  expect(balance).toMatchObject({ reward_balance: 29590 + 37 })
  expect(JSON.parse(unannounced ?? '')).toMatchObject({ intent: null, reward: { amount: 640 } })
  const [made, listed] = (statement ?? '').split('\n').map((line) => JSON.parse(line))
  expect(made.statement.purchases).toBe(33250)
  expect(listed.data).toMatchObject([made.statement])
}

function expectIsolation(walked: readonly Walked[]): void {
  const [state, snapshot, changed, diff, restored, workspace, reset] = stepsUnder(
    'Arrange, look and reset',
    walked,
  )
  expect(state).toBe('')
  expect(JSON.parse(snapshot ?? '')).toMatchObject({ name: 'before', rows: 105 })
  const [row, clock] = (changed ?? '').split('\n').map((line) => JSON.parse(line))
  expect(row).toMatchObject({ id: 'rwd_ada_pending', status: 'DEDUCTED' })
  expect(clock).toEqual({ now: '2026-12-21T12:00:00.000Z', frozen: true })
  expect(JSON.parse(diff ?? '')).toEqual({
    rewards: {
      added: [],
      changed: [{ id: 'rwd_ada_pending', fields: { status: { before: 'PENDING', after: 'DEDUCTED' } } }],
      removed: [],
    },
  })
  expect(JSON.parse(restored ?? '')).toMatchObject({ workspace: 'default', rows: 105 })
  expect(JSON.parse(workspace ?? '')).toMatchObject({
    api_key: expect.stringMatching(/^sk_sandbox_full\./),
  })
  expect(JSON.parse(reset ?? '')).toMatchObject({ workspace: 'default', rows: 105 })
}

/** The page shows a status, and JSON that is set out with lists cut to their first item. */
function expectAnswersOfEndpoints(walked: readonly Walked[]): void {
  const page = textOf('docs/endpoints.md')
  for (const { heading, code, output } of walked) {
    const [head = '', body = ''] = output.split('\n\n')
    const below = page.slice(page.indexOf(code) + code.length)
    const [, status, shown] =
      /^```\n\n`(\d+)`(?:, without a body\.|:\n\n```json\n([\s\S]*?)^```)/m.exec(below) ?? []
    expect(head, heading).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    if (shown === undefined) {
      expect(body, heading).toBe('')
      continue
    }
    const answer = JSON.parse(body)
    if (Array.isArray(answer.data)) answer.data.splice(1)
    expect(answer, heading).toEqual(JSON.parse(shown))
  }
}
