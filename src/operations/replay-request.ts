// Replays a request of the journal, unchanged or edited, in a copy of its workspace or in another one.
import { z } from 'zod'
import type { Call } from '../call/index.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'
import { entryOf } from '../journal/entry.ts'
import { notInJournal } from '../journal/not-in-journal.ts'
import { stringify } from '../json/stringify.ts'
import { printable } from '../input/problems.ts'
import { readInput } from '../input/read-input.ts'
import { ConflictError, ForbiddenError } from '../input/refusals.ts'
import { redactor } from '../secrets/redact.ts'
import { isSameIsolation } from '../workspaces/isolation.ts'
import { isName } from '../workspaces/names.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** The edits; every field may be omitted. */
export interface ReplayEdits {
  /**
   * The target workspace, created as a copy of that of the request if it does not exist. If omitted, a new copy
   * `replay-N` is created; the newest 20 of them stay.
   */
  workspace?: string
  method?: string
  /** From the slash on, with its query, such as `/v2/customers?limit=5`. */
  path?: string
  /** By name, ignoring case, in place of the original values; null removes a header. */
  headers?: Readonly<Record<string, string | null>>
  /** A text is sent unchanged, null is no body, and every other value is sent as JSON. */
  body?: unknown
}

/** The result of a replay. Secrets in it are hidden. */
export interface Replayed {
  /** The workspace that it was sent to. */
  workspace: string
  /** Its `x-sandbox-request-id` there. */
  request_id: string
  /** Null if a scenario broke the connection; then there are no headers and no body. */
  status: number | null
  headers: Record<string, string>
  /** The body as JSON if it is JSON, or as text; null for none. */
  body: unknown
}

/** A call built from parts, without anything that a client would add. */
export interface PartsOfCall {
  method: string
  /** Path and query. */
  target: string
  /** The original scheme, host and port. */
  origin: string
  /** Names and values in alternation. */
  headers: string[]
  /** Undefined for none; `unread` if there was a body that was not stored. */
  body: Uint8Array | 'unread' | undefined
}

/**
 * Sends a call directly to the API, whatever workspace its key names.
 * @throws {InvalidError} for a path that is not part of the API; only the returned function sends a call. It rejects
 * with a ConflictError if the API needs a body that was not stored.
 */
export type SendParts = (call: PartsOfCall) => (workspace: Workspace) => Promise<Call>

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'must be the name of a header')
const headerValue = z
  .string('must be a text, or null to omit it')
  .regex(/^[\t -~\u0080-\u00ff]*$/, 'must be one line of a header')

export const replayEdits = z.strictObject({
  workspace: z.string().refine(isName, 'must be 1 to 64 of A-Z, a-z, 0-9, _ and -').optional(),
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/, 'must be a method, such as PATCH')
    .optional(),
  path: z
    .string()
    .regex(
      /^\/[!"$-~]*$/,
      'must begin with a slash, be percent-encoded and have no #, such as /v2/customers?limit=5',
    )
    .optional(),
  headers: z.record(headerName, headerValue.nullable()).optional(),
  body: z.unknown().refine(isSendable, 'must be JSON').optional(),
})

/** Whether a value from a program can be sent: values from HTTP always can. */
function isSendable(value: unknown): boolean {
  try {
    return value === undefined || typeof stringify(value) === 'string'
  } catch {
    return false
  }
}

type Edits = z.output<typeof replayEdits>

/** The dependencies of a replay in addition to the workspace of its request. */
export interface ReplayContext {
  workspaces: Workspaces
  sendParts: SendParts
}

/**
 * Sends the request with this id again, with the original bytes of its body; numbers of the answer are kept as their
 * text.
 * @param requireHeld throws if the caller is no longer authorized; called after each wait.
 * @throws {NotFoundError} {DocumentError} {InvalidError} {ConflictError} as `SandboxRequests.replay` says.
 */
