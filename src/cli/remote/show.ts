// Prints what a running sandbox answers: the body as it is with --format json, else as the verb shows it to people.
import type { z } from 'zod'
import type { ControlClient, Request } from './control-client.ts'
import type { Io } from '../io.ts'
import { jsonLines, valueOfJson } from '../json.ts'
import type { FlagValues } from '../settings.ts'

/** Where an answer goes. */
export interface Shown {
  client: ControlClient
  flags: FlagValues
  io: Pick<Io, 'stdout'>
}

/** Asks the control plane and prints its answer, which it gives. @param textOf what people read of it. */
export async function show<T>(
  { client, flags, io }: Shown,
  [method, path]: readonly [method: string, path: string],
  schema: z.ZodType<T>,
  textOf: (answer: T) => string,
  request?: Request,
): Promise<T> {
  const { data, text } = await client.askWhole(method, path, schema, request)
  io.stdout(flags['format'] === 'json' ? bodyText(text) : textOf(data))
  return data
}

/** As `show`, where the answer is JSON that people read as well. */
export async function showJson(
  { client, flags, io }: Shown,
  method: string,
  path: string,
  request?: Request,
): Promise<void> {
  const text = await client.read(method, path, request)
  io.stdout(
    flags['format'] === 'json' || text === '' ? bodyText(text) : jsonSafe(jsonLines(valueOfJson(text))),
  )
}

/** A body with its end of line. */
export function bodyText(text: string): string {
  return text === '' || text.endsWith('\n') ? jsonSafe(text) : `${jsonSafe(text)}\n`
}

/** The same JSON, without control characters in its texts that a terminal would obey. */
export function jsonSafe(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}
