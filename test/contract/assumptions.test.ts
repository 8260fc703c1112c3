import { describe, expect, test } from 'vitest'
import { assumptionCatalogue, assumptionIds, valuesOf } from '../../src/contract/assumptions.ts'
import { errorRow, errorTypes, isShownType } from '../../src/contract/errors.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { describeAssumptions, resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { openPoints } from '../helpers/open-points.ts'

describe('the ledger of open points', () => {
  test.each(openPoints.map((point) => [`${point.section}: ${point.point}`, point] as const))(
    '%s has an entry',
    (_, point) => {
      expect(point.closedBy.length).toBeGreaterThan(0)
      for (const id of point.closedBy) expect(assumptionIds).toContain(id)
    },
  )

  test('every assumption closes an open point', () => {
    const closing = new Set(openPoints.flatMap((point) => point.closedBy))
    expect(assumptionIds.filter((id) => !closing.has(id))).toEqual([])
  })
})

describe('the catalogue', () => {
  test('has at least the assumptions that users rely on', () => {
    const promised =
      'not_found_status unauthenticated_status unauthenticated_type forbidden_type create_status create_key_status delete_order_event_status delete_missing_order_event customers_page_size_parameter locale_parameter default_page_size customers_order link_response link_conflict_status unknown_account_type intent_required_fields payment_methods_required_filter payment_methods_unknown_customer reward_target_statuses reward_not_pending unknown_cursor unknown_body_fields missing_merchant_key_status negative_amount balance_statuses reward_rounding pdf_url_lifetime_seconds malformed_json_shape unsupported_media_type basic_password_with_key'
    expect(assumptionIds).toEqual(expect.arrayContaining(promised.split(' ')))
  })

  test.each(assumptionIds.map((id) => [id, assumptionCatalogue[id]] as const))(
    '%s asks, answers and offers other values',
    (_, entry) => {
      expect(entry.question).toMatch(/\?$/)
      expect(entry.effect).toMatch(/\.$/)
      expect(entry.section).not.toBe('')
      expect(entry.alternatives).not.toContain(entry.default)
    },
  )
})

describe('resolving settings', () => {
  test('without settings every value is its default', () => {
    const values = resolveAssumptions()
    for (const id of assumptionIds) expect(values[id]).toBe(assumptionCatalogue[id].default)
  })

  test.each([
    ['a number as text', { not_found_status: '400' }, 'not_found_status', 400],
    ['a number', { not_found_status: 400 }, 'not_found_status', 400],
    ['a word', { link_response: 'no_content' }, 'link_response', 'no_content'],
    ['any number of a range', { default_page_size: '37' }, 'default_page_size', 37],
    ['any number of a range, next to a word', { page_token_lifetime: '3600' }, 'page_token_lifetime', 3600],
    ['the word next to a range', { page_token_lifetime: 'none' }, 'page_token_lifetime', 'none'],
    ['a word beside numbers', { unsupported_media_type: 'accept' }, 'unsupported_media_type', 'accept'],
  ] as const)('%s is taken', (_, settings, id, value) => {
    expect(resolveAssumptions(settings)[id]).toBe(value)
  })

  test.each([
    [
      { not_found_state: 400 },
      /^unknown assumption 'not_found_state', did you mean 'not_found_status'\? Valid ids: unlisted_operations, /,
    ],
    [
      { not_found_status: 418 },
      /^assumption 'not_found_status': unknown value '418', expected one of: 404, 400, 410$/,
    ],
    [{ default_page_size: 0 }, /^assumption 'default_page_size': '0' is not an integer from 1 to 100$/],
    [{ default_page_size: '1.5' }, /^assumption 'default_page_size': '1.5' is not an integer from 1 to 100$/],
    [
      { page_token_lifetime: 'forever' },
      /^assumption 'page_token_lifetime': 'forever' is not none or an integer from 1 to 604800$/,
    ],
    [{ rate_limits: 'some' }, /unknown value 'some', expected one of: none \(it has no alternatives\)$/],
    [{ constructor: 'x' }, /^unknown assumption 'constructor'/],
  ])('%o is refused', (settings, message) => {
    expect(() => resolveAssumptions(settings)).toThrow(message)
  })

  test('describing shows the value in force beside the default', () => {
    const view = describeAssumptions(resolveAssumptions({ not_found_status: 400 })).find(
      ({ id }) => id === 'not_found_status',
    )
    expect(view).toEqual({
      id: 'not_found_status',
      ...assumptionCatalogue.not_found_status,
      value: 400,
      observable: true,
      provenance: 'default',
    })
  })
})

describe('the shapes that the ledger states', () => {
  const ofShape = (shape: 'A' | 'B' | 'C'): string =>
    errorTypes.filter((type) => !isShownType(type) && errorRow(type).shape === shape).join(', ')
  const alwaysA = endpoints.filter(({ malformedBody }) => malformedBody === 'A').map(({ id }) => id)

  test('error_types names each type of shape C that the contract does not show', () => {
    expect(ofShape('A')).toBe('VALIDATION_ERROR')
    expect(assumptionCatalogue.error_types.effect).toContain(
      `Their shape is B, except ${ofShape('C')}, which has shape C.`,
    )
  })

  test.each(['malformed_json_shape', 'body_max_depth'] as const)(
    '%s names the operations that always answer a malformed body in shape A',
    (id) => {
      expect(assumptionCatalogue[id].effect).toContain(`${alwaysA.join(', ')} always answers in shape A.`)
    },
  )
})

describe('decisions that the contract leaves to nobody', () => {
  test('case 137: rewards change their status by an update only', () => {
    const { reward_transitions: entry } = assumptionCatalogue
    expect([entry.default, entry.alternatives]).toEqual(['never', []])
  })

  test.each([
    'order_of_refusals',
    'payment_methods_order',
    'partner_id_uniqueness',
    'new_key_inherits',
    'string_bounds',
    'product_isolation',
    'reward_description_language',
    'locale_matching',
    'statement_fields',
    'intent_fields',
  ])('case 139: %s is an entry', (id) => {
    expect(assumptionIds).toContain(id)
  })

  test.each([
    ['customers_without_filter', ['all', 'bad_request']],
    ['balance_other_currencies', ['added', 'left_out']],
    ['intent_inactive_method', ['accept', 'refuse']],
    ['intent_closed_customer', ['accept', 'refuse']],
    ['intent_currency', ['any_code', 'of_the_account']],
    ['reward_amount_zero', ['accept', 'refuse']],
    ['currency_case', ['upper_only', 'any']],
    ['payment_methods_listed', ['all', 'active_only']],
    ['page_token_lifetime', ['none', 900]],
    ['untranslated_text', ['english', 'omitted']],
  ] as const)('%s has the values %j, and the first is the default', (id, values) => {
    expect(valuesOf(id)).toEqual(values)
    expect(assumptionCatalogue[id].default).toBe(values[0])
  })

  test.each([
    'version_differences',
    'head_and_options',
    'accept_header',
    'bodies_of_get_and_delete',
    'pdf_url_access',
  ] as const)('%s is an entry without alternatives', (id) => {
    expect(assumptionCatalogue[id].alternatives).toEqual([])
  })

  test.each([
    ['unknown_query_parameters', ['ignore', 'refuse']],
    ['null_request_fields', ['absent', 'refuse']],
    ['empty_optional_fields', ['absent', 'null']],
    ['merchant_key_required', ['key_of_several_products', 'partnership_of_several_products']],
  ] as const)('cases 132 to 135: %s has the values %j', (id, values) => {
    expect(valuesOf(id)).toEqual(values)
  })
})
