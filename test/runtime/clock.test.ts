import { describe, expect, test } from 'vitest'
import { Clock, ClockError } from '../../src/runtime/clock.ts'

const noon = Date.parse('2026-11-21T12:00:00.000Z')

/** A machine whose time moves when the test says so. */
function machine(at = noon) {
  const source = { at, now: () => source.at }
  return source
}

describe('a clock', () => {
  test('left alone -> shows the time of the machine and runs with it', () => {
    const source = machine()
    const clock = new Clock(source.now)
    source.at += 1500
    expect(clock.read()).toEqual({ now: '2026-11-21T12:00:01.500Z', frozen: false })
    expect([clock.now(), clock.changed]).toEqual([noon + 1500, false])
  })

  test('started at an instant -> runs on from there', () => {
    const source = machine()
    const clock = new Clock(source.now, { at: Date.parse('2030-01-01T00:00:00Z') })
    source.at += 1000
    expect(clock.read()).toEqual({ now: '2030-01-01T00:00:01.000Z', frozen: false })
    expect(clock.changed).toBe(true)
  })

  test('started frozen at an instant -> stands exactly there, though the machine does not stand still', () => {
    let reading = noon
    const restless = () => (reading += 7)
    const clock = new Clock(restless, { at: noon, frozen: true })
    expect([clock.timestamp(), clock.timestamp()]).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ])
  })

  test('started frozen without an instant -> stands at the time of the machine', () => {
    const source = machine()
    const clock = new Clock(source.now, { frozen: true })
    source.at += 60_000
    expect([clock.read(), clock.changed]).toEqual([{ now: '2026-11-21T12:00:00.000Z', frozen: true }, true])
  })

  test.each([
    [{ days: 1 }, '2026-11-22T12:00:00.000Z'],
    [{ hours: 36 }, '2026-11-23T00:00:00.000Z'],
    [{ minutes: 15 }, '2026-11-21T12:15:00.000Z'],
    [{ seconds: 0.25 }, '2026-11-21T12:00:00.250Z'],
    [{ days: 1, hours: 1, minutes: 1, seconds: 1 }, '2026-11-22T13:01:01.000Z'],
    [{ days: 1, hours: -1 }, '2026-11-22T11:00:00.000Z'],
    [{}, '2026-11-21T12:00:00.000Z'],
  ])('advanced by %j -> %s, frozen or not', (distance, expected) => {
    for (const frozen of [true, false]) {
      const clock = new Clock(machine().now, { frozen })
      clock.advance(distance)
      expect(clock.read()).toEqual({ now: expected, frozen })
    }
  })

  test.each([
    [{ seconds: -1 }],
    [{ days: 1, hours: -25 }],
    [{ seconds: Number.NaN }],
    [{ days: Number.POSITIVE_INFINITY }],
    [{ days: 3_000_000 }],
  ])('advanced by %j -> refused, and it stays where it was', (distance) => {
    const clock = new Clock(machine().now)
    expect(() => clock.advance(distance)).toThrow(ClockError)
    expect(clock.timestamp()).toBe('2026-11-21T12:00:00.000Z')
  })

  test.each([
    ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
    ['2026-11-21T14:30:00+02:00', '2026-11-21T12:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    [noon + 5, '2026-11-21T12:00:00.005Z'],
  ])('set to %s -> %s, frozen or not', (instant, expected) => {
    for (const frozen of [true, false]) {
      const clock = new Clock(machine().now, { frozen })
      clock.set(instant)
      expect([clock.read(), clock.changed]).toEqual([{ now: expected, frozen }, true])
    }
  })

  test.each([
    ['2026-11-21T11:59:59.999Z', 'the clock only moves forward: it shows 2026-11-21T12:00:00.000Z'],
    [0, 'the clock only moves forward'],
    ['yesterday', "'yesterday' is not an RFC 3339 date-time"],
    ['', "'' is not an RFC 3339 date-time"],
    [Number.NaN, "'NaN' is not an RFC 3339 date-time"],
    [Date.parse('9999-12-31T23:59:59.999Z') + 1, 'past the year 9999'],
  ])('set to %s -> refused, and it stays where it was', (instant, message) => {
    const clock = new Clock(machine().now)
    expect(() => clock.set(instant)).toThrow(ClockError)
    expect(() => clock.set(instant)).toThrow(message)
    expect(clock.timestamp()).toBe('2026-11-21T12:00:00.000Z')
  })

  test('frozen, moved and let go -> runs on from where it stands', () => {
    const source = machine()
    const clock = new Clock(source.now)
    clock.freeze()
    source.at += 5000
    clock.advance({ seconds: 1 })
    expect(clock.read()).toEqual({ now: '2026-11-21T12:00:01.000Z', frozen: true })
    clock.unfreeze()
    source.at += 250
    expect([clock.read(), clock.changed]).toEqual([{ now: '2026-11-21T12:00:01.250Z', frozen: false }, true])
  })

  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('set and frozen or let go in one step -> exactly there: %s to %s', (before, after) => {
    const source = machine()
    const clock = new Clock(source.now, { frozen: before })
    clock.set('2027-01-01T00:00:00Z', after)
    expect(clock.read()).toEqual({ now: '2027-01-01T00:00:00.000Z', frozen: after })
    expect(() => clock.set('2026-12-31T00:00:00Z', !after)).toThrow(ClockError)
    source.at += 1000
    expect(clock.read()).toEqual({ now: `2027-01-01T00:00:0${after ? 0 : 1}.000Z`, frozen: after })
  })

  test('another of the same machine -> starts where it is told to, later or earlier', () => {
    const source = machine()
    const clock = new Clock(source.now, { at: noon + 5000, frozen: true })
    const another = clock.another({ at: noon - 1000 })
    source.at += 10
    expect(another.read()).toEqual({ now: '2026-11-21T11:59:59.010Z', frozen: false })
    expect(clock.another({ at: noon, frozen: true }).read()).toEqual({
      now: '2026-11-21T12:00:00.000Z',
      frozen: true,
    })
  })

  test('let go though it runs -> nothing happens', () => {
    const source = machine()
    const clock = new Clock(source.now)
    clock.unfreeze()
    source.at += 1
    expect([clock.now(), clock.changed]).toEqual([noon + 1, false])
  })

  test.each([
    ['at an instant', { at: noon }, undefined, '2026-11-21T12:00:00.000Z', false],
    ['frozen at an instant', { at: noon, frozen: true }, undefined, '2026-11-21T12:00:00.000Z', true],
    ['frozen', { frozen: true }, undefined, '2026-11-21T12:00:00.000Z', true],
    ['with the machine', {}, undefined, '2026-11-21T12:01:00.000Z', false],
    ['at an instant, to stand still', { at: noon }, true, '2026-11-21T12:00:00.000Z', true],
    ['frozen, to run', { frozen: true }, false, '2026-11-21T12:00:00.000Z', false],
    ['with the machine, to stand still', {}, true, '2026-11-21T12:01:00.000Z', true],
  ])('again, started %s -> starts there once more, whatever it shows', (_how, start, frozen, now, stands) => {
    const source = machine()
    const clock = new Clock(source.now, start)
    source.at += 60_000
    clock.advance({ days: 3 })
    expect(clock.again(frozen).read()).toEqual({ now, frozen: stands })
    expect(clock.fork().again(frozen).read()).toEqual({ now, frozen: stands })
  })

  test('another machine is ahead -> the clock and its forks show no earlier instant', () => {
    const source = machine()
    const clock = new Clock(source.now)
    clock.setMinimum(noon + 5000)
    clock.setMinimum(noon + 1000)
    expect([clock.now(), clock.fork().now()]).toEqual([noon + 5000, noon + 5000])
    source.at += 6000
    expect([clock.now(), clock.fork().now()]).toEqual([noon + 6000, noon + 6000])
  })

  test('a fork -> shows the same and goes its own way, whichever is moved', () => {
    const source = machine()
    const clock = new Clock(source.now, { at: noon + 1000, frozen: true })
    const fork = clock.fork()
    expect([fork.read(), fork.changed]).toEqual([clock.read(), true])
    fork.advance({ hours: 1 })
    clock.unfreeze()
    source.at += 10
    expect([clock.read(), fork.read()]).toEqual([
      { now: '2026-11-21T12:00:01.010Z', frozen: false },
      { now: '2026-11-21T13:00:01.000Z', frozen: true },
    ])
    const running = clock.fork()
    clock.advance({ days: 1 })
    expect(running.timestamp()).toBe('2026-11-21T12:00:01.010Z')
  })
})
