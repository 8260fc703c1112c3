// Contract points of products: how a call selects the one whose data it is about (contract: Authentication 9).
import { merchantKeyHeader } from '../../contract/credentials.ts'
import type { Facet } from './point.ts'

const section = 'Authentication 9'

export const products: Facet = {
  points: (_endpoint, { values }) => [
    {
      name: 'product/of_key',
      sentence: `A key of one product needs no ${merchantKeyHeader}.`,
      section,
      recipe: {},
    },
    {
      name: 'product/selected',
      sentence: `${merchantKeyHeader} selects a product of the key.`,
      section,
      recipe: { product: 'own' },
    },
    {
      name: 'product/not_selected',
      sentence: `A key of several products without ${merchantKeyHeader} is refused with ${values.missing_merchant_key_status}.`,
      section,
      recipe: { key: 'of several products' },
    },
    {
      name: 'product/unknown',
      sentence: `${merchantKeyHeader} with no product of the key is refused with ${values.unknown_merchant_key_status}.`,
      section,
      recipe: { product: 'unknown' },
    },
  ],
  watch(_endpoint, placeOf) {
    const [ofKey, selected] = [placeOf('product/of_key'), placeOf('product/selected')]
    const [notSelected, unknown] = [placeOf('product/not_selected'), placeOf('product/unknown')]
    return ({ headers, found: { key, version, product } }, counter) => {
      const productHeader = headers[merchantKeyHeader]
      if (product !== undefined) counter.hit(productHeader === undefined ? ofKey : selected)
      // A call whose version is refused selects no product.
      else if (key === undefined || version === undefined) return
      else if (productHeader !== undefined) counter.hit(unknown)
      else if (key.products.length > 1) counter.hit(notSelected)
    }
  },
}
