// Every view on a phone and on a desk, in light and in dark: nothing serious for axe, nothing wider than the window.
// `npm run look -- FOLDER` leaves pictures of them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import axe from 'axe-core'
import type { Page } from '@playwright/test'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallApi } from '../helpers/sandbox.ts'
import {
  middle,
  narrow,
  openTab,
  serve,
  shown,
  tooWide,
  visit,
  wide,
  type Visit,
} from '../helpers/browser.ts'

const { LOOK_FOLDER: folder } = process.env

/** Something to look at, and what else is done before. */
interface Sight {
  name: string
  at: string
  /** The element that is visible when everything is loaded. */
  shows: string | RegExp
  act?: (page: Page) => Promise<void>
}

const sights: readonly Sight[] = [
  { name: 'requests', at: 'requests', shows: '13 calls' },
  { name: 'requests-filtered', at: 'requests?status=4xx', shows: '5 calls' },
  { name: 'request', at: 'requests/req_default_8', shows: 'Rows changed' },
  {
    name: 'request-raw-and-copied',
    at: 'requests/req_default_8',
    shows: 'Rows changed',
    act: async (page) => {
      await page.getByRole('button', { name: 'Raw' }).click()
      await page.getByRole('button', { name: 'Copy as scenario' }).click()
      await shown(page.getByRole('region', { name: 'As scenario' })).toBeVisible()
    },
  },
  {
    name: 'request-replayed',
    at: 'requests/req_default_8',
    shows: 'Rows changed',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit and replay' }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await shown(page.getByRole('columnheader', { name: 'First answer' }).first()).toBeVisible()
    },
  },
  { name: 'request-unknown', at: 'requests/req_default_999', shows: /req_default_999/ },
  { name: 'state', at: 'state', shows: 'What changed since' },
  { name: 'state-since', at: 'state?since=before', shows: /1 changed/ },
  { name: 'state-since-baseline', at: 'state?since=baseline', shows: /1 changed/ },
  { name: 'state-rows', at: 'state/statements', shows: 'stm_ada_01' },
  { name: 'state-row', at: 'state/rewards/rwd_ada_pending', shows: 'cus_ada' },
  {
    name: 'state-row-refused',
    at: 'state/rewards/rwd_ada_available',
    shows: 'cus_ada',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Row' }).fill('{\n  "amount": "much"\n}')
      await page.getByRole('button', { name: 'Save' }).click()
      await shown(page.getByRole('region', { name: 'Problems' })).toBeVisible()
    },
  },
  { name: 'events', at: 'events', shows: 'evt_1' },
  {
    name: 'events-secret',
    at: 'events',
    shows: 'evt_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Replace secret' }).last().click()
      await page.getByRole('button', { name: 'Replace secret' }).last().click()
      await shown(page.getByText(/^Secret of/)).toBeVisible()
    },
  },
  { name: 'event', at: 'events/evt_1', shows: 'Delivery' },
  { name: 'scenarios', at: 'scenarios', shows: /^On: flaky/ },
  { name: 'scenario', at: 'scenarios/flaky-every-third', shows: /acted on/ },
  {
    name: 'scenario-refused',
    at: 'scenarios?write=new',
    shows: 'Save and switch on',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Scenario' }).fill('name: x\nrules:\n  - on: nothing\n')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await shown(page.getByRole('region', { name: 'Problems' })).toBeVisible()
    },
  },
  { name: 'clock', at: 'clock', shows: 'frozen' },
  { name: 'simulate', at: 'simulate', shows: 'Close the cycle' },
  {
    name: 'coverage',
    at: 'coverage',
    shows: /contract points were/,
    act: async (page) => {
      await page
        .getByText(/^\d+ missing, with requests to paste$/)
        .first()
        .click()
      await shown(page.getByRole('button', { name: /^Copy/ }).first()).toBeVisible()
    },
  },
  { name: 'assumptions', at: 'assumptions', shows: 'unlisted_operations' },
  { name: 'workspaces', at: 'workspaces', shows: 'sk_sandbox_full.another' },
  { name: 'nowhere', at: 'nowhere', shows: /There is no view/ },
  {
    name: 'keys',
    at: 'clock',
    shows: 'frozen',
    act: async (page) => {
      await page.keyboard.press('?')
      await shown(page.getByRole('dialog')).toBeVisible()
    },
  },
]

