// The values of a captured request that a provider may sign: ids, times, types, and labels of signatures.
import { isJsonObject } from '../../json/json-object.ts'
import type { CapturedRequest } from './captured-request.ts'
import { digestsIn } from './digests.ts'
import { typeOfStyle } from './event-names.ts'
import {
  isEnvelope,
  isIdField,
  isIdHeader,
  isSecretName,
  isTimeName,
  isTransport,
  isTypeField,
  isTypeHeader,
} from './header-names.ts'
import type { SignedValue } from './signed-candidates.ts'
import { timeOf, timesIn } from './times.ts'

/** Fields at the top of a body and in its envelope, where those of the event are. */
export function* eventFields(body: object): Generator<{ path: string[]; key: string; value: unknown }> {
  for (const [key, value] of Object.entries(body)) {
    yield { path: [key], key, value }
    if (!isJsonObject(value) || !isEnvelope(key)) continue
    for (const [inner, one] of Object.entries(value)) yield { path: [key, inner], key: inner, value: one }
  }
}

/** Maximum number of values of a kind: each further one multiplies the candidates. */
const maxOfKind: Readonly<Record<SignedValue['kind'], number>> = {
  id: 6,
  time: 6,
  type: 3,
  label: 3,
  address: 2,
}

/**
 * Returns the values that may be signed.
 *
 * @param body the body as JSON; undefined if it is none.
 * @param all also values that a description cannot sign, so that a message can name them.
 */
export function signedValues(
  { headers, target }: CapturedRequest,
  body: unknown,
  all: boolean,
): SignedValue[] {
  const values = [...headerValues(headers), ...(isJsonObject(body) ? bodyValues(body) : [])]
  if (all) values.push(...addressValues(target, headers))
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  return values.filter(({ kind, text, problem }) => {
    if (problem !== undefined && !all) return false
    const key = `${kind} ${text}`
    const count = counts.get(kind) ?? 0
    if (text === '' || seen.has(key) || count >= maxOfKind[kind]) return false
    seen.add(key)
    counts.set(kind, count + 1)
    return true
  })
}

function headerValues(headers: ReadonlyMap<string, string>): SignedValue[] {
  const own = [...headers].filter(
    ([name]) => !isSecretName(name) || digestsIn(name, headers.get(name) ?? '').length > 0,
  )
  const sent = own.filter(([name]) => !isTransport(name))
  const values: SignedValue[] = []
  const add = (kind: SignedValue['kind'], text: string): void => void values.push({ kind, text })
  for (const [name, value] of sent) if (isIdHeader(name)) add('id', value)
  for (const [name, value] of sent) {
    values.push(
      ...timesIn(value)
        .map(({ time }) => timeValue(time.text))
        .flat(),
    )
    if (typeOfStyle(value) !== undefined || isTypeHeader(name)) add('type', value)
    for (const { index } of digestsIn(name, value)) {
      const label = /([\w-]+)[=,: ]*$/.exec(value.slice(0, index))?.[1]
      if (label !== undefined) add('label', label)
    }
    for (const [, key = '', text = ''] of value.matchAll(/([\w-]+)=([^,;\s]+)/g))
      if (isIdField(key) || isIdHeader(key)) add('id', text)
  }
  const date = headers.get('date')
  if (date !== undefined) values.push(...timeValue(date))
  // A header whose name shows nothing may still be the id.
  for (const [name, value] of sent) {
    const isKnown = values.some(({ text }) => text === value)
    const isPlain = /^[\x21-\x7e]{1,100}$/.test(value) && digestsIn(name, value).length === 0
    if (isPlain && !isKnown) add('id', value)
  }
  return values
}

function bodyValues(body: Record<string, unknown>): SignedValue[] {
  return [...eventFields(body)].flatMap(({ key, value }): SignedValue[] => {
    if (typeof value !== 'string' && typeof value !== 'number') return []
    const text = String(value)
    if (timeOf(text)) return timeValue(text)
    if (typeof value !== 'string') return []
    if (typeOfStyle(text) !== undefined || isTypeField(key)) return [{ kind: 'type', text }]
    return isIdField(key) && !isTimeName(key) ? [{ kind: 'id', text }] : []
  })
}

/** A time, and the same time in seconds, which a provider may sign in place of the text. */
function timeValue(text: string): SignedValue[] {
  const time = timeOf(text)
  if (!time) return []
  const problem = time.format === null ? `the time as ${time.form}` : undefined
  const own: SignedValue = { kind: 'time', text, problem }
  const seconds = String(Math.floor(time.ms / 1000))
  return seconds === text ? [own] : [own, { kind: 'time', text: seconds }]
}

/** The address of the request: no description can sign it. */
function addressValues(target: string, headers: ReadonlyMap<string, string>): SignedValue[] {
  const problem = 'the address of the request'
  const isWhole = /^https?:/.test(target)
  const url = isWhole ? target : `https://${headers.get('host') ?? ''}${target}`
  const path = URL.canParse(url) ? new URL(url).pathname : target
  return [
    { kind: 'address', text: url, problem },
    { kind: 'address', text: path, problem },
  ]
}
