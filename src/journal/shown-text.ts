// Finds a text in what is shown of an exchange; what is hidden is not found.
import { outcomeOf, type Exchange } from '../exchange/index.ts'
import { stringify } from '../json/stringify.ts'
import type { Redactor } from '../secrets/redact.ts'
import { answeredBody, errorTypeOf, sentBody, shownQuery } from './entry.ts'

/** Whether a text is part of what is shown of an exchange, in any case. */
export function shows(exchange: Exchange, text: string, hide: Redactor): boolean {
  // A status is sought as a whole: 20 is no text of every 200.
  if (text === String(exchange.became.status)) return true
  const sought = text.toLowerCase()
  // A part is made when those before it do not have the text: bodies are what costs most to hide.
  for (const shown of shownTexts(exchange, hide)) if (shown.toLowerCase().includes(sought)) return true
  return false
}

function* shownTexts(exchange: Exchange, hide: Redactor): Generator<string> {
  const { received, found, became } = exchange
  const query = shownQuery(received, hide)
  yield `${received.method} ${hide.text(received.path)}${query === '' ? '' : `?${query}`}`
  yield became.id
  yield outcomeOf(exchange)
  const named = [received.endpoint?.id, errorTypeOf(became), found.key?.id, found.product?.merchant_key]
  for (const name of [...named, ...(found.plan?.rules ?? [])]) if (name) yield name
  yield bodyText(sentBody(received, hide).body)
  yield bodyText(answeredBody(exchange, hide).body)
}

function bodyText(body: unknown): string {
  if (body === null) return ''
  return typeof body === 'string' ? body : stringify(body)
}
