// The caller with --isolation partner: the operator, or a partner by the token of its workspace; and what a partner may do.
import { isSameSecret } from '../runtime/random.ts'
import { controlError } from '../http/control-error.ts'
import type { Partner } from '../http/context.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { mayBeOf, ownerOfToken } from '../workspaces/isolation.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { nameOf, type ControlContext, type Noun } from './define.ts'
import { bearerOf } from './guard.ts'
import { Refusal } from './refusal.ts'

/** Where it is looked up whose a workspace is. */
export type LookedUp = Pick<Workspaces, 'policy' | 'closed' | 'owners'>

/**
 * The partner whose token was sent; undefined for anybody else, also for one whose token was rotated.
 * @param reach brings a workspace that is elsewhere to where it stands.
 */
export async function partnerOf(
  authorization: string | null,
  workspaces: LookedUp,
  reach: (name: string) => Promise<unknown> | undefined,
): Promise<Partner | undefined> {
  if (!workspaces.policy.hasWorkspaceTokens) return undefined
  const token = bearerOf(authorization)
  const of = ownerOfToken(token)
  if (of === undefined) return undefined
  const holds = (): boolean => {
    const keys = workspaces.owners.keysFor(of)
    return keys?.isolation.of === of && isSameSecret(keys.adminToken, token)
  }
  // To anybody else there is no such workspace, and nothing of it is opened.
  if (workspaces.closed(of) && !holds()) return undefined
  const unusable = await whyUnusable(reach(of))
  if (unusable && holds()) throw new Refusal('UNAVAILABLE', unusable.brief)
  if (!holds()) return undefined
  const mayBeOwn = (name: string): boolean => mayBeOf(of, name)
  return {
    of,
    holds,
    mayBeOwn,
    owns: (name) =>
      mayBeOwn(name) && workspaces.owners.isolationOf(name)?.of === of && !workspaces.owners.isEnded(name),
  }
}

/**
 * The refusal of what a partner may not ask: other workspaces, whether there are such ones or not, and what is the same
 * for all workspaces unless its noun says that a partner may. Undefined where it may go on.
 */
export async function refusePartner(
  partner: Partner,
  noun: Noun,
  context: ControlContext,
  reach: (name: string) => Promise<unknown> | undefined,
): Promise<Response | undefined> {
  const { req } = context
  const method = req.raw.method === 'HEAD' ? 'GET' : req.raw.method
  const named = [...(req.queries('workspace') ?? []), ...(isNamed(noun) ? [nameOf(context)] : [])]
  for (const name of named) {
    const unusable = partner.mayBeOwn(name) ? await whyUnusable(reach(name)) : undefined
    if (!partner.owns(name)) return forbidden(partner)
    if (unusable) throw new Refusal('UNAVAILABLE', unusable.brief)
  }
  if (!noun.shared) return undefined
  const allowed: readonly string[] = noun.forPartners ?? []
  return allowed.includes(method) ? undefined : forbidden(partner)
}

/** Why a workspace cannot be used; undefined for one that can. */
async function whyUnusable(reached: Promise<unknown> | undefined): Promise<UnusableError | undefined> {
  try {
    await reached
    return undefined
  } catch (error) {
    if (error instanceof UnusableError) return error
    throw error
  }
}

/** What is the same for all workspaces and has a name in its path is about the workspace of that name. */
function isNamed({ shared, path }: Noun): boolean {
  return shared === true && path.includes('/:name')
}

function forbidden({ of }: Partner): Response {
  return controlError(
    'FORBIDDEN',
    `This token is for workspace '${of}' and its copies alone: ask whoever runs this sandbox for anything else.`,
  )
}
