// The clock of a workspace. It either runs with the machine's clock, possibly with an offset, or is frozen until it is
// moved. It only moves forward, so that no row is created before its parent.

/** The time that a clock shows, and whether it is frozen. */
export interface ClockReading {
  /** RFC 3339, in UTC, with milliseconds. */
  now: string
  frozen: boolean
}

/** The start of a clock: its instant (by default the machine's), and whether it is frozen. */
export interface ClockStart {
  at?: number
  frozen?: boolean
}

/** The position of a clock relative to the machine's, from which a clock of another machine can continue. */
export interface ClockPosition {
  /** The milliseconds by which it is ahead of the machine's clock. */
  offset: number
  /** The instant at which it is frozen. */
  frozenAt?: number
  /** Whether it was set to an instant. */
  set?: boolean
}

/** A duration: the sum of its parts. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

/** Thrown for a move of a clock into the past, or to an instant that RFC 3339 cannot represent. */
export class ClockError extends Error {
  override name = 'ClockError'
}

/** The last instant that RFC 3339 can represent, as years have four digits. */
export const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export class Clock {
  readonly #source: () => number
  /** The start of the clock. A clock that was not set to an instant starts at the machine's time. */
  readonly #start: ClockStart
  #offset: number
  #frozenAt: number | undefined
  #set = false
  /** The minimum of the time that the clock shows. */
  #floor = 0

  /** @param source the machine's clock, in milliseconds since the epoch. */
  constructor(source: () => number, start?: ClockStart) {
    this.#source = source
    // Read the time once, as a second reading could differ: a clock that is frozen at an instant must show exactly
    // that.
    const now = source()
    const at = start?.at ?? now
    this.#offset = at - now
    this.#set = start?.at !== undefined
    this.#start = start?.frozen ? { at, frozen: true } : { ...start }
    if (start?.frozen) this.#frozenAt = at
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#frozenAt ?? Math.min(Math.max(this.#source() + this.#offset, this.#floor), endOfTime)
  }

  /**
   * Sets the minimum of the time that the clock shows: another machine whose clock is ahead has created rows at that
   * instant.
   */
  setMinimum(instant: number): void {
    this.#floor = Math.max(this.#floor, instant)
  }

  /** The start of the clock, as `another` accepts it. */
  get start(): ClockStart {
    return this.#start
  }

  /** The position of the clock, as `at` accepts it. */
  get position(): ClockPosition {
    return {
      offset: this.#offset,
      ...(this.#frozenAt === undefined ? {} : { frozenAt: this.#frozenAt }),
      ...(this.#set ? { set: true } : {}),
    }
  }

  /** The current time as RFC 3339. */
  timestamp(): string {
    return new Date(this.now()).toISOString()
  }

  /** Returns the time of the clock, as `GET /_sandbox/clock` answers. */
  read(): ClockReading {
    return { now: this.timestamp(), frozen: this.frozen }
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined
  }

  /** Whether it was set or is frozen, so that it differs from the machine's clock. */
  get changed(): boolean {
    return this.#set || this.frozen
  }

  /**
   * Moves the clock to an instant.
   * @param frozen whether it is frozen there; by default as before.
   * @throws {ClockError} for an instant that is in the past or after the year 9999; then nothing changes.
   */
  set(instant: string | number, frozen: boolean = this.frozen): void {
    const at = typeof instant === 'number' ? instant : Date.parse(instant)
    if (!Number.isFinite(at)) throw new ClockError(`'${instant}' is not an RFC 3339 date-time`)
    if (at < this.now()) {
      throw new ClockError(
        `the clock only moves forward: it shows ${this.timestamp()}, which is after ${instant}`,
      )
    }
    this.#moveTo(at, frozen)
  }

  /**
   * Moves the clock forward.
   * @example clock.advance({ days: 1, minutes: 30 })
   * @throws {ClockError} for a negative duration, or one that ends after the year 9999.
   */
  advance(by: Duration): void {
    const { days = 0, hours = 0, minutes = 0, seconds = 0, ...others } = by
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) {
      throw new ClockError(`unknown unit '${unknown}', expected days, hours, minutes or seconds`)
    }
    if (![days, hours, minutes, seconds].every(Number.isFinite)) {
      throw new ClockError('days, hours, minutes and seconds must be numbers')
    }
    const distance = Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
    if (!(distance >= 0)) throw new ClockError('the clock only moves forward: a duration cannot be negative')
    this.#moveTo(this.now() + distance, this.frozen)
  }

  #moveTo(at: number, frozen: boolean): void {
    if (at > endOfTime) throw new ClockError('the clock cannot move past the year 9999')
    this.#set = true
    // The machine's time that passes while the clock is frozen does not reduce its offset.
    this.#offset = frozen && this.frozen ? this.#offset + at - this.now() : at - this.#source()
    this.#frozenAt = frozen ? at : undefined
  }

  /** Freezes the clock at its current time. */
  freeze(): void {
    this.#frozenAt = this.now()
  }

  /** Lets a frozen clock run again, from the instant at which it is frozen. */
  unfreeze(): void {
    if (this.#frozenAt !== undefined) this.#moveTo(this.#frozenAt, false)
  }

  /** Creates a clock of the same machine with another start, see the constructor. */
  another(start: ClockStart): Clock {
    return new Clock(this.#source, start)
  }

  /**
   * Creates a clock with the start of this one, whatever time this one shows.
   * @param frozen whether the new clock is frozen; by default as this one was at its start.
   */
  again(frozen: boolean = this.#start.frozen === true): Clock {
    return new Clock(this.#source, { ...this.#start, frozen })
  }

  /** Creates an independent clock that shows the same time. */
  fork(): Clock {
    const copy = this.at(this.position)
    copy.#floor = this.#floor
    return copy
  }

  /** Creates a clock with the start of this one at another position. */
  at({ offset, frozenAt, set = false }: ClockPosition): Clock {
    const copy = new Clock(this.#source, this.#start)
    copy.#offset = offset
    copy.#frozenAt = frozenAt
    copy.#set = set
    return copy
  }
}
