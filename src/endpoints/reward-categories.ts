// Reward categories: how the product earns, in the language of the caller.
import { z } from 'zod'
import { valuesOf } from '../contract/assumptions.ts'
import { documented } from '../contract/docs.ts'
import { rewardCategories } from '../contract/resources/reward-category.ts'
import type { ProductRow } from '../store/rows.ts'
import { endpoint } from './define.ts'
import { languageOf, localized } from './localized.ts'

/**
 * An earn rate with the decimals of the configured precision (contract: Reward categories response). Rates are cut
 * to nothing: a product whose rate has more decimals than its precision is refused when it is read.
 *
 * @example withPrecision('1.5', 2)   // '1.50'
 */
export function withPrecision(rate: string, precision: number): string {
  const [whole = '0', decimals = ''] = rate.split('.')
  return precision === 0 ? whole : `${whole}.${decimals.padEnd(precision, '0').slice(0, precision)}`
}

function isBilingual({ categories, special_categories }: ProductRow['rewards']): boolean {
  return [...categories, ...special_categories]
    .flatMap(({ name, description }) => [name, description])
    .some((text) => localized(text, 'en') !== localized(text, 'es'))
}

export const listRewardCategories = endpoint({
  id: 'listRewardCategories',
  method: 'GET',
  path: '/v2/rewards/rewards_categories',
  summary: "List the product's reward categories",
  params: {},
  query: {
    locale: {
      schema: documented(z.string().optional(), { 'x-assumption': 'locale_matching' }),
      description: 'The language of the texts: Spanish for es and its regional variants, else English.',
      nameFrom: 'locale_parameter',
      example: 'es-MX',
    },
  },
  result: rewardCategories,
  handler({ query, otherwise, product, values, assume }) {
    const language = languageOf(query.locale, values.locale_matching)
    if (query.locale !== undefined || otherwise.locale) noteLanguages()
    const { currency, precision, categories, special_categories } = product.rewards
    return {
      currency,
      categories: categories.map((category) => ({
        name: localized(category.name, language),
        description: localized(category.description, language),
        earn_rate: withPrecision(category.earn_rate, precision),
        type: category.type,
        merchants: category.merchants,
      })),
      special_categories: special_categories.map((category) => ({
        name: localized(category.name, language),
        description: localized(category.description, language),
        type: category.type,
      })),
    }

    /** Another language is another answer where the product has texts in both. */
    function noteLanguages(): void {
      if (!isBilingual(product.rewards)) return
      const { locale } = query
      if (valuesOf('locale_matching').some((other) => languageOf(locale, other) !== language)) {
        assume('locale_matching')
      }
      if (otherwise.locale?.some((other) => languageOf(other, values.locale_matching) !== language)) {
        assume('locale_parameter')
      }
    }
  },
})
