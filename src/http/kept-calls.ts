// Calls with a folder of data: the workspace that a credential names, opened or made where it is not in memory.
import { readCredential } from '../contract/credentials.ts'
import type { DataFolder } from '../persistence/data-folder.ts'
import { isKeyIn, mayOpen, namedWorkspace } from '../workspaces/identify.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import type { ServedCall } from './served-call.ts'

/**
 * Settles once the workspace that a call names can be used: one that is closed is read, and a new one is on the disk.
 * Undefined where nothing has to be done. Rejects where it cannot be used.
 */
export function openKept(
  { service, caller, headers }: ServedCall,
  folder: DataFolder,
): Promise<void> | undefined {
  // Whoever has hold of a workspace has it open.
  if (caller.fixed) return undefined
  const { workspaces, assumptions, environment } = service
  const sent = readCredential(headers.authorization, (id) => assumptions[id])
  if ('refusal' in sent) return undefined
  const name = namedWorkspace(workspaces, sent)
  if (!mayOpen(workspaces, name, sent)) return undefined
  const isClosed = workspaces.closed(name) !== undefined
  const isNew = !isClosed && !workspaces.areApart && workspaces.find(name) === undefined
  try {
    return folder.ready(name, isNew && isKeyIn(workspaces.baseline, sent, environment))
  } catch (error) {
    // Whoever judges the call says so, in the form of its version.
    if (error instanceof TooManyWorkspacesError) return undefined
    throw error
  }
}
