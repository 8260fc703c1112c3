import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints/index.ts'
import { catalogueOf, UnknownScenarioError } from '../../src/scenarios/catalogue.ts'
import { EditedPaging } from '../../src/scenarios/effects/page.ts'
import { rulesFor, ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import type { MatchedCall } from '../../src/scenarios/match.ts'
import type { Plan } from '../../src/scenarios/plan.ts'
import { readScenario } from '../../src/scenarios/read-scenario.ts'
import type { Scenario } from '../../src/scenarios/scenario.ts'
import { sourceFromObject } from '../../src/input/source-file.ts'

const scenario = (name: string, ...rules: object[]): Scenario =>
  readScenario(sourceFromObject({ name, description: 'd', rules }, name))

const engineOf = (...scenarios: Scenario[]): Promise<ScenarioEngine> => seededEngineOf(1, ...scenarios)

async function seededEngineOf(seed: number, ...scenarios: Scenario[]): Promise<ScenarioEngine> {
  const library = new ScenarioLibrary('', [], (path) => path)
  library.catalogue = catalogueOf(scenarios)
  return new ScenarioEngine(library, seed)
}

interface CallChange {
  key?: string
  on?: string
  header?: readonly string[]
  ofKey?: readonly string[]
  reward?: string
}

/** The effect of an engine on one call. */
function planOf(
  engine: ScenarioEngine,
  { on = 'retrieveReward', header = [], ofKey = [], reward = 'r1', key = 'k' }: CallChange = {},
): Plan {
  const endpoint = endpoints.find(({ id }) => id === on)
  if (!endpoint) throw new Error(on)
  const call: MatchedCall = {
    operation: on,
    params: { reward_id: reward },
    query: () => [],
    header: () => undefined,
    body: undefined,
    key: { id: key, api_key: 'sk' },
    product: 'p',
  }
  return engine.plan(rulesFor(engine.scenariosFor(header, ofKey), endpoint), call, {
    endpoint,
    version: '2026-10-13',
    environment: 'sandbox',
  })
}

const endingTypes = (plans: Plan[]): (string | undefined)[] =>
  plans.map(({ ending }) => (ending && 'type' in ending ? ending.type : ending?.kind))

describe('how often a rule acts', () => {
  it('N calls use up exactly what the range says, in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        fc.array(fc.constantFrom('r1', 'r2'), { maxLength: 60 }),
        async (from, more, rewards) => {
          const engine = await engineOf(
            scenario('x', {
              on: 'retrieveReward',
              when: { params: { reward_id: 'r1' } },
              calls: `${from}..${from + more}`,
              effect: 'not_found',
            }),
          )
          engine.activate(['x'])
          const acted = rewards.filter((reward) => planOf(engine, { reward }).ending !== undefined).length
          const calls = rewards.filter((reward) => reward === 'r1').length
          const hits = Math.max(0, Math.min(calls, from + more) - from + 1)
          expect(acted).toBe(hits)
          const [rule] = engine.require('x').rules
          expect(rule && engine.useOf(rule)).toEqual({ calls, hits })
        },
      ),
    )
  })

  it('a rule counts calls whose ending another rule gave', async () => {
    const engine = await engineOf(
      scenario('a', { on: '*', calls: '1', effect: 'unauthenticated' }),
      scenario('b', { on: '*', calls: '1..2', effect: { error: 'INTERNAL_ERROR' } }),
    )
    engine.activate(['a', 'b'])
    const plans = [planOf(engine), planOf(engine), planOf(engine)]
    expect(endingTypes(plans)).toEqual(['UNAUTHORIZED_ERROR', 'INTERNAL_ERROR', undefined])
    expect(plans.map(({ rules }) => rules)).toEqual([['a#1', 'b#1'], ['b#1'], []])
  })

  it('each rule counts for itself, and each engine', async () => {
    const shared = scenario(
      'x',
      { on: 'retrieveReward', calls: '1', effect: 'not_found' },
      { on: '*', calls: '2', effect: 'unauthenticated' },
    )
    const [one, other] = [await engineOf(shared), await engineOf(shared)]
    one.activate(['x'])
    other.activate(['x'])
    expect(endingTypes([planOf(one), planOf(other), planOf(one)])).toEqual([
      'REWARD_NOT_FOUND_ERROR',
      'REWARD_NOT_FOUND_ERROR',
      'UNAUTHORIZED_ERROR',
    ])
  })
})

