import { isJsonObject } from '../contract/formats.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { When } from './match.ts'
import { refuseUnknownKeys, unknownName, type Report, type Targets } from './read-scenario.ts'

type Path = (string | number)[]

const whenKeys = ['params', 'query', 'headers', 'body', 'key', 'product']

/** Reads what a rule asks of a call; a parameter that none of its operations has could never fit. */
export function readWhen(when: unknown, targets: Targets, path: Path, report: Report): When {
  if (when === undefined) return {}
  if (!isJsonObject(when)) {
    report(path, `must be an object with some of ${whenKeys.join(', ')}`)
    return {}
  }
  refuseUnknownKeys(when, whenKeys, path, report)
  const read: When = {}
  const { params, query, headers, body, key, product } = when
  if (params !== undefined) {
    read.params = patternsOf(params, [...path, 'params'], report)
    requireNames(read.params, 'path parameter', (endpoint) => Object.keys(endpoint.params), [
      ...path,
      'params',
    ])
  }
  if (query !== undefined) {
    read.query = patternsOf(query, [...path, 'query'], report)
    requireNames(read.query, 'query parameter', (endpoint) => Object.keys(endpoint.query), [...path, 'query'])
  }
  if (headers !== undefined) read.headers = patternsOf(headers, [...path, 'headers'], report)
  if (body !== undefined) {
    refuseCode(body, [...path, 'body'], report)
    if (!isJsonObject(body))
      report([...path, 'body'], 'must be an object: the part of the body that must be there')
    requireBody([...path, 'body'])
    read.body = body
  }
  if (key !== undefined) read.key = patternOf(key, [...path, 'key'], report)
  if (product !== undefined) read.product = patternOf(product, [...path, 'product'], report)
  return read

  function requireNames(
    patterns: Readonly<Record<string, string>>,
    kind: string,
    namesOf: (endpoint: Endpoint) => readonly string[],
    at: Path,
  ): void {
    const known = [...new Set(targets.endpoints.flatMap(namesOf))]
    for (const name of Object.keys(patterns)) {
      const lacking = targets.endpoints.find((endpoint) => !namesOf(endpoint).includes(name))
      if (!known.includes(name)) {
        if (targets.endpoints.length > 0) report([...at, name], unknownName(kind, name, known), 'key')
      } else if (lacking && !targets.all) {
        report([...at, name], `can never fit ${lacking.id}, which has no ${kind} '${name}'`, 'key')
      }
    }
  }

  function requireBody(at: Path): void {
    const without = targets.endpoints.find((endpoint) => endpoint.body === undefined)
    if (without && !targets.all) report(at, `can never fit ${without.id}, which takes no body`, 'key')
  }
}

function patternsOf(patterns: unknown, path: Path, report: Report): Record<string, string> {
  if (!isJsonObject(patterns)) {
    report(path, 'must be an object of names and values')
    return {}
  }
  return Object.fromEntries(
    Object.entries(patterns).map(([name, pattern]) => [name, patternOf(pattern, [...path, name], report)]),
  )
}

function patternOf(pattern: unknown, path: Path, report: Report): string {
  if (typeof pattern !== 'string' && typeof pattern !== 'number') {
    report(path, 'must be a text: an exact value, or a glob with * and ?')
    return ''
  }
  refuseCode(pattern, path, report)
  return String(pattern)
}

/** Templates would be taken for plain texts: they would never fit, and be answered as they stand. */
export function refuseTemplates(value: unknown, path: Path, report: Report): void {
  eachText(value, path, (text, at) => {
    if (/\{\{|\$\{|<%/.test(text)) {
      report(at, 'must be no template: scenarios hold exact values and globs only')
    }
  })
}

/** A pattern that was meant as a regular expression would silently never fit. */
function refuseExpressions(value: unknown, path: Path, report: Report): void {
  eachText(value, path, (text, at) => {
    if (/^\/.+\/[dgimsuvy]*$|^\^|\\[dwsb.]/.test(text)) {
      report(at, 'must be no regular expression: use an exact value, or a glob with * and ?')
    }
  })
}

function refuseCode(value: unknown, path: Path, report: Report): void {
  refuseTemplates(value, path, report)
  refuseExpressions(value, path, report)
}

function eachText(value: unknown, path: Path, look: (text: string, at: Path) => void): void {
  if (typeof value === 'string') look(value, path)
  else if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) eachText(item, [...path, place], look)
  } else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) eachText(inner, [...path, name], look)
  }
}
