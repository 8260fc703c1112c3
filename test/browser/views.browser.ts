// The settings and figures of a workspace: scenarios, clock, simulation, coverage, assumptions.
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { groupsOf } from '../../src/inspector/page/scenario-groups.ts'
import { clipboardOf, narrow, newWindow, serve, shown, tooWide, visit } from '../helpers/browser.ts'

describe('scenarios', () => {
  it('stand in groups, of which a filter leaves those that hold one', async () => {
    const { sandbox, url } = await serve()
    await sandbox.scenarios.register({
      name: 'my-pages',
      description: 'Lists are empty.',
      rules: [{ on: 'listStatements', effect: { page: 'empty' } }],
    })
    const page = await visit(url, { at: 'scenarios' })
    const groups = page.getByRole('heading', { level: 2 })
    const titles = groupsOf(await sandbox.scenarios.list()).map(({ title }) => title)
    expect(titles.at(-1)).toBe('Your own')
    await shown(groups).toHaveText(titles)
    await page.getByLabel('Filter').fill('my-')
    await shown(groups).toHaveText(['Your own'])
    await shown(page.getByRole('list', { name: 'Your own' }).getByRole('listitem')).toContainText('my-pages')
    await page.getByLabel('Filter').fill('no such scenario')
    await shown(page.getByText('None fits.')).toBeVisible()
  })

  it('are switched by their names, and their hits go up', async () => {
    const { sandbox, url, call } = await serve()
    const page = await visit(url, { at: 'scenarios' })
    const limited = page.getByRole('switch', { name: 'rate-limited' })
    await limited.check()
    await shown(page.getByRole('status')).toHaveText('rate-limited is on.')
    expect(await sandbox.scenarios.active()).toEqual(['rate-limited'])
    const item = page
      .getByRole('list', { name: 'Transport and outages' })
      .getByRole('listitem')
      .filter({ has: limited })
    await shown(item).toContainText('never fired')
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await shown(item).toContainText('1 hit')
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await shown(item).toContainText('2 hits')
    await limited.uncheck()
    await shown(page.getByText('None is on.')).toBeVisible()
    expect(await sandbox.scenarios.active()).toEqual([])
  })

  it('one is written, refused at its line, saved and switched on', async () => {
    const { sandbox, url, call } = await serve()
    const page = await visit(url, { at: 'scenarios', allow: /status of 4/ })
    await page.getByRole('link', { name: 'Write a scenario' }).click()
    const field = page.getByRole('textbox', { name: 'Scenario' })
    const good = await field.inputValue()
    await field.fill(good.replace('retrieveReward', 'retriveReward'))
    await page.getByRole('button', { name: 'Save and switch on' }).click()
    const problems = page.getByRole('region', { name: 'Problems' })
    await shown(problems).toContainText('retrieveReward')
    await problems.getByRole('button', { name: 'Line 4' }).click()
    await shown(field).toBeFocused()
    expect(await sandbox.scenarios.active()).toEqual([])
    await field.fill(good)
    await page.getByRole('button', { name: 'Save and switch on' }).click()
    await shown(page.getByRole('heading', { level: 1 })).toHaveText('my-scenario')
    await shown(page.getByRole('switch', { name: 'my-scenario' })).toBeChecked()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    expect(await call('GET', '/v2/rewards/rwd_ada_pending')).toMatchObject({ status: 503 })
    await shown(page.getByText(/acted on 1|1 hit|fired once|1 of 2/)).toBeVisible()
  })

  it('two people who switch at once both win', async () => {
    const { sandbox, url } = await serve()
    const [one, other] = await Promise.all([
      visit(url, { at: 'scenarios' }),
      visit(url, { at: 'scenarios', context: await newWindow() }),
    ])
    const names = ['rate-limited', 'slow', 'truncated', 'unavailable']
    for (const name of names) await shown(one.getByRole('switch', { name, exact: true })).toBeEnabled()
    await shown(other.getByRole('switch', { name: 'reset' })).toBeEnabled()
    const others = ['hang', 'reset', 'null-optionals', 'unknown-fields']
    const switchOn = async (page: Page, wanted: readonly string[]): Promise<void> => {
      for (const name of wanted) await page.getByRole('switch', { name, exact: true }).check()
    }
    await Promise.all([switchOn(one, names), switchOn(other, others)])
    await expect
      .poll(async () => (await sandbox.scenarios.active()).toSorted())
      .toEqual([...names, ...others].toSorted())
    for (const page of [one, other]) {
      for (const name of [...names, ...others])
        await shown(page.getByRole('switch', { name, exact: true })).toBeChecked()
    }
  })
})

