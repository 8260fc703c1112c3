// The clock of a workspace, for tests that move time: set, advance, freeze.
import { z } from 'zod'
import { timestamp } from '../contract/formats.ts'
import { ClockError, type Clock, type ClockReading, type Duration } from '../runtime/clock.ts'
import { distanceText } from '../runtime/distance-text.ts'
import { readInput } from '../input/read-input.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { RecordAction } from './workspace-timeline.ts'

/** Where a clock is to stand and whether it stands still; what is left out stays as it is. */
export interface ClockSetting {
  /** RFC 3339. */
  now?: string | undefined
  frozen?: boolean | undefined
}

/** The clock of a workspace, as tests move it. It only goes forward. */
export interface SandboxClock {
  /** What it shows: RFC 3339, and whether it stands still. */
  read(): ClockReading
  /** The present instant as RFC 3339. */
  now(): string
  /**
   * Moves it to an instant (RFC 3339), freezes it or lets it run on; all of it or, when refused, nothing.
   * @throws {ClockError} for a step back. @throws {DocumentError} for a setting that is none.
   * @example clock.set({ now: '2027-01-01T00:00:00Z', frozen: true })
   */
  set(to: string | ClockSetting): void
  /**
   * Moves it forward.
   * @throws {ClockError} for a step back. @throws {DocumentError} for a distance that is none.
   * @example clock.advance({ minutes: 15 })
   */
  advance(distance: Duration): void
  freeze(): void
  unfreeze(): void
}

/** Refuses what says nothing; of a misspelt field, that is not news. */
const notEmpty = <S extends z.ZodObject>(schema: S, message: string) =>
  schema.refine((value) => Object.keys(value).length > 0, {
    message,
    when: ({ issues }) => issues.length === 0,
  })

/** A clock setting, as the library and the control plane take it. */
export const clockSetting = notEmpty(
  z.strictObject({ now: timestamp.optional(), frozen: z.boolean('must be true or false').optional() }),
  'must have now, frozen or both, such as {"frozen": true}',
)

const units = z.number('must be a number').optional()

const duration = notEmpty(
  z.strictObject({ days: units, hours: units, minutes: units, seconds: units }),
  'must say how far, such as {"days": 1}',
)

/** Looks the clock up at each call, as a reset replaces it. What it is given is read here, wherever it comes from. */
export function workspaceClock(workspace: Workspace, record: RecordAction) {
  const change = (move: (clock: Clock) => void): void => {
    const before = workspace.clock.read()
    workspace.changeSettings(move)
    record('clock', clockSummary(before, workspace.clock.read()))
  }
  const set = (to: unknown): void => {
    if (typeof to === 'string') {
      // What Date.parse makes of a date without a zone, or of 30 February, is not what was meant.
      if (!timestamp.safeParse(to).success) throw new ClockError(`'${to}' is not an RFC 3339 date-time`)
      change((clock) => clock.set(to))
      return
    }
    const { now, frozen } = readInput(clockSetting, to, 'clock')
    change((clock) => {
      if (now !== undefined) clock.set(now, frozen)
      else if (frozen) clock.freeze()
      else clock.unfreeze()
    })
  }
  return {
    read: () => workspace.clock.read(),
    now: () => workspace.clock.timestamp(),
    set,
    advance(distance: unknown) {
      const { days = 0, hours = 0, minutes = 0, seconds = 0 } = readInput(duration, distance, 'advance')
      change((clock) => clock.advance({ days, hours, minutes, seconds }))
    },
    freeze: () => set({ frozen: true }),
    unfreeze: () => set({ frozen: false }),
  } satisfies SandboxClock
}

/** @example clockSummary(before, after)   // 'Moved by 2 d 1 h to 2027-01-03T01:00:00.000Z, frozen' */
function clockSummary(before: ClockReading, after: ClockReading): string {
  const moved = Date.parse(after.now) - Date.parse(before.now)
  const isFreeze = before.frozen !== after.frozen && distanceText(moved) === ''
  if (isFreeze) return after.frozen ? `Frozen at ${after.now}` : `Unfrozen at ${after.now}`
  return `Moved by ${distanceText(moved) || 'less than a minute'} to ${after.now}${after.frozen ? ', frozen' : ''}`
}
