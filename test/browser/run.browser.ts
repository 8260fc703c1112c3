// The trace of a run with several processes: from the file to the reason of the failure.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openTab, shown } from '../helpers/browser.ts'
import { bin, launch } from '../helpers/processes.ts'

const library = pathToFileURL(join(import.meta.dirname, '../../dist/index.mjs')).href

/** One process of the run: each of its tests has a workspace, and calls a reward. */
const worker = `
  const { createSandbox } = await import(${JSON.stringify(library)})
  const sandbox = await createSandbox()
  for (let number = 1; number <= 10; number += 1) {
    const test = { name: 'test ' + number + ' of ' + process.argv[2], file: process.argv[2] + '.test.ts' }
    const workspace = await sandbox.workspaces.create({ test })
    workspace.clock.advance({ days: 2 })
    await workspace.fetch('/v2/rewards/rwd_ada_pending')
    if (number === 7) await workspace.fetch('/v2/rewards/nobody', { headers: { 'x-sandbox-scenario': 'reset' } }).catch(() => undefined)
    sandbox.workspaces.delete(workspace.name)
  }
  await sandbox.fetch('/v2/customers')
  await sandbox.close()`

it('lists the calls and actions of all processes by test, filters failures, and links each call by its id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'run-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, script] = [join(folder, 'trace.html'), join(folder, 'worker.mjs')]
  await writeFile(script, worker)
  const both = `const { spawnSync } = require('node:child_process')
    for (const name of ['one', 'two']) spawnSync(process.execPath, [${JSON.stringify(script)}, name], { stdio: 'inherit' })`
  const exec = launch([bin, 'exec', '--report', file, '--', process.execPath, '-e', both])
  expect(await exec.ended).toBe(0)

  const at = pathToFileURL(file).href
  const page = await openTab({}, at)
  await page.goto(at)
  await shown(page.getByText('20 tests, 24 calls')).toBeVisible()
  await shown(page.getByText('No calls so far')).toHaveCount(0)
  const groups = page.getByRole('heading', { level: 2 }).getByRole('button')
  await shown(groups).toHaveCount(21)
  await groups.first().click()
  const items = page.getByRole('list', { name: 'test 1 of one' }).getByRole('listitem')
  await shown(items.nth(0)).toContainText('Moved by 2 d')
  await shown(items.nth(1)).toContainText('/v2/rewards/rwd_ada_pending')

  await page.getByRole('checkbox', { name: 'Failures' }).check()
  await shown(groups).toHaveCount(3)
  await page.getByRole('searchbox', { name: 'Test' }).fill('OF TWO')
  await shown(groups).toHaveCount(1)
  const lost = page.getByRole('list', { name: 'test 7 of two' }).getByRole('link')
  await shown(lost).toHaveCount(1)
  await shown(lost).toContainText('lost')
  await lost.click()
  const view = page.getByRole('region', { name: 'Request', exact: true })
  await shown(view.getByRole('heading', { name: 'Why' })).toBeVisible()

  const id = await view.locator('code').first().textContent()
  await page.goto(`${at}#/requests/${id}`)
  await shown(view.getByRole('heading', { level: 1 })).toHaveText('GET /v2/rewards/nobody')
})
