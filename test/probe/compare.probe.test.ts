// Changes since an earlier calibration, and their causes.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assumptionIds, type AssumptionId } from '../../src/contract/assumptions.ts'
import { assumptionProbes } from '../../src/probe/assumptions/index.ts'
import { calibrate, type Calibration } from '../../src/probe/calibrate.ts'
import type { Observation } from '../../src/probe/observation.ts'
import { calibratedText } from '../../src/probe/calibrated-text.ts'
import { compareCalibrations, readEarlier, type Comparison } from '../../src/probe/compare.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { packageVersion } from '../../src/runtime/host.ts'
import { folderWith } from '../helpers/fake-io.ts'
import {
  probedSandbox,
  randomAssumptions,
  type ProbedSandbox,
  type Rewrite,
} from '../helpers/probed-sandbox.ts'
import { testMachine } from '../helpers/probing.ts'

const at = '2026-11-22T00:00:00.000Z'
type Seen = Partial<Omit<Observation, 'at' | 'evidence'>>
const head = { target: 'sandbox.example.com', at, version: '1.0.0', package: 'x' }

const observation = (seen: Seen): Observation => ({ verdict: 'observed', at, evidence: [], ...seen })

/** Writes a file of one observation, reads it again, and compares another with it. */
async function compared(before: Seen, now: Seen, changed: Partial<typeof head> = {}): Promise<Comparison> {
  const written = calibratedText(
    {
      calibrated: { ...head, ...changed },
      assume: {
        create_status: 201,
        ...(before.value === undefined ? {} : { not_found_status: before.value }),
      },
      observations: { not_found_status: observation(before) },
    },
    'c.yaml',
  )
  const folder = await folderWith({ 'c.yaml': written })
  const earlier = await readEarlier(join(folder, 'c.yaml'), 'c.yaml')
  return compareCalibrations(earlier, {
    calibrated: head,
    observations: { not_found_status: observation(now) },
  })
}

const id = 'not_found_status'
const list = (rows: string[], total?: number, shown = rows.length) => ({
  lists: {
    'searchCustomers/1': {
      rows: rows.map((row) => row.repeat(8)).join(' '),
      shown,
      ...(total === undefined ? {} : { total }),
    },
  },
})

describe('a move', () => {
  it.each<[string, Seen, Seen, Comparison['moved']]>([
    ['none, of the same value', { value: 404 }, { value: 404 }, []],
    [
      'of the assumption',
      { value: 404 },
      { value: 410 },
      [{ id, who: 'assumption', before: 404, after: 410 }],
    ],
    [
      'to another value',
      { value: 404 },
      { verdict: 'observed_other', seen: 'status 418' },
      [{ id, who: 'assumption', before: 404, after: 'observed_other: status 418' }],
    ],
    [
      'from one other value to another',
      { verdict: 'observed_other', seen: 'status 418' },
      { verdict: 'observed_other', seen: 'status 419' },
      [{ id, who: 'assumption', before: 'observed_other: status 418', after: 'observed_other: status 419' }],
    ],
    ['none, of what was not observed before', { verdict: 'not_observable', why: 'x' }, { value: 404 }, []],
    [
      'of the contract, with the value',
      { value: 404 },
      { value: 410, breaks: ['a is b (expected c)'] },
      [{ id, who: 'contract', before: 404, after: 410 }],
    ],
    [
      'of the contract alone',
      { value: 404, breaks: ['x'] },
      { value: 404, breaks: ['x', 'a is b (expected c)'] },
      [{ id, who: 'contract', before: 404, after: 'breaks the contract: a is b (expected c)' }],
    ],
    [
      'of the contract, after which nothing can be told',
      { value: 404 },
      { verdict: 'not_observable', why: 'no list', breaks: ['a is b (expected c)'] },
      [{ id, who: 'contract', before: 404, after: 'breaks the contract: a is b (expected c)' }],
    ],
    ['none, of what was broken before', { value: 404, breaks: ['x'] }, { value: 404, breaks: ['x'] }, []],
    [
      'of the account: another row is named',
      { value: 404, rows: { named: { customer: 'a', reward: 'b' } } },
      { value: 410, rows: { named: { customer: 'a', reward: 'c' } } },
      [{ id, who: 'account', before: 404, after: 410 }],
    ],
    [
      'of the assumption: a row is named that was not needed before',
      { value: 404, rows: { named: { customer: 'a' } } },
      { value: 410, rows: { named: { customer: 'a', reward: 'c' } } },
      [{ id, who: 'assumption', before: 404, after: 410 }],
    ],
    [
      'none, of other rows with the same value',
      { value: 404, rows: list(['a'], 1) },
      { value: 404, rows: list(['b'], 1) },
      [],
    ],
  ])('%s', async (_, before, now, moved) => {
    const found = await compared(before, now)
    expect(found).toEqual({ moved, no_longer_observed: [], warnings: [] })
  })

  it.each<[string, ReturnType<typeof list>, ReturnType<typeof list>, 'account' | 'assumption']>([
    ['another order shows other rows of as many', list(['a', 'b'], 9), list(['c', 'd'], 9), 'assumption'],
    ['a larger page shows more rows', list(['a', 'b'], 9), list(['a', 'b', 'c'], 9), 'assumption'],
    ['a smaller page, with a row that is new', list(['a', 'b', 'c'], 9), list(['b'], 10), 'assumption'],
    ['there are more rows than before', list(['a', 'b'], 9), list(['b', 'c'], 10), 'account'],
    ['all rows are shown, and are others', list(['a', 'b'], 2), list(['b', 'c'], 2), 'account'],
    ['of some rows that say no total, some are the same', list(['a', 'b']), list(['b', 'c']), 'assumption'],
    ['of some rows that say no total, none is the same', list(['a', 'b']), list(['c', 'd']), 'account'],
    [
      'only the least digests are kept of many rows',
      list(['a', 'c'], 9, 9),
      list(['a', 'b', 'c', 'd'], 9, 9),
      'assumption',
    ],
    ['the list was not asked for before', { lists: {} } as never, list(['c', 'd'], 1), 'assumption'],
  ])('%s -> %s', async (_, before, now, who) => {
    const { moved } = await compared({ value: 404, rows: before }, { value: 410, rows: now })
    expect(moved).toEqual([{ id, who, before: 404, after: 410 }])
  })
})

