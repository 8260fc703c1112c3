// The clock of a workspace: set, advance, freeze.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { ClockError, type Clock, type ClockReading, type Duration } from '../runtime/clock.ts'
import { distanceText } from '../runtime/distance-text.ts'
import { readInput } from '../input/read-input.ts'
import type { Workspace } from '../workspaces/workspace.ts'
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

/** A clock setting for the library and the control plane. */
export const clockSetting = notEmpty(
  z.strictObject({ now: timestamp.optional(), frozen: z.boolean('must be true or false').optional() }),
  'must have now, frozen or both, such as {"frozen": true}',
)

const units = z.number('must be a number').optional()

const duration = notEmpty(
  z.strictObject({ days: units, hours: units, minutes: units, seconds: units }),
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
   * Moves the clock now if no event falls due on the way. @returns a function that delivers what falls due and then
   * moves the clock; undefined if it has moved. A delivery calls handlers, which must not wait for the caller's task.
   */
  const begin = (move: (clock: Clock) => void, isMoved: boolean): (() => Promise<void>) | undefined => {
    const after = workspace.clock.fork()
    move(after)
    const { outbox } = workspace
    const isPending = outbox?.deliveries.isBusy === true || outbox?.deliveries.isDueBy(after.now()) === true
    if (!isMoved || !outbox || outbox.deliveries.isDelivering || !isPending) {
      summarized(move)
      outbox?.schedule()
      return undefined
    }
    return async () => {
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
  }
  const set = (to: unknown): (() => Promise<void>) | undefined => {
    if (typeof to === 'string') {
      // Date.parse reads a date without a zone, or 30 February, as another instant than was meant.
      if (!timestamp.safeParse(to).success) throw new ClockError(`'${to}' is not an RFC 3339 date-time`)
      return begin((clock) => clock.set(to), true)
    }
    const { now, frozen } = readInput(clockSetting, to, 'clock')
    return begin((clock) => {
      if (now !== undefined) clock.set(now, frozen)
      else if (frozen) clock.freeze()
      else clock.unfreeze()
    }, now !== undefined)
  }
  const advance = (distance: unknown): (() => Promise<void>) | undefined => {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = readInput(duration, distance, 'advance')
    return begin((clock) => clock.advance({ days, hours, minutes, seconds }), true)
  }
  return {
    read: () => workspace.clock.read(),
    now: () => workspace.clock.timestamp(),
    /** Like `set` and `advance`; see `begin` for what they return. */
    own: { set, advance },
    set: (to) => set(to)?.() ?? settled,
    advance: (distance) => advance(distance)?.() ?? settled,
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
