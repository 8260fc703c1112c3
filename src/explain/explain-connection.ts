// What a transport fault left of the answer, and of the writes.
import type { Exchange } from '../exchange/index.ts'
import { lossOf } from '../exchange/became.ts'
import { fact, type Part } from './explanation.ts'

export function explainConnection(exchange: Exchange): Part {
  const { plan } = exchange.found
  const { fault, changes } = exchange.became
  if (fault === undefined || plan?.ending?.kind !== 'fault') return {}
  const name = typeof fault === 'string' ? fault : `drip of ${fault.bytes_per_second} bytes per second`
  const moment = `${plan.ending.at} the commit`
  const client = outcomeForClient(exchange)
  const writes = changes.length > 0 ? 'what it wrote stands' : 'nothing was written'
  return {
    section: {
      about: 'connection',
      facts: [fact('fault', name), fact('moment', moment, writes), fact('client', client)],
    },
    reason: `Scenario rule ${plan.endedBy?.id} spoilt the connection (${name}) ${moment}: ${client}, and ${writes}.`,
  }
}

function outcomeForClient(exchange: Exchange): string {
  const { received, became } = exchange
  if (!lossOf(became, received.method)) return `the client got a spoilt ${became.status}`
  return wasAnswered(exchange)
    ? `the client got no answer in place of a ${became.status}`
    : 'the client got no answer'
}

/** Whether there was an answer at all: what is lost before the commit is lost before anybody makes one. */
export function wasAnswered({ received, found: { plan }, became }: Exchange): boolean {
  return !lossOf(became, received.method) || plan?.ending?.kind !== 'fault' || plan.ending.at === 'after'
}
