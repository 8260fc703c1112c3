import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { assumptionCatalogue, assumptionIds } from '../../src/contract/assumptions.ts'
import { resolveAssumptions, type UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { docs } from '../../src/contract/docs.ts'
import { scopeNames } from '../../src/contract/scopes.ts'
import type { Environment } from '../../src/contract/versions.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { describeApi, type OpenApiDocument } from '../../src/openapi/index.ts'
import { bound, documentValidator } from '../helpers/conformance.ts'
import { fitting } from '../helpers/fitting.ts'

function documentUnder(
  settings: UnvalidatedSettings = {},
  environment: Environment = 'sandbox',
  sandbox = false,
): OpenApiDocument {
  return describeApi({
    sandbox,
    assumptions: resolveAssumptions(settings),
    serverUrl: 'http://127.0.0.1:4010',
    environment,
    sandboxVersion: '0.1.0',
  })
}

const document = documentUnder()
const withSandbox = documentUnder({}, 'sandbox', true)

/** Returns the target of a JSON pointer, following references. */
function at(pointer: string, within: OpenApiDocument = document): unknown {
  let here: unknown = within
  for (const step of pointer.split('/').slice(1)) {
    here = followed(
      (here as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      within,
    )
    if (here === undefined) return undefined
  }
  return here
}

function followed(value: unknown, within: OpenApiDocument): unknown {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
  return at(String(value.$ref).slice(1), within)
}

/** Every object of the document with its pointer. */
function* objectsOf(value: unknown, pointer = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [pointer, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) {
    yield* objectsOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

// Making it compiles the whole schema of OpenAPI.
const validator = new Validator()

/** Returns the errors of the document. */
async function invalidities(checked: OpenApiDocument): Promise<unknown> {
  // The validator resolves references in place.
  const { valid, errors } = await validator.validate(structuredClone({ ...checked }))
  return valid ? [] : errors
}

/** Returns the errors in the examples of a document, and the number of examples. */
function badExamples(checked: OpenApiDocument): { bad: string[]; count: number } {
  const ajv = documentValidator(checked.components.schemas)
  const known = new Map<string, ReturnType<typeof ajv.compile>>()
  const bad: string[] = []
  let count = 0
  for (const [pointer, object] of objectsOf(checked)) {
    const { schema, examples, example } = object
    if (typeof schema !== 'object' || /\/examples?\//.test(pointer)) continue
    const validate = validatorOf(schema)
    const values = Object.entries(examples ?? {}).map(
      ([name, reported]) => [name, valueOf(reported)] as const,
    )
    for (const [name, value] of [...values, ...(example === undefined ? [] : [['', example] as const])]) {
      count++
      if (!validate(value)) bad.push(`${pointer} ${name}: ${ajv.errorsText(validate.errors)}`)
    }
  }
  return { bad, count }

  function validatorOf(schema: unknown): ReturnType<typeof ajv.compile> {
    const text = JSON.stringify(schema)
    const validate = known.get(text) ?? ajv.compile(bound(schema))
    known.set(text, validate)
    return validate
  }

  function valueOf(reported: unknown): unknown {
    return (followed(reported, checked) as { value?: unknown }).value
  }
}

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await invalidities(document)).toEqual([])
  })

  it('is valid with the headers of the sandbox, too', async () => {
    expect(await invalidities(withSandbox)).toEqual([])
    expect(badExamples(withSandbox).bad).toEqual([])
  })

  it('is valid with the operations outside the contract, too', async () => {
    const whole = documentUnder({ unlisted_operations: 'documented' })
    expect(Object.values(whole.paths).flatMap((path) => Object.values(path))).toHaveLength(37)
    expect(await invalidities(whole)).toEqual([])
    expect(badExamples(whole).bad).toEqual([])
  })

  it('has no header of the sandbox, unless they are requested', () => {
    const headers = (of: OpenApiDocument) =>
      JSON.stringify({ ...of, info: {} }).match(/x-sandbox-[\w-]+/g) ?? []
    expect(headers(document)).toEqual([])
    expect([...new Set(headers(withSandbox))].toSorted()).toEqual([
      'x-sandbox-assumptions',
      'x-sandbox-request-id',
      'x-sandbox-scenario',
    ])
    expect(Object.keys(document.components.parameters)).toEqual(['ServiceVersion', 'MerchantKey'])
  })

  it('has no boolean schemas, which many generators do not read', () => {
    const booleans = [...objectsOf(withSandbox)].flatMap(([pointer, object]) =>
      ['properties', 'items', 'not', 'oneOf', 'anyOf', 'allOf', 'prefixItems'].flatMap((keyword) => {
        const part = object[keyword]
        const schemas = typeof part === 'object' && part !== null ? Object.values(part) : [part]
        return schemas.some((schema) => schema === false || schema === true) ? [`${pointer}/${keyword}`] : []
      }),
    )
    expect(booleans).toEqual([])
  })

  it('is plain JSON, the same for the same input', () => {
    const text = JSON.stringify(document)
    expect(JSON.parse(text)).toEqual(document)
    expect(JSON.stringify(documentUnder())).toBe(text)
  })

  it('has every endpoint and nothing else', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
      ),
    )
    expect(operations.toSorted()).toEqual(
      endpoints.map(({ id, method, path }) => `${id}: ${method} ${path}`).toSorted(),
    )
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s is as declared',
    (_id, endpoint) => {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase() as 'get']
      expect(operation).toMatchObject({
        summary: endpoint.summary,
        'x-contract-section': endpoint.section,
        'x-scope': endpoint.scope ?? null,
        'x-optional-scope': endpoint.optionalScope ?? null,
      })
      const declared = Object.keys(operation?.responses ?? {})
      expect(declared).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']))
      expect(declared.includes('403')).toBe(endpoint.scope !== undefined)
      expect(declared.includes('415')).toBe(endpoint.body !== undefined)
      expect(declared.includes('413')).toBe(endpoint.body !== undefined)
      expect(operation?.requestBody?.required).toBe(endpoint.body ? !endpoint.bodyOptional : undefined)
      const parameters = (operation?.parameters ?? []).map(
        (part) => (followed(part, document) as { name: string }).name,
      )
      expect(parameters).toEqual([
        ...Object.keys(endpoint.params),
        ...Object.keys(endpoint.query),
        'x-service-version',
        'x-service-merchant-key',
      ])
    },
  )

  it('tells every scope and assumption', () => {
    expect(Object.keys(document['x-scopes'])).toEqual(scopeNames)
    expect(document['x-assumptions'].map(({ id }) => id)).toEqual(assumptionIds)
  })

  it.each([
    ['Customer', 'authorized_users', 'AUTHORIZED_USER_READ'],
    ['Card', 'pci_details', 'PCI_DETAILS_READ'],
  ])('%s.%s needs a scope', (schema, field, scope) => {
    expect(at(`/components/schemas/${schema}/properties/${field}/x-requires-scope`)).toBe(scope)
  })

  it('promises no more than the contract does', () => {
    for (const [pointer, object] of objectsOf({ ...document.paths, ...document.components.schemas })) {
      // Clients must tolerate unknown fields; an integer beyond what JavaScript holds is neither taken nor answered.
      expect(object, pointer).not.toHaveProperty('additionalProperties', false)
      expect(object, pointer).not.toHaveProperty('propertyNames')
      expect(Math.abs(Number(object['minimum'] ?? 0)), pointer).toBeLessThan(Number.MAX_SAFE_INTEGER)
      expect(Number(object['maximum'] ?? 0), pointer).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
      if (object['type'] === 'integer') expect(object, pointer).not.toHaveProperty('pattern')
    }
  })

  it('offers scenarios as names separated by commas, and says whose they are', () => {
    expect(at('/components/parameters/Scenario', withSandbox)).toEqual({
      name: 'x-sandbox-scenario',
      in: 'header',
      required: false,
      description:
        'Scenarios that provoke failures, for this call only, separated by commas. Read by the sandbox, not by the service.',
      schema: { type: 'string' },
      example: 'rate-limited',
    })
    const examples = '/paths/~1v2~1customers/get/responses/400/content/application~1json/examples'
    expect(at(`${examples}/unknown_scenario/value`, withSandbox)).toEqual({
      error: {
        type: 'BAD_REQUEST_ERROR',
        message: "x-sandbox-scenario: unknown scenario 'rate-limit', did you mean 'rate-limited'?",
      },
    })
  })

  it('knows no latest version in production', () => {
    const names = (environment: Environment) =>
      at('/components/parameters/ServiceVersion/schema/enum', documentUnder({}, environment))
    expect(names('sandbox')).toEqual(['2025-05-05', '2026-10-13', 'latest'])
    expect(names('production')).toEqual(['2025-05-05', '2026-10-13'])
  })

  it.each([
    [
      '/v2/rewards/{reward_id}',
      'get',
      '401',
      ['WwwAuthenticate', 'SandboxRequestId', 'OptionalSandboxAssumptions'],
    ],
    [
      '/v2/rewards/{reward_id}',
      'get',
      '200',
      ['ServiceVersion', 'SandboxRequestId', 'OptionalSandboxAssumptions'],
    ],
    [
      '/v2/rewards/{reward_id}',
      'get',
      '400',
      ['OptionalServiceVersion', 'SandboxRequestId', 'OptionalSandboxAssumptions'],
    ],
    ['/v2/keys', 'post', '413', ['ServiceVersion', 'SandboxRequestId', 'OptionalSandboxAssumptions']],
    [
      '/v2/keys',
      'post',
      '429',
      ['RetryAfter', 'ServiceVersion', 'SandboxRequestId', 'OptionalSandboxAssumptions'],
    ],
    ['/v2/keys', 'post', '500', ['ServiceVersion', 'SandboxRequestId', 'OptionalSandboxAssumptions']],
    [
      '/v2/keys',
      'post',
      '503',
      ['RetryAfter', 'OptionalServiceVersion', 'SandboxRequestId', 'OptionalSandboxAssumptions'],
    ],
  ])('%s %s %s has the headers %j', (path, method, status, names) => {
    const headers = at(
      `/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}/headers`,
      withSandbox,
    )
    const references = Object.values(headers as Record<string, { $ref: string }>).map(({ $ref }) => $ref)
    expect(references.map((reference) => reference.split('/').at(-1)).toSorted()).toEqual(names.toSorted())
  })
})

