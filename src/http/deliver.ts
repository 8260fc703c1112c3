// Delivers an answer: into journal and coverage, to whoever follows the calls, and to the caller, once what the caller
// sent is taken in.
import type { IncomingMessage } from 'node:http'
import { errorRow } from '../contract/errors.ts'
import { Became } from '../exchange/became.ts'
import { lazyEntryOf, reasonOf } from '../journal/entry.ts'
import { kept } from '../journal/limits.ts'
import { redactor } from '../secrets/redact.ts'
import { monotonicNow } from '../runtime/host.ts'
import { hasBody } from './body/read-body.ts'
import { plainCopy } from '../json/copy.ts'
import { httpDate } from './http-date.ts'
import type { Service } from './service.ts'
import type { OpenExchange } from './open-exchange.ts'
import { recordExchange } from './record-exchange.ts'

/** A body that was sent and not read, because the call was refused before or needs none. */
function unreadBody({ caller: { body }, headers, bodyTaken }: OpenExchange): IncomingMessage | undefined {
  if (bodyTaken || !('stream' in body) || !hasBody(body, headers)) return undefined
  return body.stream.readableEnded ? undefined : body.stream
}

/** Into journal and coverage, and to whoever follows the calls. */
function record(exchange: OpenExchange): void {
  recordExchange(exchange)
  tellAnswer(exchange)
}

/** To whoever follows the calls. */
export function tellAnswer(exchange: OpenExchange): void {
  const { service, became } = exchange
  if (!service.onAnswer) return
  const hide = redactor(service.secrets)
  service.onAnswer(lazyEntryOf(kept(exchange), hide, plainCopy), reasonOf(became, hide))
}

export function deliver(exchange: OpenExchange): void {
  const { service, received, became } = exchange
  try {
    if (!received.isOfBrowser) record(exchange)
    sendAnswer(exchange, became, unreadBody(exchange))
  } catch (error) {
    exchange.leave()
    service.onBug(error, 'none')
    sendAnswer(exchange, bugAnswer(service))
  }
}

/** Sends the answer of a call, which leaves its workspace once that is done or the connection is lost. */
export function sendAnswer(exchange: OpenExchange, answer: Became, unread?: IncomingMessage): void {
  const { caller, received, service } = exchange
  const sending = caller.send(answer, received.method, service.closing, unread)
  if (sending === undefined) exchange.leave()
  else void sending.then(() => exchange.leave(monotonicNow()))
}

/** What a call is answered that a bug of ours kept from being served. */
export function bugAnswer({ workspaces }: Service): Became {
  const { status, message } = errorRow('INTERNAL_ERROR')
  const failed = new Became().answerJson(
    status,
    JSON.stringify({ error: { type: 'INTERNAL_ERROR', message } }),
    {},
  )
  failed.headers['date'] = httpDate(workspaces.default.clock.now())
  return failed
}
