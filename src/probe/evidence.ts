// Evidence: calls in which personal and secret values are replaced by tokens, equal for equal values.
import { jsonOf } from './read-answer.ts'
import {
  fixedSegments,
  kindOfHeader,
  kindOfPath,
  kindOfSegment,
  parameters,
  secretKind,
  isFoundAnywhere,
} from './secret-kinds.ts'
import { fromServiceParts } from './service-text.ts'
import { shortened, withoutMarks } from './shortened.ts'
import { isJsonObject } from '../contract/formats.ts'
import { passesLuhn } from '../secrets/cards.ts'
import type { Exchange } from './request-sender.ts'
import type { Target } from './target.ts'

/** A call in a form that reports may show. */
export interface Evidence {
  request: { method: string; path: string; headers: Record<string, string>; body?: unknown }
  /** Why there is no answer, if there is none. */
  not_called?: string
  answer?: { status: number; headers: Record<string, string>; body: unknown }
}

/** The evidence of a result, or why none can be shown; the reason names the kind of a secret and never its value. */
export type ShownEvidence =
  | { readonly shown: Evidence[]; readonly withheld?: never }
  | { readonly withheld: string; readonly shown?: never }

/** Response headers with information about the service; dates, request ids and similar ones only differ. */
const telling = /^(x-service-.*|content-type|www-authenticate|allow|retry-after|location)$/i

function tellingOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => telling.test(name)))
}

/** Shorter values may occur elsewhere by chance. */
const shortest = 2

// It begins at the start of a word: starting at each letter of a long word, the search would take the square of its
// length.
const emails = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

const phones = /(?<![\w.])\+\d(?:[ ()-]?\d){7,14}(?!\w)/g

const longNumbers = /(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)/g

const tokens = /<[a-z_0-9]+:\d+>/g

/** Replaces values that must not be written, over all calls of a run: the same value has the same token everywhere. */
export class Redaction {
  readonly #tokens = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** Values that must not occur anywhere, with their kinds. */
  readonly #secrets = new Map<string, string>()
  #pattern: RegExp | undefined

  constructor({ keys, merchant_keys: merchants, ids, expendable }: Target) {
    for (const key of [keys.full, keys.multi, ...Object.values(keys.without)])
      if (key) this.#learn('key', key)
    for (const merchant of merchants) this.#learn('merchant', merchant)
    for (const [kind, id] of Object.entries(ids)) {
      if (id) this.#learn(kind === 'partner_customer_id' ? 'partner_customer' : kind, id)
    }
    for (const [kind, rows] of Object.entries(expendable)) {
      for (const id of rows) this.#learn(kind.replace(/^pending_|s$/g, ''), id)
    }
  }

  /** Returns the calls in a form that may be shown; withheld if a secret is still found in them. */
  evidence(exchanges: readonly Exchange[]): ShownEvidence {
    // All are scanned before one is shown: an id in a path here may have its field in a later answer.
    for (const { request, answer } of exchanges) {
      for (const [name, value] of Object.entries(request.headers)) this.#learnHeader(name, value)
      this.#learnPath(request.path)
      const kind = kindOfPath(request.path)
      this.#learnBody(jsonOf(request.body), kind)
      if ('notCalled' in answer) continue
      for (const [name, value] of Object.entries(answer.headers)) this.#learnHeader(name, value)
      this.#learnBody(answer.json, kind)
    }
    const shown = exchanges.map((exchange) => this.#show(exchange))
    const kind = this.#secretIn(shown.flatMap((one) => [...textsOfService(one)]))
    if (kind !== undefined) return { withheld: withheldFor(kind) }
    // The second pass has the same answers, so the same evidence.
    return { shown: [...new Map(shown.map((one) => [JSON.stringify(one), one])).values()] }
  }

  /**
   * Returns a text of the run, such as an observation, in a form that may be shown, after its evidence. Numbers in it
   * are ours, unless they are in a part that `fromService` marks.
   */
  words(text: string): string {
    const parts = fromServiceParts(text).map(({ part, isOfService }) => ({
      shown: isOfService ? this.#text(part) : this.#ownText(part),
      isOfService,
    }))
    const kind = this.#secretIn(
      parts.map(({ shown, isOfService }) => (isOfService ? shown : withoutNumbers(shown))),
    )
    return kind === undefined ? parts.map(({ shown }) => shown).join('') : `(withheld: ${withheldFor(kind)})`
  }

