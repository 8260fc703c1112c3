// The effect `unsupported_version`: an API version that is withdrawn or not available yet (400).
import { z } from 'zod'
import * as versions from '../../contract/versions.ts'
import { effect } from '../effect.ts'

const knownVersions = [...versions.releasedVersions, versions.latestVersion] as const

export const unsupportedVersion = effect({
  name: 'unsupported_version',
  noun: 'version',
  help: 'Refuses the version of the call unless it is one of the versions in supported; without a value, always.',
  schema: z.strictObject({
    supported: z
      .array(z.enum(knownVersions, { error: `must be one of ${knownVersions.join(', ')}` }))
      .optional(),
  }),
  bare: {},
  needsLatest: ({ supported = [] }) =>
    supported.length > 0 && supported.every((version) => version === versions.latestVersion),
  apply({ supported: supportedVersions }, call, { version, environment }) {
    // A version that the environment lacks is not listed either (contract: Versioning 8).
    const supported = versions
      .supportedVersions(environment)
      .filter((other) => supportedVersions?.includes(other) ?? other !== version)
    if (supported.includes(version)) return
    const about = { message: versions.unsupportedVersion(version, supported) }
    call.end({ kind: 'refusal', type: 'BAD_REQUEST_ERROR', about, supported })
  },
})
