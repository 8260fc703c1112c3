// Fifty thousand calls while the page looks, and readers who are too slow for what comes.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import type { Page } from '@playwright/test'
import { expect, it } from 'vitest'
import { shown, visit } from '../helpers/browser.ts'
import { started } from '../helpers/processes.ts'
import { fullKey } from '../helpers/sandbox.ts'

/** Sends so many calls, some at a time. */
async function send(port: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const headers = { authorization: `Bearer ${fullKey}` }
  let left = count
  const sender = async (): Promise<void> => {
    while (left-- > 0) {
      const call = request({ port, agent, headers, path: '/v2/rewards/rwd_ada_pending' }).end()
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
    }
  }
  await Promise.all(Array.from({ length: 8 }, sender))
  agent.destroy()
}

/** A page with an open stream: it has received a call. */
async function watching(url: string, port: number): Promise<Page> {
  // The journal has dropped what is opened last.
  const page = await visit(url, { allow: /status of 404/ })
  await send(port, 1)
  await shown(page.getByText('1 call', { exact: true })).toBeVisible()
  return page
}

/** The number of calls that the page shows, and of those that the stream dropped. */
async function countsOf(page: Page): Promise<{ listed: number; unlisted: number }> {
  const text = (await page.getByText(/^\d+ calls?(,|$)/).textContent()) ?? ''
  const [, listed = '0', unlisted = '0'] = /^(\d+) calls?(?:, (\d+) more)?/.exec(text) ?? []
  return { listed: Number(listed), unlisted: Number(unlisted) }
}

/** How long something takes, in milliseconds. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await act()
  return Math.round(performance.now() - begun)
}

async function openKeys(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Keys' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await shown(page.getByRole('dialog')).toHaveCount(0)
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return Math.round(usedSize / 1e6)
}

it('50,000 calls: shown and told to be dropped are all of them, and the page stays at hand', async () => {
  const all = 50_000
  const { url, port } = await started(['--quiet'])
  const page = await watching(url, port)
  const figures: Record<string, number | object> = { 'heap before, MB': await heapOf(page) }
  figures['click at rest, ms'] = await timed(() => openKeys(page))
  const clicks: number[] = []
  const sending = { isOver: false }
  figures['sending, ms'] = await timed(() =>
    Promise.all([
      send(port, all - 1).finally(() => (sending.isOver = true)),
      (async () => {
        while (!sending.isOver) clicks.push(await timed(() => openKeys(page)))
      })(),
    ]),
  )
  expect(clicks.length).toBeGreaterThan(2)
  figures['clicks meanwhile, ms'] = { count: clicks.length, worst: Math.max(...clicks) }
  // Those that came while the mouse was over the list wait.
  const fresh = page.getByRole('button', { name: /^\d+ new$/ })
  await expect
    .poll(
      async () => {
        if (await fresh.isVisible()) await fresh.click()
        const { listed, unlisted: untold } = await countsOf(page)
        return listed + untold
      },
      { timeout: 30_000 },
    )
    .toBe(all)
  Object.assign(figures, await countsOf(page), { 'heap after, MB': await heapOf(page) })

  // It scrolls to its end, and each row opens, also one that the journal has no more.
  const list = page.getByRole('list', { name: 'Calls, newest first' })
  figures['scroll to the end, ms'] = await timed(async () => {
    await page.evaluate("document.querySelector('.calls').scrollTop = 1e9")
    await shown(list.getByRole('listitem').last()).toHaveAttribute('data-id', 'req_default_1')
  })
  expect(await list.getByRole('listitem').count()).toBeLessThan(100)
  console.log(figures)
  await list.getByRole('listitem').last().getByRole('link').click()
  await shown(page.getByText('Dropped.')).toBeVisible()
}, 120_000)

it('a page that is held up is told how many it missed', async () => {
  const { url, port } = await started(['--quiet'])
  const page = await watching(url, port)
  // Busy until all were sent: what the socket and its reader take is little.
  const session = await page.context().newCDPSession(page)
  await session.send('Debugger.enable')
  const paused = once(session as never, 'Debugger.paused')
  await session.send('Debugger.pause')
  await paused
  await send(port, 9_999)
  await session.send('Debugger.resume')
  await session.send('Debugger.disable')
  await expect
    .poll(
      async () => {
        const { listed, unlisted: untold } = await countsOf(page)
        return listed + untold
      },
      { timeout: 30_000 },
    )
    .toBe(10_000)
  const { unlisted: untold } = await countsOf(page)
  console.log({ 'told to a page that stood still, and not': untold })
})