  #show({ request: { method, path, headers, body }, answer }: Exchange): Evidence {
    const request = {
      method,
      path: this.#path(path),
      headers: this.#headers(headers),
      ...(body === undefined
        ? {}
        : { body: shortened(this.#body(jsonOf(body) ?? body, kindOfPath(path), 'request')) }),
    }
    if ('notCalled' in answer) return { request, not_called: this.#ownText(answer.notCalled) }
    const shown = shortened(this.#body(answer.json ?? answer.text, kindOfPath(path), 'answer'))
    return {
      request,
      answer: { status: answer.status, headers: this.#headers(tellingOf(answer.headers)), body: shown },
    }
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const kind = kindOfHeader[name.toLowerCase()]
        if (kind !== 'credential') return [name, kind ? this.#token(kind, value) : this.#text(value)]
        const [scheme = '', ...rest] = value.split(' ')
        return [
          name,
          rest.length === 0 ? this.#token(kind, value) : `${scheme} ${this.#token(kind, rest.join(' '))}`,
        ]
      }),
    )
  }

  /** Decoded if that shows a value to replace: `%40` may hide an address. */
  #path(path: string): string {
    const [address = '', query] = path.split('?')
    const part = (text: string): string => {
      const decoded = decode(text)
      const shown = this.#text(decoded)
      return shown === decoded ? text : shown
    }
    // By their positions, as short values are not replaced elsewhere.
    const known = address.replaceAll(parameters, (whole, name: string, value: string) =>
      fixedSegments.has(value) ? whole : `/${name}/${this.#token(kindOfSegment(name), decode(value))}`,
    )
    const shown = known
      .split('/')
      .map((segment) => (fixedSegments.has(segment) ? segment : part(segment)))
      .join('/')
    if (query === undefined) return shown
    const pairs = query.split('&').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      const kind = value.length === 0 ? undefined : secretKind(name)
      // Page sizes and similar numbers are ours.
      if (kind === undefined && isNumber(value.join('='))) return pair
      return kind === undefined
        ? [name, ...value].map(part).join('=')
        : `${name}=${this.#token(kind, decode(value.join('=')))}`
    })
    return `${shown}?${pairs.join('&')}`
  }

  #body(value: unknown, ofId: string, side: 'request' | 'answer', kind?: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#body(item, ofId, side, kind))
    if (isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          this.#text(name),
          this.#body(inner, ofId, side, kind ?? (name === 'id' ? ofId : secretKind(name))),
        ]),
      )
    }
    if (kind !== undefined && (typeof value === 'string' || typeof value === 'number')) {
      return value === '' ? value : this.#token(kind, String(value))
    }
    if (typeof value === 'string') return this.#text(value)
    // The numbers that a probe sends are its own.
    if (typeof value !== 'number' || side === 'request') return value
    const shown = this.#text(String(value))
    return shown === String(value) ? value : shown
  }

  #text(text: string, isOwn: (found: string) => boolean = () => false): string {
    return text
      .replace(this.#compiled(), (found) => (isOwn(found) ? found : (this.#tokens.get(found) ?? '<secret>')))
      .replace(emails, (found) => this.#token('email', found))
      .replace(phones, (found) => this.#token('phone', found))
      .replace(longNumbers, (found) => (isCard(found) ? this.#token('pan', found.replace(/\D/g, '')) : found))
  }

  /** Like `#text`, for words of ours: a number in them is no secret, even if it equals a value of the service. */
  #ownText(text: string): string {
    return this.#text(text, isNumber)
  }

  #learnHeader(name: string, value: string): void {
    const kind = kindOfHeader[name.toLowerCase()]
    if (kind === undefined) return
    // In `Bearer <key>` the key is the secret, and in Basic the key within.
    const credential = kind === 'credential' ? value.slice(value.indexOf(' ') + 1) : value
    this.#learn(kind, credential)
  }

  /** Values of a path are at the positions of the contract's parameters: after the name of their collection. */
  #learnPath(path: string): void {
    for (const [, name = '', value = ''] of path.matchAll(parameters)) {
      if (!fixedSegments.has(value)) this.#learn(kindOfSegment(name), decode(value))
    }
    for (const [name, value] of new URLSearchParams(path.split('?')[1] ?? '')) {
      const kind = secretKind(name)
      if (kind) this.#learn(kind, value)
    }
  }

  #learnBody(value: unknown, ofId: string, field = ''): void {
    if (Array.isArray(value)) for (const item of value) this.#learnBody(item, ofId, field)
    else if (isJsonObject(value))
      for (const [name, inner] of Object.entries(value)) this.#learnBody(inner, ofId, name)
    else if (typeof value === 'string' || typeof value === 'number') {
      const kind = field === 'id' ? ofId : secretKind(field)
      if (kind !== undefined) this.#learn(kind, String(value))
    }
  }

  #learn(kind: string, value: string): void {
    if (value.length < shortest || this.#secrets.has(value)) return
    this.#secrets.set(value, kind)
    this.#token(kind, value)
    this.#pattern = undefined
  }

  #token(kind: string, value: string): string {
    const known = this.#tokens.get(value)
    if (known) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const token = `<${kind}:${count}>`
    this.#tokens.set(value, token)
    return token
  }

  /** Returns the kind of a secret that is still in redacted texts of the service, by values and patterns. */
  #secretIn(texts: readonly string[]): string | undefined {
    const written = texts.join('\n').replace(tokens, '"')
    const [found] = this.#compiled().exec(written) ?? []
    if (found !== undefined) return this.#secrets.get(found) ?? 'secret'
    for (const [secret, kind] of this.#secrets) {
      if (isFoundAnywhere(kind) && spellingsOf(secret).some((spelling) => written.includes(spelling)))
        return kind
    }
    if (written.search(emails) !== -1) return 'email'
    return written.search(phones) === -1 ? undefined : 'phone'
  }

  #compiled(): RegExp {
    this.#pattern ??= patternOf(this.#secrets)
    this.#pattern.lastIndex = 0
    return this.#pattern
  }
}

