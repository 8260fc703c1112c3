// Reward category endpoint: list how the product earns rewards, in the caller's language.
import { z } from 'zod'
import { valuesOf, type Assumptions } from '../contract/assumptions.ts'
import { documented } from '../contract/docs.ts'
import { rewardCategories } from '../contract/resources/reward-category.ts'
import type { LocalizedText, ProductRow } from '../store/rows.ts'
import { endpoint } from './define.ts'
import { languageOf, translated, type Language } from './localized.ts'

/**
 * Formats an earn rate with the decimals of the configured precision (contract: Reward categories response). It loses
 * no
 * digit: the loader refuses a product whose rate has more decimals than its precision.
 *
 * @example withPrecision('1.5', 2)   // '1.50'
 */
export function withPrecision(rate: string, precision: number): string {
  const [whole = '0', decimals = ''] = rate.split('.')
  return precision === 0 ? whole : `${whole}.${decimals.padEnd(precision, '0').slice(0, precision)}`
}

function textsOf({ categories, special_categories }: ProductRow['rewards']): LocalizedText[] {
  return [...categories, ...special_categories].flatMap(({ name, description }) => [name, description])
}

/** The comparison of locales, in words. */
const matchingNames: Record<Assumptions['locale_matching'], string> = {
  lenient: 'In any case, with a hyphen or an underscore.',
  exact: 'Written like es-MX or es-419.',
}

export const listRewardCategories = endpoint({
  id: 'listRewardCategories',
  method: 'GET',
  path: '/v2/rewards/rewards_categories',
  summary: "List the product's reward categories",
  params: {},
  query: {
    locale: {
      schema: documented(
        z.string().optional(),
        { 'x-assumption': 'locale_matching' },
        ({ locale_matching }) => ({ description: matchingNames[locale_matching] }),
      ),
      description: 'The language of the texts: Spanish for es and its regional variants, else English.',
      nameFrom: 'locale_parameter',
      example: 'es-MX',
    },
  },
  result: rewardCategories,
  handler({ query, otherwise, product, values, assume }) {
    const language = languageOf(query.locale, values.locale_matching)
    if (query.locale !== undefined || otherwise.locale) noteLanguages()
    const show = (text: LocalizedText): string | undefined =>
      translated(text, language, values.untranslated_text)
    const { currency, precision, categories, special_categories } = product.rewards
    return {
      currency,
      categories: categories.map((category) => ({
        name: show(category.name),
        description: show(category.description),
        earn_rate: withPrecision(category.earn_rate, precision),
        type: category.type,
        merchants: category.merchants,
      })),
      special_categories: special_categories.map((category) => ({
        name: show(category.name),
        description: show(category.description),
        type: category.type,
      })),
    }

    /** Records the assumptions that select the language, if the product's texts differ between languages. */
    function noteLanguages(): void {
      const texts = textsOf(product.rewards)
      if (language === 'es' && texts.some((text) => typeof text === 'string')) assume('untranslated_text')
      if (texts.every((text) => shownIn('en', text) === shownIn('es', text))) return
      const { locale } = query
      if (valuesOf('locale_matching').some((other) => languageOf(locale, other) !== language)) {
        assume('locale_matching')
      }
      if (otherwise.locale?.some((other) => languageOf(other, values.locale_matching) !== language)) {
        assume('locale_parameter')
      }
    }

    function shownIn(other: Language, text: LocalizedText): string | undefined {
      return translated(text, other, values.untranslated_text)
    }
  },
})
