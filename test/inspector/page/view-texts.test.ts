import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { assumptionCatalogue } from '../../../src/contract/assumptions.ts'
import {
  asConfig,
  asOption,
  assumptionsWith,
  chosenBy,
  usedAmong,
  usedFirst,
  valuesOf,
  type UsedAssumption,
} from '../../../src/inspector/page/assumption-texts.ts'
import { distanceOf, instantOf, shownBy } from '../../../src/inspector/page/clock-reading.ts'
import { coveredOperations } from '../../../src/coverage/reports/grid-rows.ts'
import { outcomeOf, purchaseOf } from '../../../src/inspector/page/purchase.ts'
import {
  effectsOf,
  eventTypesOf,
  operationsOf,
  type ScenarioSchema,
} from '../../../src/inspector/page/scenario-words.ts'
import { suffixOf, withKeysOf } from '../../../src/inspector/page/workspace-keys.ts'
import { groupsOf } from '../../../src/inspector/page/scenario-groups.ts'
import { neverFired, scenariosWith, wordsOfUse } from '../../../src/inspector/page/scenario-use.ts'
import { createSandbox } from '../../../src/index.ts'
import { eventTypeNames } from '../../../src/contract/event-types.ts'
import { scenarioSchema } from '../../../src/scenarios/scenario-schema.ts'

describe('the clock', () => {
  it.each([
    [{ now: '2026-01-01T00:00:00.500Z' }, 999, '2026-01-01T00:00:00.500Z'],
    [{ now: '2026-01-01T00:00:00.500Z' }, 1_999, '2026-01-01T00:00:01.500Z'],
    [{ now: 'never' }, 1_999, 'never'],
  ])('%j after %s ms shows %s', (reading, since, shown) => {
    expect(shownBy(reading, since)).toBe(shown)
  })

  it('is advanced by what was typed', () => {
    expect(distanceOf({ days: '2', hours: '', minutes: ' ', seconds: '1.5' })).toEqual({
      days: 2,
      seconds: 1.5,
    })
  })
})

describe('the instant that a clock is set to', () => {
  it.each([
    ['2027-06-01', '2027-06-01T00:00:00Z'],
    [' 2027-06-01T12:00:00+02:00 ', '2027-06-01T12:00:00+02:00'],
    ['2027-06', '2027-06'],
  ])('%j is %s', (typed, instant) => {
    expect(instantOf(typed)).toBe(instant)
  })
})

describe('scenarios', () => {
  it('are written with the operations and effects that their schema names', () => {
    const schema = scenarioSchema() as ScenarioSchema
    expect(operationsOf(schema)).toContain('retrieveReward')
    expect(eventTypesOf(schema)).toEqual(eventTypeNames)
    const effects = effectsOf(schema)
    expect(effects.map(({ keys }) => keys[0])).toEqual(
      expect.arrayContaining(['error', 'latency', 'respond']),
    )
    for (const { description } of effects) expect(description).toMatch(/\.$/)
  })

  it.each([
    [{ calls: 0, hits: 0 }, true, true, 'no call matched'],
    [{ calls: 1, hits: 0 }, true, true, 'acted on 0 of 1 call that matched'],
    [{ calls: 3, hits: 2 }, true, false, 'acted on 2 of 3 calls that matched'],
    [{ calls: 0, hits: 0 }, false, false, 'no call matched'],
  ])('%j, on: %s', (use, isOn, never, words) => {
    expect([neverFired(use, isOn), wordsOfUse(use)]).toEqual([never, words])
  })

  it('are found by name and description', async () => {
    const sandbox = await createSandbox()
    const all = await sandbox.scenarios.list()
    expect(scenariosWith(' SLOW', all).map(({ name }) => name)).toEqual(['slow'])
    expect(scenariosWith('every third call', all).map(({ name }) => name)).toEqual(['flaky-every-third'])
    expect(scenariosWith('', all)).toHaveLength(all.length)
    await sandbox.close()
  })
})

