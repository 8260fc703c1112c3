// What became of a call: its answer or fault, its failure, what it changed, how long it took.
import type { ApiError } from '../contract/errors.ts'
import { versionHeader } from '../contract/versions.ts'
import { isLoss, type Loss, type Moment, type TransportFault } from '../scenarios/consequences.ts'
import type { Change } from '../store/transaction.ts'
import { none } from './resolution.ts'

/** An answer, before it becomes a Response or bytes on a socket. Header names are lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
  /** What happens on the way instead of a whole answer. */
  fault?: TransportFault | undefined
}

/**
 * How a client lost the whole response, if it did. `truncate` cuts the head of an answer without a body, and clients
 * make no response of that.
 */
export function lossOf({ fault, body }: Pick<Answer, 'fault' | 'body'>, method: string): Loss | undefined {
  if (isLoss(fault)) return fault
  const hasBody = method !== 'HEAD' && body !== null && body.length > 0
  return fault === 'truncate' && !hasBody ? 'empty' : undefined
}

/** What one effect of a scenario changed. */
export interface ScenarioChanges {
  at: Moment
  changes: readonly Change[]
}

/** What became of a call. Its number is given once, so that it survives a second judgement. */
export class Outcome implements Answer {
  /** The number of the request in its workspace, such as `req_default_1`; empty where it has none. */
  id = ''
  /** When it came, in milliseconds since the epoch on the clock of its workspace. */
  at = 0
  /** The name of the workspace that the call belongs to. */
  workspace = ''
  status = 0
  /** Undefined for the headers that most answers have, which are made when somebody looks: the journal keeps none. */
  #headers: Record<string, string> | undefined = noHeaders
  #version: string | undefined
  #assumptions = ''
  #date: string | undefined
  #length: number | undefined
  body: string | Uint8Array<ArrayBuffer> | null = null
  /** How many bytes the body had, where only its beginning is kept. */
  bodyBytes: number | undefined
  fault: TransportFault | undefined
  /** What was answered instead of a success. */
  failure: ApiError | undefined
  /** What the call itself changed. */
  changes: readonly Change[] = none
  /** What scenarios changed before or after that. */
  scenarioChanges: ScenarioChanges[] | undefined
  /** The version of the state that it was made from, or made, with a store that several processes share. */
  commit: number | undefined
  /** Milliseconds from the request to its answer, of the machine's own time. */
  duration = 0

  /** Forgets what was answered and changed; its number stays. */
  forget(): void {
    this.answer(0, noHeaders, null)
    this.failure = undefined
    this.changes = none
    this.scenarioChanges = undefined
    this.#version = undefined
    this.#assumptions = ''
    this.#date = undefined
    this.#length = undefined
  }

  /** Answers, in place of what was answered before. */
  answer(status: number, headers: Record<string, string>, body: string | null, fault?: TransportFault): this {
    this.status = status
    this.#headers = headers
    this.body = body
    this.fault = fault
    return this
  }

  /** Answers with JSON text. */
  answerJson(status: number, text: string, headers?: Readonly<Record<string, string>>): this {
    this.answer(status, noHeaders, text)
    this.#headers = headers && { 'content-type': json, ...headers }
    return this
  }

  /** Adds the headers that every answer has. @param assumptions those that it rests on, as the header has them. */
  complete(version: string | undefined, assumptions: string, date: string): void {
    this.#version = version
    this.#assumptions = assumptions
    this.#date = date
    if (this.#headers) this.#addUsual(this.#headers)
  }

  /** Adds how long the body is that the headers tell of. */
  measured(length: number): void {
    this.#length = length
    if (this.#headers) this.#headers['content-length'] = String(length)
  }

  /** The headers of the answer; whoever changes them changes the answer. */
  get headers(): Record<string, string> {
    if (!this.#headers) {
      this.#headers = { 'content-type': json }
      if (this.#date !== undefined) this.#addUsual(this.#headers)
      if (this.#length !== undefined) this.#headers['content-length'] = String(this.#length)
    }
    return this.#headers
  }

  /** The same as `writeHead` takes them; a list of texts costs it 1 µs less than an object. */
  get rawHeaders(): Record<string, string> | string[] {
    if (this.#headers || this.#date === undefined) return this.headers
    const raw = ['content-type', json]
    if (this.#version !== undefined) raw.push(versionHeader, this.#version)
    if (this.id !== '') raw.push('x-sandbox-request-id', this.id)
    if (this.#assumptions !== '') raw.push('x-sandbox-assumptions', this.#assumptions)
    if (this.commit !== undefined) raw.push(commitHeader, String(this.commit))
    raw.push('date', this.#date)
    if (this.#length !== undefined) raw.push('content-length', String(this.#length))
    return raw
  }

  /** The same with no more than the beginning of its body. */
  cut(beginning: Uint8Array<ArrayBuffer>, bodyBytes: number): Outcome {
    const cut = Object.assign(new Outcome(), this, { body: beginning, bodyBytes })
    // The answer itself is still to be sent, whole: they share what it says of its length.
    cut.#headers = this.headers
    return cut
  }

  #addUsual(headers: Record<string, string>): void {
    if (this.#version !== undefined) headers[versionHeader] = this.#version
    if (this.id !== '') headers['x-sandbox-request-id'] = this.id
    if (this.#assumptions !== '') headers['x-sandbox-assumptions'] = this.#assumptions
    if (this.commit !== undefined) headers[commitHeader] = String(this.commit)
    if (this.#date !== undefined) headers['date'] = this.#date
  }
}

const json = 'application/json'

/** Names the version of the state that an answer was made from, or made. */
export const commitHeader = 'x-sandbox-commit'

/** Shared until there is an answer, which brings its own. */
const noHeaders: Record<string, string> = Object.freeze({})
