// The page where partners are kept apart: what a partner sees by its token, and whoever runs the sandbox.
import { describe, it } from 'vitest'
import { serve, shown, visit } from '../helpers/browser.ts'
import { partnerOptions } from '../helpers/partners.ts'

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
  it('is told in each view why it sees nothing of another, which is not listed as its own', async () => {
    const { acmeToken, open } = await apart()
    const page = await open(acmeToken, 'requests?workspace=beta')
    const choice = page.getByRole('combobox', { name: 'Workspace' })
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
    await shown(links).toHaveCount(8)
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
})
