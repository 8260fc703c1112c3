import { describe, expect, it } from 'vitest'
import { assumptionCatalogue } from '../../../src/contract/assumptions.ts'
import {
  assumptionsWith,
  chosenBy,
  type UsedAssumption,
} from '../../../src/inspector/page/assumption-texts.ts'
import { distanceOf, shownBy } from '../../../src/inspector/page/clock-reading.ts'
import { coveredOperations } from '../../../src/inspector/page/covered-operations.ts'
import { outcomesOf, purchaseOf } from '../../../src/inspector/page/purchase.ts'
import { neverFired, scenariosWith, wordsOfUse } from '../../../src/inspector/page/scenario-use.ts'
import { createSandbox } from '../../../src/index.ts'

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

describe('scenarios', () => {
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
    [{ amount: '1.5' }, { amount: '1.5' }],
    [{ intent_id: '12' }, { intent_id: '12' }],
  ])('%j -> %j', (typed, sent) => {
    expect(purchaseOf(typed)).toEqual(sent)
  })

  it('gives rows, and so does a closing cycle', async () => {
    const sandbox = await createSandbox()
    const bought = sandbox.simulate.transaction({
      customer_id: 'cus_ada',
      amount: 1250,
      currency: 'USD',
      merchant_name: 'Corner Bistro',
    })
    expect(outcomesOf(bought).map(({ what, collection }) => [what, collection])).toEqual([
      ['Transaction', 'transactions'],
      ['Reward', 'rewards'],
    ])
    const closed = sandbox.simulate.statement({ account_id: 'acct_ada' })
    expect(outcomesOf(closed)).toEqual([
      {
        what: 'Statement',
        collection: 'statements',
        id: closed.statement.statement_id,
        row: closed.statement,
      },
    ])
    await sandbox.close()
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
  ])('%j is %s', (chosen, said) => {
    expect(first && chosenBy({ ...first, ...chosen } as UsedAssumption)).toBe(said)
  })

  it('are found by what is shown of them', () => {
    const all = first ? [first] : []
    expect(assumptionsWith(first?.question.toUpperCase() ?? '', all)).toEqual(all)
    expect(assumptionsWith('no such thing', all)).toEqual([])
  })
})
