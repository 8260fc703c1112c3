// The page and the process that serves it: tabs, restarts, tokens, names, slow readers.
import { describe, expect, it } from 'vitest'
import { launchBrowser, newWindow, openTab, serve, shown, visit } from '../helpers/browser.ts'
import { started } from '../helpers/processes.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const key = { authorization: `Bearer ${fullKey}` }

describe('tabs', () => {
  it('seven at once load, and each shows what comes', async () => {
    const { url, call } = await serve()
    const context = await newWindow()
    const pages = await Promise.all(Array.from({ length: 7 }, () => visit(url, { context })))
    for (const page of pages) await shown(page.getByText('No calls so far.')).toBeAttached()
    for (let round = 1; round <= 3; round++) {
      await call('GET', `/v2/rewards/rwd_ada_pending?round=${round}`)
      // A background tab is not drawn, as browsers do, but receives events.
      for (const page of pages)
        await shown(page.getByText(round === 1 ? '1 call' : `${round} calls`, { exact: true })).toBeAttached()
    }
  })

  it('an eighth window of somebody else is told, too', async () => {
    const { url, call } = await serve()
    const pages = await Promise.all([visit(url), visit(url, { context: await newWindow() })])
    for (const page of pages) await shown(page.getByText('No calls so far.')).toBeVisible()
    await call('GET', '/v2/rewards/rwd_ada_pending')
    for (const page of pages) await shown(page.getByText('1 call', { exact: true })).toBeVisible()
  })
})

describe('the sandbox is started again', () => {
  it('the page comes back by itself, and says that earlier calls are gone', async () => {
    const first = await started(['--quiet'])
    const page = await visit(first.url, { allow: /ERR_|status of/ })
    for (let time = 0; time < 3; time++)
      await fetch(`${first.url}/v2/rewards/rwd_ada_pending`, { headers: key })
    await shown(page.getByText('3 calls', { exact: true })).toBeVisible()
    // Another process is recognized by its uptime, which is in whole seconds.
    const uptime = async (): Promise<number> => {
      const health = await fetch(`${first.url}/_sandbox/health`)
      return ((await health.json()) as { uptime_seconds: number }).uptime_seconds
    }
    const seen = await uptime()
    await expect.poll(uptime, { timeout: 10_000 }).toBeGreaterThanOrEqual(seen + 2)
    first.process.kill('SIGTERM')
    await first.ended
    await shown(page.getByText('The sandbox does not answer.')).toBeVisible()
    const second = await started(['--quiet', '--port', String(first.port)])
    await shown(
      page.getByText(/The sandbox restarted: earlier calls and unsaved state are gone/).first(),
    ).toBeVisible()
    await shown(page.getByText('The sandbox does not answer.')).toHaveCount(0)
    await fetch(`${second.url}/v2/customers`, { headers: key })
    await shown(page.getByText('1 call', { exact: true })).toBeVisible()
  })

  it('the page comes back also where a proxy answers meanwhile', async () => {
    const { url, call } = await serve()
    const page = await openTab({ allow: /status of 502/ }, `${url}/`)
    await page.route('**/_sandbox/health', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await page.goto(`${url}/_sandbox/ui`)
    await shown(page.getByText('The sandbox does not answer.')).toBeVisible()
    await page.unrouteAll()
    await shown(page.getByText('The sandbox does not answer.')).toHaveCount(0)
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await shown(page.getByText('1 call', { exact: true })).toBeVisible()
  })

  it('SIGTERM does not wait for pages that watch', async () => {
    const sandbox = await started(['--quiet'])
    const page = await visit(sandbox.url, { allow: /ERR_|status of/ })
    await shown(page.getByText('No calls so far.')).toBeVisible()
    sandbox.process.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
  })
})

describe('--admin-token', () => {
  const token = 'a-token-of-the-tests'
  const kept = "sessionStorage.getItem('partner-rewards-sandbox token')"

  it('is asked for, a wrong one again, and kept in the tab alone', async () => {
    const { url } = await serve({ adminToken: token })
    const page = await visit(url, { allow: /status of 401/ })
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await shown(page.getByLabel('Token')).toBeVisible()
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Open' }).click()
    await shown(page.getByText('No calls so far.')).toBeVisible()
    expect(await page.evaluate(kept)).toBe(token)
    expect(page.url()).not.toContain(token)
    expect(await page.context().cookies()).toEqual([])
    expect(await page.evaluate('localStorage.length')).toBe(0)
    // It lasts as long as the tab, and is asked for in another.
    await page.reload()
    await shown(page.getByText('No calls so far.')).toBeVisible()
    const other = await visit(url, { context: page.context(), allow: /status of 401/ })
    await shown(other.getByLabel('Token')).toBeVisible()
  })

  it('is taken from the address, which is without it afterwards, and calls come and are answered for', async () => {
    const { sandbox, url, call } = await serve({ adminToken: token })
    const page = await openTab({}, `${url}/`)
    await page.goto(`${url}/_sandbox/ui#token=${token}`)
    await shown(page.getByText('No calls so far.')).toBeVisible()
    expect(page.url()).toBe(`${url}/_sandbox/ui`)
    await page.evaluate('history.length').then((length) => expect(length).toBeLessThanOrEqual(2))
    await call('GET', '/v2/rewards/rwd_ada_pending')
    await shown(page.getByText('1 call', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByRole('switch', { name: 'rate-limited' }).check()
    await expect.poll(() => sandbox.scenarios.active()).toEqual(['rate-limited'])
    expect(await page.context().cookies()).toEqual([])
    expect(await page.content()).not.toContain(token)
  })
})

describe('plain http off loopback', () => {
  it('the page can only read, and says so', async () => {
    const sandbox = await startSandbox({ admin: 'open', allowedHosts: 'sandbox.test' })
    const { port } = await sandbox.listen({ host: '0.0.0.0' })
    const browser = await launchBrowser('--host-resolver-rules=MAP sandbox.test 127.0.0.1')
    try {
      const url = `http://sandbox.test:${port}`
      const context = await newWindow({}, browser)
      const page = await visit(url, { context, allow: /status of 403|untrustworthy/ })
      await shown(page.getByText('No calls so far.')).toBeVisible()
      await fetch(`http://127.0.0.1:${port}/v2/rewards/rwd_ada_pending`, { headers: key })
      await shown(page.getByText('1 call', { exact: true })).toBeVisible()
      await shown(page.getByText(/this page is read-only/).first()).toBeVisible()
      const before = await (await fetch(`http://127.0.0.1:${port}/_sandbox/scenarios`)).text()
      await page.getByRole('link', { name: 'Scenarios' }).click()
      const limited = page.getByRole('switch', { name: 'rate-limited' })
      await shown(limited).toBeVisible()
      if (await limited.isEnabled()) {
        await limited.click()
        await shown(page.getByRole('status')).toContainText('a page can only read')
      }
      await shown(limited).not.toBeChecked()
      expect(await (await fetch(`http://127.0.0.1:${port}/_sandbox/scenarios`)).text()).toBe(before)
    } finally {
      await browser.close()
    }
  })
})