/** The spellings of a secret in URLs and in Basic credentials. */
function spellingsOf(secret: string): string[] {
  const basic = Buffer.from(`${secret}:`)
    .toString('base64')
    .replace(/.{2}=*$/, '')
  return [encodeURIComponent(wellFormed(secret)), basic]
}

function patternOf(secrets: ReadonlyMap<string, string>): RegExp {
  const longestFirst = [...secrets].toSorted(([a], [b]) => b.length - a.length)
  const runs: { anywhere: boolean; texts: string[] }[] = []
  for (const [secret, kind] of longestFirst) {
    const anywhere = isFoundAnywhere(kind)
    if (runs.at(-1)?.anywhere !== anywhere) runs.push({ anywhere, texts: [] })
    runs.at(-1)?.texts.push(secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  }
  // The word boundaries surround the whole alternation: thousands of ids with boundaries of their own take 30 s for a
  // page of customers.
  const patterns = runs.map(({ anywhere, texts }) => {
    const either = `(?:${texts.join('|')})`
    return anywhere ? either : `(?<![A-Za-z0-9_])${either}(?![A-Za-z0-9_])`
  })
  return patterns.length === 0 ? /(?!)/g : new RegExp(patterns.join('|'), 'g')
}

const withheldFor = (kind: string): string => `a ${kind} remains after redaction: report this as a bug`

/**
 * The texts of redacted evidence from the service or the target file. Methods, statuses, names of headers, fixed
 * segments of paths and numbers in requests are ours.
 */
function* textsOfService({ request, answer, not_called: notCalled = '' }: Evidence): Generator<string> {
  for (const part of request.path.split(/[/?&=]/)) if (!fixedSegments.has(part) && !isNumber(part)) yield part
  for (const [name, value] of Object.entries(request.headers)) {
    const isCredential = kindOfHeader[name.toLowerCase()] === 'credential'
    yield isCredential ? value.slice(value.indexOf(' ') + 1) : value
  }
  yield* textsIn(request.body, 'request')
  yield withoutNumbers(notCalled)
  if (!answer) return
  yield* Object.values(answer.headers)
  yield* textsIn(answer.body, 'answer')
}

/** The names, texts and, in answers, numbers of a body; true, false and null identify no one. */
function* textsIn(value: unknown, side: 'request' | 'answer'): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* textsIn(item, side)
  else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      yield name
      yield* textsIn(inner, side)
    }
  } else if (typeof value === 'string') yield withoutMarks(value)
  else if (typeof value === 'number' && side === 'answer') yield String(value)
}

const isNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text)

const withoutNumbers = (text: string): string =>
  text.replace(tokens, '"').replace(/(?<![A-Za-z0-9_])\d+(?![A-Za-z0-9_])/g, '"')

const wellFormed = (text: string): string => Buffer.from(text).toString()

function isCard(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  return digits.length >= 13 && digits.length <= 19 && passesLuhn(digits)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
