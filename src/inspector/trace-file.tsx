// A trace as one HTML file that needs nothing else: the page, its style, its icon and the data, fenced in by hashes.
import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import { inTurns } from '../runtime/give-way.ts'
import { packageVersion } from '../runtime/host.ts'
import { pageFile } from './files.tsx'
import { documentOf } from './shell.tsx'
import { fitted, traceText, type Trace } from './trace.ts'

/** How large a file may be, in bytes. */
const mostBytes = 20_000_000

/** What is made of a workspace or a run. */
export type TraceContent = Omit<Trace, 'package' | 'version'>

/** @param most how large it may be, in bytes; the oldest calls are left out first. */
export async function traceFile(content: TraceContent, most = mostBytes): Promise<string> {
  const [script, style, icon] = await Promise.all([
    pageFile('page.js').then(inline),
    pageFile('page.css'),
    pageFile('icon.svg'),
  ])
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
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
  const withData = (data: string): string =>
    documentOf({
      title: 'Trace · Partner rewards sandbox',
      head,
      children: (
        <>
          <script type="application/json" id="trace">
            {raw(data)}
          </script>
          <script>{raw(script)}</script>
        </>
      ),
    })
  const trace = { package: 'partner-rewards-sandbox', version: packageVersion(), ...content }
  const around = Buffer.byteLength(withData(''))
  const shown = await inTurns(fitted(trace, most - around))
  return withData(await inTurns(traceText(shown)))
}

/** A script that cannot end its own element. */
function inline(script: string): string {
  return script.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
