// The verbs clock, clock set, freeze, unfreeze and advance: read and move the clock of a running sandbox.
import * as answers from '../../control/answers.ts'
import { CliError } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { clockUnits, exampleTime, numbersOf } from './fields.ts'
import { calls, type RemoteCall, type RemoteWork } from './remote-call.ts'
import { clockText } from './replaced-text.ts'

function clockCall(call: Call, own: Pick<RemoteCall<unknown>, 'body' | 'refused'> = {}): RemoteWork {
  return calls(call, { ...own, answer: answers.clock, text: (clock) => `${clockText(clock)}\n` })
}

export const readClock = (call: Call): RemoteWork => clockCall(call)

export function setClock(call: Call): RemoteWork {
  const [now = ''] = call.args
  return clockCall(call, {
    body: { now },
    refused: (error) => {
      if (error.problems.length === 0) return error
      const why = error.problems.map(({ message }) => message).join('; ')
      return new CliError(`error: '${terminalSafe(now)}' ${why}, such as ${exampleTime}`, error.exitCode)
    },
  })
}

export const freezeClock = (call: Call, frozen: boolean): RemoteWork => clockCall(call, { body: { frozen } })

export function advanceClock(call: Call): RemoteWork {
  const body = numbersOf(call.flags, clockUnits)
  if (Object.keys(body).length === 0) {
    throw new CliError('error: no duration: set --days, --hours, --minutes or --seconds, such as --days 1')
  }
  return clockCall(call, { body })
}