describe('clock', () => {
  it('is frozen, advanced and set', async () => {
    const { sandbox, url } = await serve({ frozen: false })
    const page = await visit(url, { at: 'clock', allow: /status of 4/ })
    await page.getByRole('button', { name: 'Freeze' }).click()
    await shown(page.getByText('frozen', { exact: true })).toBeVisible()
    const { now } = sandbox.clock.read()
    await page.getByRole('button', { name: 'Advance' }).click()
    await shown(page.getByRole('main')).toContainText('Enter at least one of')
    await page.getByLabel('days').fill('3')
    await page.getByRole('button', { name: 'Advance' }).click()
    await shown(page.getByRole('status')).toContainText('The clock was advanced to 20')
    expect(Date.parse(sandbox.clock.read().now) - Date.parse(now)).toBe(3 * 86_400_000)
    await shown(page.getByLabel('days')).toHaveValue('')
    await page.getByLabel('To').fill('2031-01-01')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await shown(page.getByText('2031-01-01T00:00:00.000Z')).toBeVisible()
    await page.getByLabel('To').fill('2001-01-01T00:00:00Z')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await shown(page.getByText('forward').first()).toBeVisible()
    await page.getByRole('button', { name: 'Unfreeze' }).click()
    await shown(page.getByText('running', { exact: true })).toBeVisible()
  })
})

