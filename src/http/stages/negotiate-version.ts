import { ApiError } from '../../contract/errors.ts'
import { chooseVersion, versionHeader } from '../../contract/versions.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Chooses the API version (contract: Versioning 2-5). From here on every answer carries it; the refusal of an
 * unsupported version does not, as none was chosen.
 */
export function negotiateVersion(exchange: Exchange): void {
  const { service, workspace, incoming } = exchange
  const saved = workspace.state.account.saved_version[service.environment]
  exchange.savedVersion = saved
  const choice = chooseVersion(incoming.headers[versionHeader], saved, service.environment)
  if (choice.version === undefined) throw new ApiError('BAD_REQUEST_ERROR', { message: choice.refusal })
  exchange.version = choice.version
  exchange.versionSource = choice.source
}
