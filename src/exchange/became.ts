// What became of a call: its answer or fault, its failure, what it changed, how long it took.
import type { ApiError } from '../contract/errors.ts'
import type { Moment, TransportFault } from '../scenarios/consequences.ts'
import type { Change } from '../store/transaction.ts'
import { none } from './found.ts'

/** An answer, before it becomes a Response or bytes on a socket. Header names are lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
  /** What happens on the way instead of a whole answer. */
  fault?: TransportFault | undefined
}

/** What one effect of a scenario changed. */
export interface ScenarioChanges {
  at: Moment
  changes: readonly Change[]
}

/** What became of a call. Its number is given once, so that it survives a second judgement. */
export class Became implements Answer {
  /** The number of the request in its workspace, such as `req_default_1`; empty until it has one. */
  id = ''
  /** When it came, in milliseconds since the epoch on the clock of its workspace. */
  at = 0
  /** The name of the workspace that the call belongs to. */
  workspace = ''
  status = 0
  headers: Record<string, string> = noHeaders
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
  /** Milliseconds from the request to its answer, of the machine's own time. */
  duration = 0

  /** Answers, in place of what was answered before. */
  answer(status: number, headers: Record<string, string>, body: string | null, fault?: TransportFault): this {
    this.status = status
    this.headers = headers
    this.body = body
    this.fault = fault
    return this
  }

  /** Answers with JSON text. */
  answerJson(status: number, text: string, headers?: Readonly<Record<string, string>>): this {
    return this.answer(status, { 'content-type': 'application/json', ...headers }, text)
  }
}

/** Shared until there is an answer, which brings its own. */
const noHeaders: Record<string, string> = Object.freeze({})
