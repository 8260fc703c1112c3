// Selects the product of a call by its key or the header x-service-merchant-key; 400 if neither names one.
import { merchantKeyHeader } from '../../contract/credentials.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'

const notSelected: Failure = {
  type: 'BAD_REQUEST_ERROR',
  name: 'missing_merchant_key',
  on: `The key has several products and ${merchantKeyHeader} is missing.`,
  message: `This API key is for several products: select one with the header ${merchantKeyHeader}.`,
  status: (assume) => assume('missing_merchant_key_status'),
  restsOn: ['merchant_key_required'],
}

const notSelectedOfSeveral: Failure = {
  ...notSelected,
  name: 'missing_merchant_key_of_partnership',
  on: `The partnership has several products and ${merchantKeyHeader} is missing.`,
  message: `The partnership has several products: select one with the header ${merchantKeyHeader}.`,
}

/** The same bytes for a product of another key and for an unknown product, so that neither can be distinguished. */
const notOfKey: Failure = {
  type: 'BAD_REQUEST_ERROR',
  name: 'unknown_merchant_key',
  on: `${merchantKeyHeader} names no product of the key.`,
  message: `The header ${merchantKeyHeader} names no product of this API key.`,
  status: (assume) => assume('unknown_merchant_key_status'),
}

/**
 * Selects the product whose data is returned (contract: Authentication 9). A key of one product selects it; for a key
 * of several, the header names one. An assumption decides whether a key of one product needs the header, too, if the
 * partnership has several products.
 */
export const selectProduct: Stage = {
  failures: (_endpoint, { merchant_key_required: required }) =>
    required === 'key_of_several_products'
      ? [notSelected, notOfKey]
      : [notSelected, notSelectedOfSeveral, notOfKey],
  run(call) {
    const { workspace, headers, resolution, assume } = call
    const named = headers[merchantKeyHeader]
    const products = resolution.key?.products ?? []
    if (named === undefined && products.length > 1) throw errorOf(notSelected, call)
    if (named === undefined && workspace.state.size('products') > 1) {
      if (assume('merchant_key_required') === 'partnership_of_several_products') {
        throw errorOf(notSelectedOfSeveral, call)
      }
    }
    const chosen = named ?? products[0]
    const isOwn = chosen !== undefined && products.includes(chosen)
    const product = isOwn ? workspace.state.get('products', chosen) : undefined
    if (!product) throw errorOf(notOfKey, call)
    resolution.product = product
  },
}
