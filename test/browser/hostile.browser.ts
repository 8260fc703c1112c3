// Text of rows, calls and scenarios is shown as text and never run: live, and in a trace.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openTab, serve, shown, visit } from '../helpers/browser.ts'
import { fullKey } from '../helpers/sandbox.ts'

const hostile = [
  '<img src=x onerror="canary();alert(1)">',
  '</script><script>canary()</script>',
  'javascript:canary()',
  '{{canary()}}${canary()}',
  '"><svg/onload=canary()>',
  "'-canary()-'",
  '\u202Eevil\u202C \u2066right to left\u2069',
  'lone \uD800 surrogate \uDFFF',
  '</textarea></pre></title><iframe srcdoc="<script>parent.canary()</script>">',
  '\u2028\u2029 lines',
]
const joined = hostile.join(' ')
const long = `${joined} ${'x'.repeat(10_000)}`

type Row = Readonly<Record<string, unknown>>
/** A field, by the names that lead to it. */
type Path = readonly string[]

/** As a client sends it: lone surrogates are escapes. */
async function send(sandbox: Sandbox, method: string, path: string, body: unknown): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const sent = await sandbox.fetch(`/_sandbox${path}`, { method, headers, body: JSON.stringify(body) })
  return sent.ok
}

/** The fields of a row that are texts, beneath it, too. */
function textsIn(row: unknown, path: Path = []): Path[] {
  if (typeof row === 'string') return [path]
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return []
  return Object.entries(row).flatMap(([name, value]) => textsIn(value, [...path, name]))
}

const nested = ([name = '', ...rest]: Path, value: unknown): Row => ({
  [name]: rest.length === 0 ? value : nested(rest, value),
})

/** Puts what it takes into each field of every row. @returns the fields that took something. */
async function plant(sandbox: Sandbox, texts: readonly string[]): Promise<Set<string>> {
  const planted = new Set<string>()
  const collections = Object.keys(sandbox.state.counts()).filter(
    (name) => name !== 'stubs' && name !== 'account',
  )
  for (const collection of collections) {
    const { [collection]: rows = [] } = (await (
      await sandbox.fetch(`/_sandbox/state/${collection}`)
    ).json()) as Record<string, Row[]>
    /** The value of each field in the first row that has it. */
    const taken = new Map<string, string>()
    for (const row of rows) {
      const id = String(row['id'] ?? row['statement_id'] ?? row['merchant_key'])
      const at = `/state/${collection}/${encodeURIComponent(id)}`
      const fields = textsIn(row).filter(([name = '']) => !['id', 'api_key', 'secret'].includes(name))
      for (const path of fields) {
        const field = path.join('.')
        const known = taken.get(field)
        // An empty text: no other row of it could be written so.
        if (known === '') continue
        for (const text of known === undefined ? texts : [known]) {
          if (!(await send(sandbox, 'PATCH', at, nested(path, text)))) continue
          taken.set(field, text)
          planted.add(`${collection}.${field}`)
          break
        }
        if (!taken.has(field)) taken.set(field, '')
      }
      // The names of fields, where they are free.
      const [text = ''] = texts
      if ('metadata' in row) await send(sandbox, 'PATCH', at, { metadata: { [joined]: { [joined]: text } } })
    }
  }
  return planted
}

/** In an address a surrogate cannot stand alone. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/[\uD800-\uDFFF]/gu, '\uFFFD'))

/** Calls whose path, query, headers and body are hostile, as they are sent over a socket. */
async function callHostile(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const authorization = `Bearer ${fullKey}`
  const one = async (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
    const sent = request({ hostname, port, method, path, headers: { authorization, ...headers } })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [{ resume: () => void }]
    answer.resume()
    await once(answer as never, 'end')
  }
  const json = { 'content-type': 'application/json' }
  for (const text of hostile) {
    const raw = Buffer.from(text.replaceAll(' ', '/')).toString('latin1')
    await one('GET', `/v2/rewards/${raw}?${raw}=${raw}`)
    await one('GET', `/v2/${encoded(text)}`)
    await one('PATCH', '/v2/rewards/rwd_ada_pending', json, JSON.stringify({ status: text, [text]: long }))
    await one('PATCH', '/v2/rewards/rwd_ada_pending', { 'content-type': 'text/plain' }, text)
    const header = Buffer.from(text).toString('latin1')
    await one('GET', '/v2/customers?limit=100', { 'x-hostile': header, 'x-service-version': header })
    await one('GET', '/v2/customers', { [`x-merchant-key`]: header, 'x-sandbox-scenario': header })
  }
  await one('GET', '/v2/rewards/rwd_ada_pending')
  await one('GET', '/v2/payment_methods?customer_id=cus_ada')
}

