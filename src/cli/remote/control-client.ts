// A client of the control plane of a running sandbox: its requests, their timeout, and its errors.
import { z } from 'zod'
import { caFileVariable, fileVariableOf, flagOf, variableOf } from '../../options/index.ts'
import { mark } from '../../operations/health.ts'
import { formatProblems, type Problem } from '../../input/problems.ts'
import { ownerOfToken } from '../../workspaces/isolation.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'

/** Default timeout of an answer (ms); saving a large state document takes longest. */
const defaultTimeoutMs = 60_000

/** A request to the control plane. */
export interface Request {
  method: string
  /** Below `/_sandbox`. */
  path: string
  query?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent unchanged. */
  body?: unknown
  timeoutMs?: number
  /** Aborts the request. */
  signal?: AbortSignal
}

/** A complete answer. */
interface Answer {
  status: number
  text: string
  /** Whether it has the mark of the health of a sandbox. */
  isMarked: boolean
}

/** Thrown if no sandbox answers: no server, or another one. */
export class NoSandboxError extends CliError {
  /** The reason in a few words: a network error, a timeout, or the answer of another server. */
  readonly why: string

  constructor(url: string, why: string) {
    super(`error: no sandbox answers at ${url} (${why}): ${startHint}`, exitCodes.unreachable)
    this.why = why
  }
}

/** The next step. */
export const startHint = 'start one with `partner-rewards-sandbox start`, or name another with --url'

/** Returns the exit code for a refusal; the only place that defines it. */
function exitCodeOf(status: number, isDocument = false): number {
  if ([401, 403, 421].includes(status)) return exitCodes.unreachable
  if (status === 404 || status === 503) return exitCodes.notFound
  if (isDocument && (status === 400 || status === 413)) return exitCodes.badFile
  return status < 500 ? exitCodes.usage : exitCodes.unexpected
}

/** Thrown if the control plane refuses a request; its message is the refusal, with every problem in it. */
export class RefusedError extends CliError {
  readonly status: number
  /** The message of the control plane, on one line. */
  readonly reason: string
  /** The problems of the document that was sent. */
  readonly problems: readonly Problem[]
  /** How many more there are. */
  readonly more: number

  constructor(
    status: number,
    { reason, problems, more }: { reason: string; problems: readonly Problem[]; more: number },
    isDocument = false,
  ) {
    super(
      problems.length > 0 ? formatProblems(problems, 'text', more) : `error: ${reason}`,
      exitCodeOf(status, isDocument),
    )
    this.status = status
    this.reason = reason
    this.problems = problems
    this.more = more
  }
}

/** Text of the sandbox that is safe for a terminal. */
const shownText = z.string().transform(terminalSafe)

const problem = z.object({
  source: shownText,
  line: z.number().exactOptional(),
  column: z.number().exactOptional(),
  path: shownText,
  message: shownText,
  excerpt: shownText.exactOptional(),
})

const refusal = z.object({
  error: z.object({
    message: shownText,
    details: z.array(problem).optional(),
    more: z.number().optional(),
  }),
})

/** The options of a client. */
export interface ClientOptions {
  /** The workspace of `--workspace`. */
  workspace?: string | undefined
  token?: string | undefined
  /** The requests are about all workspaces, unless one was named. */
  isAboutAll?: boolean
  /** The authority that signed the certificate of the sandbox, as PEM; only for https. */
  ca?: string | undefined
  /** Receives the body of each refusal. */
  onRefusal?: (body: string) => void
}

/**
 * The control plane of a running sandbox.
 *
 * @example
 * const client = await connect(flags, io)
 * const { data } = await client.ask({ method: 'POST', path: '/reset' }, replaced)
 */
export class ControlClient {
  readonly url: string
  /** Whether the token belongs to a partner, who is not the operator of the sandbox. */
  readonly isOfPartner: boolean
  /** The workspace of requests: by default that of the token of a partner. */
  readonly workspace: string
  /** Whether `--workspace` named it. */
  readonly isNamed: boolean
  readonly #options: ClientOptions

  constructor(url: string, options: ClientOptions = {}) {
    const { workspace, token } = options
    const owner = token === undefined ? undefined : ownerOfToken(token)
    this.url = url
    this.workspace = workspace ?? owner ?? defaultWorkspace
    this.isNamed = workspace !== undefined
    this.isOfPartner = owner !== undefined
    this.#options = options
  }

  /** Returns the answer, whatever its status. @throws {NoSandboxError} if there is none. */
  async fetch(request: Request): Promise<Answer> {
    return this.#send(request, answerOf)
  }

