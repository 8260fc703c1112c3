// A report of conform and calibrate keeps its verdicts, whatever the evidence holds.
import { expect, it } from 'vitest'
import { reportText } from '../../src/cli/probe/reports/index.ts'
import { calibrate } from '../../src/probe/calibrate.ts'
import { conform } from '../../src/probe/conform.ts'
import { testMachine } from '../helpers/probing.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const target = {
  keys: { full: 'sk_sandbox_full' },
  ids: { customer: 'cus_ada', payment_method: 'pm_ada_secured' },
  expendable: { order_events: ['ord_ada_1', 'ord_ada_2'] },
  budget: { per_second: 1e6, timeout_seconds: 7 },
}

it('a CVV of the built-in customers equals the status of a deleted order event -> the report is whole', async () => {
  const { fetch } = await startSandbox()
  const options = {
    allow: ['irreversible'],
    only: ['delete_order_event_status', 'payment_methods_order'],
  } as const
  const { observations } = await calibrate({ ...target, fetch }, options, testMachine())
  expect(observations.delete_order_event_status).toMatchObject({
    verdict: 'observed',
    value: 204,
    evidence: [{ answer: { status: 204, headers: {}, body: '' } }],
  })
  expect(JSON.stringify(observations)).toContain('<cvv:1>')
})

/** A service whose rewards name the key in a spelling that no redaction knows, and whose amounts are texts. */
async function leaking(path = '/v2/rewards/rwd_ada_available') {
  const { fetch } = await startSandbox()
  return async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init)
    if (!url.endsWith(path)) return answer
    const reward: object = JSON.parse(await answer.text())
    return Response.json({ ...reward, amount: '12', note: btoa('sk_sandbox_full:x') }, answer)
  }
}

it('evidence that still holds a key is withheld for its point alone, with the reason, and the verdicts stay', async () => {
  const leakingTarget = { ...target, fetch: await leaking(), ids: { reward: 'rwd_ada_available' } }
  const found = await conform(leakingTarget, { only: ['retrieveReward/field'] }, testMachine())
  const withheld = 'a key remains after redaction: report this as a bug'
  expect(found.points.filter(({ verdict }) => verdict === 'broken')).toEqual([
    expect.objectContaining({
      id: 'retrieveReward/field/amount',
      why: 'amount is a string',
      exchanges: [],
      exchanges_withheld: withheld,
    }),
  ])
  for (const name of ['a.txt', 'a.html', 'a.xml', 'a.json']) {
    const report = await reportText(found, name)
    expect(report).toContain(withheld)
    expect(report).not.toContain('c2tfc2FuZGJveF9mdWxs')
  }
})

it('calibrate withholds such evidence too', async () => {
  const leakingTarget = { ...target, fetch: await leaking('?cannot_exist=1') }
  const { observations } = await calibrate(
    leakingTarget,
    { only: ['unknown_query_parameters'] },
    testMachine(),
  )
  expect(observations.unknown_query_parameters).toMatchObject({
    evidence: [],
    evidence_withheld: 'a key remains after redaction: report this as a bug',
  })
})
