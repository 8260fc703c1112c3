// The calls of a workspace: they come, are filtered, opened, copied, replayed.
import { describe, expect, it } from 'vitest'
import { clipboardOf, shown, visit } from '../helpers/browser.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const calls = (page: Awaited<ReturnType<typeof visit>>) =>
  page.getByRole('list', { name: 'Calls, newest first' }).getByRole('listitem')

async function served(options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox(options)
  const { url } = await sandbox.listen()
  return { sandbox, url, call: sandbox.call }
}

describe('requests', () => {
  it('GET / of a browser leads to the page, whose list is empty at first and fills by itself', async () => {
    const { url, call } = await served()
    const page = await visit(url)
    await page.goto(`${url}/`)
    await shown(page).toHaveURL(`${url}/_sandbox/ui`)
    await shown(page.getByText('No calls so far.')).toBeVisible()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await call('GET', '/v2/rewards/nobody?x=1')
    await call('GET', '/v2/nothing-here')
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    await shown(calls(page)).toHaveCount(4)
    await shown(calls(page).nth(0)).toContainText('PATCH')
    await shown(calls(page).nth(0)).toContainText('1 changed')
    await shown(calls(page).nth(2)).toContainText('/v2/rewards/nobody?x=1')
    await call('GET', '/v2/customers', { headers: { 'x-sandbox-scenario': 'rate-limited' } })
    await shown(page.getByText('1 unmatched')).toBeVisible()
    await shown(page.getByText('1 refused')).toBeVisible()
  })

  it('new ones wait behind a button while the list is read', async () => {
    const { url, call } = await served()
    for (let time = 0; time < 40; time++) await call('GET', `/v2/rewards/rwd_ada_pending?n=${time}`)
    const page = await visit(url)
    await shown(page.getByText('40 calls')).toBeVisible()
    const link = page.getByRole('link', { name: 'n=39' })
    await link.hover()
    const place = await link.boundingBox()
    for (let time = 40; time < 52; time++) await call('GET', `/v2/rewards/rwd_ada_pending?n=${time}`)
    const fresh = page.getByRole('button', { name: '12 new' })
    await shown(fresh).toBeVisible()
    expect(await link.boundingBox()).toEqual(place)
    await fresh.click()
    await shown(calls(page).nth(0)).toContainText('n=51')
    await shown(page.getByText('52 calls')).toBeVisible()
    await shown(fresh).toHaveCount(0)
  })

  it('is filtered by text, operation, status and outcome, and a link keeps the filter', async () => {
    const { url, call } = await served()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await call('GET', '/v2/rewards/nobody')
    await call('GET', '/v2/customers?limit=1')
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'nonsense' } })
    const page = await visit(url)
    await shown(calls(page)).toHaveCount(4)
    await page.getByLabel('Filter').fill('nonsense')
    await shown(calls(page)).toHaveCount(1)
    await shown(calls(page).nth(0)).toContainText('PATCH')
    await page.getByLabel('Filter').fill('')
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('retrieveReward')
    await shown(calls(page)).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx')
    await shown(calls(page)).toHaveCount(1)
    await shown(calls(page).nth(0)).toContainText('/v2/rewards/nobody')
    await call('GET', '/v2/rewards/nobody-else')
    await page.getByRole('button', { name: '1 new' }).click()
    await shown(calls(page)).toHaveCount(2)
    const link = page.url()
    const again = await visit(url, { at: link.split('#/')[1] ?? '' })
    await shown(calls(again)).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('all')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('all')
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('not_found')
    await shown(calls(page)).toHaveCount(2)
  })

  it('opens one: why in words, headers, bodies, and each row that it changed', async () => {
    const { sandbox, url, call } = await served({ scenarios: ['slow'] })
    const { requestId } = await call('PATCH', '/v2/rewards/rwd_ada_pending', {
      headers: { 'x-note': 'of a test' },
      json: { status: 'AVAILABLE' },
    })
    const page = await visit(url)
    await calls(page).nth(0).getByRole('link').click()
    const view = page.getByRole('region', { name: 'Request', exact: true })
    const summary = sandbox.requests.get(requestId ?? '')?.explanation.summary ?? 'none'
    await shown(view.getByText(summary, { exact: true })).toBeVisible()
    await shown(view.getByText('Assumptions it rests on')).toBeVisible()
    await shown(view.getByText('of a test')).toBeVisible()
    await view.getByRole('button', { name: 'Raw' }).click()
    await shown(view.getByText('x-note: of a test')).toBeVisible()
    const changed = view.getByRole('region', { name: 'Fields of rwd_ada_pending' })
    const row = changed.getByRole('row', { name: 'status' })
    await shown(row).toContainText('PENDING')
    await shown(row).toContainText('AVAILABLE')
    // A deep link, cold.
    const other = await visit(url, { at: `requests/${requestId}` })
    await shown(other.getByText(summary, { exact: true })).toBeVisible()
    await view.getByRole('link', { name: 'Close' }).click()
    await shown(view).toHaveCount(0)
  })

  it('copies as curl, fetch, a test, a scenario, a fixture', async () => {
    const { url, call } = await served()
    const { requestId } = await call('GET', '/v2/rewards/nobody')
    const page = await visit(url, { at: `requests/${requestId}` })
    const copied = async (kind: string): Promise<string> => {
      await page.getByRole('button', { name: `Copy as ${kind}`, exact: true }).click()
      await shown(page.getByRole('status')).toHaveText(`Copied as ${kind}.`)
      const text = await clipboardOf(page)
      expect(await page.getByRole('region', { name: `As ${kind}` }).textContent()).toBe(text)
      return text
    }
    const curl = await copied('curl')
    expect(curl).toContain(`${url}/v2/rewards/nobody`)
    expect(curl).toContain('$SANDBOX_API_KEY')
    expect(await copied('fetch')).toContain(`${url}/v2/rewards/nobody`)
    expect(await copied('vitest test')).toContain('partner-rewards-sandbox/vitest')
    expect(await copied('scenario')).toContain('retrieveReward')
    expect(JSON.parse(await copied('fixture'))).toMatchObject({ schema_version: 1 })
  })

  it('replays one as it was, and edited, into a copy', async () => {
    const { sandbox, url, call } = await served()
    const json = { status: 'AVAILABLE' }
    const { requestId } = await call('PATCH', '/v2/rewards/rwd_ada_pending', { json })
    const page = await visit(url, { at: `requests/${requestId}` })
    await page.getByRole('button', { name: 'Replay', exact: true }).click()
    await shown(page.getByRole('status')).toHaveText(/^Replayed in replay-1: \d+\.$/)
    await shown(page.getByRole('heading', { name: 'Replay', exact: true })).toBeFocused()
    await page.getByRole('button', { name: 'Edit and replay' }).click()
    await page.getByLabel('Path').fill('/v2/rewards/rwd_hana_pending')
    await page.getByLabel('Body').fill('{"status":"DEDUCTED"}')
    await page.getByRole('button', { name: 'Send' }).click()
    await shown(page.getByRole('status')).toHaveText(/^Replayed in replay-2: \d+\.$/)
    await shown(page.getByRole('columnheader', { name: 'First answer' }).first()).toBeVisible()
    const [sent] = sandbox.workspace('replay-2').requests.list()
    expect(sent).toMatchObject({ method: 'PATCH', path: '/v2/rewards/rwd_hana_pending' })
    // What runs is not disturbed.
    expect(sandbox.requests.list()).toHaveLength(1)
    await page.getByRole('link', { name: 'replay-2', exact: true }).click()
    await shown(page.getByRole('combobox', { name: 'Workspace' })).toHaveValue('replay-2')
  })

  it('is worked by keys', async () => {
    const { sandbox, url, call } = await served()
    for (let time = 0; time < 60; time++) await call('GET', `/v2/rewards/rwd_ada_pending?n=${time}`)
    const page = await visit(url)
    await shown(page.getByText('60 calls')).toBeVisible()
    await page.keyboard.press('/')
    await shown(page.getByLabel('Filter')).toBeFocused()
    await page.keyboard.type('n=1')
    await shown(page.getByText('11 calls')).toBeVisible()
    await page.getByLabel('Filter').fill('')
    await shown(page.getByText('60 calls')).toBeVisible()
    await page.getByLabel('Filter').blur()
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await shown(page.getByRole('link', { name: 'n=58' })).toBeFocused()
    await page.keyboard.press('Enter')
    await shown(page.getByRole('region', { name: 'Request', exact: true })).toContainText('req_default_59')
    await page.keyboard.press('r')
    await shown(page.getByRole('status')).toHaveText('Replayed in replay-1: 200.')
    expect(sandbox.workspace('replay-1').requests.list()).toHaveLength(1)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await shown(keys).toContainText('replays')
    await page.keyboard.press('Escape')
    await shown(keys).toHaveCount(0)
  })
})
