// Who makes a call, while it lasts: its stream or web body, any of its headers, whether the client is gone, and where
// its answer goes.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outcome } from '../call/outcome.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { BodySource } from './body/read-body.ts'
import { sendOnSocket, toResponse, untilSent, type Ending } from './send.ts'

/** What a call is asked while it lasts; nothing of it is kept. */
export interface Caller {
  /** Whether it came through a socket. */
  readonly overHttp: boolean
  readonly body: BodySource
  /** The workspace to stay in, when the call comes through a workspace's own `fetch`. */
  readonly fixed: Workspace | undefined
  /** Whether a key of that workspace may name another one, which is then not looked at. */
  readonly takesAnyKey?: true
  /** The value of any header, for rules that look at it. */
  header(name: string): string | undefined
  /** Aborted when the client is gone. */
  gone(): AbortSignal
  /**
   * Sends the answer, which is asked once. Settles when all of it is sent or the connection is lost; undefined where
   * that is so by now. @param unread the body of the call, where nobody reads it.
   */
  send(
    answer: Outcome,
    method: string,
    closing: AbortSignal,
    unread?: IncomingMessage,
  ): Promise<void> | undefined
}

/** A client on a socket. */
export class SocketCaller implements Caller {
  readonly overHttp = true
  readonly body: { stream: IncomingMessage }
  readonly fixed = undefined
  readonly #outgoing: ServerResponse
  readonly #sent: (() => void) | undefined

  /** @param sent told when the answer is on its way. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, sent?: () => void) {
    this.body = { stream: incoming }
    this.#outgoing = outgoing
    this.#sent = sent
  }

  header(name: string): string | undefined {
    const value = this.body.stream.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** Aborted when the answer is sent or the connection is lost, also where that was before. */
  gone(): AbortSignal {
    const gone = new AbortController()
    const sending = untilSent(this.#outgoing)
    if (sending === undefined) gone.abort()
    else void sending.then(() => gone.abort())
    return gone.signal
  }

  send(
    answer: Outcome,
    method: string,
    closing: AbortSignal,
    unread?: IncomingMessage,
  ): Promise<void> | undefined {
    sendOnSocket(answer, method, this.#outgoing, closing, unread)
    this.#sent?.()
    return untilSent(this.#outgoing)
  }
}

/** Whoever calls with a web Request, in this process. */
export class WebCaller implements Caller {
  readonly overHttp = false
  readonly body: BodySource
  readonly fixed: Workspace | undefined
  readonly #request: Request
  readonly #ended: (ending: Ending) => void

  constructor(request: Request, fixed: Workspace | undefined, ended: (ending: Ending) => void) {
    this.body = { web: request.body }
    this.fixed = fixed
    this.#request = request
    this.#ended = ended
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  gone(): AbortSignal {
    return this.#request.signal
  }

  send(answer: Outcome, method: string, closing: AbortSignal): Promise<void> | undefined {
    const ending = toResponse(answer, method, () => this.gone(), closing)
    this.#ended(ending)
    return ending.sent
  }
}

/** Whoever calls without a Request, in this process. */
export class ProcessCaller implements Caller {
  readonly overHttp = false
  readonly body: BodySource
  readonly fixed: Workspace | undefined
  readonly #headers: readonly (readonly [name: string, value: string])[]
  readonly #ended: (ending: Ending) => void

  /** @param headers by name, in lower case. */
  constructor(
    body: BodySource,
    headers: readonly (readonly [string, string])[],
    fixed: Workspace | undefined,
    ended: (ending: Ending) => void,
  ) {
    this.body = body
    this.fixed = fixed
    this.#headers = headers
    this.#ended = ended
  }

  header(name: string): string | undefined {
    const wanted = name.toLowerCase()
    return this.#headers.find(([sent]) => sent === wanted)?.[1]
  }

  /** Such a caller has no way to give up. */
  gone(): AbortSignal {
    return new AbortController().signal
  }

  send(answer: Outcome, method: string, closing: AbortSignal): Promise<void> | undefined {
    const ending = toResponse(answer, method, () => this.gone(), closing)
    this.#ended(ending)
    return ending.sent
  }
}
