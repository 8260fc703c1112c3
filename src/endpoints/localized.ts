// Languages: what a locale asks for, and texts in English and Spanish.
import type { Assumptions } from '../contract/assumptions.ts'
import type { LocalizedText } from '../store/rows.ts'

export type Language = 'en' | 'es'

/** What a call can ask for with its locale (contract: list reward categories), an example of each, and what it gets. */
export const locales = {
  none: { example: undefined, language: 'en', asks: 'no locale' },
  es: { example: 'es', language: 'es', asks: 'Spanish (es)' },
  es_regional: { example: 'es-MX', language: 'es', asks: 'a regional variant of Spanish, such as es-MX' },
  other: { example: 'fr', language: 'en', asks: 'any other locale' },
} as const satisfies Record<string, { example: string | undefined; language: Language; asks: string }>

export type LocaleKind = keyof typeof locales

type Matching = Assumptions['locale_matching']

const spanish: Record<Matching, RegExp> = { lenient: /^es(-|_|$)/i, exact: /^es(-(?:[A-Z]{2}|\d{3}))?$/ }

/** Nonsense is no error: it is like any other locale that is not supported. */
export function localeKindOf(locale: string | undefined, matching: Matching): LocaleKind {
  if (locale === undefined) return 'none'
  if (!spanish[matching].test(locale)) return 'other'
  return locale.length === 2 ? 'es' : 'es_regional'
}

/** The language that a locale gets. */
export function languageOf(locale: string | undefined, matching: Matching): Language {
  return locales[localeKindOf(locale, matching)].language
}

/** A text in a language; a text in one language only serves both. */
export function localized(text: LocalizedText, language: Language): string {
  return typeof text === 'string' ? text : text[language]
}

/** A text of a category in a language; undefined for a text that has no translation where those are omitted. */
export function translated(
  text: LocalizedText,
  language: Language,
  untranslated: Assumptions['untranslated_text'],
): string | undefined {
  const isMissing = language === 'es' && typeof text === 'string'
  return isMissing && untranslated === 'omitted' ? undefined : localized(text, language)
}
