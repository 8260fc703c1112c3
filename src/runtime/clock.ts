// Time, as an argument. A clock either runs along with the machine's, possibly set to another instant, or stands
// still until it is moved. It only goes forward, so that rows never appear to be made before their parents.

/** What a clock shows and whether it stands still. */
export interface ClockReading {
  /** RFC 3339, in UTC, with milliseconds. */
  now: string
  frozen: boolean
}

/** How a clock is started: at which instant, the machine's if left out, and whether it stands still. */
export interface ClockStart {
  at?: number
  frozen?: boolean
}

/** Where a clock stands beside the machine's, for a clock of another machine to go on from there. */
export interface ClockStanding {
  /** Milliseconds that it is ahead of the machine's. */
  offset: number
  /** The instant at which it stands still. */
  frozenAt?: number
  /** It was set to an instant. */
  set?: boolean
}

/** A distance in time; parts add up. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

/** Thrown when a clock is asked to go back, or to an instant that cannot be written as RFC 3339. */
export class ClockError extends Error {
  override name = 'ClockError'
}

/** The last instant that RFC 3339 can write: years have four digits. */
export const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export class Clock {
  readonly #source: () => number
  /** How it was started; a clock that was not set to an instant starts wherever the machine's is. */
  readonly #start: ClockStart
  #offset: number
  #frozenAt: number | undefined
  #set = false
  /** It never shows less. */
  #floor = 0

  /** @param source the machine's clock, in milliseconds since the epoch. */
  constructor(source: () => number, start?: ClockStart) {
    this.#source = source
    // Read once: between two readings time goes on, and a clock frozen at an instant stands exactly there.
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

  /** Shows no less than this from here on: another machine whose clock is ahead has made rows at that instant. */
  keepFrom(instant: number): void {
    this.#floor = Math.max(this.#floor, instant)
  }

  /** How it was started, as `another` takes it. */
  get start(): ClockStart {
    return this.#start
  }

  /** Where it stands, as `at` takes it. */
  get standing(): ClockStanding {
    return {
      offset: this.#offset,
      ...(this.#frozenAt === undefined ? {} : { frozenAt: this.#frozenAt }),
      ...(this.#set ? { set: true } : {}),
    }
  }

  /** The present instant as RFC 3339. */
  timestamp(): string {
    return new Date(this.now()).toISOString()
  }

  /** What the clock shows, as `GET /_sandbox/clock` answers. */
  read(): ClockReading {
    return { now: this.timestamp(), frozen: this.frozen }
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined
  }

  /** Whether it was set or frozen, that is, whether it differs from the machine's own clock. */
  get changed(): boolean {
    return this.#set || this.frozen
  }

  /**
   * Moves the clock to an instant.
   * @param frozen whether it stands still from there; as it did before if left out.
   * @throws {ClockError} when that would be a step back, or past the year 9999; then nothing changes.
   */
  set(instant: string | number, frozen: boolean = this.frozen): void {
    const at = typeof instant === 'number' ? instant : Date.parse(instant)
    if (!Number.isFinite(at)) throw new ClockError(`'${instant}' is not an RFC 3339 date-time`)
    if (at < this.now()) {
      throw new ClockError(
        `the clock only goes forward: it shows ${this.timestamp()}, which is after ${instant}`,
      )
    }
    this.#moveTo(at, frozen)
  }

  /**
   * Moves the clock forward.
   * @example clock.advance({ days: 1, minutes: 30 })
   * @throws {ClockError} for a negative distance, or one past the year 9999.
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
    if (!(distance >= 0)) throw new ClockError('the clock only goes forward: a distance cannot be negative')
    this.#moveTo(this.now() + distance, this.frozen)
  }

  #moveTo(at: number, frozen: boolean): void {
    if (at > endOfTime) throw new ClockError('the clock cannot go past the year 9999')
    this.#set = true
    // While it stands still, time that passes puts it no less far ahead.
    this.#offset = frozen && this.frozen ? this.#offset + at - this.now() : at - this.#source()
    this.#frozenAt = frozen ? at : undefined
  }

  /** Stops the clock where it is. */
  freeze(): void {
    this.#frozenAt = this.now()
  }

  /** Lets a frozen clock run on from where it stands. */
  unfreeze(): void {
    if (this.#frozenAt !== undefined) this.#moveTo(this.#frozenAt, false)
  }

  /** Another clock of the same machine, which starts as the constructor says. */
  another(start: ClockStart): Clock {
    return new Clock(this.#source, start)
  }

  /**
   * A clock that starts where this one was started, whatever it shows by now.
   * @param frozen whether it stands still there; as this one did if left out.
   */
  again(frozen: boolean = this.#start.frozen === true): Clock {
    return new Clock(this.#source, { ...this.#start, frozen })
  }

  /** A clock that shows the same now and goes its own way from here. */
  fork(): Clock {
    const copy = this.at(this.standing)
    copy.#floor = this.#floor
    return copy
  }

  /** A clock that was started as this one was, and stands elsewhere. */
  at({ offset, frozenAt, set = false }: ClockStanding): Clock {
    const copy = new Clock(this.#source, this.#start)
    copy.#offset = offset
    copy.#frozenAt = frozenAt
    copy.#set = set
    return copy
  }
}
