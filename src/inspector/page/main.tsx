// Where the page begins: draws itself over a sandbox that runs, or over the data of a trace.
import { render } from 'hono/jsx/dom'
import { App } from './app.tsx'
import { liveSource } from './live-source.ts'
import { home } from './route.ts'
import { takeTokenFromAddress, token } from './token.ts'
import { traceSource } from './trace-source.ts'

const place = document.getElementById('page')
const trace = document.getElementById('trace')
if (!trace) takeTokenFromAddress()
if (place) {
  const source = trace ? traceSource(trace.textContent) : liveSource
  home.workspace = trace ? source.home : (token.workspace ?? source.home)
  place.replaceChildren()
  render(<App source={source} />, place)
}