describe('examples', () => {
  it('are all valid', () => {
    const { bad, count } = badExamples(document)
    expect(bad).toEqual([])
    expect(count).toBeGreaterThan(100)
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s are what its own schemas and rules take',
    (_id, { body, result: resultOf, rules }) => {
      const values = resolveAssumptions()
      const result = resultOf?.(values)
      const schema = body?.(values)
      for (const example of (result && docs.get(result)?.examples) ?? []) {
        expect(result?.safeParse(example).error).toBeUndefined()
      }
      for (const example of (schema && docs.get(schema)?.examples) ?? []) {
        expect(schema?.safeParse(example).error).toBeUndefined()
        expect(rules?.(example as Record<string, unknown>, (id) => values[id], values) ?? []).toEqual([])
      }
    },
  )

  it('are there for every body', () => {
    const bodies = [...objectsOf({ ...document.paths, ...document.components.responses })]
      .filter(([pointer]) => pointer.endsWith('application~1json'))
      .map(([pointer, { examples }]) => [pointer, Object.keys(examples ?? {}).length] as const)
    expect(bodies.length).toBeGreaterThan(30)
    expect(bodies.filter(([, examples]) => examples === 0)).toEqual([])
  })
})

const searched = '/paths/~1v2~1customers/get'
const statementsListed = '/paths/~1v2~1customers~1{customer_id}~1accounts~1{account_id}~1statements/get'

/** The description of a part says this under one value of an assumption, and not under the default. */
function saying(
  id: keyof UnvalidatedSettings,
  value: string | number,
  pointer: string,
  text: string,
): [UnvalidatedSettings, string, unknown][] {
  const where = `${pointer}/description`
  return [
    [{ [id]: value }, where, expect.stringContaining(text)],
    [{}, where, expect.not.stringContaining(text)],
  ]
}

describe('assumptions', () => {
  it.each([
    ['unlisted_operations', '/info'],
    ['webhook_events', '/info'],
    ['unauthenticated_status', '/paths/~1v2~1keys/post/responses/401'],
    ['unauthenticated_type', '/components/schemas/UnauthorizedError/properties/error/properties/type'],
    ['forbidden_type', '/paths/~1v2~1transaction_intents/post/responses/403'],
    ['scope_table', '/paths/~1v2~1keys/post'],
    ['missing_merchant_key_status', '/components/parameters/MerchantKey'],
    ['missing_merchant_key_status', '/paths/~1v2~1keys/post/responses/400'],
    ['not_found_status', '/paths/~1v2~1rewards~1{reward_id}/get/responses/404'],
    ['rate_limits', '/paths/~1v2~1rewards~1{reward_id}/get/responses/429'],
    ['malformed_json_shape', '/paths/~1v2~1transaction_intents/post/responses/400'],
    ['unsupported_media_type', '/paths/~1v2~1transaction_intents/post/responses/415'],
    ['unknown_body_fields', '/paths/~1v2~1transaction_intents/post/requestBody'],
    ['create_status', '/paths/~1v2~1transaction_intents/post/responses/200'],
    ['intent_required_fields', '/components/schemas/NewTransactionIntent'],
    ['negative_amount', '/components/schemas/NewTransactionIntent/properties/amount'],
    ['negative_amount', '/components/schemas/RewardUpdate/properties/amount'],
    ['payment_methods_unknown_customer', '/paths/~1v2~1payment_methods/post/responses/404'],
    ['customers_page_size_parameter', '/paths/~1v2~1customers/get/parameters/2'],
    ['default_page_size', '/paths/~1v2~1customers/get/parameters/2/schema'],
    ['unknown_cursor', '/paths/~1v2~1customers/get/parameters/1/schema'],
    ['customers_order', '/paths/~1v2~1customers/get/responses/200'],
    ['customer_fields', '/components/schemas/Customer'],
    ['link_response', '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/200'],
    ['link_conflict_status', '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/409'],
    ['balance_statuses', '/components/schemas/RewardsBalance/properties/reward_balance'],
    ['reward_target_statuses', '/components/schemas/RewardUpdate/properties/status'],
    ['reward_not_pending', '/paths/~1v2~1rewards~1{reward_id}/patch/responses/400'],
    ['locale_parameter', '/paths/~1v2~1rewards~1rewards_categories/get/parameters/0'],
    ['delete_order_event_status', '/paths/~1v2~1order_events~1{order_event_id}/delete/responses/204'],
    ['link_response', '/components/schemas/CustomerLink'],
    ['link_response', '/components/schemas/NewCustomerLink'],
    ['link_replaces', '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/409'],
    ['link_conflict_type', '/components/schemas/CustomerAlreadyLinked/properties/error/properties/type'],
    ['payment_method_fields', '/components/schemas/BankAccount'],
    ['create_key_shape', '/components/schemas/ApiKey'],
    ['create_key_shape', '/components/schemas/NewApiKey'],
  ])('%s is marked at %s', (id, pointer) => {
    expect(at(`${pointer}/x-assumption`)).toContain(id)
  })

  it('create_key_shape is marked at the whole key, under the value that shows it', () => {
    const under = documentUnder({ create_key_shape: 'id_key_secret_scopes_created_at' })
    expect(at('/components/schemas/CreatedApiKey/x-assumption', under)).toContain('create_key_shape')
    expect(at('/components/schemas/ApiKey', under)).toBeUndefined()
  })

  it('are all marked somewhere, but those that no part of the document shows', () => {
    const marked = new Set([...objectsOf(document)].flatMap(([, object]) => object['x-assumption'] ?? []))
    const unmarked = assumptionIds.filter((id) => !marked.has(id))
    expect(unmarked).toEqual([
      // Nothing in an answer tells them.
      'refund_reward',
      // Only operations outside the contract show it.
      'transaction_amount',
      'idempotency_key',
      'reward_rounding',
      'order_event_fields',
    ])
  })

  it.each<[UnvalidatedSettings, string, unknown]>([
    [{ customers_without_filter: 'bad_request' }, '/paths/~1v2~1customers/get/parameters/0/required', true],
    [
      { reward_amount_zero: 'refuse' },
      '/components/schemas/RewardUpdate/properties/amount/not',
      { const: 0 },
    ],
    [{ not_found_status: 400 }, '/paths/~1v2~1rewards~1{reward_id}/get/responses/404', undefined],
    [
      { not_found_status: 400 },
      '/paths/~1v2~1rewards~1{reward_id}/get/responses/400/content/application~1json/schema',
      { oneOf: [ref('BadRequestError'), ref('RewardNotFoundError')] },
    ],
    [
      { unauthenticated_type: 'AUTHENTICATION_ERROR' },
      '/components/schemas/UnauthorizedError/properties/error/properties/type/const',
      'AUTHENTICATION_ERROR',
    ],
    [{ unauthenticated_status: 403 }, '/paths/~1v2~1keys/post/responses/401', undefined],
    [
      { unauthenticated_status: 403 },
      '/paths/~1v2~1transaction_intents/post/responses/403/content/application~1json/schema',
      at('/components/schemas/ForbiddenError'),
    ],
    [
      { unauthenticated_status: 403 },
      '/paths/~1v2~1transaction_intents/post/responses/403/headers/x-service-version/required',
      false,
    ],
    [
      { customers_page_size_parameter: 'per_page' },
      '/paths/~1v2~1customers/get/parameters/2/name',
      'per_page',
    ],
    [
      { customers_page_size_parameter: 'per_page' },
      '/paths/~1v2~1customers~1{customer_id}~1accounts~1{account_id}~1statements/get/parameters/2/name',
      'limit',
    ],
    [{ default_page_size: 25 }, '/paths/~1v2~1customers/get/parameters/2/schema/default', 25],
    [{ customers_page_size_cap: 5 }, '/paths/~1v2~1customers/get/parameters/2/schema/default', 5],
    [{ customers_page_size_cap: 5 }, `${statementsListed}/parameters/2/schema/default`, 10],
    [
      { payment_methods_pagination: 'limit_and_starting_after', default_page_size: 25 },
      '/components/schemas/PaymentMethodFilter/properties/limit/default',
      25,
    ],
    [
      { payment_methods_pagination: 'limit_and_starting_after', unknown_cursor: 'first_page' },
      '/components/schemas/PaymentMethodFilter/properties/starting_after/description',
      'The id of the payment method after which the page starts. A value that names no position in the list is answered with the first page.',
    ],
    ...saying(
      'customers_page_size_cap',
      5,
      `${searched}/parameters/2/schema`,
      'A larger value gives a page of 5.',
    ),
    [{ create_status: 201 }, '/paths/~1v2~1transaction_intents/post/responses/200', undefined],
    [
      { create_status: 201 },
      '/paths/~1v2~1transaction_intents/post/responses/201/content/application~1json/schema/type',
      'object',
    ],
    [
      { delete_order_event_status: 200 },
      '/paths/~1v2~1order_events~1{order_event_id}/delete/responses/204',
      undefined,
    ],
    [
      { delete_order_event_status: 200 },
      '/paths/~1v2~1order_events~1{order_event_id}/delete/responses/200/content/application~1json/schema/type',
      'object',
    ],
    [{}, '/paths/~1v2~1order_events~1{order_event_id}/delete/responses/204/content', undefined],
    [
      { link_response: 'no_content' },
      '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/204/content',
      undefined,
    ],
    [
      { link_conflict_status: 422 },
      '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/422/content/application~1json/schema/properties/error/properties/type/const',
      'CUSTOMER_ALREADY_LINKED',
    ],
    [
      { link_conflict_status: 422, link_conflict_type: 'CONFLICT_ERROR' },
      '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/422/content/application~1json/schema/properties/error/properties/type/const',
      'CONFLICT_ERROR',
    ],
    [
      { link_response: 'customer' },
      '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/200/content/application~1json/schema/description',
      'A customer of the card program.',
    ],
    [
      {},
      '/paths/~1v2~1customers~1{customer_id}~1link/post/responses/200/content/application~1json/schema/description',
      "The link of a customer to the partner's identifier.",
    ],
    [
      { delete_missing_order_event: 'not_found' },
      '/paths/~1v2~1order_events~1{order_event_id}/delete/responses/404/content/application~1json/schema/properties/error/properties/type/const',
      'NOT_FOUND_ERROR',
    ],
    [
      { unknown_account_type: 'BAD_REQUEST_ERROR' },
      '/paths/~1v2~1customers~1{customer_id}~1accounts~1{account_id}~1statements/get/responses/404/content/application~1json/schema/properties/type/const',
      'CUSTOMER_NOT_FOUND_ERROR',
    ],
    [
      { unknown_account_type: 'CUSTOMER_NOT_FOUND_ERROR' },
      '/paths/~1v2~1customers~1{customer_id}~1accounts~1{account_id}~1statements/get/responses/404/description',
      '- The customer is unknown.\n- The account is unknown, or belongs to another customer.',
    ],
    [
      { reward_not_pending: 'conflict' },
      '/paths/~1v2~1rewards~1{reward_id}/patch/responses/409/content/application~1json/examples/conflict/value',
      { error: { type: 'CONFLICT_ERROR', message: 'Only a pending reward can be updated.' } },
    ],
    [
      { reward_not_pending: 'conflict' },
      '/paths/~1v2~1rewards~1{reward_id}/patch/responses/409/content/application~1json/schema/properties/error/properties/type/const',
      'CONFLICT_ERROR',
    ],
    [
      { intent_required_fields: 'with_payment_method' },
      '/components/schemas/NewTransactionIntent/required',
      ['customer_id', 'amount', 'currency', 'payment_method_id'],
    ],
    [
      { negative_amount: 'accept' },
      '/components/schemas/NewTransactionIntent/properties/amount/minimum',
      Number.MIN_SAFE_INTEGER,
    ],
    [{}, '/components/schemas/NewTransactionIntent/properties/amount/maximum', Number.MAX_SAFE_INTEGER],
    [{}, '/components/schemas/Reward/properties/amount/maximum', Number.MAX_SAFE_INTEGER],
    [{}, '/components/schemas/Reward/properties/amount/minimum', undefined],
    ...saying('customers_order', 'id', `${searched}/responses/200`, 'A page of customers, by ascending id'),
    ...saying(
      'unknown_cursor',
      'empty_page',
      `${searched}/parameters/1/schema`,
      'answered with an empty page',
    ),
    ...saying(
      'pdf_url_lifetime_seconds',
      60,
      '/components/schemas/Statement/properties/pdf_url',
      'for 60 seconds',
    ),
    ...saying(
      'balance_statuses',
      'AVAILABLE+PENDING',
      '/components/schemas/RewardsBalance/properties/reward_balance',
      'rewards by status, AVAILABLE+PENDING',
    ),
    [{}, '/components/schemas/NewTransactionIntent/properties/amount/minimum', 0],
    [
      { reward_target_statuses: 'available_only' },
      '/components/schemas/RewardUpdate/properties/status/enum',
      ['AVAILABLE', 'DEDUCTED', null],
    ],
    [
      { payment_methods_required_filter: 'customer_id' },
      '/components/schemas/PaymentMethodFilter/required',
      ['customer_id'],
    ],
    [
      { unknown_body_fields: 'refuse' },
      '/components/schemas/NewTransactionIntent/additionalProperties',
      false,
    ],
    [
      { unknown_body_fields: 'refuse' },
      '/components/schemas/TransactionIntent/additionalProperties',
      undefined,
    ],
    [{ unsupported_media_type: 400 }, '/paths/~1v2~1keys/post/responses/415', undefined],
  ])('%j changes %s', (settings, pointer, expected) => {
    expect(at(pointer, documentUnder(settings))).toEqual(expected)
  })

  function ref(name: string): { $ref: string } {
    return { $ref: `#/components/schemas/${name}` }
  }

  it.each([0, 1, 2])('the alternatives in place %i, all at once, give a valid document', async (place) => {
    const settings = Object.fromEntries(
      assumptionIds.map((id) => [
        id,
        assumptionCatalogue[id].alternatives[place] ?? assumptionCatalogue[id].default,
      ]),
    )
    const under = documentUnder(fitting(settings))
    expect(await invalidities(under)).toEqual([])
    expect(badExamples(under).bad).toEqual([])
  })
})
