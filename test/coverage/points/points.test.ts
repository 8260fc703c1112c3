import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { resolveAssumptions, type UnvalidatedSettings } from '../../../src/input/resolve-assumptions.ts'
import { scopeNames } from '../../../src/contract/scopes.ts'
import type { Environment } from '../../../src/contract/versions.ts'
import { failuresOf } from '../../../src/openapi/failures.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { PointCatalogue } from '../../../src/coverage/points/catalogue.ts'
import type { ContractPoint } from '../../../src/coverage/points/point.ts'
import { bodyOfSuccess } from '../../../src/coverage/points/success-status.ts'

function points(assume: UnvalidatedSettings = {}, environment: Environment = 'sandbox'): ContractPoint[] {
  return new PointCatalogue({ values: resolveAssumptions(assume), environment }).list()
}

const ids = (assume: UnvalidatedSettings = {}, environment: Environment = 'sandbox'): string[] =>
  points(assume, environment).map(({ id }) => id)

/** The points of one operation that other settings bring or take away. */
function difference(
  assume: UnvalidatedSettings,
  environment: Environment = 'sandbox',
  base: UnvalidatedSettings = {},
): { gone: string[]; new: string[] } {
  const [before, after] = [ids(base), ids({ ...base, ...assume }, environment)]
  return {
    gone: before.filter((id) => !after.includes(id)),
    new: after.filter((id) => !before.includes(id)),
  }
}

/** The headings of the contract, and its numbered rules. */
const sections = [
  /^(Conventions|Errors|Limits|Reward|Transaction intent|Payment method)$/,
  /^Authentication [1-9]$/,
  /^Versioning [1-8]$/,
]

describe('the contract points', () => {
  it('are these, by ids that reports and gates rely on (vitest -u writes them)', async () => {
    await expect(`${ids().join('\n')}\n`).toMatchFileSnapshot('ids.txt')
  })

  it('have ids that are unique and made of the operation and plain words', () => {
    const all = points()
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const { id, operation } of all) {
      expect(id).toMatch(/^[A-Za-z]+(\/[A-Za-z0-9_-]+){1,3}$/)
      expect(id.startsWith(`${operation}/`)).toBe(true)
    }
  })

  it('each say in a sentence what holds, and which section of the contract says so', () => {
    const ofEndpoints = endpoints.map(({ section }) => section)
    for (const { id, sentence, section } of points()) {
      expect([id, sentence]).toEqual([id, expect.stringMatching(/^\S.{10,}\.$/)])
      const isKnown = ofEndpoints.includes(section) || sections.some((known) => known.test(section))
      expect([id, section, isKnown]).toEqual([id, section, true])
    }
  })

  it.each(
    [{}, { link_response: 'customer' }].flatMap((assume) =>
      endpoints.map((endpoint) => [endpoint.id, assume, endpoint] as const),
    ),
  )(
    '%s under %j: success, each declared error, each way to send a key, each version, product, scope',
    (id, assume, endpoint) => {
      const own = ids(assume).filter((point) => point.startsWith(`${id}/`))
      const values = resolveAssumptions(assume)
      // A link has no field that needs a scope; a customer has.
      const showsScoped = id !== 'linkCustomer' || values.link_response === 'customer'
      const errors = endpoint.errors
        .filter(({ when }) => when === undefined || values[when[0]] === when[1])
        .map(({ type }) => `error/${type}`)
      const scopes = [
        ...(endpoint.scope ? ['held', 'missing'].map((how) => `scope/${endpoint.scope}/${how}`) : []),
        ...(endpoint.optionalScope && showsScoped
          ? ['present', 'absent'].map((how) => `scope/${endpoint.optionalScope}/${how}`)
          : []),
      ]
      expect(own).toEqual(
        expect.arrayContaining(
          [
            'success',
            ...errors,
            ...['bearer', 'basic_key', 'basic_key_pair', 'missing', 'unusable'].map((form) => `auth/${form}`),
            ...['none', '2025-05-05', '2026-10-13', 'latest', 'unsupported'].map(
              (version) => `version/${version}`,
            ),
            ...['of_key', 'selected', 'not_selected', 'unknown'].map((how) => `product/${how}`),
            ...scopes,
          ].map((name) => `${id}/${name}`),
        ),
      )
      expect(own.filter((point) => point.includes('/scope/'))).toHaveLength(scopes.length)
    },
  )

  it.each<UnvalidatedSettings>([
    {},
    { reward_not_pending: 'conflict', link_replaces: 'refuse' },
    { link_replaces: 'replace' },
    { link_conflict_status: 400 },
    { delete_missing_order_event: 'not_found', payment_methods_unknown_customer: 'empty_list' },
  ])('have the errors that the OpenAPI document declares of an operation itself, under %j', (assume) => {
    const values = resolveAssumptions(assume)
    for (const endpoint of endpoints) {
      const ofAll = new Set(
        failuresOf({ ...endpoint, errors: [] }, { values, environment: 'sandbox', sandbox: false }).filter(
          ({ type }) => type !== 'VALIDATION_ERROR',
        ),
      )
      const own = failuresOf(endpoint, { values, environment: 'sandbox', sandbox: false }).filter(
        (failure) => ![...ofAll].some((other) => other.name === failure.name && other.on === failure.on),
      )
      const prefix = `${endpoint.id}/error/`
      const errors = ids(assume).filter((id) => id.startsWith(prefix))
      expect(new Set(errors)).toEqual(new Set(own.map(({ type }) => prefix + type)))
    }
  })

  it('hold every value of every enum of every answer, however deep it stands', () => {
    const all = ids()
    for (const endpoint of endpoints) {
      const { id } = endpoint
      const result = bodyOfSuccess(endpoint, resolveAssumptions())
      if (!result) continue
      const possible = endpoint.gives(resolveAssumptions())
      for (const [field, values] of enumsIn(result)) {
        for (const value of possible[field] ?? values) expect(all).toContain(`${id}/${field}/${value}`)
      }
    }
  })

  it.each([
    ['linkCustomer', ['partner_customer_id']],
    ['searchCustomers', ['partner_customer_id']],
  ])('%s has both sides of each limit of its texts', (operation, fields) => {
    for (const field of fields) {
      const own = ids().filter((id) => id.startsWith(`${operation}/boundary/${field}/`))
      expect(own).toHaveLength(8)
    }
  })
})

