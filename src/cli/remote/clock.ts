// The verbs clock, clock set, freeze, unfreeze and advance: read and move the clock of a running sandbox.
import { z } from 'zod'
import { connect, connectToRead } from './connect.ts'
import { RefusedError, shownText } from './control-client.ts'
import { clockUnits, exampleTime, numbersOf } from './fields.ts'
import { show } from './show.ts'
import { CliError, type Io } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { FlagValues } from '../settings.ts'

const reading = z.object({ now: shownText, frozen: z.boolean() })

const clockText = ({ now, frozen }: z.output<typeof reading>): string =>
  `${now}${frozen ? ' (frozen)' : ''}\n`

export async function readClock(flags: FlagValues, io: Io): Promise<void> {
  await show({ client: await connectToRead(flags, io), flags, io }, ['GET', '/clock'], reading, clockText)
}

/** @param body what `PUT /_sandbox/clock` takes. */
export async function setClock(
  body: { now: string } | { frozen: boolean },
  flags: FlagValues,
  io: Io,
): Promise<void> {
  const client = await connect(flags, io)
  const asked = show({ client, flags, io }, ['PUT', '/clock'], reading, clockText, { body })
  await asked.catch((error: unknown) => {
    if (!(error instanceof RefusedError) || error.problems.length === 0 || !('now' in body)) throw error
    const why = error.problems.map(({ message }) => message).join('; ')
    const now = terminalSafe(body.now)
    throw new CliError(`error: '${now}' ${why}, such as ${exampleTime}`, error.exitCode)
  })
}

export async function advanceClock(flags: FlagValues, io: Io): Promise<void> {
  const body = numbersOf(flags, clockUnits)
  if (Object.keys(body).length === 0) {
    throw new CliError('error: say how far by --days, --hours, --minutes or --seconds, such as --days 1')
  }
  const client = await connect(flags, io)
  await show({ client, flags, io }, ['POST', '/clock/advance'], reading, clockText, { body })
}
