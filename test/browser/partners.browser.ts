// The page with isolated partners: the view of a partner by its token, and that of the operator.
import { describe, expect, it } from 'vitest'
import { clipboardOf, serve, shown, visit } from '../helpers/browser.ts'
import { operatorToken, partnerOptions } from '../helpers/partners.ts'

/** A sandbox of two partners, and its page with a token. */
async function apart() {
  const { sandbox, url } = await serve(partnerOptions)
  const { credentials: acme } = await sandbox.workspaces.create({ name: 'acme' })
  await sandbox.workspaces.create({ name: 'beta' })
  const open = async (token: string, at = 'requests') => {
    const page = await visit(url, { at, allow: /status of 40[13]/ })
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
    return page
  }
  return { sandbox, url, acmeToken: acme?.admin_token ?? '', apiKey: acme?.api_key ?? '', open }
}

describe('a partner', () => {
  it('is told which token to give', async () => {
    const { url } = await apart()
    const page = await visit(url, { allow: /status of 401/ })
    await shown(page.getByText(/Partners enter the token of their workspace/)).toBeVisible()
  })

  it('is shown its workspace, and nothing that is refused to it', async () => {
    const { acmeToken, open } = await apart()
    const page = await open(acmeToken, 'workspaces')
    const row = page.getByRole('row', { name: /^acme/ })
    await row.getByRole('button', { name: 'Reset' }).click()
    await row.getByRole('group').getByRole('button', { name: 'Reset' }).click()
    await shown(page.getByRole('status')).toHaveText('acme was reset.')
    await shown(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
    await shown(page.getByRole('button', { name: 'Create' })).toHaveCount(0)
    await shown(page.getByRole('heading', { name: 'New workspace' })).toHaveCount(0)
    await shown(row).toContainText('not listed')
    await shown(page.getByText(/Call it with the key that is listed/)).toBeVisible()
  })

  it('is told in each view why it sees nothing of another, which is not listed as its own', async () => {
    const { acmeToken, open } = await apart()
    const page = await open(acmeToken, 'requests?workspace=beta')
    const choice = page.getByRole('combobox', { name: 'Workspace' })
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
    await shown(links).toHaveCount(9)
    for (const link of await links.all()) {
      await link.click()
      await shown(link).toHaveAttribute('aria-current', 'page')
      await shown(page.getByRole('main')).toHaveText(
        /^This token is for workspace 'acme' .*for anything else\. $/,
      )
      await shown(choice.getByRole('option')).toHaveText(['acme'])
    }
    await shown(choice.locator('option:checked')).toHaveText('choose')
    await choice.selectOption('acme')
    await shown(page.getByRole('row', { name: /^acme/ })).toBeVisible()
    await shown(choice.locator('option:checked')).toHaveText('acme')
    await shown(choice.locator('option')).toHaveCount(1)
  })

  it('pastes requests with its own keys', async () => {
    const { acmeToken, apiKey, open } = await apart()
    const page = await open(acmeToken, 'coverage')
    const operation = page.getByRole('group', { name: 'retrieveReward', exact: true })
    await operation.getByText(/^\d+ missing, with requests to paste$/).click()
    await operation.getByRole('button', { name: /^Copy/ }).first().click()
    await shown(page.getByRole('status')).toHaveText('Copied.')
    expect(await clipboardOf(page)).toContain(`-u ${apiKey}: `)
  })
})

describe('whoever keeps partners apart', () => {
  it('makes and deletes their workspaces', async () => {
    const { sandbox, open } = await apart()
    const page = await open(operatorToken, 'workspaces')
    await page.getByLabel('Name').fill('gamma')
    await page.getByRole('button', { name: 'Create' }).click()
    await shown(page.getByText(/Its keys and its token are shown only once/)).toBeVisible()
    const row = page.getByRole('row', { name: /^gamma/ })
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.getByRole('group').getByRole('button', { name: 'Delete' }).click()
    await shown(row).toHaveCount(0)
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default', 'acme', 'beta'])
  })

  it('is told that no key opens default', async () => {
    const { open } = await apart()
    const page = await open(operatorToken, 'coverage')
    const operation = page.getByRole('group', { name: 'retrieveReward', exact: true })
    await operation.getByText(/^\d+ missing, with requests to paste$/).click()
    await shown(operation.getByText(/no key opens the workspace default/).first()).toBeVisible()
  })
})
