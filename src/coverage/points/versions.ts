// Contract points of versions: no version header, each supported version, an unsupported one (contract: Versioning).
import { supportedVersions, versionHeader } from '../../contract/versions.ts'
import type { Draft, Facet } from './point.ts'

export const versions: Facet = {
  points: (_endpoint, { environment }) => [
    {
      name: 'version/none',
      sentence: `Without ${versionHeader} the version saved for the account is used.`,
      section: 'Versioning 2',
      recipe: {},
    },
    ...supportedVersions(environment).map((version): Draft => ({
      name: `version/${version}`,
      sentence: `${versionHeader}: ${version} is used, and named in the answer.`,
      section: 'Versioning 3',
      recipe: { version },
    })),
    {
      name: 'version/unsupported',
      sentence: `An unsupported ${versionHeader} is refused with 400 BAD_REQUEST_ERROR, and no version is named.`,
      section: 'Versioning 5',
      recipe: { version: '2024-01-01' },
    },
  ],
  watch(_endpoint, placeOf, { environment }) {
    const [none, unsupported] = [placeOf('version/none'), placeOf('version/unsupported')]
    const places = new Map<string, number | undefined>(
      supportedVersions(environment).map((version) => [version, placeOf(`version/${version}`)]),
    )
    return ({ headers, resolution }, counter) => {
      const requested = headers[versionHeader]
      // The sandbox refuses a call without a usable key before it reads the version.
      if (resolution.key === undefined) return
      counter.hit(requested === undefined ? none : (places.get(requested) ?? unsupported))
    }
  },
}
