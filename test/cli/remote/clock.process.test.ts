import { describe, expect, it } from 'vitest'
import { asking, printed, refused } from '../../helpers/asking.ts'
import { testNow } from '../../helpers/sandbox.ts'

describe('clock', () => {
  it.each<[string, string[], string, boolean]>([
    ['alone -> what it shows', [], testNow, true],
    ['set', ['set', '2030-01-01T00:00:00+01:00'], '2029-12-31T23:00:00.000Z', true],
    ['freeze', ['freeze'], testNow, true],
    [
      'advance -> the units add up',
      ['advance', '--days', '1', '--hours', '2', '--minutes', '3', '--seconds', '4.5'],
      '2026-11-22T14:03:04.500Z',
      true,
    ],
  ])('%s', async (_what, words, now, frozen) => {
    const { sandbox, ask } = await asking()
    expect(await ask(['clock', ...words])).toEqual(printed(`${now} (frozen)\n`))
    expect(sandbox.clock.read()).toEqual({ now, frozen })
    expect(await ask(['clock', '--format', 'json'])).toEqual(printed(`{"now":"${now}","frozen":true}\n`))
  })

  it('unfreeze -> it runs on, of the workspace that is named', async () => {
    const { sandbox, ask } = await asking()
    const { code, stdout } = await ask(['clock', 'unfreeze', '--workspace', 'w1', '--format', 'json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, { now: expect.any(String), frozen: false }])
    expect([sandbox.clock.read().frozen, sandbox.workspace('w1').clock.read().frozen]).toEqual([true, false])
  })

  it.each([
    [
      ['set', '2020-01-01T00:00:00Z'],
      `error: the clock only moves forward: it shows ${testNow}, which is after 2020-01-01T00:00:00Z\n`,
    ],
    [['set', 'tomorrow'], 'error: <now>: must be an RFC 3339 date-time, such as 2027-01-01T00:00:00Z\n'],
    [['advance'], 'error: no duration: set --days, --hours, --minutes or --seconds, such as --days 1\n'],
    [['advance', '30'], "error: too many arguments for 'advance'. Expected 0 arguments but got 1.\n"],
    [['advance', '--days', 'x'], "error: --days: 'x' must be a number\n"],
    [['advance', '--days', '-1'], 'error: the clock only moves forward: a duration cannot be negative\n'],
    [['advnce'], "error: unknown verb 'clock advnce', did you mean 'clock advance'?\n"],
    [['--workspace', 'w1', 'freeze'], 'error: put --workspace after the verb: clock freeze --workspace …\n'],
  ])('clock %j -> exit 2, and it stands where it stood', async (words, stderr) => {
    const { sandbox, ask } = await asking()
    expect(await ask(['clock', ...words])).toEqual(refused(2, stderr))
    expect(sandbox.clock.now()).toBe(testNow)
  })
})
