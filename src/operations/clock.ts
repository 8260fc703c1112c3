// The clock of a workspace: set, advance, freeze.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { ClockError, type Clock, type ClockReading, type Duration } from '../runtime/clock.ts'
import { distanceText } from '../runtime/distance-text.ts'
import { readInput } from '../input/read-input.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'
import type { RecordAction } from './timeline.ts'

/** The time of a clock and whether it is frozen; omitted fields do not change. */
export interface ClockSetting {
  /** RFC 3339. */
  now?: string | undefined
  frozen?: boolean | undefined
}

/** The clock of a workspace for tests. It only moves forward. */
export interface SandboxClock {
  /** Its time (RFC 3339), and whether it is frozen. */
  read(): ClockReading
  /** The current instant as RFC 3339. */
  now(): string
  /**
   * Moves it to an instant (RFC 3339), freezes it or lets it run; if one setting is refused, nothing changes. If webhook
   * events fall due on the way, it delivers each at its own instant, and the promise resolves when none is due;
   * otherwise the clock has moved when the call returns.
   * @throws {ClockError} for a step back. @throws {DocumentError} for an invalid setting.
   * @example clock.set({ now: '2027-01-01T00:00:00Z', frozen: true })
   */
  set(to: string | ClockSetting): Promise<void>
  /**
   * Moves it forward; events fall due like for `set`.
   * @throws {ClockError} for a step back. @throws {DocumentError} for an invalid duration.
   * @example clock.advance({ minutes: 15 })
   */
  advance(distance: Duration): Promise<void>
  freeze(): void
  unfreeze(): void
}

/** Refuses an empty setting, unless a misspelt field was already reported. */
const notEmpty = <S extends z.ZodObject>(schema: S, message: string) =>
  schema.refine((value) => Object.keys(value).length > 0, {
    message,
    when: ({ issues }) => issues.length === 0,
  })

export const exampleTime = '2027-01-01T00:00:00Z'

/** A clock setting for the library and the control plane. */
export const clockSetting = notEmpty(
  z.strictObject({
    now: timestamp.optional().describe(`RFC 3339, such as ${exampleTime}`),
    frozen: z.boolean('must be true or false').optional().describe('whether it is frozen'),
  }),
  'must have now, frozen or both, such as {"frozen": true}',
)

const units = (name: string) => z.number('must be a number').optional().describe(`how many ${name}`)

const duration = notEmpty(
  z.strictObject({
    days: units('days'),
    hours: units('hours'),
    minutes: units('minutes'),
    seconds: units('seconds'),
  }),
  'must have a duration, such as {"days": 1}',
)

/** The promise of a clock that has moved. */
const settled = Promise.resolve()

