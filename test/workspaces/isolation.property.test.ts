import { expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { hash32 } from '../../src/runtime/random.ts'
import { askControl } from '../helpers/control.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

interface Step {
  method: string
  path: string
  body?: unknown
}

const mine = {
  name: 'mine',
  description: 'Every third read fails.',
  rules: [{ on: 'retrieveReward', calls: 'every 3', effect: { error: 'SERVICE_UNAVAILABLE_ERROR' } }],
}

/** A mix of reads, writes and control, in which one choice follows from another only through the state. */
const choices: ((draw: (below: number) => number) => Step)[] = [
  (draw) => ({
    method: 'POST',
    path: '/v2/transaction_intents',
    body: { customer_id: 'cus_ada', amount: draw(5000), currency: 'USD' },
  }),
  () => ({ method: 'POST', path: '/v2/keys' }),
  (draw) => ({
    method: 'PATCH',
    path: `/v2/rewards/${draw(2) === 0 ? 'rwd_ada_pending' : 'rwd_own'}`,
    body: draw(3) === 0 ? { status: 'AVAILABLE' } : { amount: draw(900) },
  }),
  () => ({ method: 'GET', path: '/v2/rewards/rwd_ada_pending' }),
  () => ({ method: 'GET', path: '/v2/customers/cus_ada/rewards_balance' }),
  (draw) => ({ method: 'GET', path: `/v2/customers?limit=${1 + draw(3)}` }),
  (draw) => ({
    method: 'GET',
    path: `/v2/customers/cus_ada/accounts/acct_ada/statements?limit=${1 + draw(2)}`,
  }),
  (draw) => ({ method: 'DELETE', path: `/v2/order_events/ord_ada_${1 + draw(3)}` }),
  (draw) => ({
    method: 'POST',
    path: `/v2/customers/cus_${draw(2) === 0 ? 'ben' : 'ada'}/link`,
    body: { partner_customer_id: `p${draw(4)}` },
  }),
  (draw) => ({
    method: 'PUT',
    path: '/_sandbox/state/rewards/rwd_own',
    body: { customer_id: 'cus_ada', status: 'PENDING', amount: draw(100) },
  }),
  (draw) => ({ method: 'POST', path: '/_sandbox/clock/advance', body: { minutes: draw(600) } }),
  (draw) => ({ method: 'PUT', path: `/_sandbox/snapshots/s${draw(3)}` }),
  (draw) => ({ method: 'POST', path: `/_sandbox/snapshots/s${draw(3)}/restore` }),
  (draw) => ({ method: 'GET', path: `/_sandbox/snapshots/s${draw(3)}/diff` }),
  () => ({ method: 'POST', path: '/_sandbox/scenarios', body: mine }),
  (draw) => ({ method: 'PUT', path: '/_sandbox/scenarios/active', body: draw(2) === 0 ? ['mine'] : [] }),
  () => ({ method: 'GET', path: '/_sandbox/scenarios/mine' }),
  (draw) =>
    draw(8) === 0 ? { method: 'POST', path: '/_sandbox/reset' } : { method: 'GET', path: '/_sandbox/clock' },
  () => ({ method: 'GET', path: '/_sandbox/state/rewards' }),
]

/** The steps of a worker: others than those of any other one, and the same each time. */
function stepsOf(worker: number, count: number): Step[] {
  return Array.from({ length: count }, (_, at) => {
    let drawn = 0
    const draw = (below: number): number => hash32('isolation', worker, at, drawn++) % below
    return choices[draw(choices.length)]?.(draw) ?? { method: 'GET', path: '/' }
  })
}

/** Everything that a worker gets to see, in its own workspace. */
async function transcript(sandbox: Sandbox, worker: number, count: number): Promise<string[]> {
  const name = `w${worker}`
  const seen: string[] = []
  for (const { method, path, body } of stepsOf(worker, count)) {
    const isControl = path.startsWith('/_sandbox')
    const headers = {
      ...(isControl ? {} : { authorization: `Bearer ${fullKey}.${name}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const target = isControl ? `${path}?workspace=${name}` : path
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const answer = await sandbox.fetch(target, init)
    const shown = [...answer.headers].map(([header, value]) => `${header}: ${value}`).join('\n')
    seen.push(`${method} ${path}\n${answer.status}\n${shown}\n${await answer.text()}`)
  }
  seen.push((await askControl(sandbox, 'GET', `/state?workspace=${name}`)).text)
  return seen
}

it('many workers, each in its own workspace of one process, see the same as alone, byte for byte', async () => {
  const workers = Array.from({ length: Math.max(16, samples(64)) }, (_, worker) => worker)
  // With fewer workers or steps, no worker reaches the third read under its scenario.
  const steps = Math.max(60, samples(200))
  const [together, alone] = [await startSandbox(), await startSandbox()]
  const untouched = await askControl(together, 'GET', '/state')
  const parallel = await Promise.all(workers.map((worker) => transcript(together, worker, steps)))
  // The other way round, so that nothing can depend on who comes first.
  const serial: string[][] = []
  for (const worker of workers.toReversed()) serial[worker] = await transcript(alone, worker, steps)
  for (const worker of workers) expect(parallel[worker]).toEqual(serial[worker])

  // No call wrote to `default`, and the workers made different calls.
  expect((await askControl(together, 'GET', '/state')).text).toBe(untouched.text)
  expect(new Set(parallel.map((seen) => seen.join())).size).toBe(workers.length)
  const statuses = new Set(parallel.flat().map((step) => step.split('\n')[1]))
  expect([...statuses]).toEqual(expect.arrayContaining(['200', '201', '204', '400', '404', '503']))
}, 300_000)
