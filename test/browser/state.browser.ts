// The rows of a workspace: looked through, edited, compared, put back.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { serve, shown, visit } from '../helpers/browser.ts'

const manyCustomers = {
  customers: Array.from({ length: 120 }, (_, place) => ({
    id: `cus_more_${String(place).padStart(3, '0')}`,
    first_name: `More ${place}`,
  })),
}

describe('state', () => {
  it('is looked through page by page and by id, and references are links', async () => {
    const { sandbox, url } = await serve()
    for (const row of manyCustomers.customers) sandbox.state.put('customers', row.id, row)
    const page = await visit(url)
    await page.getByRole('link', { name: 'State' }).click()
    const count = page.getByRole('row', { name: 'customers' })
    await shown(count).toContainText(String(sandbox.state.list('customers').length))
    await page.getByRole('link', { name: 'customers' }).click()
    const rows = page.getByRole('region', { name: 'Rows of customers' }).getByRole('row')
    await shown(rows).toHaveCount(51)
    const first = await rows.nth(1).textContent()
    await page.getByRole('button', { name: 'Next' }).click()
    await shown(rows.nth(1)).not.toHaveText(first ?? '')
    await page.getByRole('button', { name: 'Next' }).click()
    await shown(rows).toHaveCount(sandbox.state.list('customers').length - 100 + 1)
    await shown(page.getByRole('button', { name: 'Next' })).toBeDisabled()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('button', { name: 'Previous' }).click()
    await shown(rows.nth(1)).toHaveText(first ?? '')
    await page.getByLabel('Id begins with').fill('cus_more_11')
    await shown(rows).toHaveCount(11)
    await page.goto(`${url}/_sandbox/ui#/state/rewards/rwd_ada_pending`)
    await page.getByRole('link', { name: /cus_ada/ }).click()
    await shown(page.getByRole('heading', { level: 1 })).toHaveText('cus_ada')
  })

  it('a row is edited, and refused with words that tell where', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'state/customers/cus_ada', allow: /status of 4/ })
    const field = page.getByRole('textbox', { name: 'Row' })
    await field.fill((await field.inputValue()).replace('"Ada"', '"Augusta"'))
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(page.getByRole('status')).toHaveText('Saved cus_ada.')
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({ first_name: 'Augusta' })

    await field.fill((await field.inputValue()).replace('"Augusta"', '42'))
    await page.getByRole('button', { name: 'Save' }).click()
    const problems = page.getByRole('region', { name: 'Problems' })
    await shown(problems).toContainText('first_name')
    // The buttons are where they were: what is wrong stands below them.
    const bottomOf = async (name: string) => {
      const { y = 0, height = 0 } = (await page.getByRole('button', { name }).boundingBox()) ?? {}
      return y + height
    }
    const top = (await problems.boundingBox())?.y ?? 0
    expect(Math.max(await bottomOf('Save'), await bottomOf('Delete'))).toBeLessThanOrEqual(top)
    await shown(problems.getByRole('button', { name: /^Line \d+$/ })).toBeVisible()
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({ first_name: 'Augusta' })
    // The typed text stays.
    expect(await field.inputValue()).toContain('42')

    await field.fill('{')
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(problems.getByRole('button', { name: /^Line \d+$/ })).toBeVisible()
  })

  it('a row is edited by a form made from its schema, beside the JSON', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'state/rewards/rwd_ada_pending', allow: /status of 4/ })
    const json = page.getByRole('textbox', { name: 'Row' })
    const form = page.getByRole('group', { name: 'Fields' })
    await shown(form.getByLabel('status', { exact: true }).getByRole('option')).toHaveText([
      'PENDING',
      'AVAILABLE',
      'PENDING_DEDUCTION',
      'DEDUCTED',
    ])
    await form.getByLabel('status', { exact: true }).selectOption('AVAILABLE')
    await form.getByLabel('currency', { exact: true }).fill('USD')
    await form.getByLabel('amount', { exact: true }).fill('12345')
    await shown(form.getByText('= 123.45 USD')).toBeVisible()
    await form.getByLabel('created_at', { exact: true }).fill('2026-10-21T09:30:00.000')
    await shown(form.getByText('UTC')).toBeVisible()
    await form.getByLabel('customer_id', { exact: true }).focus()
    await shown(form.locator('datalist option[value=cus_hana]')).toHaveCount(1)
    await form.getByLabel('customer_id', { exact: true }).fill('cus_hana')
    await form.getByRole('button', { name: 'Remove transaction_event_id' }).click()
    await shown(json).toHaveValue(/"amount": 12345/)
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(page.getByRole('status')).toHaveText('Saved rwd_ada_pending.')
    const saved = sandbox.state.get('rewards', 'rwd_ada_pending')
    expect(saved).toMatchObject({
      status: 'AVAILABLE',
      currency: 'USD',
      amount: 12_345,
      created_at: '2026-10-21T09:30:00.000Z',
      customer_id: 'cus_hana',
    })
    expect(saved).not.toHaveProperty('transaction_event_id')
    // JSON that is typed appears in the form.
    await json.fill((await json.inputValue()).replace('12345', '777'))
    await shown(form.getByLabel('amount', { exact: true })).toHaveValue('777')
    await json.fill('{')
    await shown(
      page.getByText('The form is back as soon as the JSON can be read as an object.'),
    ).toBeVisible()
  })

  it('what a form was refused for stands at the field', async () => {
    const { url } = await serve()
    const page = await visit(url, { at: 'state/customers/cus_ada', allow: /status of 4/ })
    const form = page.getByRole('group', { name: 'Fields' })
    const month = form.getByLabel('date_of_birth.month', { exact: true })
    await month.fill('13')
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(month).toHaveAttribute('aria-invalid', 'true')
    await shown(month).toHaveAccessibleDescription(/12/)
    await shown(form.getByLabel('date_of_birth.day', { exact: true })).not.toHaveAttribute(
      'aria-invalid',
      'true',
    )
  })

  it('what is typed into a form stays as it is typed', async () => {
    const { url } = await serve()
    const page = await visit(url, { at: 'state/rewards/rwd_ada_pending', allow: /status of 4/ })
    const form = page.getByRole('group', { name: 'Fields' })
    const json = page.getByRole('textbox', { name: 'Row' })
    const customer = form.getByLabel('customer_id', { exact: true })
    await customer.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('cus_hana')
    await shown(json).toHaveValue(/"customer_id": "cus_hana"/)
    await shown(customer).toBeFocused()
    const amount = form.getByLabel('amount', { exact: true })
    await amount.fill('')
    await amount.pressSequentially('-1.05')
    await shown(amount).toHaveValue('-1.05')
    await shown(json).toHaveValue(/"amount": -1.05,/)
    await amount.fill('9007199254740993')
    await shown(json).toHaveValue(/"amount": 9007199254740993,/)
    const created = form.getByLabel('created_at', { exact: true })
    await created.fill('')
    await created.blur()
    await shown(json).toHaveValue(/"created_at": ""/)
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(created).toHaveAttribute('aria-invalid', 'true')
    await created.fill('2026-10-21T09:30')
    await shown(created).not.toHaveAttribute('aria-invalid', 'true')
  })

  it('what cannot be a row has neither form nor JSON', async () => {
    const { url } = await serve()
    const page = await visit(url, { at: 'state/stubs', allow: /status of 404/ })
    await shown(page.getByRole('textbox', { name: 'Row', exact: true })).toBeVisible()
    await shown(page.getByRole('group', { name: 'Fields' })).toHaveCount(0)
    await page.goto(`${url}/_sandbox/ui#/state/nothing/1`)
    await shown(page.getByText(/no collection is called 'nothing'|collection/).first()).toBeVisible()
    await shown(page.getByRole('textbox', { name: 'Row', exact: true })).toHaveCount(0)
  })

  it('of a key the scopes are boxes', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'state/api_keys/key_full' })
    await page.getByRole('group', { name: 'scopes' }).getByLabel('ORDER_WRITE').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(page.getByRole('status')).toHaveText('Saved key_full.')
    const { scopes } = sandbox.state.get('api_keys', 'key_full') ?? {}
    expect(scopes).not.toContain('ORDER_WRITE')
    expect(scopes).toHaveLength(5)
  })

  it('what this page itself saves or deletes is nobody else’s change, also where it is told before it is answered', async () => {
    const { sandbox, url } = await serve()
    const at = 'state/order_events/ord_ada_1'
    const [page, other] = await Promise.all([visit(url, { at }), visit(url, { at, allow: /status of 404/ })])
    const changed = /^This row (has changed|was deleted) since it was opened\./
    const methods: string[] = []
    /** How often the page spoke of a change when everybody knew of its own. */
    const spoken: number[] = []
    page.on('request', (request) => {
      if (request.url().includes('/ord_ada_1')) methods.push(request.method())
    })
    await page.exposeFunction('whenTold', async () => {
      await shown(other.getByText(changed)).toBeVisible()
      spoken.push(await page.getByText(changed).count())
    })
    await page.evaluate(`{
      const send = fetch
      window.fetch = async (url, asked) => {
        const answer = await send(url, asked)
        if (asked.method === 'GET') return answer
        await whenTold()
        return answer
      }
    }`)
    const field = page.getByRole('textbox', { name: 'Row' })
    await field.fill((await field.inputValue()).replace('"CAPTURED"', '"REFUNDED"'))
    await page.getByRole('button', { name: 'Save' }).click()
    await shown(page.getByRole('status')).toHaveText('Saved ord_ada_1.')
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toMatchObject({ type: 'REFUNDED' })
    await other.getByRole('button', { name: 'Show it as it is now' }).click()
    await shown(other.getByText(changed)).toHaveCount(0)
    await shown(page.getByText(changed)).toHaveCount(0)

    methods.length = 0
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('group').getByRole('button', { name: 'Delete' }).click()
    await shown(page.getByRole('heading', { level: 1 })).toHaveText('order_events')
    expect([methods, spoken]).toEqual([['DELETE'], [0, 0]])
  })

  it('what was typed and not saved is there again, and is not saved over what others wrote', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'state/customers/cus_ada' })
    const field = page.getByRole('textbox', { name: 'Row' })
    await field.fill((await field.inputValue()).replace('"Ada"', '"Mine"'))
    await page.getByRole('link', { name: 'Clock', exact: true }).click()
    await shown(page.getByRole('heading', { level: 1 })).toHaveText('Clock')
    sandbox.state.patch('customers', 'cus_ada', { last_name: 'Theirs' })
    await page.goBack()
    await shown(page.getByText('Your unsaved text is still here.')).toBeVisible()
    await shown(field).toHaveValue(/"Mine"/)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shown(page.getByRole('region', { name: 'Changed meanwhile', exact: true })).toContainText('Theirs')
    await page.getByRole('button', { name: 'Discard it' }).click()
    await shown(field).toHaveValue(/"Theirs"/)
    expect(await field.inputValue()).toContain('"Ada"')
  })

  it('what somebody else wrote meanwhile is not lost, nor is what is being typed', async () => {
    const { sandbox, url } = await serve()
    const page = await visit(url, { at: 'state/customers/cus_ada' })
    const field = page.getByRole('textbox', { name: 'Row' })
    await field.fill((await field.inputValue()).replace('"Ada"', '"Mine"'))
    sandbox.state.patch('customers', 'cus_ada', { last_name: 'Theirs' })
    await shown(page.getByText('This row has changed since it was opened.')).toBeVisible()
    expect(await field.inputValue()).toContain('"Mine"')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shown(page.getByRole('region', { name: 'Changed meanwhile', exact: true })).toContainText('Theirs')
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({
      first_name: 'Ada',
      last_name: 'Theirs',
    })
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await shown(page.getByRole('status')).toHaveText('Saved cus_ada.')
    expect(sandbox.state.get('customers', 'cus_ada')).toMatchObject({ first_name: 'Mine' })
  })

  it('snapshots are taken, compared with, restored and deleted', async () => {
    const { sandbox, url, call } = await serve()
    const page = await visit(url, { at: 'state' })
    await page.getByLabel('Name of the snapshot').fill('before')
    await page.getByRole('button', { name: 'Take' }).click()
    await shown(page.getByRole('status')).toContainText('before')
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    await page.getByRole('link', { name: 'What changed since' }).click()
    const since = page.getByRole('region', { name: 'What changed since “before”' })
    await shown(since).toContainText('rwd_ada_pending')
    await shown(since.getByRole('heading', { level: 2 })).toBeFocused()
    await shown(since.getByRole('row', { name: /^status/ })).toContainText('AVAILABLE')
    const taken = page.getByRole('row', { name: /^before/ })
    await taken.getByRole('button', { name: 'Restore' }).click()
    await taken.getByRole('button', { name: 'Restore' }).click()
    await shown(page.getByRole('status')).toContainText('before')
    await shown
      .poll(() => sandbox.state.get('rewards', 'rwd_ada_pending'))
      .toMatchObject({ status: 'PENDING' })
    await shown(since).toHaveCount(0)
    await taken.getByRole('button', { name: 'Delete' }).click()
    await taken.getByRole('button', { name: 'Delete' }).click()
    await shown(taken).toHaveCount(0)
    expect(sandbox.snapshots.list()).toEqual([])
  })

  it('is downloaded, and reset', async () => {
    const { sandbox, url, call } = await serve()
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    const page = await visit(url, { at: 'state' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('default.json')
    const document: unknown = JSON.parse(await readFile(await download.path(), 'utf8'))
    const served: unknown = await (await fetch(`${url}/_sandbox/state`)).json()
    expect(document).toEqual(served)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(sandbox.requests.list()).toHaveLength(1)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('group').getByRole('button', { name: 'Reset' }).click()
    await shown(page.getByRole('status')).toHaveText('default was reset.')
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ status: 'PENDING' })
    expect(sandbox.requests.list()).toEqual([])
  })
})
