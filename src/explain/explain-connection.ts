// Explains the effect of a transport fault on the answer and on the writes.
import type { Call } from '../call/index.ts'
import { lossOf } from '../call/outcome.ts'
import { fact, type Part } from './explanation.ts'

export function explainConnection(call: Call): Part {
  const { plan } = call.resolution
  const { fault, changes, isClientGone } = call.outcome
  if (isClientGone && fault === undefined) {
    const gone = 'the client closed the connection before its answer'
    const kept = changes.length > 0 ? 'its writes were committed' : 'nothing was written'
    return {
      section: { about: 'connection', facts: [fact('client', gone, kept)] },
    }
  }
  if (fault === undefined || plan?.ending?.kind !== 'fault') return {}
  const name = typeof fault === 'string' ? fault : `drip of ${fault.bytes_per_second} bytes per second`
  const moment = `${plan.ending.at} the commit`
  const client = outcomeForClient(call)
  const writes = changes.length > 0 ? 'its writes were committed' : 'nothing was written'
  return {
    section: {
      about: 'connection',
      facts: [fact('fault', name), fact('moment', moment, writes), fact('client', client)],
    },
    reason: `Scenario rule ${plan.endedBy?.id} broke the connection (${name}) ${moment}: ${client}, and ${writes}.`,
  }
}

function outcomeForClient(call: Call): string {
  const { request, outcome } = call
  if (!lossOf(outcome, request.method)) return `the client got a broken ${outcome.status}`
  return wasAnswered(call)
    ? `the client got no answer instead of a ${outcome.status}`
    : 'the client got no answer'
}

/** Whether there was an answer at all: a connection that is lost before the commit never has one. */
function wasAnswered({ request, resolution: { plan }, outcome }: Call): boolean {
  return !lossOf(outcome, request.method) || plan?.ending?.kind !== 'fault' || plan.ending.at === 'after'
}
