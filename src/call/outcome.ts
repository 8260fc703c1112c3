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
  /** A fault that replaces or cuts the answer. */
  fault?: TransportFault | undefined
}

/**
 * How a client lost the whole response, if it did. `truncate` cuts the status line of an answer without a body, from
 * which clients make no response.
 */
export function lossOf({ fault, body }: Pick<Answer, 'fault' | 'body'>, method: string): Loss | undefined {
  if (isLoss(fault)) return fault
  const hasBody = method !== 'HEAD' && body !== null && body.length > 0
  return fault === 'truncate' && !hasBody ? 'empty' : undefined
}

/** The changes of one effect of a scenario. */
export interface ScenarioChanges {
  at: Moment
  changes: readonly Change[]
}

/** The outcome of a call; a retried call gets a new one. */
export class Outcome implements Answer {
  /** The id of the request in its workspace, such as `req_default_1`; empty if it has none. */
  id = ''
  /** When it arrived, in ms since the epoch on the clock of its workspace. */
  at = 0
  /** The same in ms on the clock of the machine, which no test freezes or moves. */
  machineTime = 0
  /** The name of the workspace that the call belongs to. */
  workspace = ''
  /** The test that its workspace was created for. */
  test: TestName | undefined
  status = 0
  /** Undefined for the usual headers, which are built when they are read: the journal stores a thousand outcomes. */
  #headers: Readonly<Record<string, string>> | undefined = noHeaders
  #version: string | undefined
  #assumptions = ''
  #date: string | undefined
  #length: number | undefined
  body: string | Uint8Array<ArrayBuffer> | null = null
  /** The size of the body in bytes, if only its beginning is stored. */
  bodyBytes: number | undefined
  fault: TransportFault | undefined
  /** The client closed the connection before its answer began. */
  isClientGone = false
  /** The error that was answered instead of a success. */
  failure: ApiError | undefined
  /** The changes of the call itself. */
  changes: readonly Change[] = none
  /** The changes of scenarios before or after that. */
  scenarioChanges: ScenarioChanges[] | undefined
  /** Duration from the request to its answer in ms, in monotonic time. */
  duration = 0

  /** Sets the answer, replacing an earlier one. */
  answer(status: number, headers: Record<string, string>, body: string | null, fault?: TransportFault): this {
    this.status = status
    this.#headers = headers
    this.body = body
    this.fault = fault
    return this
  }

  /** Sets an answer of JSON text. */
  answerJson(status: number, text: string, headers?: Readonly<Record<string, string>>): this {
    this.answer(status, noHeaders, text)
    this.#headers = headers && { 'content-type': json, ...headers }
    return this
  }

  /** Adds the headers that every answer has. @param assumptions those that it rests on, as header text. */
  complete(version: string | undefined, assumptions: string, date: string): void {
    this.#version = version
    this.#assumptions = assumptions
    this.#date = date
    this.#length = this.body === null ? undefined : Buffer.byteLength(this.body)
    if (this.#headers) this.#headers = this.#withCommonHeaders(this.#headers)
  }

  /** The headers of the answer. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers ?? this.#withCommonHeaders({ 'content-type': json })
  }

  /** Adds headers to the answer, replacing those of the same names. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...this.headers, ...headers }
  }

  /** Returns the same with at most the beginning of its body. */
  cut(beginning: Uint8Array<ArrayBuffer>, bodyBytes: number): Outcome {
    const cut = Object.assign(new Outcome(), this, { body: beginning, bodyBytes })
    cut.#headers = this.headers
    return cut
  }

  #withCommonHeaders(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    // When headers are completed again, the length stays last.
    for (const name in own) if (name !== 'content-length') headers[name] = own[name] ?? ''
    if (this.#version !== undefined) headers[versionHeader] = this.#version
    if (this.id !== '') headers['x-sandbox-request-id'] = this.id
    if (this.#assumptions !== '') headers['x-sandbox-assumptions'] = this.#assumptions
    if (this.#date !== undefined) headers['date'] = this.#date
    if (this.#length !== undefined) headers['content-length'] = String(this.#length)
    return headers
  }
}

const json = 'application/json'

/** Shared until there is an answer, which has its own. */
const noHeaders: Record<string, string> = Object.freeze({})
