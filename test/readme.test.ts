import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../src/runtime/host.ts'
import { readmeSections, withSections } from '../scripts/docs/readme-sections.ts'
import { startSandbox } from './helpers/sandbox.ts'
import { cli, execute, folderWith } from './cli/fake-io.ts'

const file = join(packageRoot(), 'README.md')
const readme = readFileSync(file, 'utf8')

describe('README.md', () => {
  test('its tables are those of the declarations (npm run docs writes them)', () => {
    const made = withSections(readme, readmeSections())
    if (process.env['UPDATE_DOCS']) writeFileSync(file, made)
    else expect(readme).toBe(made)
  })

  test('says what the sandbox does not serve', () => {
    expect(readme).toMatch(/Operations that the contract does not list/)
    expect(readme).toMatch(/Webhook events/)
  })

  test('its first session works line by line', async () => {
    const outputs = await outputsOf('session')
    const [customer, , intent, before, settled, after, page, forbidden, missing, version] = outputs

    expect(JSON.parse(customer ?? '')).toMatchObject({ data: [{ id: 'cus_ada' }], total: 1 })
    expect(JSON.parse(intent ?? '')).toMatchObject({ amount: 1250, status: 'CONFIRMED' })
    expect(JSON.parse(before ?? '')).toMatchObject({ reward_balance: 34590 })
    expect(JSON.parse(settled ?? '')).toMatchObject({
      id: 'rwd_ada_pending',
      status: 'AVAILABLE',
      amount: 252,
    })
    expect(JSON.parse(after ?? '')).toMatchObject({ reward_balance: 34842 })
    expect(JSON.parse(page ?? '')).toMatchObject({ has_more: false })
    expect(JSON.parse(page ?? '').data).toHaveLength(7)
    expect(JSON.parse(forbidden ?? '')).toMatchObject({ error: { type: 'FORBIDDEN_ERROR' } })
    expect(JSON.parse(missing ?? '')).toMatchObject({
      type: 'TRANSACTION_INTENT_FOUND_ERROR',
      param: 'intent_id',
    })
    expect(version).toMatch(/^HTTP\/1.1 400/)
    expect(version).not.toMatch(/^x-service-version/im)
  })

  test('its simulation works line by line', async () => {
    const [, , reward, settled, unannounced, statement] = await outputsOf('simulation')
    expect(JSON.parse(reward ?? '')).toMatchObject({ amount: 37, status: 'PENDING' })
    const [after, balance] = (settled ?? '').split('\n').map((line) => JSON.parse(line))
    expect(after).toMatchObject({ amount: 37, status: 'AVAILABLE' })
    expect(balance).toMatchObject({ reward_balance: 34590 + 37 })
    expect(JSON.parse(unannounced ?? '')).toMatchObject({ intent: null, reward: { amount: 640 } })
    const [made, listed] = (statement ?? '').split('\n').map((line) => JSON.parse(line))
    expect(made.statement.purchases).toBe(33250)
    expect(listed.data).toMatchObject([made.statement])
  })

  test('its isolation and time work line by line', async () => {
    const [, snapshot, changed, diff, restored, workspace, reset] = await outputsOf('control')
    expect(JSON.parse(snapshot ?? '')).toMatchObject({ name: 'before', rows: 102 })
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
    expect(JSON.parse(restored ?? '')).toMatchObject({ workspace: 'default', rows: 102 })
    expect(JSON.parse(workspace ?? '')).toMatchObject({
      api_key: expect.stringMatching(/^sk_sandbox_full\./),
    })
    expect(JSON.parse(reset ?? '')).toMatchObject({ workspace: 'default', rows: 102 })
  })

  test('its explanation is what the command line says', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const block =
      /<!-- explain -->\s+```sh\n(.*)\nnpx partner-rewards-sandbox (.*)\n```\s+```text\n([\s\S]*?)```/
    const [, call = '', line = '', text] = block.exec(readme) ?? []
    expect((await run(call.replaceAll('http://localhost:4010', server.url))).trim()).toBe(
      'x-sandbox-request-id: req_default_1',
    )
    const { stdout } = await cli(line.split(' '), { env: { SANDBOX_URL: server.url } })
    expect(stdout).toBe(text)
  })

  test('its runs of a suite work line by line', async () => {
    const [, block = ''] = /<!-- runs -->\s+```sh\n([\s\S]*?)```\s+<!-- \/runs -->/.exec(readme) ?? []
    const suite = `
      const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
      const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
      const body = JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD' })
      const answer = await fetch(url + '/v2/transaction_intents', { method: 'POST', headers, body })
      process.exitCode = answer.status === 201 ? 0 : 1`
    const cwd = await folderWith({ 'suite.mjs': suite })
    const codes: number[] = []
    for (const line of block.trim().split('\n')) {
      const words = line.replace('npx partner-rewards-sandbox ', '').replace('npm test', 'node suite.mjs')
      // All values take long, and are tried elsewhere.
      const argv = words.replace('matrix -- ', 'matrix --only link_replaces -- ').split(' ')
      codes.push((await execute(argv, { cwd, env: { PATH: process.env['PATH'] ?? '' } })).code)
    }
    expect(codes).toEqual([0, 0, 0, 6])
    for (const written of ['coverage.html', 'coverage.xml', 'matrix.json']) {
      expect(readFileSync(join(cwd, written), 'utf8').length).toBeGreaterThan(100)
    }
  })
})

/** What each step of a session prints; a step is what stands between two blank lines. */
async function outputsOf(section: string): Promise<string[]> {
  const sandbox = await startSandbox()
  const server = await sandbox.listen()
  const marked = new RegExp(`<!-- ${section} -->\\s+\`\`\`sh\\n([\\s\\S]*?)\`\`\`\\s+<!-- /${section} -->`)
  const [, session = ''] = marked.exec(readme) ?? []
  const steps = session
    .trim()
    .split('\n\n')
    .map((step) => step.split('\n').filter((line) => !line.startsWith('#')))
  // One shell for all, as a person has one; a mark after each step tells their outputs apart.
  const script = steps.map((step) => `${step.join('\n')}\necho; echo =====`).join('\n')
  const output = await run(script.replaceAll('http://localhost:4010', server.url))
  return output.split('=====').map((text) => text.trim())
}

/** The server is in this process, so the shell must not block it. */
async function run(script: string): Promise<string> {
  const cwd = await folderWith()
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', script], { cwd }, (error, stdout) => (error ? reject(error) : resolve(stdout)))
  })
}
