import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { addFiles, packedPackage, programs, readJson } from '../helpers/consumer.ts'

const user = packedPackage()

/** A test that fails shows what the sandbox saw, and one that passes shows nothing, in each runner. */
const act = `
  await workspace.fetch('/v2/custmers')
  const headers = { 'content-type': 'application/json' }
  await workspace.fetch('/v2/rewards/rwd_ada_pending', { method: 'PATCH', headers, body: '{"status":"DEDUCTED"}' })`
const asked = `{ operation: 'updateReward', body: { status: 'AVAILABLE' } }`
const withRunner = (runner: string): string => `
import { expect, test } from 'partner-rewards-sandbox/${runner}'
test('passes', async ({ workspace }) => { ${act} })
test('fails', async ({ workspace }) => { ${act}
  expect(workspace).toHaveReceived(${asked})
})`

const saw = [
  /^What the sandbox saw \(workspace ws_\w+\):$/m,
  /^ {2}req_ws_\w+_1 {2}GET \/v2\/custmers +404 {2}No endpoint is GET \/v2\/custmers; the nearest is GET \/v2\/customers/m,
  /^ {2}req_ws_\w+_2 {2}PATCH \/v2\/rewards\/rwd_ada_pending {2}200 {2}success$/m,
]
const missed =
  /nearest:\s+req_ws_\w+_2 PATCH \/v2\/rewards\/rwd_ada_pending 200 updateReward\s+body\.status: expected "AVAILABLE", it was "DEDUCTED"/

describe.concurrent('a test that fails', { timeout: 240_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await user.examples()
  }, 60_000)

  const expectOnce = (text: string): void => {
    for (const line of saw) expect(text).toMatch(line)
    expect(text).toMatch(missed)
    expect(text.match(/What the sandbox saw/g)).toHaveLength(1)
  }

  it('vitest', async () => {
    const place = join(folder, 'failing-vitest')
    await addFiles(place, { 'a.test.ts': withRunner('vitest') })
    const { code, stdout, stderr } = await user.node([programs.vitest, 'run', '--root', place], place)
    expect(code).toBe(1)
    expect(stdout).toContain('1 failed | 1 passed')
    expectOnce(stdout + stderr)
  })

  it('Playwright, with the journal attached', async () => {
    const place = join(folder, 'failing-playwright')
    await addFiles(place, { 'a.spec.ts': withRunner('playwright'), 'package.json': { type: 'module' } })
    await addFiles(place, {
      'playwright.config.ts': `export default { reporter: [['list'], ['json', { outputFile: 'report.json' }]] }`,
    })
    const { code, stdout, stderr } = await user.node([programs.playwright, 'test'], place)
    expect(code).toBe(1)
    expectOnce(stdout + stderr)
    const attached = JSON.stringify(await readJson(join(place, 'report.json')))
    const [, body = ''] =
      /"name":"sandbox journal","contentType":"application\/json","body":"([^"]+)"/.exec(attached) ?? []
    expect(JSON.parse(Buffer.from(body, 'base64').toString())).toMatchObject([
      { operation: 'updateReward', status: 200 },
      { operation: null, status: 404 },
    ])
    expect(attached.match(/"name":"sandbox journal"/g)).toHaveLength(1)
  })

  it('node:test, also when it waits for an answer that never comes', async () => {
    const place = join(folder, 'failing-node-test')
    await addFiles(place, {
      'a.test.mjs': `
import { test } from 'node:test'
import { assertReceived, withWorkspace } from 'partner-rewards-sandbox/node-test'
test('passes', withWorkspace(async ({ workspace }) => { ${act} }))
test('fails', withWorkspace(async ({ workspace }) => { ${act}
  assertReceived(workspace, ${asked})
}))`,
      'b.test.mjs': `
import { test } from 'node:test'
import { withWorkspace } from 'partner-rewards-sandbox/node-test'
test('waits', { timeout: 1_000 }, withWorkspace(async ({ workspace, server }) => {
  const { url } = await server
  await fetch(url + '/v2/customers', { headers: { authorization: 'Bearer ' + workspace.apiKey } })
}, { scenarios: ['hang'] }))`,
    })
    const { code, stdout } = await user.node(['--test', '--test-reporter=spec', 'a.test.mjs'], place)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ℹ What the sandbox saw/m)
    expectOnce(stdout.replace('ℹ What', 'What'))
    const waiting = await user.node(['--test', '--test-reporter=spec', 'b.test.mjs'], place)
    expect(waiting.stdout).toContain('test timed out after 1000ms')
    expect(waiting.stdout).toMatch(/ {2}req_ws_\w+_1 {2}GET \/v2\/customers {2}lost {2}/)
  })
})
