import { ApiError } from '../../contract/errors.ts'
import { merchantKeyHeader } from '../../contract/merchant-key.ts'
import type { OpenExchange } from '../open-exchange.ts'

/**
 * Selects the product whose data is returned (contract: Authentication 9): that of the key, or the one among
 * several that the header names.
 */
export function selectProduct(exchange: OpenExchange): void {
  const { workspace, received, found } = exchange
  const named = received.headers[merchantKeyHeader]
  const products = found.key?.products ?? []
  if (named === undefined && products.length > 1) {
    throw new ApiError('BAD_REQUEST_ERROR', {
      status: exchange.assume('missing_merchant_key_status'),
      message: `This API key is for several products: select one with the header ${merchantKeyHeader}.`,
    })
  }
  const chosen = named ?? products[0]
  const product =
    chosen !== undefined && products.includes(chosen) ? workspace.state.get('products', chosen) : undefined
  if (!product) {
    // The same bytes for a product of somebody else and for one that does not exist.
    throw new ApiError('BAD_REQUEST_ERROR', {
      status: exchange.assume('unknown_merchant_key_status'),
      message: `The header ${merchantKeyHeader} names no product of this API key.`,
    })
  }
  found.product = product
}
