// Files that commit 6d344e0 wrote, and left as after `kill -9`: each is read with all that was acknowledged.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts'
import { watchDisk } from '../../helpers/disk.ts'
import { withTest } from '../../setup/with-test.ts'

const samples = fileURLToPath(new URL('written-by-6d344e0', import.meta.url))
const fixtures = { customers: [{ id: 'cus_1', first_name: 'Ada' }] }

/** Starts on a copy of the samples. */
async function startOnCopy(
  data: string,
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; notices: string[] }> {
  const disk = await watchDisk()
  await cp(samples, disk.path('copy'), { recursive: true })
  const notices: string[] = []
  const sandbox = await createSandbox(
    { data: join(disk.path('copy'), data), fixtures, seed: 7, ...options },
    { onNotice: (line) => notices.push(line.replaceAll(`${disk.path('copy')}/`, '')) },
  )
  withTest(() => sandbox.close())
  return { sandbox, notices }
}

type Rows = Pick<Sandbox, 'state' | 'clock'>

/** The rows that the calls left, and how far the clock moved on. */
function stateOf({ state, clock }: Rows): unknown {
  const customers = state.list('customers').map(({ id, first_name }) => `${id} ${first_name}`)
  const intents = state.list('transaction_intents').map(({ id, amount, status }) => ({ id, amount, status }))
  return { customers, intents, hour: clock.read().now.slice(0, 13), frozen: clock.read().frozen }
}

const intent = { id: 'int_3csvm4bhy2rn', amount: 1200, status: 'CONFIRMED' }
const written = {
  customers: ['cus_1 Ada', 'cus_3 Cid'],
  intents: [intent],
  hour: '2026-11-01T02',
  frozen: false,
}
const recovered = 'data.json was not closed, as after a crash: recovered up to commit 5'

it('a data file with its journal -> the rows, ids and clock of its last commit', async () => {
  const { sandbox, notices } = await startOnCopy('data.json')
  expect(stateOf(sandbox)).toEqual(written)
  expect(notices).toContain(recovered)
  const next = await sandbox.fetch('/v2/transaction_intents', {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ customer_id: 'cus_1', amount: 100, currency: 'USD' }),
  })
  expect(next.status).toBe(201)
  expect(await next.json()).not.toMatchObject({ id: intent.id })
})

it('a folder -> every workspace, and what each begins with', async () => {
  const { sandbox } = await startOnCopy('folder/')
  expect(stateOf(sandbox)).toEqual(written)
  expect(stateOf(await sandbox.workspaces.open('w1'))).toEqual(written)
  const own = await sandbox.workspaces.open('own')
  const ofOwn = {
    customers: ['cus_1 Own', 'cus_3 Cid', 'cus_9 Isaac'],
    intents: [intent],
    hour: '2026-12-24T02',
    frozen: false,
  }
  expect(stateOf(own)).toEqual(ofOwn)
  expect(await own.scenarios.active()).toEqual(['slow'])
  own.reset()
  expect(stateOf(own)).toEqual({
    customers: ['cus_1 Own', 'cus_9 Isaac'],
    intents: [],
    hour: '2026-12-24T00',
    frozen: false,
  })
})

it('a folder of partners -> the keys and the token that the partner has', async () => {
  const { sandbox } = await startOnCopy('partners/', {
    isolation: 'partner',
    isolationSecret: 'a-secret-of-this-test-only-123456',
    adminToken: 'operator-token-1234567890',
  })
  const statusOf = async (path: string, token: string): Promise<number> =>
    (await sandbox.fetch(path, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await statusOf('/v2/customers?limit=1', 'sk_sandbox_p8p735wwswh4eqz8heyre7db.acme')).toBe(200)
  expect(await statusOf('/_sandbox/state', 'token_kdez7w2qr2rvz3zf5d95yhwa.acme')).toBe(200)
  expect(await statusOf('/v2/customers?limit=1', 'sk_sandbox_full.acme')).toBe(401)
})
