// Opens the coverage report in Chromium and takes pictures of it: node coverage-report.mjs FOLDER. See README.md.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox } from '../../dist/index.mjs'

const [, , folder = 'shots'] = process.argv
mkdirSync(folder, { recursive: true })

// No dependency of the project, so no import that tools would look for.
const driver = 'playwright-core'
const { chromium } = await import(driver)

const sandbox = await createSandbox()
const server = await sandbox.listen()

/** @param {string} path @param {RequestInit & { headers?: Record<string, string> }} [init] */
const call = (path, { headers = {}, ...init } = {}) =>
  fetch(server.url + path, { ...init, headers: { authorization: 'Bearer sk_sandbox_full', ...headers } })

/** As much as a small test suite does. */
async function someCalls() {
  const json = { 'content-type': 'application/json' }
  for (let time = 0; time < 12; time++) await call('/v2/rewards/rwd_ada_pending')
  await call('/v2/rewards/rwd_ada_available', { headers: { 'x-service-version': '2025-05-05' } })
  await call('/v2/rewards/nobody')
  for (const status of ['PENDING', 'AVAILABLE', 'DEDUCTED']) {
    const body = JSON.stringify({ status })
    await call('/v2/rewards/rwd_ada_pending', { method: 'PATCH', headers: json, body })
  }
  await call('/v2/customers?partner_customer_id=partner-ada')
  await call('/v2/customers?limit=1')
  await call('/v2/customers', { headers: { 'x-service-version': '2024-01-01' } })
  await call('/v2/customers/cus_ada/accounts/acct_ada/statements?limit=100')
  await call('/v2/payment_methods', { method: 'POST', headers: json, body: '{"customer_id":"cus_ada"}' })
  await call('/v2/order_events/ord_ada_1', { method: 'DELETE' })
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

/** @param {string} name @param {number} width @param {'light' | 'dark'} colorScheme @param {(page: any) => Promise<void>} [act] */
async function look(name, width, colorScheme, act) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  /** @type {string[]} */
  const problems = []
  page.on('console', (/** @type {any} */ message) => problems.push(`console: ${message.text()}`))
  page.on('pageerror', (/** @type {Error} */ error) => problems.push(`error: ${error.message}`))
  const report = `${server.url}/_sandbox/coverage?format=html`
  page.on('request', (/** @type {any} */ request) => {
    if (request.url() !== report && !request.url().startsWith('data:'))
      problems.push(`asked for ${request.url()}`)
  })
  await page.goto(report)
  await act?.(page)
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  if (wide > 0) problems.push(`${wide} px wider than the window`)
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  await page.screenshot({ path: join(folder, `${name}-top.png`) })
  await page.evaluate("document.querySelector('#updateReward').scrollIntoView({ behavior: 'instant' })")
  await page.screenshot({ path: join(folder, `${name}-operation.png`) })
  assert.deepEqual(problems, [], name)
  await page.close()
}

/** @param {any} page */
const openAll = (page) =>
  page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")

try {
  await look('empty-1280', 1280, 'light')
  await someCalls()
  for (const width of [390, 1280]) {
    await look(`light-${width}`, width, 'light')
    await look(`dark-${width}`, width, 'dark')
    await look(`open-${width}`, width, 'light', openAll)
    await look(`missing-${width}`, width, 'dark', async (page) => {
      await page.click('label[for=show-missing]')
      const first = page.locator('a.gap').first()
      await first.click()
      const target = page.locator('li:target')
      assert.ok(await target.isVisible(), 'a missing point leads to its request')
    })
  }
  console.log(`pictures in ${folder}`)
} finally {
  await browser.close()
  await sandbox.close()
}
