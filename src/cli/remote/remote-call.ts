// Calls one route of a running sandbox and prints its answer: as text for people, or as JSON with --format json.
import type { z } from 'zod'
import type { Source } from '../../input/source-file.ts'
import { CliError, type Io } from '../io.ts'
import type { Route } from '../../operations/declare.ts'
import type { Call } from '../verb.ts'
import { jsonLines, valueOfJson } from '../json.ts'
import { terminalSafe, writeResult } from '../output.ts'
import { checkName, connect, type ConnectOptions } from './connect.ts'
import { RefusedError, type ControlClient, type Request } from './control-client.ts'
import { sendDocument } from './send-document.ts'

/** One call of a route, and its text output. By default it is the first route of the verb. */
export interface RemoteCall<T> extends Partial<Request> {
  /** The schema of the answer, from the declaration of the route. */
  answer: z.ZodType<T>
  /** A document of the user to send as the body, with the name of its row, if it is one. */
  document?: { read: () => Promise<Source>; row?: string }
  /** The output on stdout. Without `text` and `note` it is indented JSON. */
  text?(answer: T, client: ControlClient): string | Promise<string>
  /** A note about the action, for stderr. */
  note?(answer: T, client: ControlClient): string | undefined
  /** A hint for stderr, also with JSON output. */
  advice?(answer: T): string | undefined
  /** Rewrites the error in terms of the verb's own arguments and options. */
  refused?(error: RefusedError): Error
}

/** The action of a verb after connecting. */
export interface RemoteWork {
  /** The workspace, if an argument names one in place of `--workspace`. */
  workspace?: string | undefined
  /**
   * @param request a request to the first route of the verb, with its arguments as the parameters of the path.
   * @returns the exit code, or undefined for 0.
   */
  perform(client: ControlClient, request: Request): Promise<number | void>
  /** Rewrites the error of a connection or a refusal, if the verb knows a better next step. */
  failed?(error: CliError): Promise<CliError>
}

/** The call of a verb, without the parts of the process that only some verbs use. */
export type Options = Pick<Call<Io>, 'args' | 'flags' | 'io'>

/** Connects, and runs the action of a verb. @param route the first of the verb. */
export async function perform(
  call: Options,
  route: Route,
  work: RemoteWork,
  options: Omit<ConnectOptions, 'onRefusal'>,
): Promise<number | void> {
  const { flags, io, args } = call
  const { workspace = flags['workspace'] } = work
  const onRefusal = (body: string): void => {
    if (isJson(call)) io.stdout(bodyText(body))
  }
  const request = requestTo(route, args)
  try {
    return await work.perform(await connect({ ...flags, workspace }, io, { ...options, onRefusal }), request)
  } catch (error) {
    throw work.failed && error instanceof CliError ? await work.failed(error) : error
  }
}

/**
 * Returns the request to a route, with the arguments of the verb as the parameters of its path.
 * @throws {CliError} for an argument that cannot be the name of a workspace or a snapshot, if one is needed.
 */
export function requestTo(route: Route, words: readonly string[]): Request {
  const [method = '', pattern = ''] = route.split(' /_sandbox')
  const [, kind] = /^\/(snapshot|workspace)s\/:name/.exec(pattern) ?? []
  if (kind === 'snapshot' || kind === 'workspace') checkName(kind, words[0] ?? '')
  const left = [...words]
  return { method, path: pattern.replaceAll(/:\w+/g, () => encodeURIComponent(left.shift() ?? '')) }
}

/** The action of a verb that makes one call. @param workspace see `RemoteWork`. */
export function calls<T>(call: Options, remoteCall: RemoteCall<T>, workspace?: string): RemoteWork {
  return {
    workspace,
    perform: async (client, request) => {
      const { data, text } = await ask(client, { ...request, ...remoteCall })
      await print(call, client, remoteCall, data, text)
    },
  }
}

async function ask<T>(
  client: ControlClient,
  call: RemoteCall<T> & Request,
): Promise<{ data: T; text: string }> {
  const { document, answer, refused } = call
  try {
    if (!document) return await client.ask(call, answer)
    return await sendDocument(client, call, answer, await document.read(), document.row)
  } catch (error) {
    throw refused && error instanceof RefusedError ? refused(error) : error
  }
}

async function print<T>(
  call: Options,
  client: ControlClient,
  { text: textOf, note: noteOf, advice }: RemoteCall<T>,
  data: T,
  text: string,
): Promise<void> {
  const { stdout, stderr } = call.io
  const isShownAsJson = !textOf && !noteOf
  if (isJson(call)) stdout(bodyText(text))
  else if (isShownAsJson) stdout(text === '' ? '' : jsonSafe(jsonLines(valueOfJson(text))))
  else {
    if (textOf) stdout(terminalSafe(await textOf(data, client)))
    const note = noteOf?.(data, client)
    if (note !== undefined) stderr(terminalSafe(`${note}\n`))
  }
  const also = advice?.(data)
  if (also !== undefined) stderr(`${also}\n`)
}

/** Whether JSON was requested: the answer of the control plane. */
export const isJson = ({ flags }: Pick<Options, 'flags'>): boolean => flags['format'] === 'json'

/** Returns a body with a line break at its end; `{}` for an answer without one. */
export function bodyText(text: string): string {
  return `${jsonSafe(text.trimEnd() || '{}')}\n`
}

/** Escapes control characters in the texts of JSON, which a terminal would execute. */
export function jsonSafe(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}

/** Timeout for a state of many rows: minutes. */
const dumpTimeoutMs = 600_000

/**
 * Prints a state document, or writes it to a file. @param what the name of the document, for the line about its file.
 */
export function downloads({ flags, io }: Options, what: string): RemoteWork {
  return {
    perform: async (client, request) => {
      const pieces = client.download({ ...request, timeoutMs: dumpTimeoutMs })
      await writeResult(safe(pieces), flags['output'], io, `${what} of workspace '${client.workspace}'`)
    },
  }
}

async function* safe(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield jsonSafe(piece)
}
