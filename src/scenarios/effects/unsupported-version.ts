// The effect `unsupported_version`: an API version that is withdrawn or not there yet (400).
import { z } from 'zod'
import * as versions from '../../contract/versions.ts'
import { effect } from '../effect.ts'

const knownVersions = [...versions.releasedVersions, versions.latestVersion] as const

export const unsupportedVersion = effect({
  name: 'unsupported_version',
  noun: 'version',
  help: 'Refuses the version of the call unless it is among the supported ones that are left; bare, always.',
  schema: z.strictObject({
    supported: z
      .array(z.enum(knownVersions, { error: `must be one of ${knownVersions.join(', ')}` }))
      .optional(),
  }),
  bare: {},
  needsLatest: ({ supported = [] }) =>
    supported.length > 0 && supported.every((version) => version === versions.latestVersion),
  apply({ supported: asked }, call, { version, environment }) {
    // What an environment does not have at all, it does not list either (contract: Versioning 8).
    const supported = versions
      .supportedVersions(environment)
      .filter((other) => asked?.includes(other) ?? other !== version)
    if (supported.includes(version)) return
    const about = { message: versions.unsupportedVersion(version, supported) }
    call.end({ kind: 'refusal', type: 'BAD_REQUEST_ERROR', about, supported })
  },
})
