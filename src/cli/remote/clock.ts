// The verbs clock, clock set, freeze, unfreeze and advance: read and move the clock of a running sandbox.
import { z } from 'zod'
import { connect } from './connect.ts'
import { shownText } from './control-client.ts'
import { clockUnits, numbersOf } from './fields.ts'
import { show } from './show.ts'
import type { Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

const reading = z.object({ now: shownText, frozen: z.boolean() })

const clockText = ({ now, frozen }: z.output<typeof reading>): string =>
  `${now}${frozen ? ' (frozen)' : ''}\n`

export async function readClock(flags: FlagValues, io: Io): Promise<void> {
  await show({ client: await connect(flags, io), flags, io }, ['GET', '/clock'], reading, clockText)
}

/** @param body what `PUT /_sandbox/clock` takes. */
export async function setClock(
  body: { now: string } | { frozen: boolean },
  flags: FlagValues,
  io: Io,
): Promise<void> {
  const client = await connect(flags, io)
  await show({ client, flags, io }, ['PUT', '/clock'], reading, clockText, { body })
}

export async function advanceClock(flags: FlagValues, io: Io): Promise<void> {
  const body = numbersOf(flags, clockUnits)
  const client = await connect(flags, io)
  await show({ client, flags, io }, ['POST', '/clock/advance'], reading, clockText, { body })
}
