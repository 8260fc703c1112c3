import { timestamp } from '../contract/formats.ts'
import { ClockError, type ClockReading, type Duration } from '../runtime/clock.ts'
import type { Workspace } from './workspace.ts'

/** The clock of a workspace, as tests move it. It only goes forward. */
export interface SandboxClock {
  /** What it shows: RFC 3339, and whether it stands still. */
  read(): ClockReading
  /** The present instant as RFC 3339. */
  now(): string
  /** Moves it to an instant (RFC 3339). @throws {ClockError} for a step back. */
  set(instant: string): void
  /** Moves it forward. @example clock.advance({ minutes: 15 }) */
  advance(distance: Duration): void
  freeze(): void
  unfreeze(): void
}

/** Looks the clock up at each call, as a reset replaces it. */
export class WorkspaceClock implements SandboxClock {
  readonly #workspace: Workspace

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  read(): ClockReading {
    return this.#workspace.clock.read()
  }

  now(): string {
    return this.#workspace.clock.timestamp()
  }

  set(instant: string): void {
    // What Date.parse makes of a date without a zone, or of 30 February, is not what was meant.
    if (!timestamp.safeParse(instant).success) {
      throw new ClockError(`'${instant}' is not an RFC 3339 date-time`)
    }
    this.#workspace.clock.set(instant)
  }

  advance(distance: Duration): void {
    this.#workspace.clock.advance(distance)
  }

  freeze(): void {
    this.#workspace.clock.freeze()
  }

  unfreeze(): void {
    this.#workspace.clock.unfreeze()
  }
}
