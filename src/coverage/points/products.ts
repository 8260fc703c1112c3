// Contract points of products: how a call selects its product (contract: Authentication 9).
import { merchantKeyHeader } from '../../contract/credentials.ts'
import type { Draft, Facet, Recipe } from './point.ts'

const point = (name: string, sentence: string, recipe: Recipe): Draft => ({
  name: `product/${name}`,
  sentence,
  section: 'Authentication 9',
  recipe,
})

export const products: Facet = {
  points: (_endpoint, { values }) => [
    point('of_key', `A key of one product needs no ${merchantKeyHeader}.`, {}),
    point('selected', `${merchantKeyHeader} selects a product of the key.`, { product: 'own' }),
    point(
      'not_selected',
      `A key of several products without ${merchantKeyHeader} is refused with ${values.missing_merchant_key_status}.`,
      { key: 'of several products' },
    ),
    point(
      'unknown',
      `${merchantKeyHeader} with no product of the key is refused with ${values.unknown_merchant_key_status}.`,
      { product: 'unknown' },
    ),
  ],
  watch(_endpoint, placeOf) {
    const [ofKey, selected] = [placeOf('product/of_key'), placeOf('product/selected')]
    const [notSelected, unknown] = [placeOf('product/not_selected'), placeOf('product/unknown')]
    return ({ headers, resolution: { key, version, product } }, counter) => {
      const productHeader = headers[merchantKeyHeader]
      if (product !== undefined) counter.hit(productHeader === undefined ? ofKey : selected)
      // A call with a refused version selects no product.
      else if (key === undefined || version === undefined) return
      else if (productHeader !== undefined) counter.hit(unknown)
      else if (key.products.length > 1) counter.hit(notSelected)
    }
  },
}
