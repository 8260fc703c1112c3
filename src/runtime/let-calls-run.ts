// Background work lets calls come first.
import { monotonicNow } from './host.ts'
import { machineWait } from './machine-timers.ts'
import { yieldToEventLoop } from './time-slices.ts'

/** Calls get so many times the time that the event loop needed for one turn. */
const restTurns = 60

/** Maximum length of that rest (ms). */
const maxRest = 500

/** Lets calls come first: the busier the event loop is, the longer the rest. */
export async function letCallsRun(): Promise<void> {
  const began = monotonicNow()
  await yieldToEventLoop()
  const pause = Math.min((monotonicNow() - began) * restTurns, maxRest)
  if (pause >= 1) await machineWait(pause).ended
}
