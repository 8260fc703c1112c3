// Serves the files of the inspector's page, with the headers that restrict it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../runtime/host.ts'
import { documentOf, PageRoot } from './document.tsx'
import { icon } from './icon.ts'
import { style } from './style/index.ts'

/** Nothing but our own origin: no other script, style, address, frame or form. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The script that the build created from the page. */
export function pageScript(): Promise<string> {
  return (script ??= readFile(join(packageRoot(), 'dist/inspector/page.js'), 'utf8'))
}

let script: Promise<string> | undefined

/** The files that the page loads. */
const files: Readonly<Record<string, { type: string; text: () => string | Promise<string> }>> = {
  'page.js': { type: 'text/javascript; charset=utf-8', text: pageScript },
  'page.css': { type: 'text/css; charset=utf-8', text: () => style },
  'icon.svg': { type: 'image/svg+xml', text: () => icon },
}

/**
 * A file of the page; undefined for a name that none has.
 * @param name the path after `/_sandbox/ui/`; empty for the page itself.
 * @param basePath the path before `/_sandbox` in the addresses of clients.
 */
export async function servePage(name: string, basePath: string): Promise<Response | undefined> {
  if (name === '') return answer(shellOf(`${basePath}/_sandbox/ui`), 'text/html; charset=utf-8')
  if (!Object.hasOwn(files, name)) return undefined
  const file = files[name]
  return file && answer(await file.text(), file.type)
}

function shellOf(address: string): string {
  const head = (
    <>
      <link rel="icon" type="image/svg+xml" href={`${address}/icon.svg`} />
      <link rel="stylesheet" href={`${address}/page.css`} />
      <script defer src={`${address}/page.js`} />
    </>
  )
  return documentOf({ title: 'Partner rewards sandbox', head, body: <PageRoot /> })
}

function answer(text: string, type: string): Response {
  return new Response(text, {
    headers: {
      'content-type': type,
      // A sandbox of another version may be next at this address.
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
}