describe('simulate', () => {
  it('the life of a purchase: authorised, captured in part, refunded', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url)
    await page.getByRole('link', { name: 'Simulate' }).click()
    const purchase = page.getByRole('region', { name: 'A purchase', exact: true })
    await purchase.getByLabel('Customer').selectOption('Ada Lindqvist (cus_ada)')
    await purchase.getByLabel('Payment method').selectOption('CARD 4242 (pm_ada_card)')
    await purchase.getByLabel('Amount').fill('5000')
    await purchase.getByRole('button', { name: 'Simulate the purchase' }).click()
    await shown(page.getByRole('status')).toHaveText('A purchase: APPROVED.')
    await shown(purchase.getByRole('link')).toHaveText(/^txn_/)
    const line = page.getByRole('region', { name: /^Transaction txn_/ })
    const steps = line.getByRole('listitem')
    const buttons = line.getByRole('button')
    const step = (name: string) => line.getByRole('region', { name, exact: true })
    await shown(steps).toHaveText([/APPROVED.*50\.00 USD/])
    await shown(buttons).toHaveText(['Update', 'Void', 'Capture'])
    await step('Capture').getByLabel('Amount').fill('2000')
    await step('Capture').getByRole('button').click()
    await shown(page.getByRole('status')).toHaveText('Capture: CAPTURED: earned 60 POINTS (PENDING).')
    await shown(buttons).toHaveText(['Capture', 'Refund'])
    await shown(step('Capture').getByLabel('Amount')).toHaveValue('3000')
    await step('Refund').getByRole('button').click()
    await shown(page.getByRole('status')).toHaveText(
      'Refund: REFUNDED: took back 60 POINTS (PENDING_DEDUCTION).',
    )
    await shown(buttons).toHaveText(['Capture'])
    await shown(steps).toHaveText([
      /APPROVED.*50\.00 USD/,
      /CAPTURED.*20\.00 USD.*earned 60 POINTS rwd_\w+ PENDING/,
      /REFUNDED.*20\.00 USD.*took back 60 POINTS rwd_\w+ PENDING_DEDUCTION/,
    ])
    expect(sandbox.state.list('transaction_events')).toHaveLength(3)
  })

  it('an announced purchase, a closing cycle, waiting rewards', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'simulate' })
    const announced = page.getByRole('region', { name: 'A purchase that an intent announced' })
    await announced.getByLabel('Intent').selectOption('int_ada_1')
    await announced.getByLabel('Status').selectOption('CAPTURED')
    await announced.getByRole('button', { name: 'Match the intent' }).click()
    await shown(page.getByRole('status')).toHaveText(/: CAPTURED: earned \d+ POINTS \(PENDING\)\.$/)
    await shown(announced.getByRole('option', { name: /int_ada_1/ })).toHaveCount(0)
    const waiting = page.getByRole('region', { name: 'Waiting rewards' })
    await waiting.getByLabel('Customer').selectOption('cus_ada')
    await waiting.getByRole('button', { name: 'Settle the rewards' }).click()
    const line = page.getByRole('region', { name: /^Transaction txn_/ })
    await shown(line.getByRole('listitem')).toContainText('AVAILABLE')
    const cycle = page.getByRole('region', { name: 'A closing cycle' })
    const before = sandbox.state.list('statements').length
    await cycle.getByLabel('Account').selectOption('acct_ada')
    await cycle.getByRole('button', { name: 'Close the cycle' }).click()
    await shown(page.getByRole('status')).toHaveText('A closing cycle: The cycle is closed.')
    expect(sandbox.state.list('statements')).toHaveLength(before + 1)
  })

  it('says why nothing came of a step, and fits a narrow window', async () => {
    const { sandbox, url } = await serve()
    const { transaction } = sandbox.simulate.transaction({
      customer_id: 'cus_ada',
      amount: 1250,
      currency: 'USD',
      merchant_name: 'Corner Bistro',
    })
    const page = await visit(url, { at: 'simulate', allow: /status of 4/, width: narrow })
    const line = page.getByRole('region', { name: `Transaction ${transaction.id}` })
    await line.getByLabel('Amount').fill('1251')
    await line.getByRole('button', { name: 'Refund' }).click()
    await shown(line.getByText(/has 1250 left to refund, not 1251/)).toBeVisible()
    expect(await tooWide(page)).toBeLessThanOrEqual(0)
  })
})

describe('coverage', () => {
  it('shows the grid, and missing points with the request to paste', async () => {
    const { sandbox, url, call } = await serve()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    const page = await visit(url, { at: 'coverage' })
    const operation = page.getByRole('group', { name: 'retrieveReward', exact: true })
    await shown(operation.getByText(/✓/).first()).toBeVisible()
    await operation.getByText(/^\d+ missing, with requests to paste$/).click()
    await operation.getByRole('button', { name: /^Copy/ }).first().click()
    await shown(page.getByRole('status')).toHaveText('Copied.')
    expect(await clipboardOf(page)).toContain('/v2/rewards/')
    sandbox.workspaces.create({ name: 'w3' })
    await page.goto(`${url}/_sandbox/ui#/coverage?workspace=w3`)
    await operation.getByText(/^\d+ missing, with requests to paste$/).click()
    await operation.getByRole('button', { name: /^Copy/ }).first().click()
    await shown(page.getByRole('status')).toHaveText('Copied.')
    expect(await clipboardOf(page)).toContain('-u sk_sandbox_full.w3:')
    await page.goto(`${url}/_sandbox/ui#/coverage`)
    await page.getByText('Only what is missing').click()
    await shown(operation.getByText(/✓/).first()).toBeHidden()
    await operation.getByRole('link', { name: '○ REWARD_NOT_FOUND_ERROR' }).click()
    await shown(page.locator('li:focus')).toContainText('The reward is unknown')
    await shown(page.locator('li:focus')).toBeInViewport()
    await call('GET', '/v2/rewards/nobody')
    await page.getByRole('button', { name: 'Count the calls that came since' }).click()
  })
})