export async function replay(
  workspace: Workspace,
  { workspaces, sendParts }: ReplayContext,
  id: string,
  edits: unknown,
  requireHeld: () => void = () => undefined,
): Promise<Replayed> {
  const { journal } = workspace
  const found = journal.find(id)
  if (!found) throw notInJournal(journal, workspace.name, id)
  if (found.outcome.failure?.about.beforeRequest) {
    throw new ConflictError(`${id} was refused before it reached the API, so there is no request to replay.`)
  }
  const { workspace: name, ...others } = readInput(replayEdits, edits, 'replay')
  const send = sendParts(edited(found.request, others))
  // A workspace of another partner is refused, whether it can be used or not.
  const isOwn =
    name !== undefined &&
    (await workspaces.exists(name)) &&
    isSameIsolation(workspaces.owners.isolationOf(name), workspace.isolation)
  if (isOwn) await workspaces.open(name)
  requireHeld()
  const into =
    name === undefined
      ? await newReplay(workspace, workspaces, requireHeld)
      : await namedInto(name, workspace, workspaces)
  const call = await send(into)
  requireHeld()
  const { fault, id: requestId } = call.outcome
  const isSpoiled = typeof fault === 'string'
  const { response } = entryOf(call, redactor(journal.secrets))
  return {
    workspace: into.name,
    request_id: requestId,
    status: isSpoiled ? null : response.status,
    headers: isSpoiled ? {} : response.headers,
    body: isSpoiled ? null : response.body,
  }
}

/**
 * Returns the workspace of a name, created as a copy if it does not exist. With owners, any name of another owner is
 * refused.
 */
async function namedInto(name: string, workspace: Workspace, workspaces: Workspaces): Promise<Workspace> {
  const own = workspaces.owners.ofSameOwner(workspace).find((other) => other.name === name)
  if (own) return own
  if (workspaces.policy.createsOnFirstUse) {
    const made = workspaces.add(name, workspace.copyForReplay(), workspace.scenarios.copy())
    if ((await workspaces.ownership?.persist(made)) ?? true) return made
    workspaces.requireFree(name)
  }
  throw new ForbiddenError(
    `workspace '${printable(name)}': with --isolation partner a request is replayed in its own workspace or a copy of it; omit workspace for a new copy`,
  )
}

/**
 * Creates a copy for one replay. If another process takes its name concurrently, the next name is tried; if the keys of
 * the workspace are revoked meanwhile, no key would open the copy.
 */
async function newReplay(
  workspace: Workspace,
  workspaces: Workspaces,
  requireHeld: () => void,
): Promise<Workspace> {
  const { ownership } = workspaces
  await workspaces.makeRoom()
  for (;;) {
    if (!workspaces.owners.isCurrent(workspace)) throw workspaces.notThere(workspace.name)
    const made = workspaces.replays.add(workspace)
    if (!((await ownership?.persist(made)) ?? true)) continue
    if (workspaces.owners.isCurrent(made)) return made
    workspaces.delete(made.name)
    await ownership?.dropped(made.name)
    requireHeld()
  }
}

function edited(received: IncomingRequest, edits: Edits): PartsOfCall {
  const { method, path, query, origin } = received
  const target = edits.path ?? (query === '' ? path : `${path}?${query}`)
  const headers = withHeaders(received.headers.raw, edits.headers ?? {})
  const parts = { method: edits.method ?? method, target, origin }
  if (edits.body === undefined) return { ...parts, headers, body: storedBody(received) }
  const body = bytesOf(edits.body)
  const framing = { 'transfer-encoding': null, 'content-length': body ? String(body.length) : null }
  const isJson = edits.body !== null && typeof edits.body !== 'string'
  const type =
    isJson && !names(headers).includes('content-type') ? { 'content-type': 'application/json' } : {}
  return { ...parts, headers: withHeaders(headers, { ...framing, ...type }), body }
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === null) return undefined
  return Buffer.from(typeof body === 'string' ? body : stringify(body))
}

/** @throws {ConflictError} for a body of which only the beginning was stored. */
function storedBody({ body, bodyBytes, headers: { known } }: IncomingRequest): PartsOfCall['body'] {
  if (bodyBytes !== undefined) {
    throw new ConflictError(
      `The journal kept only the beginning of this body of ${bodyBytes} bytes: set body to all of it.`,
    )
  }
  if (body !== undefined) return body.length === 0 ? undefined : Buffer.from(body)
  const length = known['content-length'] ?? '0'
  return known['transfer-encoding'] !== undefined || length !== '0' ? 'unread' : undefined
}

/** Returns the original headers with the edits. */
function withHeaders(raw: readonly string[], others: Readonly<Record<string, string | null>>): string[] {
  const replaced = Object.keys(others).map((name) => name.toLowerCase())
  const kept = raw.filter((_, at) => !replaced.includes((raw[at - (at % 2)] ?? '').toLowerCase()))
  const added = Object.entries(others).flatMap(([name, value]) => (value === null ? [] : [name, value]))
  return [...kept, ...added]
}

/** The names of headers, in lower case. */
function names(raw: readonly string[]): string[] {
  return raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
}
