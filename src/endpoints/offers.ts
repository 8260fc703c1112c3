// Offer endpoint: the offer of a customer (assumption `unlisted_operations`).
import { partnerCustomerId } from '../contract/formats.ts'
import { offer, offerDescription, offerTitle } from '../contract/resources/offer.ts'
import { groupOf } from '../store/indexes.ts'
import { endpoint } from './define.ts'

export const retrieveOffer = endpoint({
  listed: false,
  id: 'retrieveOffer',
  method: 'GET',
  path: '/v2/offers',
  summary: "Retrieve a customer's offer",
  params: {},
  query: {
    partner_customer_id: {
      schema: partnerCustomerId.optional(),
      description: "The partner's own identifier of the customer.",
      requiredWhen: ['unlisted_operations', 'documented'],
      example: 'partner-ada',
    },
  },
  result: offer,
  errors: [{ type: 'PARTNER_CUSTOMER_NOT_FOUND_ERROR', on: 'No customer has the identifier.' }],
  handler({ query, tx, product, fail }) {
    const group = groupOf(product.merchant_key, query.partner_customer_id ?? '')
    const customer =
      tx.find('customers', 'by_partner_customer_id', group) ?? fail('PARTNER_CUSTOMER_NOT_FOUND_ERROR')
    // Every linked customer has an offer, whether a document has one or not.
    return (
      tx.find('offers', 'by_customer', customer.id) ?? {
        id: `offer_${customer.id}`,
        is_prescreened: false,
        title: offerTitle,
        description: offerDescription,
      }
    )
  },
})
