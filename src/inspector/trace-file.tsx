// A trace as one HTML file without external parts: the page, its style, its icon and the data.
import { raw } from 'hono/html'
import { packageVersion } from '../runtime/host.ts'
import { fileOf, PageRoot } from './document.tsx'
import { pageScript } from './files.tsx'
import { fitted, traceText, type Trace } from './trace.ts'

/** How large a file may be, in bytes. */
const maxBytes = 20_000_000

/** The content of a trace of a workspace or a run. */
export type TraceContent = Omit<Trace, 'package' | 'version'>

/** @param most how large it may be, in bytes; the oldest calls are left out first. */
export async function traceFile(content: TraceContent, most = maxBytes): Promise<string> {
  const script = inline(await pageScript())
  const withData = (data: string): string =>
    fileOf({
      title: 'Trace · Partner rewards sandbox',
      script,
      body: (
        <>
          <PageRoot />
          <script type="application/json" id="trace">
            {raw(data)}
          </script>
          <script>{raw(script)}</script>
        </>
      ),
    })
  const trace = { package: 'partner-rewards-sandbox', version: packageVersion(), ...content }
  const around = Buffer.byteLength(withData(''))
  return withData(traceText(fitted(trace, most - around)))
}

/** A script that cannot end its own element. */
function inline(script: string): string {
  return script.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}
