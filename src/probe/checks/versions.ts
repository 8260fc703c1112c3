// Checks of versions: one is chosen and named, and an unknown one is refused early.
import {
  releasedVersions,
  versionHeader,
  latestVersion,
  isSupported,
  supportedVersions,
} from '../../contract/versions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { shapeOf, typeOfError } from '../error-shape.ts'
import { cannotTell, type Step } from '../probe.ts'
import { call, missingRowError, onlyReads, plain } from './calls.ts'
import { broken, holds, type Checking, type Facet } from './check.ts'
import { latestByBasic } from './credentials.ts'
import { inWords, isRefusedKey, readAnswer, versionOf } from './seen.ts'

export const versions: Facet = (endpoint, { recipe: { version } }) => {
  if (version === undefined) return named(plain(endpoint))
  if (!isSupported(version, supportedVersions('sandbox'))) return refused(endpoint, version)
  return named(stepOf(endpoint, version), version)
}

function stepOf(endpoint: Endpoint, version: string): Step<'holds'> {
  if (version === latestVersion) return latestByBasic(endpoint)
  return version === releasedVersions[0] && onlyReads(endpoint) && missingRowError(endpoint)
    ? missingRow(endpoint)
    : call(endpoint, `version ${version}`, { headers: { [versionHeader]: version } })
}

/** One call shows both the answer for a missing row, and that an error names the version as well. */
export const missingRow = (endpoint: Endpoint): Step<'holds'> =>
  call(endpoint, 'no such row', {
    ofNoRow: true,
    risk: 'refusal',
    headers: { [versionHeader]: releasedVersions[0] },
  })

const named = (step: Step<'holds'>, version?: string): Checking => ({
  needs: [],
  steps: [step],
  read: (context) =>
    readAnswer(context, step.name, (answer) => {
      const chosen = versionOf(answer)
      if (chosen !== undefined && (version === undefined || chosen === version)) return holds
      if (isRefusedKey(answer)) return cannotTell(`the key is refused: ${inWords(answer)}`)
      return broken(
        `${versionHeader}: ${chosen ?? 'none'} with ${inWords(answer)}`,
        `${versionHeader}: ${version ?? 'the version that was used'}`,
      )
    }),
})

function refused(endpoint: Endpoint, version: string): Checking {
  const step = call(endpoint, 'unsupported version', { headers: { [versionHeader]: version } })
  return {
    needs: [],
    steps: [step],
    read: (context) =>
      readAnswer(context, step.name, (answer) => {
        const { status, json } = answer
        if (isRefusedKey(answer)) return cannotTell(`the key is refused: ${inWords(answer)}`)
        if (status !== 400 || shapeOf(json) !== 'B' || typeOfError(json) !== 'BAD_REQUEST_ERROR') {
          return broken(inWords(answer), 'status 400 BAD_REQUEST_ERROR in shape B')
        }
        const chosen = versionOf(answer)
        if (chosen !== undefined) return broken(`${versionHeader}: ${chosen}`, `no ${versionHeader}`)
        const error = isJsonObject(json) && isJsonObject(json['error']) ? json['error'] : {}
        const message = String(error['message'])
        // Production does not list `latest`, and is never tested for it (contract: Versioning 8).
        const left = [version, ...supportedVersions('sandbox')].filter((name) => !message.includes(name))
        return left.length === 0
          ? holds
          : broken(
              `a message without ${left.join(', ')}`,
              'one that names the value and each supported version',
            )
      }),
  }
}
