// HTML documents: the page as it is served, and files without external parts, restricted by hashes of their scripts.
import { createHash } from 'node:crypto'
import type { Child } from 'hono/jsx'
import { raw } from 'hono/html'
import { icon } from './icon.ts'
import { style } from './style/index.ts'

/** The parts of a document. */
interface Parts {
  title: string
  /** Elements of the head, after the common ones. */
  head: Child
  body: Child
}

/** A whole HTML document. */
export function documentOf({ title, head, body }: Parts): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {head}
      </head>
      <body>{body}</body>
    </html>
  )
  return `<!doctype html>\n${html.toString()}\n`
}

/** Where the script of the page draws. */
export function PageRoot() {
  return (
    <div id="page">
      <noscript>This page needs JavaScript; `npx partner-rewards-sandbox requests` does not.</noscript>
    </div>
  )
}

/**
 * A document that opens from the disk: its style and icon are in it, and its content policy allows them alone.
 * @param script a script of the body, which the policy allows.
 */
export function fileOf({ title, body, script }: Omit<Parts, 'head'> & { script?: string }): string {
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${hashOf(script)}'`]),
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const head = (
    <>
      {raw(`<meta http-equiv="Content-Security-Policy" content="${policy}" />`)}
      <link rel="icon" type="image/svg+xml" href={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
      <style>{raw(style)}</style>
    </>
  )
  return documentOf({ title, head, body })
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
