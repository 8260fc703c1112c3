// The default fixture: what it lends to documents that do not name account, products or API keys.
import { isJsonObject } from '../contract/formats.ts'
import { readSource, type Source } from '../reading/source-file.ts'

/**
 * What the default fixture lends to documents that do not name it, so that a document with one customer is enough
 * (design: 3).
 */
const lent: readonly string[] = ['account', 'products', 'api_keys']

/** The default fixture, and which of its parts are taken; all of them if left out. */
export interface Fallback {
  source: Source
  only?: ReadonlySet<string>
}

/** The default fixture as far as the given documents need it; undefined when they name everything themselves. */
export async function readFallback(
  sources: readonly Source[],
  path: string,
  name: string,
): Promise<Fallback | undefined> {
  if (sources.length === 0) return { source: await readSource(path, name) }
  const named = new Set(sources.flatMap(({ value }) => (isJsonObject(value) ? Object.keys(value) : [])))
  const only = new Set(lent.filter((key) => !named.has(key)))
  if (only.size === 0) return undefined
  const source = await readSource(path, name)
  const products = sources.flatMap((given) => merchantKeys(given.value))
  return { source: named.has('products') ? rebound(source, products) : source, only }
}

/**
 * The default API keys for other products than the default ones: the first product of theirs becomes the first one
 * given, and so on. They would name products that are not there otherwise.
 */
function rebound(source: Source, products: readonly string[]): Source {
  const { value } = source
  const [first] = products
  if (!isJsonObject(value) || !Array.isArray(value['api_keys']) || first === undefined) return source
  const own = merchantKeys(value)
  const rebind = (names: readonly string[]): string[] => {
    const kept = names.map((name) => (products.includes(name) ? name : products[own.indexOf(name)]))
    const found = [...new Set(kept.filter((name) => name !== undefined))]
    return found.length > 0 ? found : [first]
  }
  const keys = value['api_keys'].map((key: unknown) =>
    isJsonObject(key) && Array.isArray(key['products'])
      ? { ...key, products: rebind(key['products'].map(String)) }
      : key,
  )
  return { ...source, value: { ...value, api_keys: keys } }
}

function merchantKeys(document: unknown): string[] {
  const products: unknown = isJsonObject(document) ? document['products'] : []
  if (!Array.isArray(products)) return []
  return products.flatMap((product: unknown) =>
    isJsonObject(product) && typeof product['merchant_key'] === 'string' ? [product['merchant_key']] : [],
  )
}