describe('counters begin at zero', () => {
  const once = (): Promise<ScenarioEngine> =>
    engineOf(
      scenario('x', { on: '*', calls: '1', effect: 'unauthenticated' }),
      scenario('y', { on: '*', effect: { latency: 0 } }),
    )
  const acts = (engine: ScenarioEngine, change?: CallChange): boolean =>
    planOf(engine, change).ending !== undefined

  it.each<[situation: string, acts: boolean, act: (engine: ScenarioEngine) => void]>([
    ['switched off and on', true, (engine) => (engine.activate([]), engine.activate(['x']))],
    ['switched by name off and on', true, (engine) => (engine.switch([], ['x']), engine.switch(['x'], []))],
    ['another scenario switched on', false, (engine) => engine.switch(['y'], [])],
    ['the list replaced by one with it', false, (engine) => engine.activate(['y', 'x'])],
    ['restarted', true, (engine) => void engine.restart('x')],
    ['another scenario restarted', false, (engine) => void engine.restart('y')],
    ['reset', true, (engine) => (engine.reset(), engine.activate(['x']))],
  ])('%s -> acts again: %s', async (_situation, again, act) => {
    const engine = await once()
    engine.activate(['x'])
    expect([acts(engine), acts(engine)]).toEqual([true, false])
    act(engine)
    expect(acts(engine)).toBe(again)
  })

  it('the header, each API key and the switch count apart; restart clears all of them', async () => {
    const engine = await once()
    engine.activate(['x'])
    const round = (): boolean[] => [
      acts(engine, { header: ['x'] }),
      acts(engine, { ofKey: ['x'] }),
      acts(engine, { ofKey: ['x'], key: 'other' }),
      acts(engine),
    ]
    expect([round(), round()]).toEqual([
      [true, true, true, true],
      [false, false, false, false],
    ])
    engine.activate([])
    engine.activate(['x'])
    expect(round()).toEqual([false, false, false, true])
    const copy = await once()
    copy.resume(engine.copy())
    engine.restart('x')
    expect(round()).toEqual([true, true, true, true])
    expect(acts(copy, { header: ['x'] })).toBe(false)
    const [rule] = engine.require('x').rules
    expect(rule && engine.useOf(rule)).toEqual({ calls: 4, hits: 4 })
  })

  it('a name that no scenario has cannot be restarted', async () => {
    const engine = await once()
    expect(() => engine.restart('z')).toThrow(UnknownScenarioError)
  })
})

describe('which rules decide', () => {
  const engine = (): Promise<ScenarioEngine> =>
    engineOf(
      scenario('header', { on: '*', effect: { error: 'RATE_LIMIT_ERROR' } }),
      scenario('key', { on: '*', effect: { error: 'INTERNAL_ERROR' } }),
      scenario('active', { on: '*', effect: { error: 'SERVICE_UNAVAILABLE_ERROR' } }),
    )

  it.each<[CallChange, string[], string | undefined, string[]]>([
    [{}, [], undefined, []],
    [
      { header: ['header'], ofKey: ['key'] },
      ['active'],
      'RATE_LIMIT_ERROR',
      ['header#1', 'key#1', 'active#1'],
    ],
    [{ ofKey: ['key'] }, ['active'], 'INTERNAL_ERROR', ['key#1', 'active#1']],
    [{}, ['active'], 'SERVICE_UNAVAILABLE_ERROR', ['active#1']],
    [
      { header: ['active', 'header'] },
      ['key'],
      'SERVICE_UNAVAILABLE_ERROR',
      ['active#1', 'header#1', 'key#1'],
    ],
    [{ header: ['key'], ofKey: ['key'] }, ['key'], 'INTERNAL_ERROR', ['key#1']],
    [{ ofKey: ['none'] }, ['active'], 'SERVICE_UNAVAILABLE_ERROR', ['active#1']],
  ])('%j with %j active -> %s', async (change, active, ending, rules) => {
    const made = await engine()
    made.activate(active)
    const plan = planOf(made, change)
    expect([...endingTypes([plan]), plan.rules]).toEqual([ending, rules])
  })

  it('effects that do not end the call add up', async () => {
    const made = await engineOf(
      scenario('a', { on: 'listStatements', effect: [{ latency: 5 }, { page: { size: 3 } }] }),
      scenario('b', { on: '*', effect: [{ latency: 7 }, { rewrite: 'unknown_fields' }] }),
    )
    made.activate(['a', 'b'])
    const { latency, paging, rewritings, ending } = planOf(made, { on: 'listStatements' })
    expect({ latency, paging, ending }).toEqual({
      latency: 12,
      paging: new EditedPaging([{ size: 3 }]),
      ending: undefined,
    })
    expect(
      rewritings.map(
        ({ rewrite }) => rewrite({}, { schema: z.strictObject({}), version: '2026-10-13', scopes: [] }).body,
      ),
    ).toEqual([{ sandbox_unknown_field: { added: 'in a later release' } }])
  })

  it('a header or an active list with an unknown name -> refused with a suggestion, and nothing changes', async () => {
    const made = await engine()
    made.activate(['key'])
    expect(() => planOf(made, { header: ['heeder'] })).toThrow(
      "unknown scenario 'heeder', did you mean 'header'?",
    )
    expect(() => made.activate(['active', 'none'])).toThrow(UnknownScenarioError)
    expect(made.active).toEqual(['key'])
  })
})

