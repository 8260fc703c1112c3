import type { ExchangeRecord } from '../journal/record.ts'
import { fact, type Part } from './explanation.ts'

/** What a transport fault left of the answer, and of the writes. */
export function explainConnection(record: ExchangeRecord): Part {
  const { fault, plan, changes } = record
  if (fault === undefined || plan?.ending?.kind !== 'fault') return {}
  const name = typeof fault === 'string' ? fault : `drip of ${fault.bytes_per_second} bytes per second`
  const moment = `${plan.ending.at} the commit`
  const client = outcomeForClient(record)
  const writes = changes.length > 0 ? 'what it wrote stands' : 'nothing was written'
  return {
    section: {
      about: 'connection',
      facts: [fact('fault', name), fact('moment', moment, writes), fact('client', client)],
    },
    reason: `Scenario rule ${plan.endedBy?.id} spoilt the connection (${name}) ${moment}: ${client}, and ${writes}.`,
  }
}

function outcomeForClient(record: ExchangeRecord): string {
  if (!isLost(record)) return `the client got a spoilt ${record.status}`
  return wasAnswered(record)
    ? `the client got no answer in place of a ${record.status}`
    : 'the client got no answer'
}

function isLost({ fault }: ExchangeRecord): boolean {
  return fault === 'reset' || fault === 'hang' || fault === 'empty'
}

/** Whether there was an answer at all: what is lost before the commit is lost before anybody makes one. */
export function wasAnswered(record: ExchangeRecord): boolean {
  const { plan } = record
  return !isLost(record) || plan?.ending?.kind !== 'fault' || plan.ending.at === 'after'
}
