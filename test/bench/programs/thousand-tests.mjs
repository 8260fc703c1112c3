// 1,000 tests of a webhook receiver in one process: node thousand-tests.mjs LIBRARY, asked once over IPC.
import { Webhook } from 'standardwebhooks'
import { fiveCalls } from './test-files/five-calls.mjs'

const [, , library = ''] = process.argv
/** @type {{ createSandbox: (options: object) => Promise<any> }} */
const { createSandbox } = await import(library)

/** @param {any} sandbox */
async function runTest(sandbox) {
  const workspace = await sandbox.workspaces.create()
  let received = 0
  /** @param {Request} request */
  const handler = async (request) => {
    verifier.verify(await request.text(), Object.fromEntries(request.headers))
    received += 1
    return new Response(null, { status: 204 })
  }
  const { secret } = workspace.webhooks.add({ handler, events: ['transaction_intent.created'] })
  const verifier = new Webhook(secret)
  await fiveCalls(workspace.fetch)
  await workspace.events.drain()
  if (received !== 1) throw new Error(`a test received ${received} events, not 1`)
  sandbox.workspaces.delete(workspace.name)
}

process.on('message', async () => {
  const started = performance.now()
  const sandbox = await createSandbox({ webhooks: 'standard' })
  for (let test = 0; test < 1000; test++) await runTest(sandbox)
  await sandbox.close()
  process.send?.({ seconds: (performance.now() - started) / 1000 })
})
process.on('disconnect', () => process.exit())