describe('a purchase', () => {
  it.each([
    [
      { customer_id: ' cus_1 ', amount: '-12', currency: 'USD', payment_method_id: '' },
      { customer_id: 'cus_1', amount: -12, currency: 'USD' },
    ],
    [{ amount: '-12', status: 'CAPTURED' }, { amount: -12 }],
    [
      { amount: '12', status: 'CAPTURED' },
      { amount: 12, status: 'CAPTURED' },
    ],
    [{ amount: '1.5' }, { amount: '1.5' }],
    [{ intent_id: '12' }, { intent_id: '12' }],
  ])('%j -> %j', (typed, sent) => {
    expect(purchaseOf(typed)).toEqual(sent)
  })

  it('says what it earned, and so do a closing cycle and settled rewards say what they did', async () => {
    await using sandbox = await createSandbox()
    const { simulate } = sandbox
    const bought = simulate.transaction({
      customer_id: 'cus_ada',
      amount: 1250,
      currency: 'USD',
      merchant_name: 'Corner Bistro',
      status: 'APPROVED',
    })
    const { id } = bought.transaction
    const transaction = ['transactions', id]
    expect(outcomeOf(bought)).toEqual({ text: 'APPROVED.', rows: [transaction] })
    const captured = simulate.transaction({ transaction_id: id })
    expect(outcomeOf(captured)).toEqual({
      text: 'CAPTURED: earned 37 POINTS (PENDING).',
      rows: [transaction, ['rewards', captured.reward?.id]],
    })
    const refunded = simulate.transaction({ transaction_id: id, status: 'REFUNDED', amount: 1 })
    expect(outcomeOf(refunded)).toEqual({ text: 'REFUNDED: took back nothing.', rows: [transaction] })
    const paid = simulate.transaction({
      customer_id: 'cus_ada',
      amount: -1,
      currency: 'USD',
      merchant_name: 'x',
    })
    expect(outcomeOf(paid)).toEqual({ text: 'Posted.', rows: [['transactions', paid.transaction.id]] })
    const settled = simulate.reward({ customer_id: 'cus_ada', reward_type: 'STATEMENT' })
    expect(outcomeOf(settled)).toEqual({
      text: `Rewards settled: ${settled.rewards.length}.`,
      rows: settled.rewards.map((reward) => ['rewards', reward.id]),
    })
    expect(outcomeOf(simulate.reward({ customer_id: 'cus_ada', reward_type: 'STATEMENT' }))).toEqual({
      text: 'Rewards settled: none waited.',
      rows: [],
    })
    const closed = simulate.statement({ account_id: 'acct_ada' })
    expect(outcomeOf(closed)).toEqual({
      text: 'The cycle is closed.',
      rows: [['statements', closed.statement.statement_id]],
    })
  })
})

describe('coverage', () => {
  it('stands by operation, in the order of the points', async () => {
    const sandbox = await createSandbox()
    const { points, total } = await sandbox.coverage.get()
    const operations = coveredOperations(points)
    expect(operations.map(({ operation }) => operation)).toEqual([
      ...new Set(points.map(({ operation }) => operation)),
    ])
    expect(operations.reduce((sum, each) => sum + each.total, 0)).toBe(total)
    expect(operations[0]?.rows.map(({ title }) => title).slice(0, 2)).toEqual(['Answer', 'Credential'])
    await sandbox.close()
  })
})

describe('requests to paste', () => {
  it.each([
    [
      'curl -i -u sk_sandbox_full: http://h/v2/customers',
      'curl -i -u sk_sandbox_full.w3: http://h/v2/customers',
    ],
    [
      "curl -i -H 'authorization: Bearer sk_1' http://h/",
      "curl -i -H 'authorization: Bearer sk_1.w3' http://h/",
    ],
    ['curl -i -u key_full:secret_full http://h/', 'curl -i -u key_full.w3:secret_full http://h/'],
    ['T=$(curl -s -u sk_1: h)\ncurl -i -u sk_1: h', 'T=$(curl -s -u sk_1.w3: h)\ncurl -i -u sk_1.w3: h'],
    ['curl -i http://h/v2/customers', 'curl -i http://h/v2/customers'],
  ])('%s', (request, inW3) => {
    expect(withKeysOf('.w3', request)).toBe(inW3)
    expect(withKeysOf('', request)).toBe(request)
  })

  it.each([
    ['curl -i -u sk_sandbox_full: http://h/', 'curl -i -u sk_sandbox_1.acme: http://h/'],
    [
      "curl -H 'authorization: Bearer sk_production_full' h",
      "curl -H 'authorization: Bearer sk_production_2.acme' h",
    ],
    ['curl -i -u key_full:secret_full http://h/', 'curl -i -u key_full.acme:secret_1 http://h/'],
    ['curl -i -u sk_nobody: http://h/', 'curl -i -u sk_nobody.acme: http://h/'],
    ['curl -i -u sk_sandbox_none: http://h/', 'curl -i -u sk_sandbox_none.acme: http://h/'],
  ])('with the keys of a partner: %s', (request, ofAcme) => {
    const own = [
      { id: 'key_full', api_key: 'sk_sandbox_1', secret: 'secret_1' },
      { id: 'key_production_full', api_key: 'sk_production_2', secret: 'secret_2' },
      { id: 'key_none', api_key: '$(echo)', secret: 'secret_3' },
    ]
    expect(withKeysOf('.acme', request, own)).toBe(ofAcme)
  })

  it.each([
    ['sk_sandbox_full', 'sk_sandbox_full.w3', '.w3'],
    ['sk_sandbox_full', 'sk_sandbox_full', ''],
    ['sk_sandbox_full', null, ''],
    [undefined, 'sk_other', ''],
  ])('home %s, key %s: %j', (home, key, suffix) => {
    expect(suffixOf(home, key)).toBe(suffix)
  })
})

