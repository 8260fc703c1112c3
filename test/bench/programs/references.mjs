// What a server costs that does nothing: node references.mjs L0|L1 ANSWERS, where ANSWERS is a JSON file with the
// texts of `reward`, `customers` and `intent`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [, , name, file = ''] = process.argv
/** @type {{ reward: string, customers: string, intent: string }} */
const texts = JSON.parse(readFileSync(file, 'utf8'))

/** Raw node:http: the floor. */
function serveL0() {
  /** @param {import('node:http').ServerResponse} outgoing @param {string} text */
  const answer = (outgoing, text, status = 200) => {
    outgoing.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    outgoing.end(text)
  }
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST') {
      incoming.resume().on('end', () => answer(outgoing, texts.intent, 201))
    } else {
      answer(outgoing, incoming.url?.startsWith('/v2/customers') ? texts.customers : texts.reward)
    }
  })
  server.listen(0, '127.0.0.1', () => announce(/** @type {any} */ (server.address()).port))
}

/** A bare Hono app: routes, reads the body of a POST as JSON, and answers a constant. */
async function serveL1() {
  const { Hono } = await import('hono')
  const { serve } = await import('@hono/node-server')
  const app = new Hono()
  const reward = JSON.parse(texts.reward)
  const customers = JSON.parse(texts.customers)
  const intent = JSON.parse(texts.intent)
  app.get('/v2/rewards/:reward_id', (c) => c.json(reward))
  app.get('/v2/customers', (c) => c.json(customers))
  app.post('/v2/transaction_intents', async (c) => {
    await c.req.json()
    return c.json(intent, 201)
  })
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port))
}

/** @param {number} port */
function announce(port) {
  process.stdout.write(`${name} listening on http://127.0.0.1:${port}\n`)
}

if (name === 'L0') serveL0()
else await serveL1()
