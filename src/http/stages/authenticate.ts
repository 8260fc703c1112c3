// Authentication by API key: finds the key and the workspace of a call; 401 without a usable key.
import { readCredential, unusableKey } from '../../contract/credentials.ts'
import { errorRow, type ApiError } from '../../contract/errors.ts'
import { credentialProblem } from '../../workspaces/credential-problem.ts'
import { identify, withoutWorkspace, type Identity } from '../../workspaces/identify.ts'
import { TooManyWorkspacesError } from '../../workspaces/workspaces.ts'
import type { ServedCall } from '../served-call.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const notAuthenticated: Failure = {
  type: 'UNAUTHORIZED_ERROR',
  on: errorRow('UNAUTHORIZED_ERROR').message,
  message: unusableKey,
  headers: ['www-authenticate'],
}

/** The limit of workspaces refuses a call before a version is chosen; other refusals of this type come later. */
export const notAvailable: Failure = {
  type: 'SERVICE_UNAVAILABLE_ERROR',
  on: 'The sandbox cannot take the call now.',
  version: 'sometimes',
}

/**
 * Finds the key and the workspace of a call (contract: Authentication 1-3). It runs first: a call without a usable key
 * must learn neither the routes nor the supported versions.
 */
export const authenticate: Stage = {
  failures: () => [notAuthenticated, notAvailable],
  run(call) {
    const { resolution } = call
    const sent = readCredential(call.headers.authorization)
    if ('refusal' in sent) {
      resolution.credentialProblem = { kind: sent.missing ? 'missing' : 'malformed' }
      throw refused(call, sent.refusal)
    }
    const { fixed, client } = call
    const credential = fixed && client.takesAnyKey ? withoutWorkspace(sent, fixed.state) : sent
    const identity = identifyOrRefuse(call, credential)
    if (!identity) {
      const { service } = call
      const { workspaces, environment } = service
      resolution.credentialProblem = credentialProblem(workspaces, credential, environment, fixed)
      throw refused(call)
    }
    resolution.key = identity.key
    resolution.credentialForm = identity.form
    resolution.scopes = identity.key.scopes
    call.identifiedIn = identity.workspace.state
    call.enter(identity.workspace)
  },
}

function identifyOrRefuse(
  call: ServedCall,
  credential: Parameters<typeof identify>[1],
): Identity | undefined {
  const { service, fixed } = call
  try {
    return identify(service.workspaces, credential, service.environment, fixed)
  } catch (error) {
    if (!(error instanceof TooManyWorkspacesError)) throw error
    throw errorOf(notAvailable, call, { message: error.message })
  }
}

/** The refusal of a call without a usable key. */
export function refused(call: ServedCall, message: string = unusableKey): ApiError {
  return errorOf(notAuthenticated, call, { message })
}
