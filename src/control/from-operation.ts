// Answers a request by an operation: reads its input by the declared schemas, runs it, and sends the result.
import type { z } from 'zod'
import { fieldsIn, shapeOf } from '../contract/schema-shape.ts'
import { readInput } from '../input/read-input.ts'
import { isOmissible, noQuery, OtherAnswer, type Caller, type Operation } from '../operations/declare.ts'
import type { Target } from '../operations/index.ts'
import { requireHeld } from './held-token.ts'
import { requestedWorkspace, type ControlContext, type ControlHandler } from './context.ts'
import { bodyLimits, readIfSent, readJson, readNothing } from './read-body.ts'
import { sendPieces } from './send-pieces.ts'
import { sendJson } from './send-json.ts'

/** Returns the handler of an operation. */
export function handlerOf(operation: Operation<Target>): ControlHandler {
  return async (sandbox, c, workspace) => {
    const query = queryOf(operation, c)
    operation.requires?.({ sandbox, workspace }, c.req.param())
    const body = await bodyOf(operation, c)
    const input = { path: c.req.param(), query, body }
    const result = await operation.run({ sandbox, workspace }, input, callerOf(c))
    return answerOf(operation, query, c, result)
  }
}

/** Returns the query by its schema: numbers, and values that are true or false, are sent as text. */
function queryOf({ query = noQuery, word = 'query', guard }: Operation<Target>, c: ControlContext): Query {
  // A health probe is answered whatever its query.
  if (guard === 'none') return {}
  const { workspace: _workspace, ...sent } = c.req.query()
  return readInput(query, typed(query, sent), word)
}

type Query = Readonly<Record<string, unknown>>

/** Returns texts as the values that their schemas expect; numbers may be texts. */
export function typed(schema: z.ZodObject, texts: Readonly<Record<string, string>>): Query {
  const values: Record<string, unknown> = { ...texts }
  for (const { name, schema: field } of fieldsIn(schema)) {
    const text = texts[name]
    if (shapeOf(field).isBoolean && (text === 'true' || text === 'false')) values[name] = text === 'true'
  }
  return values
}

async function bodyOf({ route, body, maxBody }: Operation<Target>, c: ControlContext): Promise<unknown> {
  if (route.startsWith('GET ') || route.startsWith('DELETE ')) return undefined
  if (body === undefined) return readNothing(c)
  if (!isOmissible(body)) return readJson(c, maxBody)
  return (await readIfSent(c, maxBody ?? bodyLimits.small))?.value
}

function callerOf(c: ControlContext): Caller {
  return {
    origin: new URL(c.req.url).origin,
    workspace: requestedWorkspace(c),
    sees: (name) => c.env?.partner?.owns(name) ?? true,
    requireHeld: () => requireHeld(c),
  }
}

function answerOf(
  { status = 200, media, headers, isStreamed }: Operation<Target>,
  query: Query,
  c: ControlContext,
  result: unknown,
): Response {
  if (result === undefined) return new Response(null, { status: 204 })
  if (isStreamed) return sendPieces(c, result as Iterator<string>)
  const type = typeof media === 'function' ? media(query) : media
  if (type !== undefined)
    return new Response(String(result), { status, headers: { 'content-type': type, ...headers } })
  const answer =
    result instanceof OtherAnswer ? sendJson(result.body, result.status) : sendJson(result, status)
  for (const [name, value] of Object.entries(headers ?? {})) answer.headers.set(name, value)
  return answer
}
