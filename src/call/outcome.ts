// The outcome of a call: its answer or fault, its failure, its changes, its duration.
import type { ApiError } from '../contract/errors.ts'
import { versionHeader } from '../contract/versions.ts'
import { isLoss, type Loss, type Moment, type TransportFault } from '../scenarios/consequences.ts'
import type { Change } from '../store/transaction.ts'
import { none } from './resolution.ts'
import type { TestName } from './test-of-call.ts'

/** An answer, before it becomes a Response or bytes on a socket. Header names are lower case. */
export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
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

/** The outcome of a call; a retried call gets a new one. */
export class Outcome implements Answer {
  /** The number of the request in its workspace, such as `req_default_1`; empty where it has none. */
  id = ''
  /** When it came, in milliseconds since the epoch on the clock of its workspace. */
  at = 0
  /** The name of the workspace that the call belongs to. */
  workspace = ''
  /** The test that its workspace was created for. */
  test: TestName | undefined
  status = 0
  /** Undefined for the usual headers, which are built when they are read: the journal keeps a thousand outcomes. */
  #headers: Readonly<Record<string, string>> | undefined = noHeaders
  #version: string | undefined
  #assumptions = ''
  #date: string | undefined
  #length: number | undefined
  body: string | Uint8Array<ArrayBuffer> | null = null
  /** How many bytes the body had, where only its beginning is kept. */
  bodyBytes: number | undefined
  fault: TransportFault | undefined
  /** The client closed the connection before its answer began. */
  isClientGone = false
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
    this.#length = this.body === null ? undefined : Buffer.byteLength(this.body)
    if (this.#headers) this.#headers = this.#withUsual(this.#headers)
  }

  /** The headers of the answer. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers ?? this.#withUsual({ 'content-type': json })
  }

  /** Adds headers to the answer, or replaces those of the same names. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...this.headers, ...headers }
  }

  /** The same with no more than the beginning of its body. */
  cut(beginning: Uint8Array<ArrayBuffer>, bodyBytes: number): Outcome {
    const cut = Object.assign(new Outcome(), this, { body: beginning, bodyBytes })
    cut.#headers = this.headers
    return cut
  }

  #withUsual(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    // Of headers that are completed for the second time the length stays last.
    for (const name in own) if (name !== 'content-length') headers[name] = own[name] ?? ''
    if (this.#version !== undefined) headers[versionHeader] = this.#version
    if (this.id !== '') headers['x-sandbox-request-id'] = this.id
    if (this.#assumptions !== '') headers['x-sandbox-assumptions'] = this.#assumptions
    if (this.commit !== undefined) headers[commitHeader] = String(this.commit)
    if (this.#date !== undefined) headers['date'] = this.#date
    if (this.#length !== undefined) headers['content-length'] = String(this.#length)
    return headers
  }
}

const json = 'application/json'

/** Names the version of the state that an answer was made from, or made. */
export const commitHeader = 'x-sandbox-commit'

/** Shared until there is an answer, which brings its own. */
const noHeaders: Record<string, string> = Object.freeze({})
