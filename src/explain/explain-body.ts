import { outcomeOf } from '../journal/outcome.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import { headerOf } from './explanation-context.ts'
import { fact, type Part } from './explanation.ts'
import { onOneLine } from './quoted-values.ts'

/** What was wrong with the request itself: rules of its endpoint that it broke, or a body that could not be read. */
export function explainBody(record: ExchangeRecord): Part {
  const { failure, product, endpoint, requestBody, requestBodyCutFrom, reads, plan } = record
  if (!failure || !product || !endpoint || plan?.endedBy || outcomeOf(record) !== 'invalid') return {}
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
  const contentType = headerOf(record, 'content-type')
  const facts = [
    fact('content_type', contentType && onOneLine(contentType)),
    fact('bytes', requestBodyCutFrom ?? requestBody?.length, requestBody ? undefined : 'none was read'),
  ]
  return { section: { about: 'body', facts }, reason }
}
