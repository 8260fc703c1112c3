// Contract points of locales: the language of texts that a call requests (contract: list reward categories).
import { localeKindOf, locales as kinds, type LocaleKind } from '../../endpoints/localized.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { countsAsSent } from '../what-counts.ts'
import type { Facet } from './point.ts'
import { valueSent } from './inputs.ts'

const kindNames = Object.keys(kinds) as LocaleKind[]
const languageNames = { en: 'English', es: 'Spanish' } as const

export const locales: Facet = {
  points(endpoint) {
    const field = localeField(endpoint)
    if (field === undefined) return []
    return kindNames.map((kind) => {
      const { asks, language, example } = kinds[kind]
      return {
        name: `locale/${kind}`,
        sentence: `For ${asks}, the answer has ${languageNames[language]} texts.`,
        section: endpoint.section,
        recipe: example === undefined ? {} : { query: { [field]: example } },
      }
    })
  },
  watch(endpoint, placeOf, { values }) {
    const read = valueSent(endpoint, localeField(endpoint) ?? '', values)
    const places = new Map(kindNames.map((kind) => [kind, placeOf(`locale/${kind}`)]))
    return (call, counter) => {
      if (!countsAsSent(call)) return
      const locale = read(call)
      // A repeated parameter requests no locale.
      if (locale === undefined || typeof locale === 'string') counter.hit(places.get(localeKindOf(locale)))
    }
  },
}

function localeField({ query }: Endpoint): string | undefined {
  return Object.entries(query).find(([, { nameFrom }]) => nameFrom === 'locale_parameter')?.[0]
}
