import type { LocalizedText } from '../store/rows.ts'

export type Language = 'en' | 'es'

/**
 * The language that a locale asks for (contract: list reward categories): Spanish for `es` and its regional
 * variants, English for everything else, nonsense included.
 */
export function languageOf(locale: string | undefined): Language {
  return locale !== undefined && /^es(-|_|$)/i.test(locale) ? 'es' : 'en'
}

/** A text in a language; a text in one language only serves both. */
export function localized(text: LocalizedText, language: Language): string {
  return typeof text === 'string' ? text : text[language]
}