describe('assumptions', () => {
  it('show value, question, provenance, and how many calls rest on them', async () => {
    const { sandbox, url, call } = await serve({ assume: { pdf_url_lifetime_seconds: 60 } })
    const { assumptions } = await call('GET', '/v2/customers?limit=1')
    const page = await visit(url, { at: 'assumptions' })
    const all = sandbox.assumptions()
    const used = all.find(({ id }) => assumptions.includes(id)) ?? all[0]
    const about = (id: string) =>
      page.getByRole('article').filter({ has: page.getByRole('link', { name: id, exact: true }) })
    const one = about(used?.id ?? '')
    await shown(one).toContainText(used?.question ?? 'none')
    await shown(one).toContainText('1 call rests on it')
    await shown(about('pdf_url_lifetime_seconds')).toContainText('60')
    await shown(page.getByRole('article').first()).toContainText('1 call rests on it')
    await page.getByLabel('Only those that calls rest on').check()
    await shown(page.getByRole('article')).toHaveCount(all.filter((each) => each.used > 0).length)
    await page.getByLabel('Filter', { exact: true }).fill(used?.id ?? '')
    await shown(one).toBeVisible()
  })

  it('are copied with a chosen value, as an option and as lines of the config file', async () => {
    const { url } = await serve()
    const page = await visit(url, { at: 'assumptions/not_found_status' })
    await page.getByLabel('Copy not_found_status with').selectOption('410')
    await page.getByRole('button', { name: 'Copy option not_found_status' }).click()
    await shown(page.getByRole('status')).toHaveText('Copied.')
    expect(await clipboardOf(page)).toBe('--assume not_found_status=410')
    await page.getByRole('button', { name: 'Copy config not_found_status' }).click()
    await expect.poll(() => clipboardOf(page)).toBe('assume:\n  not_found_status: 410\n')
    await page.getByRole('link', { name: 'Clock', exact: true }).click()
    // By itself it would end after six seconds.
    await shown(page.getByRole('status')).toHaveText('', { timeout: 2_000 })
  })
})

describe('workspaces', () => {
  it('are made, copied, switched to, deleted', async () => {
    const { sandbox, url, call } = await serve()
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    const page = await visit(url, { at: 'workspaces' })
    await page.getByLabel('Name').fill('mine')
    await page.getByRole('button', { name: 'Create' }).click()
    const row = page.getByRole('row', { name: /^mine/ })
    await shown(row).toContainText('sk_sandbox_full.mine')
    await page.getByLabel('Name').fill('copied')
    await page.getByRole('combobox', { name: 'Copy from' }).selectOption('default')
    await page.getByRole('button', { name: 'Create' }).click()
    await shown(page.getByRole('status')).toHaveText('Created copied, a copy of default.')
    await shown(page.getByRole('row', { name: /^copied/ })).toBeVisible()
    const status = (name: string) => sandbox.workspace(name).state.get('rewards', 'rwd_ada_pending')
    expect(status('mine')).toMatchObject({ status: 'PENDING' })
    expect(status('copied')).toMatchObject({ status: 'AVAILABLE' })
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption('mine')
    await shown(row).toContainText('shown')
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.getByRole('group').getByRole('button', { name: 'Delete' }).click()
    await shown(row).toHaveCount(0)
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default', 'copied'])
  })

  it('one that is not there is said to be so, and not made by looking', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'requests?workspace=nobody', allow: /status of 404/ })
    await shown(page.getByText('This workspace does not exist (any more).')).toBeVisible()
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default'])
  })
})
