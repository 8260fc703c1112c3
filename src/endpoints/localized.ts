// Languages: selects English or Spanish by locale, and returns texts in that language.
import type { LocalizedText } from '../store/rows.ts'

export type Language = 'en' | 'es'

/**
 * The kinds of locale that a call can request (contract: list reward categories), an example and the language of each.
 */
export const locales = {
  none: { example: undefined, language: 'en', asks: 'no locale' },
  es: { example: 'es', language: 'es', asks: 'Spanish (es)' },
  es_regional: { example: 'es-MX', language: 'es', asks: 'a regional variant of Spanish, such as es-MX' },
  other: { example: 'fr', language: 'en', asks: 'any other locale' },
} as const satisfies Record<string, { example: string | undefined; language: Language; asks: string }>

export type LocaleKind = keyof typeof locales

/** Locales are compared in any case, with a hyphen or an underscore before the region (docs/endpoints.md). */
const spanish = /^es(-|_|$)/i

/** An invalid locale is not an error: it counts as an unsupported one. */
export function localeKindOf(locale: string | undefined): LocaleKind {
  if (locale === undefined) return 'none'
  if (!spanish.test(locale)) return 'other'
  return locale.length === 2 ? 'es' : 'es_regional'
}

/** Returns the language for a locale. */
export function languageOf(locale: string | undefined): Language {
  return locales[localeKindOf(locale)].language
}

/** Returns a text in a language. A text in one language only is used for both. */
export function localized(text: LocalizedText, language: Language): string {
  return typeof text === 'string' ? text : text[language]
}