/** Looks the clock up at each call, as a reset replaces it. Validates its input here, wherever it comes from. */
export function workspaceClock(workspace: Workspace, record: RecordAction) {
  const summarized = (move: (clock: Clock) => void): void => {
    const before = workspace.clock.read()
    workspace.changeSettings(move)
    record('clock', clockSummary(before, workspace.clock.read()))
  }
  /**
   * Moves the clock: before it returns if no event falls due on the way, or after what falls due was delivered.
   */
  const moved = (move: (clock: Clock) => void, isMoved: boolean): Promise<void> => {
    const after = workspace.clock.fork()
    move(after)
    const { outbox } = workspace
    const isPending = outbox?.deliveries.isBusy === true || outbox?.deliveries.isDueBy(after.now()) === true
    if (!isMoved || !outbox || outbox.deliveries.isDelivering || !isPending) {
      summarized(move)
      outbox?.schedule()
      return settled
    }
    const deliverAndMove = async (): Promise<void> => {
      let before = workspace.clock.read()
      let isFrozen = before.frozen
      await outbox.deliveries.deliverUntil(
        () => {
          // Earlier moves have ended by now.
          before = workspace.clock.read()
          const target = workspace.clock.fork()
          move(target)
          isFrozen = target.frozen
          return target.now()
        },
        (instant) => {
          workspace.changeSettings((clock) => clock.set(Math.max(instant, clock.now()), isFrozen))
          record('clock', clockSummary(before, workspace.clock.read()))
        },
      )
      outbox.schedule()
    }
    return deliverAndMove()
  }
  const set = (to: unknown): Promise<void> => {
    if (typeof to === 'string') {
      // Date.parse reads a date without a zone, or 30 February, as another instant than was meant.
      if (!timestamp.safeParse(to).success) throw new ClockError(`'${to}' is not an RFC 3339 date-time`)
      return moved((clock) => clock.set(to), true)
    }
    const { now, frozen } = readInput(clockSetting, to, 'clock')
    return moved((clock) => {
      if (now !== undefined) clock.set(now, frozen)
      else if (frozen) clock.freeze()
      else clock.unfreeze()
    }, now !== undefined)
  }
  return {
    read: () => workspace.clock.read(),
    now: () => workspace.clock.timestamp(),
    set,
    advance(distance: unknown) {
      const { days = 0, hours = 0, minutes = 0, seconds = 0 } = readInput(duration, distance, 'advance')
      return moved((clock) => clock.advance({ days, hours, minutes, seconds }), true)
    },
    freeze: () => void set({ frozen: true }),
    unfreeze: () => void set({ frozen: false }),
  } satisfies SandboxClock & Record<string, unknown>
}

/** @example clockSummary(before, after)   // 'Moved by 2 d 1 h to 2027-01-03T01:00:00.000Z, frozen' */
function clockSummary(before: ClockReading, after: ClockReading): string {
  const distance = distanceText(Date.parse(after.now) - Date.parse(before.now))
  const isFreeze = before.frozen !== after.frozen && distance === ''
  if (isFreeze) return after.frozen ? `Frozen at ${after.now}` : `Unfrozen at ${after.now}`
  return `Moved by ${distance || 'less than a minute'} to ${after.now}${after.frozen ? ', frozen' : ''}`
}

/** The time of a clock in an answer. */
export const clockReading = z.object({ now: z.string(), frozen: z.boolean() })

/** Such as `2026-11-21T12:00:00.000Z (frozen)`. */
export const clockText = ({ now, frozen }: ClockReading): string => `${now}${frozen ? ' (frozen)' : ''}`

interface ClockTarget {
  workspace: { clock: ReturnType<typeof workspaceClock> }
}

const printed = { text: (clock: ClockReading) => `${clockText(clock)}\n` }

export const clockOperations = [
  operation({
    id: 'clock.read',
    route: 'GET /_sandbox/clock',
    verb: 'clock',
    about: 'print the clock',
    result: clockReading,
    printed,
    run: ({ workspace: { clock } }: ClockTarget) => clock.read(),
  }),
  operation({
    id: 'clock.set',
    route: 'PUT /_sandbox/clock',
    verb: [
      {
        name: 'clock set',
        about: 'move the clock to an instant; it only moves forward',
        args: ['now'],
        without: ['frozen'],
      },
      { name: 'clock freeze', about: 'freeze the clock', sends: { frozen: true }, without: ['now'] },
      {
        name: 'clock unfreeze',
        about: 'let a frozen clock run',
        sends: { frozen: false },
        without: ['now'],
      },
    ],
    about: 'move the clock forward, freeze it or let it run',
    body: clockSetting,
    result: clockReading,
    printed,
    async run({ workspace: { clock } }: ClockTarget, { body }) {
      await clock.set(body)
      return clock.read()
    },
  }),
  operation({
    id: 'clock.advance',
    route: 'POST /_sandbox/clock/advance',
    verb: {
      name: 'clock advance',
      empty: 'no duration: set --days, --hours, --minutes or --seconds, such as --days 1',
    },
    about: 'move the clock forward; the units add up',
    body: duration,
    result: clockReading,
    printed,
    async run({ workspace: { clock } }: ClockTarget, { body }) {
      await clock.advance(body)
      return clock.read()
    },
  }),
]
