// The file of a run, opened from the disk: every view, nothing asked of anybody.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { clipboardOf, openTab, shown } from '../helpers/browser.ts'
import { bin, launch } from '../helpers/processes.ts'

const run = `
  const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
  const call = (path, key, init = {}) => fetch(url + path, { ...init, headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' } })
  const main = async () => {
    await call('/v2/rewards/rwd_ada_pending', key, { method: 'PATCH', body: '{"status":"AVAILABLE"}' })
    await call('/v2/rewards/nobody', key)
    await call('/v2/customers?limit=2', key + '.another')
  }
  main()`

it('opens from the disk without a request, shows all views, and its policy holds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'trace.html')
  const exec = launch([bin, 'exec', '--report', file, '--', process.execPath, '-e', run])
  expect(await exec.ended).toBe(0)

  const at = pathToFileURL(file).href
  const page = await openTab({ allow: /violates the following Content Security Policy/ }, at)
  const requested: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url())
  })
  await page.goto(at)
  await shown(page.getByText(/A trace of 3 calls/)).toBeVisible()
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption('default')
  await page.getByRole('link', { name: /PATCH/ }).click()
  const view = page.getByRole('region', { name: 'Request', exact: true })
  await shown(view.getByRole('heading', { name: 'Why' })).toBeVisible()
  await shown(view.getByRole('row', { name: /^status/ })).toContainText('AVAILABLE')
  await shown(page.getByRole('button', { name: 'Replay', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  expect(await clipboardOf(page)).toContain('$SANDBOX_API_KEY')

  const views = page.getByRole('navigation', { name: 'Views' })
  await shown(views.getByRole('link', { name: 'Requests' })).toBeVisible()
  await shown(views.getByRole('link', { name: /Simulate|Events/ })).toHaveCount(0)
  const open = async (name: string): Promise<void> => {
    await views.getByRole('link', { name }).click()
    await shown(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  }
  await open('State')
  await page.getByRole('link', { name: 'rewards' }).click()
  await page.getByRole('link', { name: 'rwd_ada_pending', exact: true }).click()
  await shown(page.getByText(/"status": "AVAILABLE"/)).toBeVisible()
  await open('Scenarios')
  await shown(page.getByRole('switch', { name: 'rate-limited' })).toBeDisabled()
  await open('Clock')
  await open('Coverage')
  await shown(page.getByText(/contract points were/)).toBeVisible()
  await open('Assumptions')
  await open('Workspaces')
  await shown(page.getByRole('rowheader', { name: 'another' })).toBeVisible()
  await page.getByRole('link', { name: 'another' }).click()
  const calls = page.getByRole('list', { name: 'Calls without a test' }).getByRole('listitem')
  await shown(calls).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption('all')
  await shown(calls).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Failures' }).check()
  await shown(calls).toHaveCount(1)
  await shown(calls).toContainText('/v2/rewards/nobody')
  expect(requested).toEqual([at])

  // The policy still forbids all else.
  const refused = await page.evaluate<string>(`new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => { event.stopImmediatePropagation(); resolve(event.violatedDirective) }, true)
    addEventListener('securitypolicyviolation', (event) => { event.stopImmediatePropagation(); resolve(event.violatedDirective) }, true)
    const script = document.createElement('script')
    script.textContent = 'canary()'
    document.body.append(script)
  })`)
  expect(refused).toBe('script-src-elem')
})
