import { Agent, request as send } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { folderWith } from '../helpers/fake-io.ts'
import { started } from '../helpers/processes.ts'
import {
  canaryKey,
  canarySecret,
  canaryToken,
  lateKey,
  lateSecret,
  leaksIn,
  randomFrom,
} from '../helpers/canaries.ts'
import { canaryRequest, type CanaryRequest } from '../helpers/canary-requests.ts'

/** Another number by hand: `CANARY_REQUESTS=100000 npx vitest run test/http/canary.process.test.ts`. */
const requests = Number(process.env['CANARY_REQUESTS'] ?? 2000)
const atOnce = 8
/** As many as a journal holds for certain, so that each is looked at. */
const round = 1000

interface Answer {
  status: number
  body: string
}

const fixtures = {
  api_keys: [
    {
      id: 'key_z',
      secret: canarySecret,
      api_key: canaryKey,
      scopes: ['TRANSACTION_INTENT_WRITE'],
      products: ['mk_summit'],
      environment: 'sandbox',
    },
  ],
}

/** The journal entries of the last requests, by each interface. */
const doors: readonly { path: string; json?: object }[] = [
  { path: '/_sandbox/requests?limit=1000' },
  { path: '/_sandbox/requests?limit=1000&format=har' },
  ...[
    { body: { cvv: 'other', ssn4: ['other'], CVV: { code: 'other' }, note: 'other' } },
    { body: { metadata: { deep: [{ deeper: { ssn4: ['other'], CVV: { code: 1 }, card: { cvv: 1 } } }] } } },
    { headers: { authorization: 'other', cookie: 'other', 'x-note': 'other', referer: 'other' } },
    { query: { cvv: 'other', 'card[ssn4]': 'other', partner_customer_id: 'other', limit: 'other' } },
    { params: { reward_id: 'other' } },
    { operation: 'retrieveReward', status: 299, params: { reward_id: 'other' } },
    { body: 'other' },
    { body: { pan: 'other', partner_customer_id: 'other' } },
  ].map((matcher) => ({ path: '/_sandbox/requests/verify', json: { ...matcher, count: 100_000 } })),
]

/** A refused link shows the link of the customer, which is a row as in a success: it has the text that a client stored. */
function withoutExistingLink(body: string): string {
  if (!body.startsWith('{"error":{"type":"CUSTOMER_ALREADY_LINKED",')) return body
  const { error } = JSON.parse(body) as { error: { existing_link: object } }
  return body.replace(JSON.stringify(error.existing_link), '')
}

for (const format of ['pretty', 'json']) {
  test(
    `secrets that clients send everywhere show up nowhere, with --log-format ${format}`,
    async () => {
      const cwd = await folderWith({ 'keys.json': JSON.stringify(fixtures) })
      const folder = process.cwd()
      const fixtureOptions = ['--fixtures', `${folder}/fixtures/default.json`, '--fixtures', 'keys.json']
      const child = await started(['--log-format', format, '--admin-token', canaryToken, ...fixtureOptions], {
        cwd,
      })
      const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
      const call = ({ method, path, headers, body }: CanaryRequest): Promise<Answer> =>
        new Promise((resolve, reject) => {
          const { port } = child
          const sent = send({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
            text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject)
          })
          sent.on('error', reject)
          sent.end(body)
        })
      const admin = { authorization: `Bearer ${canaryToken}`, 'content-type': 'application/json' }

      // A key that the log did not see at the start, and that is gone from the state when it is sent.
      const row = { ...fixtures.api_keys[0], id: 'key_late', api_key: lateKey, secret: lateSecret }
      const put = { method: 'PUT', path: '/_sandbox/state/api_keys/key_late', headers: admin }
      expect((await call({ ...put, body: JSON.stringify(row) })).status).toBe(200)
      expect((await call({ ...put, method: 'DELETE' })).status).toBe(204)

      const random = randomFrom(format === 'json' ? 1 : 2)
      const found: string[] = []
      const statuses: Record<string, Set<number>> = {}
      const ask = async (number: number): Promise<void> => {
        const { place, request } = canaryRequest(random, number)
        const { status, body } = await call(request)
        const seen = (statuses[place] ??= new Set())
        seen.add(status)
        if (status < 400) return
        const refusal = withoutExistingLink(body)
        const own =
          request.named === undefined
            ? refusal
            : refusal.replace(JSON.stringify(request.named).slice(1, -1), '')
        for (const leak of leaksIn(own)) found.push(`${place}, answered ${status}: ${leak}`)
      }
      for (let first = 0; first < requests / 2; first += round) {
        for (let number = first; number < Math.min(first + round, requests / 2); number += atOnce) {
          await Promise.all(Array.from({ length: atOnce }, (_, at) => ask(number + at)))
        }
        for (const { path, json } of doors) {
          const method = json ? 'POST' : 'GET'
          const { status, body } = await call({
            method,
            path,
            headers: admin,
            ...(json ? { body: JSON.stringify(json) } : {}),
          })
          expect([path, status]).toEqual([path, json ? 409 : 200])
          for (const leak of leaksIn(body)) found.push(`${path} ${JSON.stringify(json)}: ${leak}`)
        }
      }
      agent.destroy()
      child.process.kill('SIGTERM')
      expect(await child.ended).toBe(0)

      for (const leak of leaksIn(child.out())) found.push(`stdout: ${leak}`)
      for (const leak of leaksIn(child.err())) found.push(`stderr: ${leak}`)
      expect(found.slice(0, 40)).toEqual([])
      // It is no use to be silent about requests that never arrived.
      expect(child.err().match(/transaction_intents/g)?.length).toBeGreaterThan(requests / 10)
      // Intents were created, as their status says only next to the place that sends them.
      expect([statuses['unknown fields'], statuses['metadata']]).toEqual([new Set([200]), new Set([200])])
      const all = Object.values(statuses).flatMap((seen) => [...seen])
      expect(all).toEqual(expect.arrayContaining([200, 400, 401, 404, 413, 415]))
      expect(all.filter((status) => status >= 500)).toEqual([])
    },
    20_000 + requests * 20,
  )
}