describe('register, unregister, reset', async () => {
  const built = scenario('x', { on: '*', effect: 'unauthenticated' })
  const own = scenario('x', { on: '*', effect: { error: 'INTERNAL_ERROR' } })

  it('a registered scenario replaces the one of its name, and gives way to it again; each counts from the start', async () => {
    const engine = await engineOf(built)
    engine.activate(['x'])
    const used = (): unknown => engine.require('x').rules.map((rule) => engine.useOf(rule))
    expect(endingTypes([planOf(engine), planOf(engine)])).toEqual([
      'UNAUTHORIZED_ERROR',
      'UNAUTHORIZED_ERROR',
    ])
    engine.register(own)
    expect(used()).toEqual([{ calls: 0, hits: 0 }])
    expect(endingTypes([planOf(engine)])).toEqual(['INTERNAL_ERROR'])
    expect(engine.unregister('x')).toBe(true)
    expect(used()).toEqual([{ calls: 0, hits: 0 }])
    expect(endingTypes([planOf(engine)])).toEqual(['UNAUTHORIZED_ERROR'])
    expect(engine.unregister('x')).toBe(false)
  })

  it('what is forgotten is no longer active; a reset forgets all and counts anew', async () => {
    const engine = await engineOf(built)
    engine.register(scenario('mine', { on: '*', effect: 'unauthenticated' }))
    engine.activate(['mine', 'x'])
    planOf(engine)
    engine.unregister('mine')
    expect(engine.active).toEqual(['x'])
    engine.register(own)
    engine.reset()
    expect([engine.active, engine.list(), engine.find('mine')]).toEqual([[], [built], undefined])
    expect(engine.require('x').rules.map((rule) => engine.useOf(rule))).toEqual([{ calls: 0, hits: 0 }])
  })

  it('random numbers start again with a reset', async () => {
    const engine = await engineOf(scenario('x', { on: '*', effect: { latency: { min: 0, max: 600_000 } } }))
    const three = (): number[] => {
      engine.activate(['x'])
      return [planOf(engine).latency, planOf(engine).latency, planOf(engine).latency]
    }
    const first = three()
    expect(new Set(first).size).toBe(3)
    engine.reset()
    expect(three()).toEqual(first)
  })

  it('a share of the calls -> chosen by seed, rule and count: other rules and draws do not matter', async () => {
    const rule = { on: 'retrieveReward', calls: '30%', effect: 'unauthenticated' }
    const chosen = async (seed: number, ...others: object[]): Promise<number[]> => {
      const engine = await seededEngineOf(seed, scenario('x', rule, { ...rule, on: '*' }, ...others))
      engine.activate(['x'])
      return Array.from({ length: 1000 }, (_, place) => place + 1).filter(() =>
        planOf(engine).rules.includes('x#1'),
      )
    }
    const first = await chosen(1)
    expect(first.slice(0, 10)).toEqual([9, 14, 18, 20, 27, 28, 29, 30, 44, 57])
    expect(Math.abs(first.length - 300)).toBeLessThan(45)
    const random = { on: '*', effect: { latency: { min: 0, max: 9 } } }
    expect(await chosen(1, random)).toEqual(first)
    expect(await chosen(2)).not.toEqual(first)
    const both = await seededEngineOf(1, scenario('x', rule, rule))
    both.activate(['x'])
    const acted = Array.from({ length: 50 }, () => planOf(both).rules)
    expect(acted).toContainEqual(['x#1'])
    expect(acted).toContainEqual(['x#2'])
  })

  it('what is copied goes on with own scenarios, active list, counts and random numbers, and comes back to them', async () => {
    const random = scenario('x', {
      on: '*',
      calls: '3..',
      effect: { latency: { min: 0, max: 600_000 } },
    })
    const engine = await engineOf()
    engine.register(await random)
    engine.activate(['x'])
    for (let call = 0; call < 4; call++) planOf(engine)
    const start = engine.copy()
    const copy = new ScenarioEngine(new ScenarioLibrary('', [], String), 1, start)
    const later = [planOf(engine).latency, planOf(engine).latency]
    for (const _again of [1, 2]) {
      expect(copy.require('x').rules.map((rule) => copy.useOf(rule))).toEqual([{ calls: 4, hits: 2 }])
      expect([planOf(copy).latency, planOf(copy).latency]).toEqual(later)
      copy.reset()
    }
    expect(new Set([...later, 0]).size).toBe(3)
  })
})
