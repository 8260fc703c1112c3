// Writes a scenario that repeats the answer of a call: by its own effect, or by `respond`.
import type { ContractPoint } from '../../../coverage/points/point.ts'
import { errorCatalogue, type ErrorType } from '../../../contract/errors.ts'
import { isJsonObject } from '../../../json/json-object.ts'
import { stringify } from '../../../json/stringify.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { factOf } from './sent-again.ts'

/** A scenario file. */
export interface WrittenScenario {
  name: string
  description: string
  rules: { on: string; when?: { params: Record<string, string> }; effect: unknown }[]
}

/** A scenario, or why there can be none. */
export type ScenarioOf = { scenario: WrittenScenario } | { whyNot: string }

/** As JSON, which is YAML as well. @param points those of `GET /contract`, which name the paths of operations. */
export function asScenario(entry: ExplainedEntry, points: readonly ContractPoint[]): string | undefined {
  const made = scenarioOf(entry, points)
  return 'scenario' in made ? `${stringify(made.scenario, 2)}\n` : undefined
}

export function scenarioOf(entry: ExplainedEntry, points: readonly ContractPoint[]): ScenarioOf {
  const { operation, id, status, outcome, error_type: type } = entry
  if (operation === null) {
    return { whyNot: 'A scenario applies to operations, and this path belongs to none: use a stub.' }
  }
  const effect = effectOf(entry)
  if (entry.response.body_bytes !== undefined && typeof effect === 'object' && 'respond' in effect) {
    return {
      whyNot: 'The journal has only the beginning of this answer, so a scenario cannot repeat it.',
    }
  }
  if (holdsTemplate(effect)) {
    return {
      whyNot: 'The answer holds {{, ${ or <%, which a scenario file would read as a template.',
    }
  }
  const params = paramsOf(entry, points)
  const what = outcome === 'fault' ? 'the connection fails' : `${status}${type === null ? '' : ` ${type}`}`
  const scenario = {
    name: `${operation.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${outcome === 'fault' ? 'fault' : status}`,
    description: `Answers ${operation} like ${id}: ${what}.`,
    rules: [{ on: operation, ...(Object.keys(params).length > 0 ? { when: { params } } : {}), effect }],
  }
  return { scenario }
}

/** The named effect if it gives this very answer to any such call, otherwise the answer itself, which is off contract. */
function effectOf(entry: ExplainedEntry): object | string {
  const { outcome, off_contract: isOffContract } = entry
  if (outcome === 'fault') return faultOf(entry)
  return (isOffContract ? undefined : errorEffect(entry)) ?? { respond: answerOf(entry) }
}

function faultOf(entry: ExplainedEntry): object {
  const fault = String(factOf(entry, 'connection', 'fault')?.value)
  const [, rate] = /^drip of (\d+) /.exec(fault) ?? []
  const moment = String(factOf(entry, 'connection', 'moment')?.value)
  return {
    transport: rate === undefined ? fault : { drip: { bytes_per_second: Number(rate) } },
    at: moment.startsWith('before') ? 'before' : 'after',
  }
}

/** The effect that is for an error, by the shape and the words of its body (contract: Errors). */
function errorEffect({
  status,
  outcome,
  response: { body, headers },
}: ExplainedEntry): object | string | undefined {
  // Scenarios do not see calls that are refused before a version is chosen.
  if (status === null || status < 400 || !isJsonObject(body) || headers['x-service-version'] === undefined)
    return undefined
  const { details, type, message, param, error } = body
  if (outcome === 'invalid' && isTexts(details) && status === errorCatalogue.VALIDATION_ERROR.status) {
    return { invalid: details }
  }
  if (outcome === 'not_found' && isErrorType(type) && message === errorCatalogue[type].message) {
    return { not_found: param }
  }
  if (!isJsonObject(error) || typeof error['message'] !== 'string') return undefined
  // An effect has no fields next to the type and the message, such as the existing link.
  if (Object.keys(error).length > 2) return undefined
  if (outcome === 'forbidden' && /^The API key lacks the scope \w+\.$/.test(error['message']))
    return 'missing_scope'
  return isErrorType(error['type']) ? generalError(error['type'], error['message'], status) : undefined
}

/** Those that an operation declares, or all can answer with. */
function generalError(type: ErrorType, message: string, status: number): object | undefined {
  const row: { status: number; message: string; outcome: string; everywhere?: true } = errorCatalogue[type]
  if (row.status !== status || !(row.everywhere || row.outcome === 'refused')) return undefined
  return { error: type, ...(message === row.message ? {} : { message }) }
}

/** Headers that the sandbox sends by itself. */
const ownHeaders = /^(x-sandbox-.*|date|content-length|connection|keep-alive|access-control-.*|vary)$/

function answerOf({ response, method }: ExplainedEntry): unknown {
  const { status, body } = response
  const isJson = response.headers['content-type'] === 'application/json'
  const headers = Object.entries(response.headers).filter(([name, value]) => {
    const isDefaultType = name === 'content-type' && isJson && typeof body === 'object' && body !== null
    return !ownHeaders.test(name) && !isDefaultType && /^[\x20-\x7e]*$/.test(value)
  })
  return {
    status,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(body === null || method === 'HEAD' ? {} : { body: asSent(response) }),
  }
}

/** A JSON text is shown without its quotes, where one that is no JSON is shown as it was. */
function asSent({ body, headers }: ExplainedEntry['response']): unknown {
  if (typeof body !== 'string' || headers['content-type'] !== 'application/json') return body
  const text = JSON.stringify(body)
  const size = new TextEncoder().encode(text).length
  return headers['content-length'] === String(size) ? text : body
}

/** The parameters of the path by their names. */
function paramsOf(
  { operation, path }: ExplainedEntry,
  points: readonly ContractPoint[],
): Record<string, string> {
  const section = points.find((point) => point.operation === operation && / \//.test(point.section))?.section
  const names = (section ?? '').replace(/^\S+ /, '').split('/')
  const values = path.split('/').slice(-names.length)
  const found = names.flatMap((name, place) => {
    const value = values[place] ?? ''
    // Parts that a pattern could misread are omitted: the rule then matches more calls.
    return name.startsWith('{') && /^[\w.~-]{1,128}$/.test(value) ? [[name.slice(1, -1), value] as const] : []
  })
  return Object.fromEntries(found)
}

function isErrorType(type: unknown): type is ErrorType {
  return typeof type === 'string' && Object.hasOwn(errorCatalogue, type)
}

function isTexts(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '')
  )
}

/** Scenario files hold data and no code. */
function holdsTemplate(value: unknown): boolean {
  if (typeof value === 'string') return /\{\{|\$\{|<%/.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsTemplate)
}
