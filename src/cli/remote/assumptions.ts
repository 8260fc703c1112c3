// The verb assumptions: lists the assumptions with the current values of a running sandbox.
import type { z } from 'zod'
import * as answers from '../../control/answers.ts'
import type { Call } from '../verb.ts'
import { calls, type RemoteWork } from './remote-call.ts'

export function assumptions(call: Call): RemoteWork {
  const [id] = call.args
  if (id === undefined) {
    return calls(call, {
      answer: answers.assumptions,
      text: ({ assumptions: all }) => all.map((one) => `${line(one)}\n`).join(''),
    })
  }
  const path = `/assumptions/${encodeURIComponent(id)}`
  return calls(call, { path, answer: answers.assumption, text: whole })
}

type Assumption = z.output<typeof answers.assumption>

/** Formats an assumption as "rejected_status=400", with the default if it differs, and where the value was observed. */
function line({ id, value: inForce, default: defaultValue, calibrated }: Assumption): string {
  const notes = [
    ...(inForce === defaultValue ? [] : [`default: ${defaultValue}`]),
    ...(calibrated ? [`observed at ${calibrated.host}, ${calibrated.at}`] : []),
  ]
  return `${id}=${inForce}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}

function whole(one: Assumption): string {
  const { question, section, default: defaultValue, alternatives, range, effect, provenance } = one
  const values =
    [defaultValue, ...alternatives].join(', ') + (range ? `, any from ${range[0]} to ${range[1]}` : '')
  const lines = [
    line(one),
    question,
    `values: ${values}`,
    `effect: ${effect}`,
    `section: ${section}`,
    `provenance: ${provenance}`,
    `used: ${one.used} ${one.used === 1 ? 'call rests' : 'calls rest'} on it`,
    `observable: ${one.observable ? 'yes' : `no: ${one.observable_reason ?? ''}`}`,
  ]
  return lines.map((text) => `${text}\n`).join('')
}
