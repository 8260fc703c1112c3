import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import type { OpenApiDocument, Operation, Parameter, Schema } from '../../src/openapi/document-types.ts'
import { inlined } from '../../src/openapi/components.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** The document that a sandbox serves, against what the same sandbox answers. */
async function served(assume: Record<string, string | number> = {}) {
  const sandbox = await startSandbox({ assume })
  return { call: sandbox.call, document: (await sandbox.openapi()) as OpenApiDocument }
}

/** An operation without references. */
interface Whole {
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } }
}

function ownParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter): parameter is Parameter => !('$ref' in parameter))
}

function pageSizeOf(document: OpenApiDocument, path: string): Parameter {
  const found = ownParameters(document.paths[path]?.get as Operation).find(
    ({ schema }) => schema.type === 'integer',
  )
  if (!found) throw new Error(`GET ${path} has no page size`)
  return found
}

const search = '/v2/customers'
const statements = '/v2/customers/{customer_id}/accounts/{account_id}/statements'

describe('the default page size of the document is the size of a page that was not requested by size', () => {
  it.each([
    {},
    { customers_page_size_cap: 5 },
    { customers_page_size_cap: 5, default_page_size: 3 },
    { default_page_size: 25 },
    {
      default_page_size: 3,
      customers_page_size_parameter: 'size',
      statements_page_size_parameter: 'per_page',
    },
  ])('under %j', async (assume) => {
    const { call, document } = await served(assume)
    const customers = pageSizeOf(document, search)
    expect((await call('GET', search)).json.data).toHaveLength(Number(customers.schema['default']))
    expect((await call('GET', `${search}?${customers.name}=2`)).json.data).toHaveLength(2)
    const list = statements.replace('{customer_id}', 'cus_ada').replace('{account_id}', 'acct_ada')
    const size = pageSizeOf(document, statements)
    expect((await call('GET', list)).json.data).toHaveLength(Number(size.schema['default']))
    expect((await call('GET', `${list}?${size.name}=2`)).json.data).toHaveLength(2)
  })

  it('of payment methods, with pages', async () => {
    const paged = { payment_methods_pagination: 'limit_and_starting_after', default_page_size: 3 }
    const { call, document } = await served(paged)
    const limit = document.components.schemas['PaymentMethodFilter']?.properties?.['limit'] as Schema
    const { json } = await call('POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada' } })
    expect([json.data.length, json.total]).toEqual([limit['default'], 6])
  })
})

describe('all examples of parameters, sent together with an example of the body, succeed', async () => {
  const { document } = await served()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [
          operation.operationId,
          path,
          method.toUpperCase(),
          inlined(operation, document.components) as Whole,
        ] as const,
    ),
  )

  it('of each endpoint', () => {
    expect(operations).toHaveLength(endpoints.length)
  })

  it.each(operations)('%s', async (_, path, method, { parameters, requestBody }) => {
    expect(parameters.filter(({ example }) => example === undefined)).toEqual([])
    const examples = (place: Parameter['in']): [string, string][] =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, String(example)])
    const named = examples('path').reduce((text, [name, value]) => text.replace(`{${name}}`, value), path)
    const query = new URLSearchParams(examples('query')).toString()
    const bodies = requestBody ? Object.values(requestBody.content['application/json'].examples) : [undefined]
    for (const body of bodies) {
      const { call } = await served()
      const { status, text } = await call(method, query === '' ? named : `${named}?${query}`, {
        headers: Object.fromEntries(examples('header')),
        ...(body && { json: body.value }),
      })
      expect([status, text]).toEqual([expect.toSatisfy((code: number) => code >= 200 && code < 300), text])
    }
  })
})

describe('the examples of path parameters name rows of the default fixtures', async () => {
  const { document } = await served()
  const reads = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const inPath = get ? ownParameters(get).filter((parameter) => parameter.in === 'path') : []
    return inPath.length === 0 ? [] : [[path, inPath] as const]
  })

  it.each(reads)('GET %s', async (path, parameters) => {
    const { call } = await served()
    const named = parameters.reduce(
      (text, { name, example }) => text.replace(`{${name}}`, String(example)),
      path,
    )
    expect([named, (await call('GET', named)).status]).toEqual([named, 200])
  })
})
