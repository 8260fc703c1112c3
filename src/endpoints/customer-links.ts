// Customer link endpoint: link a customer to the partner's identifier.
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { metadata, partnerCustomerId } from '../contract/formats.ts'
import { customer } from '../contract/resources/customer.ts'
import { activeLink, customerLink } from '../contract/resources/customer-link.ts'
import { groupOf } from '../store/indexes.ts'
import type { CustomerRow, Row } from '../store/rows.ts'
import { changedAt } from '../store/changed-at.ts'
import { endpoint, type AnyCall } from './define.ts'
import { metadataInRequest, metadataRules } from './parameters.ts'
import { visibleCustomer } from './visible.ts'

const taken = 'Another customer is linked to this partner_customer_id.'
const linkedAlready = 'The customer is linked to another partner_customer_id.'

const identifier = z.object({ partner_customer_id: partnerCustomerId })

const describeLink = <S extends z.ZodObject>(schema: S, example: object): S =>
  documented(schema, {
    id: 'NewCustomerLink',
    description: 'The identifier by which the partner knows the customer.',
    'x-assumption': 'link_response',
    examples: [{ partner_customer_id: 'partner-ben', ...example }],
  })

const linkWithMetadata = describeLink(
  identifier.extend({ metadata: documented(metadata.optional(), metadataInRequest) }),
  { metadata: { source: 'app' } },
)
const linkOfIdentifier = describeLink(identifier, {})

/**
 * Returns the link of a customer who has an identifier.
 * @param created the row that the call itself created: a lookup of it would count as one of an earlier row.
 */
function linkOf(
  { tx }: Pick<AnyCall, 'tx'>,
  linked: LinkedCustomer,
  created?: Row<'links'>,
): z.input<typeof customerLink> {
  const { id, partner_customer_id, created_at } = linked
  const { id: customer_id, ...link } = created ??
    tx.get('links', id) ?? {
      id,
      partner_customer_id,
      status: activeLink,
      created_at,
    }
  return { customer_id, ...link }
}

type LinkedCustomer = CustomerRow & { partner_customer_id: string }

const isLinked = (row: CustomerRow): row is LinkedCustomer => row.partner_customer_id !== undefined

export const linkCustomer = endpoint({
  id: 'linkCustomer',
  method: 'POST',
  path: '/v2/customers/{customer_id}/link',
  summary: 'Link a customer to a partner identifier',
  optionalScope: 'AUTHORIZED_USER_READ',
  params: { customer_id: 'The id of the customer.' },
  paramExamples: { customer_id: 'cus_ben' },
  bodyFrom: 'link_response',
  body: ({ link_response }) => (link_response === 'link' ? linkWithMetadata : linkOfIdentifier),
  rules: (body, assume, values) =>
    values.link_response === 'link' ? metadataRules(body, assume, values) : [],
  status: (assume) => (assume('link_response') === 'no_content' ? 204 : 200),
  result: ({ link_response }) => (link_response === 'customer' ? customer : customerLink),
  errors: [
    { type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' },
    {
      type: 'CUSTOMER_ALREADY_LINKED',
      on: 'Another customer holds the partner identifier.',
      statusFrom: 'link_conflict_status',
      message: taken,
    },
    {
      type: 'CUSTOMER_ALREADY_LINKED',
      on: 'The customer is linked to another partner identifier.',
      statusFrom: 'link_conflict_status',
      when: ['link_replaces', 'refuse'],
      message: linkedAlready,
    },
  ],
  handler(call) {
    const { params, body, tx, product, now, assume, fail } = call
    const current = visibleCustomer(call, params.customer_id) ?? fail('CUSTOMER_NOT_FOUND_ERROR')
    const [linked, created] = link()
    const response = assume('link_response')
    if (response === 'no_content') return undefined
    return response === 'customer' ? linked : linkOf(call, linked, created)

    function link(): [linked: LinkedCustomer, created?: Row<'links'>] {
      const { partner_customer_id: partnerId, ...rest } = body
      if (isLinked(current)) {
        if (current.partner_customer_id === partnerId) return [current]
        if (assume('link_replaces') === 'refuse') conflict(linkedAlready, linkOf(call, current))
      }
      const group = groupOf(product.merchant_key, partnerId)
      if (tx.find('customers', 'by_partner_customer_id', group)) conflict(taken)
      const changed = { ...current, partner_customer_id: partnerId, updated_at: changedAt(now, current) }
      // The link first: a customer with another identifier would end it.
      const newLink = tx.put('links', {
        id: current.id,
        partner_customer_id: partnerId,
        status: activeLink,
        created_at: new Date(now).toISOString(),
        ...rest,
      })
      tx.put('customers', changed)
      return [changed, newLink]
    }

    function conflict(message: string, existing?: z.input<typeof customerLink>): never {
      const isShown = assume('link_conflict_type') === 'CUSTOMER_ALREADY_LINKED' && existing
      return fail('CUSTOMER_ALREADY_LINKED', {
        message,
        ...(isShown ? { fields: { existing_link: existing } } : {}),
      })
    }
  },
})
