// Reward category endpoint: list how the product earns rewards, in the caller's language.
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { rewardCategories } from '../contract/resources/reward-category.ts'
import type { LocalizedText, ProductRow } from '../store/rows.ts'
import { endpoint } from './define.ts'
import { languageOf, localized } from './localized.ts'

/**
 * Formats an earn rate with the decimals of the configured precision (contract: Reward categories response). It loses
 * no digit: the loader refuses a product whose rate has more decimals than its precision.
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

export const listRewardCategories = endpoint({
  id: 'listRewardCategories',
  method: 'GET',
  path: '/v2/rewards/rewards_categories',
  summary: "List the product's reward categories",
  params: {},
  query: {
    locale: {
      schema: documented(z.string().optional(), {
        description: 'In any case, with a hyphen or an underscore.',
      }),
      description: 'The language of the texts: Spanish for es and its regional variants, else English.',
      nameFrom: 'locale_parameter',
      example: 'es-MX',
    },
  },
  result: rewardCategories,
  handler({ query, otherwise, product, assume }) {
    const language = languageOf(query.locale)
    if (query.locale !== undefined || otherwise.locale) noteLanguages()
    const show = (text: LocalizedText): string => localized(text, language)
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
      if (texts.every((text) => localized(text, 'en') === localized(text, 'es'))) return
      if (otherwise.locale?.some((other) => languageOf(other) !== language)) assume('locale_parameter')
    }
  },
})