describe('beside moves', () => {
  it('what can no longer be observed is told, with what it takes', async () => {
    const { moved, no_longer_observed: lost } = await compared(
      { value: 404 },
      { verdict: 'not_observable', why: 'too few rows', takes: '7 more rewards' },
    )
    expect([moved, lost]).toEqual([
      [],
      [{ id, before: 404, verdict: 'not_observable', why: 'too few rows', takes: '7 more rewards' }],
    ])
  })

  it.each<[string, Partial<typeof head>, string[]]>([
    ['a file of 31 days', { at: '2026-10-22T00:00:00.000Z' }, []],
    [
      'an older file',
      { at: '2026-10-21T00:00:00.000Z' },
      ['c.yaml is 32 days old: a change may have happened long ago'],
    ],
    [
      'another host',
      { target: 'other.example.com' },
      ['c.yaml is of other.example.com, and this is sandbox.example.com'],
    ],
    [
      'another version',
      { version: '0.9.0' },
      [
        'c.yaml: was calibrated with version 0.9.0 of this package, and this is 1.0.0, which may probe differently: run calibrate again',
      ],
    ],
  ])('%s', async (_, changed, warnings) => {
    expect(await compared({ value: 404 }, { value: 404 }, changed)).toEqual({
      moved: [],
      no_longer_observed: [],
      warnings,
    })
  })

  it('a file that is cut down to its values is enough; one without a value is none', async () => {
    const [cut, empty] = [
      { calibrated: head, assume: { not_found_status: 404 } },
      { calibrated: head, assume: {} },
    ]
    const folder = await folderWith({ 'cut.json': cut, 'empty.json': empty })
    const earlier = await readEarlier(join(folder, 'cut.json'), 'cut.json')
    const now = { calibrated: head, observations: { not_found_status: observation({ value: 410 }) } }
    expect(compareCalibrations(earlier, now).moved).toEqual([
      { id, who: 'assumption', before: 404, after: 410 },
    ])
    await expect(readEarlier(join(folder, 'empty.json'), 'empty.json')).rejects.toThrow(DocumentError)
  })

  it('a verdict that there is not is told at its place', async () => {
    const folder = await folderWith({
      'c.yaml': `calibrated: {target: a, at: ${at}, version: '1', package: x}\nassume: {not_found_status: 404}\nobservations:\n  not_found_status:\n    verdict: observd\n`,
    })
    await expect(readEarlier(join(folder, 'c.yaml'), 'c.yaml')).rejects.toThrow(
      'c.yaml:5:14 observations.not_found_status.verdict: must be one of',
    )
  })
})

/** In the order of the report. */
const observable = assumptionIds.filter((each) => Object.hasOwn(assumptionProbes, each))

