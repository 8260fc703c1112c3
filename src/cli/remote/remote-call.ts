// How a verb calls one route of a running sandbox and prints its answer: as text for people, or as JSON with --format json.
import type { z } from 'zod'
import type { Source } from '../../input/source-file.ts'
import type { Io } from '../io.ts'
import type { Call, Route } from '../verb.ts'
import { jsonLines, valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import { checkName, connect, type ConnectOptions } from './connect.ts'
import { RefusedError, type ControlClient, type Request } from './control-client.ts'
import { sendDocument } from './send-document.ts'

/** One call of a route, and how people read its answer. By default it is the first route of the verb. */
export interface RemoteCall<T> extends Partial<Request> {
  /** The schema of the answer, as the route declares it. */
  answer: z.ZodType<T>
  /** A document of the user that is sent as the body, with the name of the row that it is, if it is one. */
  document?: { read: () => Promise<Source>; row?: string }
  /** What stdout shows. Without `text` and `note` it shows the JSON with indentation. */
  text?(answer: T, client: ControlClient): string
  /** What was done, for stderr. */
  note?(answer: T, client: ControlClient): string | undefined
  /** Advice that also stands beside JSON, on stderr. */
  advice?(answer: T): string | undefined
  /** The error in the terms of the verb's own words and options. */
  refused?(error: RefusedError): Error
}

/** What a verb does once it is connected. */
export interface RemoteWork {
  /** The workspace it is about, where its words name one in place of `--workspace`. */
  workspace?: string | undefined
  /**
   * @param request to the first route of the verb, with its words as the parameters of the path.
   * @returns the exit code, where that may be another than 0.
   */
  perform(client: ControlClient, request: Request): Promise<number | void>
}

/** How a verb was called, without what only some of them touch of the process. */
export type Options = Pick<Call<Io>, 'args' | 'flags' | 'io'>

/** Connects, and does the work of a verb. @param route the first of the verb. */
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
  return work.perform(await connect({ ...flags, workspace }, io, { ...options, onRefusal }), request)
}

/**
 * The request to a route, with the words of the verb as the parameters of its path.
 * @throws {CliError} for a word that can name neither a workspace nor a snapshot, where one is needed.
 */
function requestTo(route: Route, words: readonly string[]): Request {
  const [method = '', pattern = ''] = route.split(' /_sandbox')
  const [, kind] = /^\/(snapshot|workspace)s\/:name/.exec(pattern) ?? []
  if (kind === 'snapshot' || kind === 'workspace') checkName(kind, words[0] ?? '')
  const left = [...words]
  return { method, path: pattern.replaceAll(/:\w+/g, () => encodeURIComponent(left.shift() ?? '')) }
}

/** The work of a verb that makes one call. @param workspace see `RemoteWork`. */
export function calls<T>(call: Options, remoteCall: RemoteCall<T>, workspace?: string): RemoteWork {
  return {
    workspace,
    perform: async (client, request) => {
      const { data, text } = await ask(client, { ...request, ...remoteCall })
      print(call, client, remoteCall, data, text)
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

function print<T>(
  call: Options,
  client: ControlClient,
  { text: textOf, note: noteOf, advice }: RemoteCall<T>,
  data: T,
  text: string,
): void {
  const { stdout, stderr } = call.io
  const isShownAsJson = !textOf && !noteOf
  if (isJson(call)) stdout(bodyText(text))
  else if (isShownAsJson) stdout(text === '' ? '' : jsonSafe(jsonLines(valueOfJson(text))))
  else {
    if (textOf) stdout(terminalSafe(textOf(data, client)))
    const note = noteOf?.(data, client)
    if (note !== undefined) stderr(terminalSafe(`${note}\n`))
  }
  const also = advice?.(data)
  if (also !== undefined) stderr(`${also}\n`)
}

/** Whether JSON was requested: what the control plane answers. */
export const isJson = ({ flags }: Pick<Options, 'flags'>): boolean => flags['format'] === 'json'

/** A body with its end of line; `{}` for an answer without one. */
export function bodyText(text: string): string {
  return `${jsonSafe(text.trimEnd() || '{}')}\n`
}

/** The same JSON, without control characters in its texts that a terminal would obey. */
export function jsonSafe(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}
