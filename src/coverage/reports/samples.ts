// The keys and rows of the built-in fixtures that sample requests use.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Scope } from '../../contract/scopes.ts'
import type { Environment } from '../../contract/versions.ts'
import { packageRoot } from '../../runtime/host.ts'
import { rowSchemas, type ApiKeyRow, type CollectionName } from '../../store/rows.ts'

/** A fixture row from which sample requests are built. */
export type SampleRow = Readonly<Record<string, unknown>>

/** The keys and rows for sample requests. They come from the built-in fixtures, so a reader can look them up. */
export interface Samples {
  /** The default key: it has one product and the maximum number of scopes. */
  key: ApiKeyRow
  /** Returns a key that lacks a scope, with as many others as possible. */
  keyWithout(scope: Scope): ApiKeyRow | undefined
  keyOfSeveralProducts: ApiKeyRow | undefined
  keyOfNoScopes: ApiKeyRow | undefined
  /** Returns the rows that the default key may see. */
  rows(collection: CollectionName): readonly SampleRow[]
}

const apiKeys = z.array(rowSchemas.api_keys)
const rowsOfCollections = z.record(z.string(), z.unknown())
const rows = z.array(z.record(z.string(), z.unknown()))

export async function loadSamples(environment: Environment): Promise<Samples> {
  const text = await readFile(join(packageRoot(), 'fixtures', 'default.json'), 'utf8')
  const document = rowsOfCollections.parse(JSON.parse(text))
  const keys = apiKeys
    .parse(document['api_keys'])
    .filter((key) => key.environment === environment)
    .toSorted((a, b) => b.scopes.length - a.scopes.length)
  const ofOneProduct = keys.filter(({ products }) => products.length === 1)
  const [key] = ofOneProduct
  if (!key) throw new Error(`the built-in fixtures have no key of one product for ${environment}`)
  const customers = rows
    .parse(document['customers'])
    .filter(({ product }) => key.products.some((own) => own === product))
  const seen = new Set(customers.map(({ id }) => id))
  const visible = new Map<string, readonly SampleRow[]>([['customers', customers]])
  return {
    key,
    keyWithout: (scope) => ofOneProduct.find(({ scopes }) => !scopes.includes(scope)),
    keyOfSeveralProducts: keys.find(({ products }) => products.length > 1),
    keyOfNoScopes: ofOneProduct.find(({ scopes }) => scopes.length === 0),
    rows(collection) {
      let known = visible.get(collection)
      if (!known) {
        const all = rows.parse(document[collection])
        visible.set(collection, (known = all.filter(({ customer_id: owner }) => seen.has(owner))))
      }
      return known
    },
  }
}
