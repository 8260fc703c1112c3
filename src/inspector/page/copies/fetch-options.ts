// The second argument of a `fetch` that sends a call again, as JavaScript.
import { stringify } from '../../../json/stringify.ts'
import { fieldName, literal, quotedText } from './javascript.ts'
import { joinedHeaders, type SentAgain, type SentBody } from './sent-again.ts'

/**
 * Undefined if no option is needed.
 * @param authorization the value of that header as JavaScript; undefined sends none.
 * @param indent the indentation of its first line, in spaces. @param more further lines.
 */
export function fetchOptions(
  call: SentAgain,
  authorization: string | undefined,
  indent: number,
  more: readonly string[] = [],
): string | undefined {
  const { method, body } = call
  const inner = ' '.repeat(indent + 2)
  const written = [...joinedHeaders(call)].map(([name, value]) => [name, quotedText(value)] as const)
  if (authorization !== undefined) written.unshift(['authorization', authorization])
  const lines: string[] = []
  if (method !== 'GET') lines.push(`${inner}method: ${quotedText(method)},`)
  if (written.length > 0) {
    const pairs = written.map(([name, value]) => `${inner}  ${fieldName(name)}: ${value},`)
    lines.push(`${inner}headers: {`, ...pairs, `${inner}},`)
  }
  if (body && !isWithoutBody(method)) lines.push(`${inner}body: ${bodyText(body, indent + 2)},`)
  lines.push(...more.map((line) => inner + line))
  if (lines.length === 0) return undefined
  return ['{', ...lines, `${' '.repeat(indent)}}`].join('\n')
}

/** `fetch` sends no body with them. */
export function isWithoutBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function bodyText({ text, json }: SentBody, indent: number): string {
  // Numbers that JavaScript would round are written as text.
  const isExact = json !== undefined && JSON.stringify(json) === stringify(json)
  return isExact ? `JSON.stringify(${literal(json, indent)})` : quotedText(text)
}
