import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

const frozen = { now: testNow, frozen: true }

describe('/_sandbox/clock', () => {
  it('GET -> what it shows', async () => {
    const sandbox = await startSandbox()
    expect(await askControl(sandbox, 'GET', '/clock')).toMatchObject({ status: 200, json: frozen })
    const running = await createSandbox()
    const { json } = await askControl(running, 'GET', '/clock')
    expect(json).toEqual({ now: expect.stringMatching(/^\d{4}-.*Z$/), frozen: false })
  })

  it.each<[string, object, object]>([
    ['an instant', { now: '2027-01-01T00:00:00+01:00' }, { now: '2026-12-31T23:00:00.000Z', frozen: true }],
    ['the same instant', { now: testNow }, frozen],
    [
      'an instant, frozen',
      { now: '2027-01-01T00:00:00Z', frozen: true },
      { now: '2027-01-01T00:00:00.000Z', frozen: true },
    ],
    ['frozen, which it is', { frozen: true }, frozen],
  ])('PUT %s -> 200 with what it shows then', async (_what, body, expected) => {
    const sandbox = await startSandbox()
    expect(await askControl(sandbox, 'PUT', '/clock', body)).toMatchObject({ status: 200, json: expected })
    expect(sandbox.clock.read()).toEqual(expected)
  })

  it('PUT frozen stops a clock that runs and lets it run on, exactly at the instant that is given', async () => {
    const sandbox = await createSandbox({ clock: testNow })
    const at = { now: '2027-01-01T00:00:00.000Z', frozen: true }
    expect((await askControl(sandbox, 'PUT', '/clock', at)).json).toEqual(at)
    expect((await askControl(sandbox, 'PUT', '/clock', { frozen: false })).json.frozen).toBe(false)
    expect(sandbox.clock.now()).toMatch(/^2027-01-01T00:00:0/)
    sandbox.clock.set({ frozen: true })
    expect(sandbox.clock.now()).toBe(sandbox.clock.now())
  })

  it.each<[unknown, string]>([
    [
      { now: '2026-11-21T11:59:59.999Z', frozen: false },
      'the clock only moves forward: it shows 2026-11-21T12:00:00.000Z, which is after 2026-11-21T11:59:59.999Z',
    ],
    [{}, 'clock: must have now, frozen or both, such as {"frozen": true}'],
    [{ now: 'tomorrow' }, 'clock now: must be an RFC 3339 date-time'],
    [{ now: 1 }, 'clock now: must be a string'],
    [{ now: null }, 'clock now: must be a string'],
    [{ frozen: 'yes' }, 'clock frozen: must be true or false'],
    [{ froze: true }, "clock froze: unknown field, did you mean 'frozen'?"],
    [[], 'clock: must be a JSON object'],
    [7, 'clock: must be a JSON object'],
  ])('PUT %j -> 400, and it stands where it stood', async (body, message) => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'PUT', '/clock', body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
    expect(sandbox.clock.read()).toEqual(frozen)
  })

  it('PUT of a text -> as the library has it', async () => {
    const sandbox = await startSandbox()
    expect((await askControl(sandbox, 'PUT', '/clock', '"2027-01-01T00:00:00Z"')).status).toBe(200)
    expect((await askControl(sandbox, 'PUT', '/clock', '"2027"')).json).toEqual(
      controlErrorBody('INVALID', "'2027' is not an RFC 3339 date-time"),
    )
  })
})

describe('/_sandbox/clock/advance', () => {
  it.each([
    [{ days: 1 }, '2026-11-22T12:00:00.000Z'],
    [{ days: 1, hours: 2, minutes: 3, seconds: 4.5 }, '2026-11-22T14:03:04.500Z'],
    [{ seconds: 0 }, testNow],
  ])('POST %j -> 200 with what it shows then', async (body, now) => {
    const sandbox = await startSandbox()
    expect(await askControl(sandbox, 'POST', '/clock/advance', body)).toMatchObject({
      status: 200,
      json: { now, frozen: true },
    })
    expect((await sandbox.call('GET', '/v2/customers')).headers.get('date')).toBe(new Date(now).toUTCString())
  })

  it.each<[unknown, string]>([
    [{ day: 1 }, "advance day: unknown field, did you mean 'days'?"],
    [
      { weeks: 1, days: '2' },
      'advance days: must be a number\nadvance weeks: unknown field, expected one of: days, hours, minutes, seconds',
    ],
    [{}, 'advance: must have a duration, such as {"days": 1}'],
    [{ days: -1 }, 'the clock only moves forward: a duration cannot be negative'],
    [{ days: 4_000_000 }, 'the clock cannot move past the year 9999'],
    [{ days: null }, 'advance days: must be a number'],
    ['{"days": 1e999}', 'the clock cannot move past the year 9999'],
    [null, 'advance: must be a JSON object'],
  ])('POST %j -> 400, and it stands where it stood', async (body, message) => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'POST', '/clock/advance', body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
    expect(sandbox.clock.read()).toEqual(frozen)
  })

  it('POST without a body -> 400', async () => {
    const sandbox = await startSandbox()
    expect(await askControl(sandbox, 'POST', '/clock/advance')).toMatchObject({
      status: 400,
      json: controlErrorBody('INVALID', 'The body is empty: send JSON.'),
    })
  })

  it('?workspace= -> that clock only', async () => {
    const sandbox = await startSandbox()
    await askControl(sandbox, 'POST', '/clock/advance?workspace=w1', { days: 1 })
    const clocks = (): string[] => [sandbox, sandbox.workspace('w1')].map(({ clock }) => clock.now())
    expect(clocks()).toEqual([testNow, '2026-11-22T12:00:00.000Z'])
    await askControl(sandbox, 'POST', '/reset?workspace=w1')
    expect(clocks()).toEqual([testNow, testNow])
  })
})
