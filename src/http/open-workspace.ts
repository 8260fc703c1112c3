// Opens the workspace of a call before its stages run, where workspaces are in files or in a store.
import { readCredential, type Credential } from '../contract/credentials.ts'
import { isKeyIn, mayOpen, namedWorkspace } from '../workspaces/identify.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import type { ServedCall } from './served-call.ts'

/**
 * Makes this process the owner of the workspace that a call names. Undefined if there is nothing to wait for: then the
 * stages decide, and a call without a usable key belongs to `default`, which need not be open for that.
 * @throws by rejecting, as `Workspaces.open` does.
 */
export function openWorkspaceOf(call: ServedCall): Promise<void> | undefined {
  const { service, client, headers } = call
  const { workspaces } = service
  if (!workspaces.ownership) return undefined
  const { workspace } = client
  // A deleted workspace that the program still has a reference to must not be persisted again.
  if (workspace) return workspaces.stillExists(workspace) ? workspaces.open(workspace.name) : undefined
  const sent = readCredential(headers.authorization)
  if ('refusal' in sent) return undefined
  const name = namedWorkspace(workspaces, sent)
  return workspaces.isCurrent(name) ? undefined : open(call, name, sent)
}

async function open({ service }: ServedCall, name: string, credential: Credential): Promise<void> {
  const { workspaces, environment } = service
  const { createsOnFirstUse, hasPublicKeys } = workspaces.policy
  // Without public keys, no key opens `default`.
  if (name === defaultWorkspace) return hasPublicKeys ? workspaces.open(name) : undefined
  const creates = createsOnFirstUse && isKeyIn(workspaces.baseline, credential, environment)
  const isKnown = creates || (await workspaces.exists(name))
  if (isKnown && mayOpen(workspaces, name, credential)) return workspaces.open(name, creates)
  // Another process may have rotated the keys.
  if (createsOnFirstUse || !workspaces.ownership?.isShared) return
  await workspaces.ownership.refreshNames()
  if (workspaces.isTaken(name) && mayOpen(workspaces, name, credential)) await workspaces.open(name)
}
