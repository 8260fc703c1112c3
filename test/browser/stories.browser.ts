// The tasks of users of the page, from its first view to the end, with the number of clicks.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { clipboardOf, openTab, serve, shown, visit } from '../helpers/browser.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { bin, launch } from '../helpers/processes.ts'

/** Counts clicks and times from here on. @returns what was counted. */
async function begin(page: Page): Promise<() => Promise<{ clicks: number; seconds: string }>> {
  await page.evaluate(
    "window.clicks = 0; addEventListener('click', (event) => event.detail > 0 && window.clicks++)",
  )
  const from = performance.now()
  return async () => ({
    clicks: await page.evaluate<number>('window.clicks'),
    seconds: ((performance.now() - from) / 1000).toFixed(2),
  })
}

/** Ends a story. @param most how many clicks it takes. */
async function end(name: string, measured: Awaited<ReturnType<typeof begin>>, most: number): Promise<void> {
  const { clicks, seconds } = await measured()
  if (process.env['STORIES'] !== undefined) console.log(`${name}: ${clicks} clicks, ${seconds} s`)
  expect(clicks).toBeLessThanOrEqual(most)
}

describe('stories', () => {
  it('find the reason of a failed call', async () => {
    const { url, call } = await serve()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=100', {
      headers: { 'x-service-version': '2024-01-01' },
    })
    await call('GET', '/v2/rewards/rwd_ada_pending')
    const page = await visit(url)
    await shown(page.getByText('3 calls')).toBeVisible()
    const story = await begin(page)
    await page.getByRole('link', { name: 'unsupported_version' }).click()
    await shown(
      page.getByText(/2024-01-01.*is not supported|no version 2024-01-01|2024-01-01/).first(),
    ).toBeVisible()
    await shown(page.getByRole('heading', { name: 'Why' })).toBeInViewport()
    await end('find the reason of a failed call', story, 1)
  })

  it('replay it edited', async () => {
    const { url, call } = await serve()
    const { requestId } = await call('GET', '/v2/rewards/nobody')
    const page = await visit(url, { at: `requests/${requestId}` })
    const edit = page.getByRole('button', { name: 'Edit and replay' })
    await shown(edit).toBeVisible()
    const story = await begin(page)
    await edit.click()
    await page.getByLabel('Path').fill('/v2/rewards/rwd_ada_pending')
    await page.getByRole('button', { name: 'Send' }).click()
    await shown(page.getByText('200 (changed)')).toBeInViewport()
    await shown(page.getByText('First answer', { exact: true }).first()).toBeInViewport()
    await end('replay it edited', story, 2)
  })

  it('give a customer another balance by the form', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url)
    await shown(page.getByRole('link', { name: 'State' })).toBeVisible()
    const story = await begin(page)
    await page.getByRole('link', { name: 'State' }).click()
    await page.getByRole('link', { name: 'customers', exact: true }).click()
    await page.getByRole('link', { name: 'cus_ada', exact: true }).click()
    await page.getByRole('textbox', { name: 'opening_balance' }).fill('125000')
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(page.getByRole('status')).toHaveText('Saved cus_ada.')
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({ opening_balance: 125_000 })
    await end('give a customer another balance by the form', story, 4)
  })

  it('switch a scenario on, see it act, restart it', async () => {
    const { sandbox, url, call } = await serve()
    const page = await visit(url)
    await shown(page.getByRole('link', { name: 'Scenarios' })).toBeVisible()
    const story = await begin(page)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByRole('switch', { name: 'rate-limited' }).click()
    await shown(page.getByRole('link', { name: '1 scenario on' })).toBeVisible()
    expect(await call('GET', '/v2/rewards/rwd_ada_pending')).toMatchObject({ status: 429 })
    await shown(page.getByText('1 hit', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Restart rate-limited' }).click()
    await shown(page.getByText('1 hit', { exact: true })).toHaveCount(0)
    const scenario = await sandbox.scenarios.get('rate-limited')
    expect(scenario?.rules.map(({ calls }) => calls)).toEqual([0])
    await end('switch a scenario on, see it act, restart it', story, 3)
  })

  it('see that the clock was moved, and reset the workspace', async () => {
    const { sandbox, url } = await serve({ frozen: false })
    sandbox.clock.set({ now: '2031-01-01T00:00:00Z', frozen: true })
    const page = await visit(url)
    const differs = page.getByRole('link', { name: /^clock \+.* d.*, frozen$/ })
    await shown(differs).toBeVisible()
    const story = await begin(page)
    await differs.click()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('group').getByRole('button', { name: 'Reset' }).click()
    await shown(page.getByRole('status')).toHaveText('default was reset.')
    await shown(page.getByText('running', { exact: true })).toBeVisible()
    await end('see that the clock was moved, and reset the workspace', story, 3)
  })

  it('find the request that covers a missing point', async () => {
    const { url, call } = await serve()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    const page = await visit(url)
    await shown(page.getByRole('link', { name: 'Coverage' })).toBeVisible()
    const story = await begin(page)
    await page.getByRole('link', { name: 'Coverage' }).click()
    const operation = page.getByRole('group', { name: 'retrieveReward', exact: true })
    await operation.getByRole('link', { name: '○ REWARD_NOT_FOUND_ERROR' }).click()
    const point = page.locator('li:focus')
    await point.getByRole('button', { name: /^Copy/ }).click()
    await shown(page.getByRole('status')).toHaveText('Copied.')
    expect(await clipboardOf(page)).toContain('/v2/rewards/nobody')
    await end('find the request that covers a missing point', story, 3)
  })

  it('read a trace of 200 tests', async () => {
    const folder = await folderWith({ 'run.mjs': runOf200 })
    const file = join(folder, 'trace.html')
    const exec = launch([bin, 'exec', '--report', file, '--', process.execPath, join(folder, 'run.mjs')])
    expect(await exec.ended).toBe(0)
    const at = pathToFileURL(file).href
    const page = await openTab({}, at)
    await page.goto(at)
    await shown(page.getByText(/^200 tests, /)).toBeVisible()
    const story = await begin(page)
    await page.getByRole('checkbox', { name: 'Failures' }).check()
    const failed = page.getByRole('list', { name: 'test 107' }).getByRole('link')
    await failed.click()
    await shown(page.getByRole('heading', { name: 'Why' })).toBeInViewport()
    await end('read a trace of 200 tests', story, 2)
  })
})

/** A run of 200 tests, of which three make a call that fails. */
const runOf200 = `
  const { createSandbox } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../dist/index.mjs')).href)})
  const sandbox = await createSandbox()
  for (let number = 1; number <= 200; number += 1) {
    const workspace = await sandbox.workspaces.create({ test: { name: 'test ' + number, file: 'a.test.ts' } })
    await workspace.fetch('/v2/rewards/rwd_ada_pending')
    if ([7, 107, 199].includes(number)) await workspace.fetch('/v2/customers', { headers: { 'x-service-version': '2024-01-01' } })
    sandbox.workspaces.delete(workspace.name)
  }
  await sandbox.close()`
