// What many created rows and the journal of their calls keep: node creates.mjs LIBRARY FIXTURES COUNT, asked once
// over IPC.
import { authorization, intentBody } from '../lib/fixtures.mjs'

const [, , library = '', fixtures = '', count = '200000'] = process.argv
/** @type {{ createSandbox: (options: object) => Promise<any> }} */
const { createSandbox } = await import(library)
const sandbox = await createSandbox({ fixtures })
const headers = { authorization, 'content-type': 'application/json' }

process.on('message', async () => {
  for (let at = 0; at < Number(count); at++) {
    const body = JSON.stringify(intentBody(at))
    const answer = await sandbox.fetch('/v2/transaction_intents', { method: 'POST', headers, body })
    if (answer.status >= 300) throw new Error(`the call answered ${answer.status}: ${await answer.text()}`)
  }
  for (let time = 0; time < 4; time++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.send?.({ rss: process.memoryUsage().rss })
})
process.on('disconnect', () => process.exit())
