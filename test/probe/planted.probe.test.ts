// Planted values: whatever a target of ours assumes, calibrate finds it, and never a wrong one; and it does no harm.
// The long form is `npm run probe:proof`.
import { describe, expect, it } from 'vitest'
import type { AssumptionId } from '../../src/contract/assumptions.ts'
import { assumptionProbes } from '../../src/probe/assumptions/index.ts'
import { rejectedIntent } from '../../src/probe/assumptions/rejected-intent.ts'
import { isSafe, type Probe, type RiskClass } from '../../src/probe/probe.ts'
import {
  everything,
  fewTargets,
  foundIn,
  harmsOf,
  observableIds,
  plantedRun,
  valuesToPlant,
  wrongsOf,
  type PlantedRun,
} from '../helpers/planted-run.ts'

describe('calibrate finds what was planted, and does no harm', () => {
  const runs: PlantedRun[] = []
  const targets = fewTargets()

  it.each(targets.map((_, place) => place))('in target %i', async (place) => {
    const run = await plantedRun(targets[place] ?? {}, { allow: everything })
    runs.push(run)
    expect(wrongsOf(run)).toEqual([])
    expect(harmsOf(run)).toEqual([])
  })

  it.each(observableIds)('each value of %s', (id) => {
    const seen = new Set(
      runs.filter((run) => foundIn(run, id) === 'observed').map(({ planted }) => planted[id]),
    )
    expect(valuesToPlant(id).filter((value) => !seen.has(value))).toEqual([])
  })

  it.each<[string, RiskClass[]]>([
    ['the default classes', []],
    ['write', ['write']],
  ])('with %s only', async (_, allow) => {
    const run = await plantedRun(targets[0] ?? {}, { allow: allow.filter((one) => one === 'write') })
    expect(harmsOf(run)).toEqual([])
    const refused = observableIds.filter((id) => run.observations[id]?.verdict === 'not_allowed')
    expect(refused).toEqual(
      observableIds.filter((id) => classesOf(id).some((risk) => !isSafe(risk) && !allow.includes(risk))),
    )
    expect(wrongsOf(run).filter((line) => !line.includes('not_allowed'))).toEqual([])
  })
})

it('what is made to be refused could change nothing at a service that ignores the rule', async () => {
  const sent: string[] = []
  await plantedRun({}, {}, ({ method, path, body = '' }, answer) => {
    // Payment methods are listed by a POST.
    if (method !== 'GET' && path !== '/v2/payment_methods') sent.push(`${method} ${path} ${body}`)
    return answer
  })
  expect(sent.length).toBeGreaterThan(30)
  expect(sent.filter((one) => !/\/\w*cannot_exist|"customer_id":"\w*cannot_exist"/.test(one))).toEqual([
    // Without a customer, an intent has no customer, and its payment method cannot exist.
    `POST /v2/transaction_intents ${JSON.stringify(withoutCustomer)}`,
    `POST /v2/transaction_intents ${JSON.stringify(withoutCustomer)}`,
  ])
})

const { customer_id: _, ...withoutCustomer } = rejectedIntent

function classesOf(id: AssumptionId): RiskClass[] {
  const probes: Partial<Record<AssumptionId, Probe>> = assumptionProbes
  return probes[id]?.steps.map(({ risk }) => risk) ?? []
}
