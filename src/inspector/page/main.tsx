// Where the page begins: draws itself over a sandbox that runs, or over the data of a trace.
import { render } from 'hono/jsx/dom'
import { App } from './app.tsx'
import { liveSource } from './live-source.ts'
import { takeTokenFromAddress } from './token.ts'

takeTokenFromAddress()
const place = document.getElementById('page')
if (place) {
  place.replaceChildren()
  render(<App source={liveSource} />, place)
}
