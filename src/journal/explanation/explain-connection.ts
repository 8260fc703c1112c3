import type { ExchangeRecord } from '../record.ts'
import { fact, type Part } from './explanation.ts'

/** What a transport fault left of the answer, and of the writes. */
export function explainConnection({ fault, plan, changes, status }: ExchangeRecord): Part {
  if (fault === undefined || plan?.ending?.kind !== 'transport') return {}
  const name = typeof fault === 'string' ? fault : `drip of ${fault.bytes_per_second} bytes per second`
  const { at } = plan.ending
  const lost = fault === 'reset' || fault === 'hang' || fault === 'empty'
  const client = lost ? 'the client got no answer' : `the client got a spoilt ${status}`
  const writes = changes.length > 0 ? 'what it wrote stands' : 'nothing was written'
  return {
    section: {
      about: 'connection',
      facts: [fact('fault', name), fact('moment', `${at} the commit`, writes), fact('outcome', client)],
    },
    reason: `Scenario rule ${plan.endedBy?.id} spoilt the connection (${name}) ${at} the commit: ${client}, and ${writes}.`,
  }
}
