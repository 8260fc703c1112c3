// Opens pages in Chromium, and fails a test whose page complained, ran what it was to show, or asked anybody else.
import { chromium, expect as shown, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { chromiumPath } from '../../scripts/browser/chromium.mjs'
// Before our own hooks, so that sandboxes close after the pages.
import { startSandbox, type CallApi, type WideOptions } from './sandbox.ts'
import type { Sandbox } from '../../src/index.ts'

/** Web-first expectations, which wait until they hold. */
export { shown }

export const narrow = 390
export const middle = 1024
export const wide = 1440

export interface Visit {
  /** The part after the hash. */
  at?: string
  width?: number
  scheme?: 'light' | 'dark'
  /** Opens a tab of a window that is there. */
  context?: BrowserContext
  /** Console messages that are allowed: a refusal, or no answer. */
  allow?: RegExp
}

let browser: Browser
const contexts = new Set<BrowserContext>()
const problems: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
afterEach(async () => {
  const open = [...contexts]
  contexts.clear()
  await Promise.all(open.map((context) => context.close()))
  expect(problems.splice(0)).toEqual([])
})

/** A browser of its own, for flags. */
export function launchBrowser(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--no-sandbox', ...args] })
}

/** A window with storage and clipboard of its own. */
export async function newWindow(
  { width = 1280, scheme = 'light' }: Visit = {},
  from: Browser = browser,
): Promise<BrowserContext> {
  const context = await from.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  })
  contexts.add(context)
  context.setDefaultTimeout(10_000)
  return context
}

/** A sandbox that listens. */
export async function serve(
  options: WideOptions = {},
): Promise<{ sandbox: Sandbox; url: string; call: CallApi }> {
  const sandbox = await startSandbox(options)
  const { url } = await sandbox.listen()
  return { sandbox, url, call: sandbox.call }
}

/** Opens the inspector of a sandbox. @param url of the sandbox. */
export async function visit(url: string, options: Visit = {}): Promise<Page> {
  const page = await openTab(options, `${url}/`)
  await page.goto(`${url}/_sandbox/ui${options.at === undefined ? '' : `#/${options.at}`}`)
  return page
}

/** A tab that is watched. @param origin what all that it asks for begins with. */
export async function openTab(options: Visit, origin: string): Promise<Page> {
  const page = await (options.context ?? (await newWindow(options))).newPage()
  watch(page, origin, options.allow)
  await page.addInitScript(canary)
  return page
}

/** Calls that hostile strings try, and violations of the page's policy. */
const canary = `
  window.canary = () => console.error('a hostile string ran')
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
    console.error('CSP violation: ' + [violatedDirective, blockedURI, sourceFile, lineNumber].join(' ')))
`

function watch(page: Page, origin: string, allow?: RegExp): void {
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!allow?.test(message.text())) problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.stack ?? error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob|about):/.test(url)) problems.push(`asked for ${url}`)
  })
}

/** Returns the clipboard of a page's window. */
export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()')
}

/** How much a page is wider than its window, in pixels. */
export function tooWide(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}
