// Contract points of credentials: each form of a key, a missing and an unusable key (contract: Authentication 1-3).
import { credentialForms, type CredentialForm } from '../../contract/credentials.ts'
import type { Facet } from './point.ts'

const forms = Object.keys(credentialForms) as CredentialForm[]

export const credentials: Facet = {
  points: () => [
    ...forms.map((form) => ({
      name: `auth/${form}`,
      sentence: `A call is accepted with ${credentialForms[form].how}.`,
      section: credentialForms[form].section,
      recipe: { credential: form },
    })),
    {
      name: 'auth/missing',
      sentence: 'A call without a credential is refused, without naming a version.',
      section: 'Authentication 1',
      recipe: { credential: 'none' },
    },
    {
      name: 'auth/unusable',
      sentence: 'A call with a key that is not usable here is refused, without naming a version.',
      section: 'Authentication 1',
      recipe: { credential: 'unusable' },
    },
  ],
  watch(_endpoint, placeOf) {
    const places = new Map(forms.map((form) => [form, placeOf(`auth/${form}`)]))
    const [missing, unusable] = [placeOf('auth/missing'), placeOf('auth/unusable')]
    return ({ headers, resolution: { credentialForm }, outcome }, counter) => {
      const hasCredential = headers.authorization !== undefined
      if (credentialForm !== undefined) counter.hit(places.get(credentialForm))
      else if (outcome.failure?.type === 'UNAUTHORIZED_ERROR') counter.hit(hasCredential ? unusable : missing)
    }
  },
}
