// Version negotiation: chooses the API version of a call by its header or the account; 400 if it is not supported.
import {
  chooseVersion,
  supportedVersions,
  unsupportedVersion,
  versionHeader,
} from '../../contract/versions.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const versionNotSupported: Failure = {
  type: 'BAD_REQUEST_ERROR',
  name: 'unsupported_version',
  on: `${versionHeader} names no supported version.`,
  example: (environment) => unsupportedVersion('2020-01-01', supportedVersions(environment)),
}

/**
 * Chooses the API version (contract: Versioning 2-5). All later answers carry it. The refusal of an unsupported version
 * does not, as no version was chosen.
 */
export const negotiateVersion: Stage = {
  failures: () => [versionNotSupported],
  run(call) {
    const { service, workspace, headers, resolution } = call
    const saved = workspace.state.account.saved_version[service.environment]
    resolution.savedVersion = saved
    const choice = chooseVersion(headers[versionHeader], saved, service.environment)
    if (choice.version === undefined) throw errorOf(versionNotSupported, call, { message: choice.refusal })
    resolution.version = choice.version
    resolution.versionSource = choice.source
  },
}
