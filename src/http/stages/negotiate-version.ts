import { ApiError } from '../../contract/errors.ts'
import { chooseVersion, versionHeader } from '../../contract/versions.ts'
import type { OpenExchange } from '../open-exchange.ts'

/**
 * Chooses the API version (contract: Versioning 2-5). From here on every answer carries it; the refusal of an
 * unsupported version does not, as none was chosen.
 */
export function negotiateVersion(exchange: OpenExchange): void {
  const { service, workspace, received, found } = exchange
  const saved = workspace.state.account.saved_version[service.environment]
  found.savedVersion = saved
  const choice = chooseVersion(received.headers[versionHeader], saved, service.environment)
  if (choice.version === undefined) throw new ApiError('BAD_REQUEST_ERROR', { message: choice.refusal })
  found.version = choice.version
  found.versionSource = choice.source
}