describe('under other assumptions', () => {
  const scopesOfLink = ['present', 'absent'].map((how) => `linkCustomer/scope/AUTHORIZED_USER_READ/${how}`)
  it.each<[UnvalidatedSettings, { gone: string[]; new: string[] }]>([
    [
      { customers_without_filter: 'bad_request' },
      {
        gone: ['first', 'middle', 'last'].map((edge) => `searchCustomers/page/${edge}`),
        new: [],
      },
    ],
    [
      { payment_methods_listed: 'active_only' },
      {
        gone: ['INACTIVE', 'CANCELED'].map((status) => `listPaymentMethods/status/${status}`),
        new: [],
      },
    ],
    [
      { reward_not_pending: 'conflict' },
      { gone: ['updateReward/error/BAD_REQUEST_ERROR'], new: ['updateReward/error/CONFLICT_ERROR'] },
    ],
    [
      { unknown_account_type: 'BAD_REQUEST_ERROR' },
      {
        gone: ['listStatements/error/ACCOUNT_NOT_FOUND_ERROR'],
        new: ['listStatements/error/BAD_REQUEST_ERROR'],
      },
    ],
    [
      { unknown_account_type: 'CUSTOMER_NOT_FOUND_ERROR' },
      { gone: ['listStatements/error/ACCOUNT_NOT_FOUND_ERROR'], new: [] },
    ],
    [
      { payment_methods_unknown_customer: 'empty_list' },
      { gone: ['listPaymentMethods/error/CUSTOMER_NOT_FOUND_ERROR'], new: [] },
    ],
    [
      { delete_missing_order_event: 'no_content' },
      { gone: ['deleteOrderEvent/error/BAD_REQUEST_ERROR'], new: [] },
    ],
    [
      { reward_target_statuses: 'available_only' },
      {
        gone: ['sent', 'shown'].flatMap((side) =>
          side === 'sent'
            ? ['PENDING', 'PENDING_DEDUCTION'].map((status) => `updateReward/sent/status/${status}`)
            : ['updateReward/status/PENDING_DEDUCTION'],
        ),
        new: [],
      },
    ],
    [{ link_response: 'no_content' }, { gone: [], new: [] }],
    [{ link_response: 'customer' }, { gone: [], new: scopesOfLink }],
    // The id of a point does not depend on the type that answers it.
    [{ link_conflict_type: 'CONFLICT_ERROR' }, { gone: [], new: [] }],
    [{ link_replaces: 'replace' }, { gone: [], new: [] }],
    [
      { create_key_shape: 'id_key_secret_scopes_created_at' },
      { gone: [], new: [...scopeNames, 'none'].map((scope) => `createApiKey/scopes/${scope}`) },
    ],
    [
      { unknown_cursor: 'empty_page' },
      { gone: ['searchCustomers/page/unknown_cursor', 'listStatements/page/unknown_cursor'], new: [] },
    ],
    [
      { negative_amount: 'accept' },
      {
        gone: ['createTransactionIntent', 'updateReward'].flatMap((operation) =>
          ['minimum', 'below_minimum'].map((edge) => `${operation}/boundary/amount/${edge}`),
        ),
        new: [],
      },
    ],
    [
      { payment_methods_pagination: 'limit_and_starting_after' },
      {
        gone: [],
        new: [
          ...['first', 'middle', 'last', 'only', 'empty', 'default_size', 'unknown_cursor'].map(
            (edge) => `listPaymentMethods/page/${edge}`,
          ),
          'listPaymentMethods/boundary/limit/minimum',
          'listPaymentMethods/boundary/limit/below_minimum',
        ],
      },
    ],
  ])('%j', (assume, expected) => {
    expect(difference(assume)).toEqual(expected)
  })

  it('a link that is answered with the customer has the points of the scope, and without a body none', () => {
    const shown = { link_response: 'customer' }
    expect(difference({ link_response: 'no_content' }, 'sandbox', shown)).toEqual({
      gone: scopesOfLink,
      new: [],
    })
  })

  it('a zero that is refused leaves 1 as the least amount', () => {
    const sentence = (assume: UnvalidatedSettings): string | undefined =>
      points(assume).find(({ id }) => id === 'createTransactionIntent/boundary/amount/minimum')?.sentence
    expect(sentence({})).toBe('amount can be 0, the minimum.')
    expect(sentence({ zero_amount: 'refuse' })).toBe('amount can be 1, the minimum.')
  })

  it.each([
    [{}, 'CUSTOMER_ALREADY_LINKED'],
    [{ link_replaces: 'refuse' }, 'CUSTOMER_ALREADY_LINKED'],
    [{ link_replaces: 'refuse', link_conflict_type: 'CONFLICT_ERROR' }, 'CONFLICT_ERROR'],
    [{ link_conflict_type: 'CONFLICT_ERROR' }, 'CONFLICT_ERROR'],
  ])('one point for one error, however many occasions it has, under %j', (assume, type) => {
    const conflict = points(assume).filter(({ id }) => /CONFLICT|LINKED/.test(id))
    expect(conflict.map(({ id, sentence }) => [id, sentence])).toEqual([
      [
        'linkCustomer/error/CUSTOMER_ALREADY_LINKED',
        `Another customer holds the partner identifier. Or: The customer is linked to another partner identifier: 409 ${type}.`,
      ],
    ])
  })

  it.each([
    [{}, 'CUSTOMER_ALREADY_LINKED'],
    [{ link_conflict_type: 'CONFLICT_ERROR' }, 'CONFLICT_ERROR'],
  ])('sentences name what parameters are called, and which statuses answer, under %j', (assume, conflict) => {
    const all = points({
      ...assume,
      link_replaces: 'replace',
      customers_page_size_parameter: 'page_size',
      not_found_status: 410,
      link_conflict_status: 422,
      create_status: 200,
    })
    const sentence = (id: string): string | undefined => all.find((point) => point.id === id)?.sentence
    expect(sentence('searchCustomers/boundary/limit/below_minimum')).toBe('page_size below 1 is refused.')
    expect(sentence('searchCustomers/page/default_size')).toBe('Without page_size a page holds at most 10.')
    expect(sentence('retrieveReward/error/REWARD_NOT_FOUND_ERROR')).toBe(
      'The reward is unknown: 410 REWARD_NOT_FOUND_ERROR.',
    )
    expect(sentence('linkCustomer/error/CUSTOMER_ALREADY_LINKED')).toBe(
      `Another customer holds the partner identifier: 422 ${conflict}.`,
    )
    expect(sentence('createTransactionIntent/success')).toBe('A valid call answers 200.')
  })
})

it('production knows no latest', () => {
  expect(difference({}, 'production')).toEqual({
    gone: endpoints.map(({ id }) => `${id}/version/latest`),
    new: [],
  })
})

it('a created key that shows its scopes can show every scope, and none; by default it shows none of them', () => {
  const scopesIn = (assume: UnvalidatedSettings): string[] =>
    ids(assume).filter((id) => id.startsWith('createApiKey/scopes/'))
  expect(scopesIn({ create_key_shape: 'id_key_secret_scopes_created_at' })).toEqual(
    [...scopeNames, 'none'].map((scope) => `createApiKey/scopes/${scope}`),
  )
  expect(scopesIn({})).toEqual([])
})

/** Every enum in a schema with the name of its field. */
function enumsIn(schema: z.ZodType, field = ''): [field: string, values: string[]][] {
  if (schema instanceof z.ZodOptional) return enumsIn(schema.unwrap() as z.ZodType, field)
  if (schema instanceof z.ZodArray) return enumsIn(schema.element as z.ZodType, field)
  if (schema instanceof z.ZodEnum) return [[field, schema.options.map(String)]]
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, inner]) => enumsIn(inner as z.ZodType, name))
}
