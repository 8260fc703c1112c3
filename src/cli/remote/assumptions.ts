// The verb assumptions: what the contract leaves open, with the values in force in a running sandbox.
import { z } from 'zod'
import { connectToRead } from './connect.ts'
import { shownText } from './control-client.ts'
import { show } from './show.ts'
import type { Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

const value = z.union([shownText, z.number()])
const assumption = z.object({
  id: shownText,
  question: shownText,
  section: shownText,
  default: value,
  alternatives: z.array(value),
  range: z.tuple([z.number(), z.number()]).optional(),
  value,
  effect: shownText,
  observable: z.boolean(),
  observable_reason: shownText.optional(),
  provenance: z.enum(['default', 'set', 'calibrated']),
  calibrated: z.object({ host: shownText, at: shownText }).optional(),
  used: z.number(),
})
type Assumption = z.output<typeof assumption>

/** @param id only this one, with all that is said of it. */
export async function assumptions(id: string | undefined, flags: FlagValues, io: Io): Promise<void> {
  const shown = { client: await connectToRead(flags, io), flags, io }
  if (id === undefined) {
    const all = z.object({ assumptions: z.array(assumption) })
    const textOf = (answer: z.output<typeof all>): string =>
      answer.assumptions.map((one) => `${line(one)}\n`).join('')
    await show(shown, ['GET', '/assumptions'], all, textOf)
    return
  }
  await show(shown, ['GET', `/assumptions/${encodeURIComponent(id)}`], assumption, whole)
}

/** "rejected_status=400", what it would be where it is another, and where it was observed. */
function line({ id, value: inForce, default: usual, calibrated }: Assumption): string {
  const notes = [
    ...(inForce === usual ? [] : [`default: ${usual}`]),
    ...(calibrated ? [`observed at ${calibrated.host}, ${calibrated.at}`] : []),
  ]
  return `${id}=${inForce}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
}

function whole(one: Assumption): string {
  const { question, section, default: usual, alternatives, range, effect, provenance } = one
  const values = [usual, ...alternatives].join(', ') + (range ? `, any from ${range[0]} to ${range[1]}` : '')
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
