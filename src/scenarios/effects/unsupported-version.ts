import { z } from 'zod'
import { latestVersion, releasedVersions, supportedVersions, type Version } from '../../contract/versions.ts'
import { effect } from '../effect.ts'

const knownVersions: readonly Version[] = [...releasedVersions, latestVersion]

export const unsupportedVersion = effect<{ supported?: Version[] | undefined }>({
  name: 'unsupported_version',
  noun: 'version',
  help: 'Refuses the version of the call unless it is among the supported ones that are left; bare, always.',
  schema: z.strictObject({
    supported: z
      .array(
        z.enum(knownVersions as [Version, ...Version[]], {
          error: `must be one of ${knownVersions.join(', ')}`,
        }),
      )
      .optional(),
  }),
  bare: {},
  apply({ supported }, plan, { version, environment }) {
    // What an environment does not have at all, it does not list either (contract: Versioning 8).
    const left = supportedVersions(environment).filter(
      (other) => supported?.includes(other) ?? other !== version,
    )
    if (!left.includes(version)) plan.end({ kind: 'unsupported_version', supported: left })
  },
})
