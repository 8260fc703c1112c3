// The checks of coverage points: derived from them, so that each has their id and section.
import { pointOf, pointsOf } from '../../coverage/points/index.ts'
import type { Draft } from '../../coverage/points/point.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { endpoints } from '../../endpoints/index.ts'
import { defaultContext } from '../default-context.ts'
import { answers } from './answers.ts'
import { boundaries } from './boundaries.ts'
import type { Check, Facet } from './check.ts'
import { credentials } from './credentials.ts'
import { locales } from './locales.ts'
import { products } from './products.ts'
import { scopes } from './scopes.ts'
import { sentValues } from './sent-values.ts'
import { shownValues } from './shown-values.ts'
import { decidedBy } from './undecided.ts'
import { versions } from './versions.ts'

/** The checks of each kind, by the first word of their names; other kinds are about shown values. */
const facets: Readonly<Record<string, Facet>> = {
  success: answers,
  error: answers,
  auth: credentials,
  version: versions,
  product: products,
  scope: scopes,
  boundary: boundaries,
  sent: sentValues,
  locale: locales,
  page: () => decidedBy('unknown_cursor'),
}

export const coverageChecks: readonly Check[] = endpoints.flatMap((endpoint) =>
  pointsOf(endpoint, defaultContext).drafts.flatMap((draft) => {
    const [kind = ''] = draft.name.split('/')
    // Pages have checks of their own; the answer to an unknown cursor is an assumption.
    if (kind === 'page' && draft.name !== 'page/unknown_cursor') return []
    return [checkOf(endpoint, draft, facets[kind] ?? shownValues)]
  }),
)

function checkOf(endpoint: Endpoint, draft: Draft, facet: Facet): Check {
  const { sentence, ...checking } = facet(endpoint, draft)
  return { ...pointOf(endpoint, { ...draft, sentence: sentence ?? draft.sentence }), ...checking }
}
