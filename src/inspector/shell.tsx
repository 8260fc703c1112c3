// The HTML around the page: what loads its script, style and icon, served or within one file.
import type { Child } from 'hono/jsx'

/** What the page is put together from. */
export interface Shell {
  title: string
  /** What stands in the head after the usual: script, style, icon and, in a file, the content policy. */
  head: Child
  /** What stands in the body before the page is drawn into it. */
  children?: Child
}

/** A whole HTML document. */
export function documentOf(shell: Shell): string {
  return `<!doctype html>\n${(<Page {...shell} />).toString()}\n`
}

function Page({ title, head, children }: Shell) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {head}
      </head>
      <body>
        <div id="page">
          <noscript>This page needs JavaScript; `npx partner-rewards-sandbox requests` does not.</noscript>
        </div>
        {children}
      </body>
    </html>
  )
}
