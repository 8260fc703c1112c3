// Explains the product of the call, or why none was selected.
import { merchantKeyHeader } from '../contract/credentials.ts'
import type { Call } from '../call/index.ts'
import { headerOf } from '../call/incoming-request.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type Part } from './explanation.ts'
import { listed, onOneLine, quoted } from './quoted-values.ts'

export function explainProduct(call: Call, context: ExplanationContext): Part {
  const { key, version, versionSource, product } = call.resolution
  if (!key || !call.request.endpoint || (version ?? versionSource) === undefined) return {}
  const sent = headerOf(call.request, merchantKeyHeader)
  if (product) {
    const how = sent === undefined ? 'the only one of the key' : `selected by ${merchantKeyHeader}`
    return { section: { about: 'product', facts: [fact('product', product.merchant_key, how)] } }
  }
  const facts = [
    fact('sent', sent && onOneLine(sent), merchantKeyHeader),
    fact('of_the_key', [...key.products]),
  ]
  return { section: { about: 'product', facts }, reason: refusal() }

  function refusal(): string {
    if (sent === undefined && key && key.products.length > 1) {
      return `${key.id} is for ${listed(key.products)}, and ${merchantKeyHeader} was not sent to select one.`
    }
    const { merchant_key_required: required } = context.assumptions
    if (sent === undefined && required === 'partnership_of_several_products') {
      return `${key?.id} is for ${listed(key?.products ?? [])}, but the partnership has several products, and ${merchantKeyHeader} was not sent to select one.`
    }
    const named = sent ?? key?.products[0] ?? ''
    if (key?.products.includes(named))
      return `The product ${quoted(named)} of ${key.id} is not in the state any more.`
    const exists = context.state.get('products', named) !== undefined
    const other = exists ? 'a product of other keys' : 'no product at all'
    return `${merchantKeyHeader} ${quoted(named)} is ${other}; ${key?.id} is for ${listed(key?.products ?? [])}.`
  }
}
