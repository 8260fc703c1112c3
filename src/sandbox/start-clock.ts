import { Clock } from '../runtime/clock.ts'

/** The clock of the options, else that of the fixtures, else the machine's. */
export function startClock(
  now: () => number,
  settings: { clock: string | undefined; frozen: boolean },
  fromFixtures: { now: string; frozen: boolean } | undefined,
): Clock {
  const at = settings.clock ?? fromFixtures?.now
  return new Clock(now, {
    ...(at === undefined ? {} : { at: Date.parse(at) }),
    frozen: settings.frozen || (settings.clock === undefined && fromFixtures?.frozen === true),
  })
}
