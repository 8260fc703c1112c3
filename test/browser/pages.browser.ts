// Pages in a real browser call the API.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../helpers/browser.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** The part of an answer that a page can read; `kept from the page` if the browser lets it read nothing. */
type Read = { status: number; type: string; headers: Record<string, string>; text: string } | string

describe('pages', () => {
  let browser: Browser
  let site: Server
  let port = 0

  beforeAll(async () => {
    browser = await launchBrowser('--host-resolver-rules=MAP evil.test 127.0.0.1')
    site = createServer((_request, answer) => answer.end('<!doctype html><link rel="icon" href="data:,">'))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    port = (site.address() as AddressInfo).port
  })

  afterAll(async () => {
    await browser.close()
    site.close()
  })

  /** Has a page of this host call, and read what it is answered. */
  async function callFrom(host: string, url: string, init: Record<string, unknown> = {}): Promise<Read> {
    const page = await browser.newPage()
    try {
      await page.goto(`http://${host}:${port}`)
      return await page.evaluate(
        async ([to, how]) => {
          try {
            const answer = await fetch(to, how)
            const { status, type } = answer
            return { status, type, headers: Object.fromEntries(answer.headers), text: await answer.text() }
          } catch {
            return 'kept from the page'
          }
        },
        [url, init] as const,
      )
    } finally {
      await page.close()
    }
  }

  const call = (headers: Record<string, string> = {}) => ({
    headers: { authorization: 'Bearer sk_sandbox_full', ...headers },
  })

  it('a page on this machine sends any header and its credentials, and reads every header', async () => {
    const sandbox = await startSandbox({ scenarios: ['rate-limited'] })
    const { url } = await sandbox.listen()
    const init = {
      ...call({ 'x-trace': '1', 'content-type': 'application/json' }),
      method: 'PATCH',
      body: '{}',
    }
    const read = await callFrom('localhost', `${url}/v2/rewards/rwd_ada_pending`, {
      ...init,
      credentials: 'include',
    })
    expect(read).toMatchObject({ status: 429, type: 'cors' })
    const { headers } = read as Exclude<Read, string>
    expect(headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      'x-service-version': '2026-10-13',
      // The preflight that came before took no number.
      'x-sandbox-request-id': 'req_default_1',
      date: expect.any(String),
    })
    expect(sandbox.requests.list().map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('it reads statement documents, the OpenAPI document and health, and nothing else of /_sandbox', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    const listed = await fetch(`${url}/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1`, call())
    const { data } = (await listed.json()) as { data: [{ pdf_url: string }] }
    const [{ pdf_url: pdfUrl }] = data
    for (const at of [pdfUrl, `${url}/_sandbox/openapi.json`, `${url}/_sandbox/health`]) {
      expect(await callFrom('localhost', at)).toMatchObject({ status: 200, type: 'cors' })
      expect(await callFrom('localhost', at, { credentials: 'include' })).toMatchObject({ status: 200 })
      expect(await callFrom('evil.test', at)).toBe('kept from the page')
    }
    expect(await callFrom('localhost', `${url}/_sandbox/state`)).toBe('kept from the page')
  })

  it('a page from elsewhere reads nothing', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    expect(await callFrom('evil.test', `${url}/v2/customers`, call())).toBe('kept from the page')
    expect(sandbox.requests.list()).toEqual([])
  })

  it('--cors-origin lets it', async () => {
    const sandbox = await startSandbox({ corsOrigin: `http://evil.test:${port}` })
    const { url } = await sandbox.listen()
    expect(await callFrom('evil.test', `${url}/v2/customers`, call())).toMatchObject({ status: 200 })
  })
})
