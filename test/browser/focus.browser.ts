// Where the focus is after an action, what is said aloud, and what a message may cover.
import type { Page } from '@playwright/test'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { narrow, serve, shown, visit, wide } from '../helpers/browser.ts'

/** A sandbox as users start it, whose clock is the machine's. */
async function serveNow(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = await createSandbox(options)
  onTestFinished(() => sandbox.close())
  return { sandbox, url: (await sandbox.listen()).url }
}

/** The kind of the element that has the focus; `BODY` for none. */
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.tagName')

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().press('Enter')

/** Presses one button, and confirms it once the question has taken the focus: the focus moves to Cancel in a later frame. */
const confirm = async (page: Page, name: string): Promise<void> => {
  await press(page, name)
  const question = page.getByRole('group')
  await shown(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name, exact: true }).press('Enter')
}

const actions: [action: string, at: string, act: (page: Page) => Promise<void>, said: string | RegExp][] = [
  ['freeze the clock', 'clock', (page) => press(page, 'Unfreeze'), 'The clock runs.'],
  ['reset from the clock', 'clock', (page) => confirm(page, 'Reset'), 'default was reset.'],
  ['reset from the state', 'state', (page) => confirm(page, 'Reset'), 'default was reset.'],
  [
    'restore rows',
    'state?since=baseline',
    async (page) => {
      // The answer moves the focus to the heading in a later frame; a key pressed before that would go there.
      await shown(page.getByRole('heading', { name: /^What changed since/ })).toBeFocused()
      await confirm(page, 'Restore')
    },
    /^All rows are as in/,
  ],
  [
    'switch a scenario off',
    'scenarios',
    (page) => page.getByRole('switch', { name: 'slow' }).press('Space'),
    'slow is off.',
  ],
  [
    'switch all scenarios off',
    'scenarios',
    (page) => press(page, 'Switch all off'),
    'All scenarios are off.',
  ],
  [
    'restart a scenario',
    'scenarios',
    (page) => press(page, 'Restart slow'),
    'slow was restarted: it counts from zero.',
  ],
  ['clear the coverage', 'coverage', (page) => confirm(page, 'Clear'), 'Coverage was reset.'],
  ['save a row', 'state/rewards/rwd_ada_pending', (page) => press(page, 'Save'), 'Saved rwd_ada_pending.'],
  ['delete a row', 'state/order_events/ord_ada_2', (page) => confirm(page, 'Delete'), 'Deleted ord_ada_2.'],
]

describe.each([wide, narrow])(
  'at %i px an action keeps the focus, and what it did is said in a place of its own',
  (width) => {
    it.each(actions)('%s', async (_action, at, act, said) => {
      const { sandbox, url, call } = await serve()
      await sandbox.scenarios.activate('slow')
      sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 1 })
      sandbox.state.put('order_events', 'ord_ada_2', { customer_id: 'cus_ada' })
      await call('GET', '/v2/rewards/rwd_ada_pending')
      const page = await visit(url, { at, width })
      await act(page)
      const status = page.getByRole('status')
      await shown(status).toHaveText(said)
      await expect.poll(() => focused(page)).not.toBe('BODY')
      await page.evaluate('scrollTo(0, 0)')
      const message = await status.boundingBox()
      const main = await page.getByRole('main').boundingBox()
      expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0)
    })
  },
)

describe('calls that fail', () => {
  it('are said aloud, and others are not', async () => {
    const { url, call } = await serve()
    await call('GET', '/v2/rewards/before')
    const page = await visit(url)
    await shown(page.getByText('1 call', { exact: true })).toBeVisible()
    const log = page.getByRole('log', { name: 'Failed calls' })
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await shown(page.getByText('2 calls', { exact: true })).toBeVisible()
    await shown(log).toHaveText('')
    await call('GET', '/v2/rewards/nobody')
    await shown(log).toHaveText('GET /v2/rewards/nobody: 404 not_found')
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await shown(page.getByText('4 calls', { exact: true })).toBeVisible()
    await shown(log).toHaveText('GET /v2/rewards/nobody: 404 not_found')
  })
})

describe('a link to where the page is already', () => {
  it('leads there again', async () => {
    const { url } = await serve()
    const page = await visit(url, { at: 'coverage' })
    const overview = page.getByRole('navigation', { name: 'Operations' })
    const summary = page
      .getByRole('group', { name: 'retrieveReward', exact: true })
      .locator('summary')
      .first()
    for (const time of ['first', 'again']) {
      await overview.getByRole('link', { name: /^retrieveReward \d/ }).press('Enter')
      await shown(summary, time).toBeFocused()
      await shown(summary, time).toBeInViewport()
    }
  })
})

describe('what differs from a fresh sandbox', () => {
  it('stands in the header of every view, and each part leads to its undo', async () => {
    const { sandbox, url } = await serveNow({ assume: { not_found_status: 410 } })
    await sandbox.scenarios.activate('slow', 'reset')
    sandbox.clock.set({ now: '2031-01-01T00:00:00Z', frozen: true })
    sandbox.state.patch('rewards', 'rwd_ada_pending', { amount: 1 })
    const page = await visit(url, { at: 'workspaces' })
    const differs = page.getByRole('list', { name: 'What differs from a fresh sandbox' })
    const parts = differs.getByRole('listitem')
    await shown(parts).toHaveText([
      '2 scenarios on',
      /^clock \+.* d.*, frozen$/,
      '1 row edited',
      '1 assumption changed',
    ])
    for (const name of ['Requests', 'State', 'Scenarios', 'Clock', 'Simulate', 'Coverage', 'Assumptions']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
      await shown(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
      await shown(parts).toHaveCount(4)
    }
    await differs.getByRole('link', { name: '1 assumption changed' }).click()
    await shown(page.getByRole('article')).toHaveCount(1)
    await shown(page.getByRole('article')).toContainText('--assume not_found_status=404')
    await differs.getByRole('link', { name: '2 scenarios on' }).click()
    await page.getByRole('button', { name: 'Switch all off' }).click()
    await shown(parts).toHaveCount(3)
    await differs.getByRole('link', { name: '1 row edited' }).click()
    await page
      .getByRole('region', { name: 'What changed since “baseline”' })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByRole('group').getByRole('button', { name: 'Restore' }).click()
    await shown(parts).toHaveCount(2)
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ amount: 252 })
    await differs.getByRole('link', { name: /^clock/ }).click()
    await page.getByRole('button', { name: 'Unfreeze' }).click()
    await shown(parts.first()).toHaveText(/^clock \+[^,]*$/)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('group').getByRole('button', { name: 'Reset' }).click()
    await shown(parts).toHaveText(['1 assumption changed'])
  })

  it('is nothing for a fresh sandbox', async () => {
    const { url } = await serveNow()
    const page = await visit(url, { at: 'clock' })
    await shown(page.getByText('running', { exact: true })).toBeVisible()
    await shown(page.getByRole('list', { name: 'What differs from a fresh sandbox' })).toHaveCount(0)
  })
})