describe('assumptions', () => {
  const [first] = Object.entries(assumptionCatalogue).map(
    ([id, entry]) =>
      ({ ...entry, id, value: entry.default, provenance: 'default' }) as unknown as UsedAssumption,
  )

  it.each([
    [{}, 'the default'],
    [{ provenance: 'set' }, 'set by --assume'],
    [
      { provenance: 'calibrated', calibrated: { host: 'api.example', at: '2026-01-01T00:00:00Z' } },
      'calibrated: observed at api.example, 2026-01-01T00:00:00Z',
    ],
    [{ provenance: 'set', follows: 'balance_statuses' }, 'follows balance_statuses'],
  ])('%j is %s', (chosen, said) => {
    expect(first && chosenBy({ ...first, ...chosen } as UsedAssumption)).toBe(said)
  })

  it('that calls rest on come first', () => {
    const all = ['a', 'b', 'c', 'd'].map((id, place) => ({ ...first, id, used: place % 2 }) as UsedAssumption)
    const used = usedAmong(all)
    expect(used).toEqual(new Set(['b', 'd']))
    expect(usedFirst(all, used).map(({ id }) => id)).toEqual(['b', 'd', 'a', 'c'])
  })

  it('are found by what is shown of them', () => {
    const all = first ? [first] : []
    expect(assumptionsWith(first?.question.toUpperCase() ?? '', all)).toEqual(all)
    expect(assumptionsWith('no such thing', all)).toEqual([])
  })
})

describe('the groups of scenarios', () => {
  it('hold each built-in scenario once, and none of them among those of a user', async () => {
    const sandbox = await createSandbox()
    const scenarios = await sandbox.scenarios.list()
    const groups = groupsOf(scenarios)
    expect(groups.map(({ title }) => title)).toEqual([
      'Not found',
      'Keys and scopes',
      'Versions',
      'Pagination',
      'Values',
      'Races',
      'Transport and outages',
      'Webhook events',
    ])
    const names = groups.flatMap((group) => group.scenarios.map(({ name }) => name))
    expect(names.toSorted()).toEqual(scenarios.map(({ name }) => name).toSorted())
    await sandbox.close()
  })

  it.each([
    [{ name: 'not-found-reward', registered: true } as const, 'Your own'],
    [{ name: 'my-scenario' }, 'Your own'],
    [{ name: 'not-found-reward' }, 'Not found'],
    [{ name: 'hang' }, 'Transport and outages'],
    [{ name: 'hang-up' }, 'Your own'],
  ])('%j -> %s', (scenario, title) => {
    expect(groupsOf([scenario])).toEqual([{ title, scenarios: [scenario] }])
  })
})

describe('an assumption to copy', () => {
  it('lists the value in force first, and each value once', async () => {
    const sandbox = await createSandbox({ assume: { not_found_status: 400 } })
    const found = sandbox.assumptions().find(({ id }) => id === 'not_found_status')
    expect(found && valuesOf(found)).toEqual(['400', '404', '410'])
    await sandbox.close()
  })

  it('every value is read as it was written, as an option and in a config file', async () => {
    const sandbox = await createSandbox()
    const listed = sandbox.assumptions().map((one) => ({ id: one.id, values: valuesOf(one) }))
    await sandbox.close()
    // Each sandbox takes one value of every assumption that has so many.
    for (let place = 0; listed.some(({ values }) => place < values.length); place++) {
      const copies = listed.flatMap(({ id, values }) =>
        values.slice(place, place + 1).map((value) => ({ id, value })),
      )
      const assume: Record<string, unknown> = {}
      for (const { id, value } of copies) {
        expect(asOption(id, value)).toBe(`--assume ${id}=${value}`)
        const read: { assume: Record<string, unknown> } = parse(asConfig(id, value))
        expect(String(read.assume[id])).toBe(value)
        Object.assign(assume, read.assume)
      }
      await using other = await createSandbox({ assume })
      const current = new Map(other.assumptions().map(({ id, value }) => [id, String(value)]))
      for (const { id, value } of copies) expect([id, current.get(id)]).toEqual([id, value])
    }
  })
})
