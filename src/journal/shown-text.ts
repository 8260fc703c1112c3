// Finds a text in what is shown of a call; what is hidden is not found.
import { outcomeOf, type Call } from '../call/index.ts'
import { stringify } from '../json/stringify.ts'
import type { Redactor } from '../secrets/redact.ts'
import { answeredBody, errorTypeOf, sentBody, shownQuery } from './entry.ts'

/** Whether a text is part of what is shown of a call, in any case. */
export function shows(call: Call, text: string, hide: Redactor): boolean {
  // A status is sought as a whole: 20 is no text of every 200.
  if (text === String(call.outcome.status)) return true
  const sought = text.toLowerCase()
  // A part is made when those before it do not have the text: bodies are what costs most to hide.
  for (const shown of shownTexts(call, hide)) if (shown.toLowerCase().includes(sought)) return true
  return false
}

function* shownTexts(call: Call, hide: Redactor): Generator<string> {
  const { request, resolution, outcome } = call
  const query = shownQuery(request, hide)
  yield `${request.method} ${hide.text(request.path)}${query === '' ? '' : `?${query}`}`
  yield outcome.id
  yield outcomeOf(call)
  const named = [
    request.endpoint?.id,
    errorTypeOf(outcome),
    resolution.key?.id,
    resolution.product?.merchant_key,
  ]
  for (const name of [...named, ...(resolution.plan?.rules ?? [])]) if (name) yield name
  yield bodyText(sentBody(request, hide).body)
  yield bodyText(answeredBody(call, hide).body)
}

function bodyText(body: unknown): string {
  if (body === null) return ''
  return typeof body === 'string' ? body : stringify(body)
}
