// The caller with --isolation partner: the operator, or a partner by the token of its workspace; and what a partner may
// do.
import { isSameSecret } from '../runtime/random.ts'
import { controlError } from '../http/control-error.ts'
import type { Partner } from '../http/context.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { mayBeOf, ownerOfToken } from '../workspaces/isolation.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { operationFor, type Resource } from './resource.ts'
import type { ControlContext } from './context.ts'
import { bearerOf } from './guard.ts'
import { Refusal } from './refusal.ts'

/** Returns the partner whose token was sent; undefined for other callers, including one whose token was rotated. */
export async function partnerOf(
  authorization: string | null,
  workspaces: Workspaces,
): Promise<Partner | undefined> {
  if (!workspaces.policy.hasWorkspaceTokens) return undefined
  const token = bearerOf(authorization)
  const of = ownerOfToken(token)
  if (of === undefined) return undefined
  const holds = (): boolean => {
    const keys = workspaces.owners.keysFor(of)
    return keys?.isolation.of === of && isSameSecret(keys.adminToken, token)
  }
  // Another process may have created the workspace, or rotated its keys.
  if (!holds() && workspaces.ownership?.isShared) await workspaces.ownership.refreshNames()
  // For other callers this workspace does not exist, and nothing of it is opened.
  if (!holds()) return undefined
  const unusable = await whyUnusable(workspaces.open(of))
  if (!holds()) return undefined
  if (unusable) throw new Refusal('UNAVAILABLE', unusable.brief)
  const mayBeOwn = (name: string): boolean => mayBeOf(of, name)
  return {
    of,
    holds,
    mayBeOwn,
    owns: (name) =>
      mayBeOwn(name) && workspaces.owners.isolationOf(name)?.of === of && !workspaces.owners.isRevoked(name),
  }
}

/**
 * Returns the refusal of a request that a partner may not make: to other workspaces, existing or not, and to resources
 * that do not depend on the workspace, unless they allow partners. Undefined if it may continue.
 */
export async function refusePartner(
  partner: Partner,
  resource: Resource,
  context: ControlContext,
  workspaces: Workspaces,
): Promise<Response | undefined> {
  const { req } = context
  const inPath = isNamed(resource) ? req.param('name') : undefined
  const named = [...(req.queries('workspace') ?? []), ...(inPath === undefined ? [] : [inPath])]
  for (const name of named) {
    const unusable = partner.mayBeOwn(name) ? await whyUnusable(workspaces.open(name)) : undefined
    if (!partner.owns(name)) return forbidden(partner)
    if (unusable) throw new Refusal('UNAVAILABLE', unusable.brief)
  }
  if (!isOfSandbox(resource)) return undefined
  return operationFor(resource, context)?.partners ? undefined : forbidden(partner)
}

/** Returns why a workspace cannot be used; undefined if it can. */
async function whyUnusable(reached: Promise<unknown> | undefined): Promise<UnusableError | undefined> {
  try {
    await reached
    return undefined
  } catch (error) {
    if (error instanceof UnusableError) return error
    throw error
  }
}

const isOfSandbox = ({ operations }: Resource): boolean => operations.every(({ of }) => of === 'sandbox')

/** A resource that does not depend on the workspace, with a name in its path, is about the workspace of that name. */
const isNamed = (resource: Resource): boolean => isOfSandbox(resource) && resource.path.includes('/:name')

function forbidden({ of }: Partner): Response {
  return controlError(
    'FORBIDDEN',
    `This token is for workspace '${of}' and its copies only: ask the operator of this sandbox for anything else.`,
  )
}
