// Explains problems of the request itself: violated rules of its endpoint, or a body that could not be read.
import { outcomeOf, type Call } from '../call/index.ts'
import { headerOf } from '../call/incoming-request.ts'
import { fact, type Part } from './explanation.ts'
import { onOneLine } from './quoted-values.ts'

export function explainBody(call: Call): Part {
  const { request, resolution } = call
  const { endpoint, body, bodyBytes } = request
  const { product, reads, plan } = resolution
  const { failure } = call.outcome
  if (!failure || !product || !endpoint || plan?.endedBy || outcomeOf(call) !== 'invalid') return {}
  if (failure.type === 'VALIDATION_ERROR') {
    const violations = [...(failure.about.details ?? [])]
    const rules = violations.length === 1 ? 'A rule' : `${violations.length} rules`
    return {
      section: { about: 'body', facts: [fact('violations', violations, `of ${endpoint.id}`)] },
      reason: `${rules} of ${endpoint.id} failed: ${violations.join('; ')}.`,
    }
  }
  const reason = failure.message
  if (!endpoint.body || reads.length > 0) return { reason }
  const contentType = headerOf(request, 'content-type')
  const facts = [
    fact('content_type', contentType && onOneLine(contentType)),
    fact('bytes', bodyBytes ?? body?.length, body ? undefined : 'none was read'),
  ]
  return { section: { about: 'body', facts }, reason }
}
