// Answers a request: runs its stages, retries it where its state was replaced meanwhile, and persists what it wrote.
import { readCredential } from '../contract/credentials.ts'
import type { Call } from '../call/index.ts'
import type { DataFolder } from '../storage/file/data-folder.ts'
import { isKeyIn, mayOpen, namedWorkspace } from '../workspaces/identify.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import { applyAfterEffects, complete } from './complete-call.ts'
import { recordCall } from './record-call.ts'
import { answerFailure, runStages } from './run-stages.ts'
import type { ServedCall } from './served-call.ts'
import { answerShared } from './shared-calls.ts'
import { stages } from './stages/index.ts'

/**
 * Answers a request, and records it just before its answer may leave: once its writes are persisted. A value where
 * nothing waits, else a promise, which never rejects.
 */
export function answerCall(call: ServedCall): Call | Promise<Call> {
  const { shared, folder } = call.service
  if (shared) return answerShared(call, shared)
  const opening = folder && openWorkspace(call, folder)
  if (opening === undefined) return run(call)
  return opening.then(
    () => answerCall(call),
    (error: unknown) => finishFailed(error, call),
  )
}

/**
 * A reset, a restored snapshot or an upload may replace the state while a call waits, and its key may be changed or
 * deleted. The call then runs again, as if it had come later: it sees all of the old state or all of the new, never the
 * rights of one and the rows of the other. From the last wait to the commit nothing waits, so there is no gap left.
 */
function run(call: ServedCall, from = 0): Call | Promise<Call> {
  const pause = runStages(call, stages, from)
  if (pause === undefined) return finish(call)
  return pause.ready.then(
    () => (call.isOutdated ? run(call.retry()) : run(call, pause.next)),
    (error: unknown) => finishFailed(error, call),
  )
}

/** Completes an answered call once its writes are persisted, also when a fault will lose its answer. */
function finish(call: ServedCall): Call | Promise<Call> {
  applyAfterEffects(call)
  const saving = call.wrote ? call.workspace.keeper?.saved() : undefined
  if (saving === undefined) return completeAndRecord(call)
  return saving.then(
    () => completeAndRecord(call),
    (error: unknown) => {
      answerFailure(error, call)
      return completeAndRecord(call)
    },
  )
}

function finishFailed(error: unknown, call: ServedCall): Call | Promise<Call> {
  answerFailure(error, call)
  return finish(call)
}

function completeAndRecord(call: ServedCall): Call {
  complete(call)
  return recordCall(call)
}

/**
 * With a data folder: reads the workspace that the credential of a call names, or creates it on the disk. Undefined
 * where there is nothing to do. Rejects where it cannot be used.
 */
function openWorkspace(
  { service, client, headers }: ServedCall,
  folder: DataFolder,
): Promise<void> | undefined {
  // The caller of a workspace's own `fetch` has it open.
  if (client.workspace) return undefined
  const { workspaces, assumptions, environment } = service
  const sent = readCredential(headers.authorization, (id) => assumptions[id])
  if ('refusal' in sent) return undefined
  const name = namedWorkspace(workspaces, sent)
  if (!mayOpen(workspaces, name, sent)) return undefined
  const isClosed = workspaces.closed(name) !== undefined
  const isNew = !isClosed && workspaces.policy.createsOnFirstUse && workspaces.find(name) === undefined
  try {
    return folder.ready(name, isNew && isKeyIn(workspaces.baseline, sent, environment))
  } catch (error) {
    // The stages answer it, in the form of the call's version.
    if (error instanceof TooManyWorkspacesError) return undefined
    throw error
  }
}
