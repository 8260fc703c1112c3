// Formats an explanation as text for a terminal.
import type { Explanation, ExplanationFact } from './explanation.ts'

/**
 * Returns an explanation for people: the request id and the deciding reason, then the findings of each part.
 *
 * @example
 * const why = sandbox.requests.explain(answer.headers.get('x-sandbox-request-id') ?? '')
 * if (why) console.log(explanationText(why))
 */
export function explanationText({ id, summary, sections }: Explanation): string {
  const parts = sections.map(({ about, facts }) => [about, ...facts.map(factText)].join('\n'))
  return [`${id}: ${summary}`, '', ...parts].join('\n')
}

function factText({ name, value, note }: ExplanationFact): string {
  const shown = Array.isArray(value) ? listText(value) : String(value ?? 'none')
  return `  ${name}: ${shown}${note === undefined ? '' : ` (${note})`}`
}

/** Words are separated by commas, and sentences, which may contain commas, by semicolons. */
function listText(items: readonly string[]): string {
  if (items.length === 0) return 'none'
  return items.join(items.some((item) => item.includes(' ')) ? '; ' : ', ')
}