/** As much as a small test suite does. */
async function someCalls(call: CallApi): Promise<void> {
  for (let time = 0; time < 3; time++) await call('GET', '/v2/rewards/rwd_ada_pending')
  await call('GET', '/v2/rewards/rwd_ada_available', { headers: { 'x-service-version': '2025-05-05' } })
  await call('GET', '/v2/rewards/nobody')
  await call('GET', '/v2/reward/rwd_ada_pending')
  await call('GET', '/v2/customers?partner_customer_id=partner-ada')
  await call('PATCH', '/v2/rewards/rwd_ada_pending', {
    json: { status: 'AVAILABLE', metadata: { order: '42' } },
  })
  await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'PENDING' } })
  await call('GET', '/v2/customers', { headers: { 'x-service-version': '2024-01-01' } })
  await call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=100')
  await call('GET', '/v2/customers?limit=1', { headers: { 'x-sandbox-scenario': 'rate-limited' } })
  await call('DELETE', '/v2/order_events/ord_ada_1')
}

/** Returns the serious findings of axe, in words. */
async function seriousIn(page: Page): Promise<string[]> {
  // The policy of the page lets no script of ours in: it is evaluated by the driver instead.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    )
}

async function look(page: Page, name: string): Promise<string[]> {
  const problems = (await seriousIn(page)).map((problem) => `${name}: ${problem}`)
  const pixels = await tooWide(page)
  if (pixels > 0) problems.push(`${name}: ${pixels} px wider than the window`)
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
  return problems
}

type Style = Required<Pick<Visit, 'scheme' | 'width'>>
const checked: readonly Style[] = [
  { scheme: 'light', width: wide },
  { scheme: 'dark', width: narrow },
]
// The others cost twice as much time again.
const others: readonly Style[] = [
  { scheme: 'light', width: narrow },
  { scheme: 'dark', width: wide },
  { scheme: 'light', width: middle },
  { scheme: 'dark', width: middle },
]

describe.each(folder === undefined ? checked : [...checked, ...others])(
  '$scheme, $width px',
  ({ scheme, width }) => {
    const options: Visit = { scheme, width, allow: /status of 4/ }

    it('every view', async () => {
      const { sandbox, url, call } = await serve({ webhooks: 'standard' })
      sandbox.webhooks.add({ handler: () => new Response(null, { status: 500 }), events: ['reward.updated'] })
      sandbox.webhooks.add({
        url: 'http://a-very-long-name.of-a-receiver.example/webhooks/' + 'x'.repeat(120),
      })
      sandbox.snapshot('before')
      await sandbox.scenarios.switch({ on: ['flaky-every-third'] })
      await someCalls(call)
      sandbox.workspace('another')
      const problems: string[] = []
      const page = await visit(url, options)
      for (const { name, at, shows, act } of sights) {
        // Anew, so that nothing is left of what was said before.
        await page.goto('about:blank')
        await page.goto(`${url}/_sandbox/ui#/${at}`)
        await shown(page.getByText(shows, { exact: true }).first()).toBeVisible()
        await act?.(page)
        problems.push(...(await look(page, `${name}-${width}-${scheme}`)))
      }
      expect(problems).toEqual([])
    }, 180_000)

    it('the token, a trace, and the coverage report', async () => {
      const { sandbox, url, call } = await serve({ adminToken: 'a-token-of-the-tests' })
      await someCalls(call)
      const asking = await visit(url, options)
      await shown(asking.getByLabel('Token')).toBeVisible()
      const problems = await look(asking, `token-${width}-${scheme}`)

      const place = await mkdtemp(join(tmpdir(), 'trace-'))
      onTestFinished(() => rm(place, { recursive: true }))
      const file = join(place, 'trace.html')
      await writeFile(file, await sandbox.trace())
      const at = pathToFileURL(file).href
      const trace = await openTab(options, at)
      await trace.goto(`${at}#/requests/req_default_8`)
      await shown(trace.getByRole('heading', { name: 'Why' })).toBeVisible()
      problems.push(...(await look(trace, `trace-${width}-${scheme}`)))
      expect(problems).toEqual([])

      const { url: open, call: callOpen } = await serve()
      await someCalls(callOpen)
      const report = await openTab(options, open)
      await report.goto(`${open}/_sandbox/coverage?format=html`)
      await report.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
      expect(await tooWide(report)).toBeLessThanOrEqual(0)
      await report.getByText('Only what is missing').click()
      await report.locator('a.cell').first().click()
      await shown(report.locator('li:target')).toBeVisible()
      if (folder !== undefined) {
        await report.screenshot({
          path: join(folder, `coverage-report-${width}-${scheme}.png`),
          fullPage: true,
        })
      }
    })
  },
)
