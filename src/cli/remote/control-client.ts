// A client of the control plane of a running sandbox: its requests, their timeout, and what it says when it refuses.
import { z } from 'zod'
import { fileVariableOf, flagOf, variableOf } from '../../options/index.ts'
import { formatProblems, type Problem } from '../../reading/problems.ts'
import { ownerOfToken } from '../../workspaces/isolation.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'

/** How long an answer may take; one that saves a large state document takes longest. */
const patienceMs = 60_000

/** What a request has beside its method and path. */
export interface Request {
  /** Sent as JSON; text is sent as it is. */
  body?: unknown
  query?: Readonly<Record<string, string>>
  /** It is about all workspaces, unless one was named. */
  shared?: true
  patienceMs?: number
  /** Ends the request early. */
  signal?: AbortSignal
  /** The body is a document or scenario of the user: one that is refused is a bad file. */
  isDocument?: true
}

/** An answer, read to its end. */
interface Answer {
  status: number
  text: string
}

/** Thrown when no sandbox answers: nothing does, or something else. */
export class NoSandboxError extends CliError {
  /** What was seen in place of a sandbox, in a few words. */
  readonly why: string

  constructor(url: string, why: string) {
    super(`error: no sandbox answers at ${url} (${why}): ${startOrName}`, exitCodes.cannotAsk)
    this.why = why
  }
}

/** What to do about it. */
export const startOrName = 'start one with `partner-rewards-sandbox start`, or name another with --url'

/** The exit code of what a running sandbox refuses; the one place that knows it. */
function exitCodeOf(status: number, isDocument = false): number {
  if ([401, 403, 421].includes(status)) return exitCodes.cannotAsk
  if (status === 404 || status === 503) return exitCodes.notThere
  if (isDocument && (status === 400 || status === 413)) return exitCodes.badFile
  return status < 500 ? exitCodes.usage : exitCodes.unexpected
}

/** Thrown when the control plane refuses a request; its message is the refusal, with every problem in it. */
export class RefusedError extends CliError {
  readonly status: number
  /** What the control plane says, on one line. */
  readonly reason: string
  /** What is wrong with the document that was sent. */
  readonly problems: readonly Problem[]
  /** How many more there are. */
  readonly more: number

  constructor(
    status: number,
    { reason, problems, more }: { reason: string; problems: readonly Problem[]; more: number },
    isDocument?: true,
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

/** What a sandbox says, as a terminal may show it. */
export const shownText = z.string().transform(terminalSafe)

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

/**
 * The control plane of a running sandbox, as the verbs use it that talk to one.
 *
 * @example
 * const client = await connect(flags, io)
 * const { rows } = await client.ask('POST', '/reset', standing)
 */
export class ControlClient {
  readonly url: string
  /** Whether the token is that of a partner, who runs no sandbox. */
  readonly isOfPartner: boolean
  /** The workspace that is meant: that of the token, where it is one of a partner and none was named. */
  readonly workspace: string
  /** Whether somebody named it. */
  readonly isNamed: boolean
  readonly #headers: Readonly<Record<string, string>>
  readonly #hasToken: boolean

  constructor(url: string, workspace: string | undefined, token: string | undefined) {
    this.url = url
    this.workspace = workspace ?? (token === undefined ? undefined : ownerOfToken(token)) ?? defaultWorkspace
    this.isNamed = workspace !== undefined
    this.#hasToken = token !== undefined
    this.isOfPartner = token !== undefined && ownerOfToken(token) !== undefined
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  }

  /**
   * The answer, whatever it says.
   * @param path below `/_sandbox`.
   * @throws {NoSandboxError} when there is none.
   */
  async fetch(method: string, path: string, request: Request = {}): Promise<Answer> {
    return this.#call(method, path, request, answerOf)
  }

  /** Calls it, and reads what it answers. @throws {NoSandboxError} when that fails. */
  async #call<T>(
    method: string,
    path: string,
    request: Request,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { body, query = {}, shared, patienceMs: patience = patienceMs, signal } = request
    const parameters = new URLSearchParams(query)
    if (!shared || this.isNamed) parameters.set('workspace', this.workspace)
    const timeIsUp = AbortSignal.timeout(patience)
    try {
      const response = await fetch(`${this.url}/_sandbox${path}?${parameters}`, {
        method,
        headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        // Followed, a redirected POST would become a GET.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([timeIsUp, signal]) : timeIsUp,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      if (isOfApi(response, this.url)) throw new NoSandboxError(this.url, whyApi(this.url))
      return await read(response)
    } catch (error) {
      if (error instanceof NoSandboxError) throw error
      const why = timeIsUp.aborted ? `no answer within ${patience / 1000} s` : whyUnreachable(error)
      throw new NoSandboxError(this.url, why)
    }
  }

  /**
   * The text of an answer in pieces, as they come: a state of many rows is longer than the longest text there can be.
   * Throws as `ask` does.
   */
  async *download(path: string, request: Request = {}): AsyncGenerator<string> {
    const answer = await this.#call('GET', path, request, async (response) =>
      response.ok && response.body ? response.body : answerOf(response),
    )
    if ('status' in answer) {
      this.#refuse(answer, request)
      throw this.notThis('GET', path, answer)
    }
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer) yield decoder.decode(chunk, { stream: true })
    } catch (error) {
      throw new NoSandboxError(this.url, `it broke off: ${whyUnreachable(error)}`)
    }
  }

