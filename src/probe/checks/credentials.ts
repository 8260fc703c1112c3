// Checks of credentials: the forms of a key are accepted, and no key or an unusable one is refused.
import { versionHeader, latestVersion } from '../../contract/versions.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { Answer } from '../read-answer.ts'
import { cannotTell, type ProbeContext, type Reading, type Step } from '../probe.ts'
import { call, plain, riskOf, sharedCall } from './calls.ts'
import { broken, holds, type Checking, type Facet } from './check.ts'
import { isSuccess } from '../answers.ts'
import { inWords, isOfEndpoint, isRefusedKey, readAnswer, versionOf } from './seen.ts'
import { never } from './undecided.ts'

export const credentials: Facet = (endpoint, { recipe }) => {
  switch (recipe.credential) {
    case 'basic_key':
      return accepted(latestByBasic(endpoint))
    case 'basic_key_pair':
      return riskOf(endpoint) === 'write'
        ? acceptedPair(endpoint)
        : never('a target names no key id with its secret', 'see createApiKey/auth/basic_key_pair')
    case 'none':
      return refused(call(endpoint, 'without a key', { key: null, risk: 'refusal' }))
    case 'unusable': {
      const authorization = (): string => 'Bearer key_that_cannot_exist'
      return refused(call(endpoint, 'with an unusable key', { authorization, risk: 'refusal' }))
    }
    default:
      return accepted(plain(endpoint))
  }
}

const basic = (credential: string): string => `Basic ${Buffer.from(credential).toString('base64')}`

/** One call shows both that the key is accepted in this form, and that `latest` is used. */
export const latestByBasic = (endpoint: Endpoint): Step<'holds'> =>
  sharedCall(endpoint, latestVersion, {
    authorization: (key) => basic(`${key}:`),
    headers: { [versionHeader]: latestVersion },
  })

const accepted = (step: Step<'holds'>): Checking => ({
  needs: [],
  steps: [step],
  read: (context) => readAnswer(context, step.name, isAccepted),
})

/** Only a call whose key was accepted names a version (contract: Versioning 4). */
function isAccepted(answer: Answer): Reading<'holds'> {
  if (isOfEndpoint(answer) || versionOf(answer) !== undefined) return holds
  if (isRefusedKey(answer)) return broken(inWords(answer), 'an answer to a call with a good key')
  return cannotTell(`${inWords(answer)} says nothing of the key`)
}

const refused = (step: Step<'holds'>): Checking => ({
  needs: [],
  steps: [step],
  read: (context) =>
    readAnswer(context, step.name, (answer) => {
      if (isOfEndpoint(answer)) return broken(inWords(answer), 'a refusal of the credential')
      const version = versionOf(answer)
      return version === undefined ? holds : broken(`${versionHeader}: ${version}`, `no ${versionHeader}`)
    }),
})

/** The pair of a key that was created, if the answer shows one. */
function acceptedPair(endpoint: Endpoint): Checking {
  const pair = ({ answer }: ProbeContext): string | undefined => {
    const made = answer('plain')
    if (!made || !isSuccess(made) || !isJsonObject(made.json)) return undefined
    const { id, secret } = made.json
    return typeof id === 'string' && typeof secret === 'string' ? `${id}:${secret}` : undefined
  }
  const byPair = call(endpoint, 'by the pair')
  return {
    needs: [],
    steps: [
      plain(endpoint),
      {
        ...byPair,
        request(context) {
          const credential = pair(context)
          return credential === undefined
            ? undefined
            : { ...byPair.request(context), authorization: () => basic(credential) }
        },
      },
    ],
    read: (context) =>
      pair(context) === undefined
        ? cannotTell('the answer to a new key shows no id with a secret')
        : readAnswer(context, byPair.name, isAccepted),
  }
}
