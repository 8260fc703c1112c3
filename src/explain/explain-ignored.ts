// Explains ignored parts of a call: query parameters and body fields that its endpoint does not know.
import { isJsonObject } from '../contract/formats.ts'
import { namedBy, unknownParameters } from '../endpoints/unknown-parameters.ts'
import { unknownFields } from '../endpoints/unknown-fields.ts'
import type { Call } from '../call/index.ts'
import { readBody } from '../journal/entry.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type ExplanationFact, type Part } from './explanation.ts'
import { onOneLine } from './quoted-values.ts'

export function explainIgnored({ request, resolution }: Call, { assumptions }: ExplanationContext): Part {
  const { endpoint, query, body } = request
  if (!endpoint || !resolution.asked) return {}
  const parameters = unknownParameters(query, endpoint, assumptions)
  const schema = endpoint.body?.(assumptions)
  const sent = body && readBody(body)
  const fields = schema && isJsonObject(sent) ? unknownFields(schema, sent).map((path) => path.join('.')) : []
  if (parameters.length + fields.length === 0) return {}
  const unread = `${endpoint.id} does not define them`
  const named = parameters.flatMap((name) => {
    const id = namedBy(name, endpoint)
    return id === undefined
      ? []
      : [`${onOneLine(name)} needs ${id}=${name}; the name is now ${assumptions[id]}`]
  })
  return {
    section: {
      about: 'ignored',
      facts: [
        ...factOf('query_parameters', parameters, [unread, ...named].join('; ')),
        ...factOf('body_fields', fields, unread),
      ],
    },
  }
}

const most = 100

function factOf(name: string, values: readonly string[], note: string): ExplanationFact[] {
  return values.length === 0 ? [] : [fact(name, values.slice(0, most).map(onOneLine), note)]
}