  async #send<T>(request: Request, read: (response: Response) => Promise<T>): Promise<T> {
    const { method, path, body, query = {}, timeoutMs = defaultTimeoutMs, signal } = request
    const { token, isAboutAll, ca } = this.#options
    const parameters = new URLSearchParams(query)
    if (!isAboutAll || this.isNamed) parameters.set('workspace', this.workspace)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const target = `${this.url}/_sandbox${path}?${parameters}`
      const sent = {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }
      const response =
        ca === undefined
          ? // If it were followed, a redirected POST would become a GET.
            await fetch(target, { ...sent, redirect: 'manual' })
          : await (await import('./trusting-fetch.ts')).trustingFetch(ca, target, sent)
      if (isOfApi(response, this.url)) throw new NoSandboxError(this.url, whyApi(this.url))
      return await read(response)
    } catch (error) {
      if (error instanceof NoSandboxError) throw error
      const why = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : whyUnreachable(error)
      throw new NoSandboxError(this.url, why)
    }
  }

  /**
   * Yields the text of an answer in chunks as they arrive: a state of many rows exceeds the maximum length of a string.
   * Throws like `ask`.
   */
  async *download(request: Request): AsyncGenerator<string> {
    const answer = await this.#send(request, async (response) =>
      response.ok && response.body ? response.body : answerOf(response),
    )
    if ('status' in answer) {
      this.#refuse(answer)
      throw this.notASandbox(request, answer)
    }
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer) yield decoder.decode(chunk, { stream: true })
    } catch (error) {
      throw new NoSandboxError(this.url, `the answer broke off: ${whyUnreachable(error)}`)
    }
  }

  /**
   * Returns the answer of the control plane, and its text.
   * @param isDocument the body is a document or scenario of the user: a refused one is an invalid file.
   * @throws {RefusedError} if it refuses. @throws {NoSandboxError} if no sandbox answers.
   */
  async ask<T>(
    request: Request,
    schema: z.ZodType<T>,
    isDocument = false,
  ): Promise<{ data: T; text: string }> {
    const answer = await this.fetch(request)
    return { data: this.read(request, answer, schema, isDocument), text: answer.text }
  }

  /** Reads an answer; throws like `ask`. */
  read<T>(request: Request, answer: Answer, schema: z.ZodType<T>, isDocument = false): T {
    this.#refuse(answer, isDocument)
    const read = schema.safeParse(valueOfJson(answer.text))
    if (answer.status < 300 && read.success) return read.data
    throw this.notASandbox(request, answer)
  }

  /** @throws {RefusedError} for a refusal of the control plane. */
  #refuse({ status, text }: Answer, isDocument = false): void {
    const read = status < 400 ? undefined : refusal.safeParse(valueOfJson(text))
    if (!read?.success) return
    this.#options.onRefusal?.(text)
    const { message, details = [], more = 0 } = read.data.error
    const hasToken = this.#options.token !== undefined
    const reason = status === 401 ? tokenMessage(hasToken, message) : message
    throw new RefusedError(status, { reason, problems: details, more }, isDocument)
  }

  /** The error for an answer that does not come from a sandbox. */
  notASandbox(
    { method, path }: Request,
    { status }: Answer,
    why = 'the server is not a sandbox',
  ): NoSandboxError {
    return new NoSandboxError(this.url, `${why}: status ${status} for ${method} /_sandbox${path}`)
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const isMarked = response.headers.get(mark.name) === mark.value
  return { status: response.status, text: await response.text(), isMarked }
}

/** Returns the next step after a refused access. @param message the message of the control plane, in terms of HTTP. */
function tokenMessage(hasToken: boolean, message: string): string {
  return hasToken
    ? `the token is not accepted: ${message}`
    : `the sandbox requires a token: set ${flagOf('adminToken')}, ${variableOf('adminToken')} or ${fileVariableOf('adminToken')}`
}

/**
 * Whether the API answered: below a base path, the API receives requests whose path is not that of the control plane.
 * Status 5xx is excluded, because the control plane answers a bug as the API does.
 */
function isOfApi({ headers, status }: Response, url: string): boolean {
  return new URL(url).pathname !== '/' && status < 500 && headers.has('x-sandbox-request-id')
}

function whyApi(url: string): string {
  const { origin } = new URL(url)
  return `only its API answers here: the sandbox is at ${origin}, unless its --base-url has a path`
}

/** The codes for a certificate whose authority is not trusted. */
const untrusted = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_|CERT_UNTRUSTED)/

/** Returns the network error, by its short code if it has one. */
function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (typeof code !== 'string') return 'it cannot be reached'
  return untrusted.test(code) ? `${code}: set ${caFileVariable} to the file of its authority` : code
}