/** How many kinds of hostile calls there are. */
const kinds = 6

/** Looks at everything. @param at where the page is, without its hash. @param most of how many calls. */
async function lookAtAll(page: Page, at: string, sandbox: Sandbox, most: number): Promise<void> {
  const go = async (route: string): Promise<void> => {
    await page.goto(`${at}#/${route}`)
    await shown(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await noneCanRun(page)
  }
  for (const view of ['requests', 'scenarios', 'clock', 'coverage', 'assumptions', 'workspaces', 'state'])
    await go(view)
  for (const [place, { id }] of sandbox.requests.list({ limit: most }).entries()) {
    await go(`requests/${id}`)
    await page.getByRole('button', { name: 'Raw' }).click()
    // All that is made of a call, of one of each kind.
    if (place >= kinds) continue
    for (const button of await page.getByRole('button', { name: /^Copy as/ }).all()) await button.click()
    await noneCanRun(page)
  }
  for (const collection of Object.keys(sandbox.state.counts())) {
    await go(`state/${collection}`)
    if (collection === 'stubs' || collection === 'account') continue
    const links = await page.getByRole('rowheader').getByRole('link').all()
    const routes = await Promise.all(links.slice(0, 3).map((link) => link.getAttribute('href')))
    for (const route of routes) await go(route?.replace('#/', '') ?? '')
  }
  for (const name of ['hostile', 'hostile-2']) await go(`scenarios/${name}`)
  for (const text of [joined, '%', '../..']) {
    await page.goto(`${at}#/${encoded(text)}/x?workspace=default`)
    await page.goto(`${at}#/requests/${encoded(text)}`)
    await page.goto(`${at}#/state/customers/${encoded(text)}`)
    await noneCanRun(page)
  }
}

/** No element came of a text, and no link does anything but lead somewhere. */
async function noneCanRun(page: Page): Promise<void> {
  const found = await page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('img, svg:not(.ring, .meter), iframe, object, embed, base, main script, [onerror], [onload]')].map((each) => each.outerHTML),
    ...[...document.links].filter(({ protocol }) => !['http:', 'file:', 'blob:'].includes(protocol)).map(({ href }) => href),
  ]`)
  expect(found).toEqual([])
}

it('hostile texts are shown and never run, live and in a trace', async () => {
  const { sandbox, url } = await serve()
  const planted = await plant(sandbox, [long, joined, ...hostile])
  expect(planted.size).toBeGreaterThan(40)
  for (const [place, description] of [long, ...hostile].entries()) {
    const name = place === 0 ? 'hostile' : `hostile-${place}`
    const document = {
      name,
      description,
      rules: [{ on: 'searchCustomers', effect: { error: 'RATE_LIMIT_ERROR' } }],
    }
    await send(sandbox, 'POST', '/scenarios', document)
  }
  await sandbox.scenarios.switch({ on: ['hostile', 'hostile-2'] })
  await send(sandbox, 'PUT', '/state/stubs', [
    { method: 'GET', path: '/v2/stubbed', body: { [joined]: long } },
  ])
  await callHostile(url)

  const page = await visit(url, { allow: /status of 4/ })
  await lookAtAll(page, `${url}/_sandbox/ui`, sandbox, 100)
  // As it was written, and whole.
  await page.goto(`${url}/_sandbox/ui#/scenarios/hostile-1`)
  await shown(page.getByText(hostile[0] ?? '', { exact: true })).toBeVisible()

  const folder = await mkdtemp(join(tmpdir(), 'trace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'trace.html')
  await writeFile(file, await sandbox.trace())
  const at = pathToFileURL(file).href
  const fromDisk = await openTab({}, at)
  await lookAtAll(fromDisk, at, sandbox, 4 * kinds)
  await fromDisk.goto(`${at}#/scenarios/hostile-1`)
  await shown(fromDisk.getByText(hostile[0] ?? '', { exact: true })).toBeVisible()
}, 120_000)