describe('calibrate with a file to check', () => {
  const only = ['not_found_status']

  async function run(planted: number, rewrite?: Rewrite, check?: string): Promise<Calibration> {
    const { sandbox, target } = await probedSandbox({ not_found_status: planted }, rewrite)
    try {
      return await calibrate(target, { only, ...(check === undefined ? {} : { check }) }, testMachine())
    } finally {
      await sandbox.close()
    }
  }

  it.each(['c.yaml', 'c.json'])('writes %s, reads it, and finds who moved', async (name) => {
    const path = join(await folderWith(), name)
    const before = await run(404)
    expect(before).not.toHaveProperty('moved')
    expect(before.calibrated.version).toBe(packageVersion())
    await writeFile(path, calibratedText(before, name))
    expect(await run(404, undefined, path)).toMatchObject({ moved: [], no_longer_observed: [], warnings: [] })
    expect((await run(410, undefined, path)).moved).toEqual([
      { id, who: 'assumption', before: 404, after: 410 },
    ])
    const broken = await run(
      404,
      async (_, answer) => {
        const headers = new Headers(answer.headers)
        headers.delete('x-service-version')
        return new Response(answer.body, { status: answer.status, headers })
      },
      path,
    )
    expect(broken.moved).toEqual([
      {
        id,
        who: 'contract',
        before: 404,
        after: expect.stringMatching(/^breaks the contract: x-service-version: none \(expected /),
      },
    ])
  })

  it.each<[string, number, object]>([
    ['a type that the contract does not show', 404, { error: { type: 'GONE' } }],
    ['another status with it', 410, { error: { type: 'GONE', message: 'It is gone.' } }],
    ['no error shape', 410, { code: 'GONE' }],
    ['another type in the right shape', 410, { type: 'GONE', message: 'It is gone.', param: 'reward_id' }],
  ])('names the contract where the not-found answer breaks it: %s', async (_, status, body) => {
    const path = join(await folderWith(), 'c.json')
    await writeFile(path, calibratedText(await run(404), path))
    const isMissing = (answer: Response): boolean => answer.status === 404
    const { moved } = await run(
      404,
      (_request, answer) =>
        isMissing(answer) ? Response.json(body, { status, headers: answer.headers }) : answer,
      path,
    )
    expect(moved).toEqual([{ id, who: 'contract', before: 404, after: expect.anything() }])
  })

  it.each<[AssumptionId, number, object]>([
    ['payment_methods_unknown_customer', 410, { error: { type: 'GONE', message: 'It is gone.' } }],
    ['delete_missing_order_event', 400, { error: { type: 'GONE', message: 'It is gone.' } }],
  ])('names the contract where the answer to %s breaks it', async (each, status, body) => {
    const path = join(await folderWith(), 'c.json')
    const compare = async (rewrite?: Rewrite, check?: string) => {
      const assume = {
        payment_methods_unknown_customer: 'not_found',
        delete_missing_order_event: 'not_found',
      }
      const { sandbox, target } = await probedSandbox(assume, rewrite)
      try {
        return await calibrate(target, { only: [each], ...(check && { check }) }, testMachine())
      } finally {
        await sandbox.close()
      }
    }
    await writeFile(path, calibratedText(await compare(), path))
    const { moved } = await compare(
      (_request, answer) =>
        answer.status === 404 ? Response.json(body, { status, headers: answer.headers }) : answer,
      path,
    )
    expect(moved).toEqual([{ id: each, who: 'contract', before: 'not_found', after: expect.anything() }])
  })

  /** Changes between two services with random values; `change` happens before the second is probed. */
  async function movesTo(
    seed: number,
    fixed: UnvalidatedSettings[] = [],
    change: (probed: ProbedSandbox) => void = () => undefined,
  ) {
    const path = join(await folderWith(), 'c.json')
    const planted = [randomAssumptions(seed, fixed[0]), randomAssumptions(seed + 1000, fixed[1])]
    const [one, two] = await Promise.all(planted.map((values) => probedSandbox(values)))
    if (!one || !two) throw new Error('there are two')
    const options = { allow: ['write', 'irreversible'] } as const
    const before = await calibrate(one.target, options, testMachine())
    await writeFile(path, calibratedText(before, path))
    change(two)
    const now = await calibrate(two.target, { ...options, check: path }, testMachine())
    await Promise.all([one.sandbox.close(), two.sandbox.close()])
    return { moved: now.moved ?? [], planted, both: [before.assume, now.assume] }
  }

  it('finds every assumption of another service that moved, and no row or contract point', async () => {
    const { moved, planted, both } = await movesTo(12)
    const [was, is] = planted
    const expected = observable
      .filter((each) => was?.[each] !== is?.[each] && both.every((assume) => assume[each] !== undefined))
      .map((each) => ({ id: each, who: 'assumption', before: was?.[each], after: is?.[each] }))
    expect(expected.length).toBeGreaterThan(20)
    expect(moved).toEqual(expected)
  }, 60_000)

  it('takes what it read of another row for the account, and nothing else', async () => {
    const fixed = [
      { unknown_account_type: 'ACCOUNT_NOT_FOUND_ERROR', not_found_status: 404 },
      { unknown_account_type: 'BAD_REQUEST_ERROR', not_found_status: 410 },
    ]
    const { moved } = await movesTo(12, fixed, (probed) => {
      probed.target = {
        ...probed.target,
        ids: { ...probed.target.ids, customer: 'cus_linked', payment_method: 'pm_other' },
      }
    })
    const who = new Map(moved.map(({ id: each, who: whoMoved }) => [each, whoMoved]))
    expect(who.get('unknown_account_type')).toBe('account')
    expect(who.get('not_found_status')).toBe('assumption')
    expect([...who.values()]).not.toContain('contract')
  }, 60_000)

  it('sends nothing when the file cannot be used', async () => {
    const { sandbox, target, calls } = await probedSandbox()
    await expect(calibrate(target, { check: '/nowhere.yaml' }, testMachine())).rejects.toThrow(DocumentError)
    expect(calls).toEqual([])
    await sandbox.close()
  })
})