  /**
   * What the control plane answers.
   * @throws {RefusedError} when it refuses. @throws {NoSandboxError} when no sandbox answers.
   */
  async ask<T>(method: string, path: string, schema: z.ZodType<T>, request: Request = {}): Promise<T> {
    return (await this.askWhole(method, path, schema, request)).data
  }

  /** As `ask`, with the text of the answer beside what was read in it. */
  async askWhole<T>(
    method: string,
    path: string,
    schema: z.ZodType<T>,
    request: Request = {},
  ): Promise<{ data: T; text: string }> {
    const answer = await this.fetch(method, path, request)
    return { data: this.readAnswer(method, path, schema, answer, request), text: answer.text }
  }

  /** What an answer says; throws as `ask` does. */
  readAnswer<T>(
    method: string,
    path: string,
    schema: z.ZodType<T>,
    answer: Answer,
    request: Request = {},
  ): T {
    this.#refuse(answer, request)
    const read = schema.safeParse(valueOfJson(answer.text))
    if (answer.status < 300 && read.success) return read.data
    throw this.notThis(method, path, answer)
  }

  /**
   * The text that the control plane answers.
   * @throws {RefusedError} when it refuses. @throws {NoSandboxError} when no sandbox answers.
   */
  async read(method: string, path: string, request: Request = {}): Promise<string> {
    const answer = await this.fetch(method, path, request)
    this.#refuse(answer, request)
    if (answer.status < 300) return answer.text
    throw this.notThis(method, path, answer)
  }

  /** @throws {RefusedError} for a refusal of the control plane. */
  #refuse({ status, text }: Answer, { isDocument }: Request): void {
    const read = status < 400 ? undefined : refusal.safeParse(valueOfJson(text))
    if (!read?.success) return
    const { message, details = [], more = 0 } = read.data.error
    const reason = status === 401 ? tokenNeeded(this.#hasToken, message) : message
    throw new RefusedError(status, { reason, problems: details, more }, isDocument)
  }

  /** The failure of getting an answer that no sandbox gives. */
  notThis(method: string, path: string, { status }: Answer): NoSandboxError {
    return new NoSandboxError(
      this.url,
      `what does is no sandbox: status ${status} for ${method} /_sandbox${path}`,
    )
  }
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, text: await response.text() }
}

/** What to do about a call that was not let in. @param message what the control plane says, in terms of HTTP. */
function tokenNeeded(hasToken: boolean, message: string): string {
  return hasToken
    ? `that token is not accepted: ${message}`
    : `the sandbox was started with a token: give ${flagOf('adminToken')}, ${variableOf('adminToken')} or ${fileVariableOf('adminToken')}`
}

/** The API takes every path that does not begin with the control plane's; a bug is answered as the API answers it. */
function isOfApi({ headers, status }: Response, url: string): boolean {
  return new URL(url).pathname !== '/' && status < 500 && headers.has('x-sandbox-request-id')
}

function whyApi(url: string): string {
  const { origin } = new URL(url)
  return `its API does: the sandbox is at ${origin}, unless its --base-url has a path`
}

/** The answer without a body. */
export const nothing = z.undefined()

/** Where a workspace stands after all of it was replaced. */
export const standing = z
  .object({
    workspace: shownText,
    rows: z.number(),
    clock: z.object({ now: shownText, frozen: z.boolean() }),
  })
  .transform(({ workspace, rows, clock }) => ({
    workspace,
    /** As the last words of a line: "212 rows, clock 2026-11-21T12:00:00.000Z (frozen)" */
    text: `${rowCount(rows)}, clock ${clock.now}${clock.frozen ? ' (frozen)' : ''}`,
  }))

/** "1 row", "212 rows" */
export function rowCount(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`
}

/** What the network says, in its own short word where it has one. */
function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : 'it cannot be reached'
}
