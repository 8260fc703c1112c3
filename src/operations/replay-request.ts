// Replays a request of the journal, as it was or edited, in a copy of its workspace or in another one.
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
import type { Storage } from '../workspaces/storage.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** What is to be otherwise than it was; everything may be left out. */
export interface ReplayEdits {
  /**
   * Where it is sent: this workspace, made as a copy of the one of the request where it is not there. Left out, a new
   * copy `replay-N` is made, of which the newest 20 stay.
   */
  workspace?: string
  method?: string
  /** From the slash on, with its query, such as `/v2/customers?limit=5`. */
  path?: string
  /** By name, in any case, in place of those that were sent; null leaves one out. */
  headers?: Readonly<Record<string, string | null>>
  /** A text is sent as it is, null is no body, and everything else is sent as JSON. */
  body?: unknown
}

/** What became of a replay. Secrets in it are hidden. */
export interface Replayed {
  /** Where it was sent. */
  workspace: string
  /** Its `x-sandbox-request-id` there. */
  request_id: string
  /** Null where a scenario spoiled the answer on its way; then there are no headers and no body. */
  status: number | null
  headers: Record<string, string>
  /** The body as JSON where it is JSON, else as text; null for none. */
  body: unknown
}

/** A call that is made of parts, and of nothing that a client would add. */
export interface PartsOfCall {
  method: string
  /** Path and query. */
  target: string
  /** Scheme, host and port that it was sent to. */
  origin: string
  /** Names and values in turns. */
  headers: string[]
  /** Undefined for none; `unread` where there was one that nobody kept. */
  body: Uint8Array | 'unread' | undefined
}

/**
 * Sends a call straight to the API, whatever workspace its key names.
 * @throws {InvalidError} for a path that is none of the API; only what it returns sends anything. That rejects with a
 * ConflictError when the API asks for a body that nobody kept.
 */
export type SendParts = (call: PartsOfCall) => (workspace: Workspace) => Promise<Call>

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'must be the name of a header')
const headerValue = z
  .string('must be a text, or null to leave it out')
  .regex(/^[\t -~\u0080-\u00ff]*$/, 'must be one line of a header')

const replayEdits = z.strictObject({
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

/** Whether a value of a program can be sent: what came over HTTP always can. */
function isSendable(value: unknown): boolean {
  try {
    return value === undefined || JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

type Edits = z.output<typeof replayEdits>

/** What a replay draws on beside the workspace of its request. */
export interface ReplayContext {
  workspaces: Workspaces
  sendParts: SendParts
  storage: Storage
}

/**
 * Sends the request with this id once more, its body with the bytes that came; numbers of the answer are kept as their
 * text.
 * @param requireHeld throws where who asks may not any more, which is looked at each time this has waited.
 * @throws {NotFoundError} {DocumentError} {InvalidError} {ConflictError} as `SandboxRequests.replay` says.
 */
export async function replay(
  workspace: Workspace,
  { workspaces, sendParts, storage }: ReplayContext,
  id: string,
  edits: unknown,
  requireHeld: () => void = () => undefined,
): Promise<Replayed> {
  const { journal } = workspace
  const found = journal.find(id)
  if (!found) throw notInJournal(journal, workspace.name, id)
  const { workspace: name, ...others } = readInput(replayEdits, edits, 'replay')
  const send = sendParts(edited(found.request, others))
  await (name === undefined ? storage.refreshNames() : storage.refresh(name))
  // That of another partner is refused whether it can be used or not.
  const isOwn =
    name !== undefined && isSameIsolation(workspaces.owners.isolationOf(name), workspace.isolation)
  if (isOwn) await storage.open(name)
  requireHeld()
  const into =
    name === undefined
      ? await newReplay(workspace, workspaces, storage, requireHeld)
      : namedInto(name, workspace, workspaces)
  await storage.open(into.name)
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

/** The workspace of a name, created as a copy where there is none. With owners, any name of another owner is refused. */
function namedInto(name: string, workspace: Workspace, workspaces: Workspaces): Workspace {
  const own = workspaces.owners.beside(workspace).find((other) => other.name === name)
  if (own) return own
  if (workspaces.policy.createsOnFirstUse) {
    return workspaces.add(name, workspace.copy(), workspace.scenarios.copy())
  }
  throw new ForbiddenError(
    `workspace '${printable(name)}': partners are kept apart, so that a request is replayed in its own workspace or in a copy of it; leave workspace out for a new copy`,
  )
}

/**
 * A copy for one replay. Where another process takes its name at the same moment, the next name is tried; where another
 * one ends the keys of the workspace meanwhile, nobody would open the copy.
 */
async function newReplay(
  workspace: Workspace,
  workspaces: Workspaces,
  storage: Storage,
  requireHeld: () => void,
): Promise<Workspace> {
  for (;;) {
    const { name } = workspace
    if (workspace.isolation) await storage.refreshCopies(workspace.isolation.of)
    if (!workspaces.owners.isCurrent(workspace)) throw workspaces.notThere(name)
    const made = workspaces.replays.add(workspace)
    if (await storage.created(made)) {
      await storage.refreshOriginal(made.name)
      if (workspaces.owners.isCurrent(made)) return made
      workspaces.delete(made.name)
      // A refusal is answered once no process has the copy any more.
      await storage.dropped(made.name)
      requireHeld()
    } else workspaces.replays.disown(made)
  }
}

function edited(received: IncomingRequest, edits: Edits): PartsOfCall {
  const { method, path, query, origin } = received
  const target = edits.path ?? (query === '' ? path : `${path}?${query}`)
  const headers = withHeaders(received.headers.raw, edits.headers ?? {})
  const parts = { method: edits.method ?? method, target, origin }
  if (edits.body === undefined) return { ...parts, headers, body: keptBody(received) }
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

/** @throws {ConflictError} for a body of which only the beginning was kept. */
function keptBody({ body, bodyBytes, headers: { known } }: IncomingRequest): PartsOfCall['body'] {
  if (bodyBytes !== undefined) {
    throw new ConflictError(
      `The journal kept only the beginning of this body of ${bodyBytes} bytes: give it whole as body.`,
    )
  }
  if (body !== undefined) return body.length === 0 ? undefined : Buffer.from(body)
  const length = known['content-length'] ?? '0'
  return known['transfer-encoding'] !== undefined || length !== '0' ? 'unread' : undefined
}

/** Headers as they were sent, with others in place of some. */
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
