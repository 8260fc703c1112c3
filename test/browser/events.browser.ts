// Webhook events: a list that updates itself, one event with its attempts and its bytes, and sending it again.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { presets } from '../../src/events/presets/index.ts'
import { clipboardOf, serve, shown, visit } from '../helpers/browser.ts'

const reward = '/v2/rewards/rwd_ada_pending'

const listOf = (page: Awaited<ReturnType<typeof visit>>) =>
  page.getByRole('region', { name: 'Events, newest first' })

describe('events', () => {
  it('are off by default, and the view says how they are turned on', async () => {
    const { url, call } = await serve()
    const page = await visit(url, { at: 'events', allow: /status of 404/ })
    await shown(page.getByText(/^no webhook events are served/)).toBeVisible()
    await shown(page.getByRole('button', { name: 'Deliver due' })).toHaveCount(0)
    const { requestId } = await call('PATCH', reward, { json: { status: 'AVAILABLE' } })
    const other = await visit(url, { at: `requests/${requestId}` })
    await shown(other.getByRole('heading', { name: 'Rows changed' })).toBeVisible()
    await shown(other.getByRole('heading', { name: 'Events' })).toHaveCount(0)
  })

  it('are listed as calls cause them, newest first, and link to their calls and back', async () => {
    const { sandbox, url, call } = await serve({ webhooks: 'standard' })
    const page = await visit(url)
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await shown(page.getByText(/^No events so far/)).toBeVisible()
    const { requestId } = await call('PATCH', reward, { json: { status: 'AVAILABLE' } })
    const rows = listOf(page).getByRole('rowgroup').nth(1).getByRole('row')
    await shown(rows).toHaveCount(1)
    await shown(rows.first()).toHaveText(/^evt_1.*reward\.updated.*api.*collected.*req_default_1$/)
    await sandbox.events.trigger('reward.updated', { id: 'rwd_ada_available' })
    await shown(rows).toHaveCount(2)
    await shown(rows.first()).toHaveText(/^evt_2.*trigger.*none$/)
    await listOf(page)
      .getByRole('link', { name: requestId ?? '' })
      .click()
    const caused = page.getByRole('list', { name: 'Events of the request' })
    await shown(caused.getByRole('listitem')).toHaveText(['evt_1 reward.updated'])
    await caused.getByRole('link').click()
    await shown(page.getByRole('heading', { level: 1, name: 'evt_1' })).toBeVisible()
    await page.getByRole('link', { name: requestId ?? '' }).click()
    await shown(page.getByRole('heading', { name: `PATCH ${reward}` })).toBeVisible()
  })

  it('one shows its data and the bytes of its delivery, which a receiver verifies', async () => {
    const { sandbox, url } = await serve({ webhooks: 'standard' })
    const { id } = await sandbox.events.trigger('reward.updated', {
      id: 'rwd_ada_pending',
      data: { metadata: { note: 'Zoë, <b>"2 €"</b>\n' } },
    })
    const page = await visit(url, { at: `events/${id}` })
    await shown(page.getByText(/"note": "Zoë, <b>/).first()).toBeVisible()
    await page.getByRole('button', { name: 'Copy body' }).click()
    await shown(page.getByRole('status')).toHaveText('Copied.')
    const body = await clipboardOf(page)
    expect(body).toBe(await sandbox.events.request(id).text())
    const text = await page.getByRole('region', { name: 'Signed request' }).textContent()
    await page.getByRole('button', { name: 'Copy request' }).click()
    await expect.poll(() => clipboardOf(page)).toBe(text)
    const [head = '', ...rest] = (text ?? '').split('\n\n')
    expect(rest.join('\n\n')).toBe(body)
    const headers = Object.fromEntries(
      head
        .split('\n')
        .slice(1)
        .map((line) => line.split(': ')),
    )
    expect(new Webhook(sandbox.webhooks.secret).verify(body, headers)).toMatchObject({
      type: 'reward.updated',
    })
    await page.goto(`${url}/_sandbox/ui#/events`)
    await shown(listOf(page).getByRole('link', { name: id })).toBeVisible()
  })

  it('one is sent again after its receiver answered 500', async () => {
    const { sandbox, url, call } = await serve({ webhooks: { ...presets.standard, retries: 'none' } })
    let status = 500
    sandbox.webhooks.add({ handler: () => new Response(null, { status }) })
    const page = await visit(url, { at: 'events' })
    await call('PATCH', reward, { json: { status: 'AVAILABLE' } })
    const row = listOf(page).getByRole('row', { name: /^evt_1/ })
    await shown(row).toContainText('failed')
    await row.getByRole('link', { name: 'evt_1' }).click()
    const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('row')
    await shown(attempts).toHaveCount(2)
    await shown(attempts.last()).toHaveText(/^1handler_1.*failed500answered 500$/)
    status = 204
    await page.getByRole('button', { name: 'Resend' }).click()
    await shown(page.getByRole('status')).toHaveText(
      'Resent evt_1: handler_1 delivered (answered 204), fixed.',
    )
    await shown(attempts).toHaveCount(3)
    await shown(attempts.last()).toHaveText(/^2handler_1.*delivered204answered 204fixed$/)
    await page.getByRole('link', { name: 'Events', exact: true }).first().click()
    await shown(row).toContainText('delivered')
  })

  it('those that are due are delivered, and one without a receiver is refused', async () => {
    const { sandbox, url } = await serve({ webhooks: 'standard' })
    await sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    const page = await visit(url, { at: 'events', allow: /status of 409/ })
    await page.getByRole('button', { name: 'Deliver due' }).click()
    await shown(page.getByRole('status')).toHaveText('0 delivered, 0 failed, 0 waiting.')
    await listOf(page).getByRole('link', { name: 'evt_1' }).click()
    await page.getByRole('button', { name: 'Resend' }).click()
    await shown(page.getByRole('status')).toContainText('no enabled endpoint receives')
  })

  it('an endpoint is added with its secret, gets an event, is disabled, and removed', async () => {
    const { sandbox, url } = await serve({ webhooks: 'standard' })
    const page = await visit(url, { at: 'events' })
    await page.getByLabel('URL of the receiver').fill('http://192.0.2.1/webhooks')
    await page.getByLabel('Types').fill('reward.updated, customer.linked')
    await page.getByRole('button', { name: 'Add' }).click()
    await shown(page.getByRole('status')).toContainText('Added we_1. 192.0.2.1 is not allowed')
    await page.getByRole('button', { name: 'Copy secret' }).click()
    expect(await clipboardOf(page)).toMatch(/^whsec_/)
    const row = page.getByRole('region', { name: 'Endpoints that receive events' }).getByRole('row').last()
    await shown(row).toContainText('we_1http://192.0.2.1/webhooks192.0.2.1 is not allowed: only loopback')
    await shown(row).toContainText('reward.updated, customer.linkedenabled')
    await sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.drain()
    await shown(listOf(page).getByRole('row', { name: /^evt_1/ })).toContainText('skipped')
    await row.getByRole('button', { name: 'Disable we_1' }).click()
    await shown(row).toContainText('disabled')
    await row.getByRole('button', { name: 'Enable we_1' }).click()
    await shown(row).toContainText('enabled')
    const secret = page.getByText(/^Secret of we_1/)
    const before = await secret.textContent()
    await row.getByRole('button', { name: 'Replace secret' }).click()
    await row.getByRole('button', { name: 'Replace secret' }).last().click()
    await shown(page.getByRole('status')).toHaveText('Replaced the secret of we_1.')
    await expect.poll(() => secret.textContent()).not.toBe(before)
    await row.getByRole('button', { name: 'Remove' }).click()
    await row.getByRole('button', { name: 'Remove' }).last().click()
    await shown(page.getByText(/^None so far\. Events are collected/)).toBeVisible()
    await shown(secret).toHaveCount(0)
    expect(sandbox.webhooks.list()).toEqual([])
  })
})
