import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { assumptionCatalogue, assumptionIds, valuesOf } from '../../src/contract/assumptions.ts'
import { errorRow, errorTypes, isShownType } from '../../src/contract/errors.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { tieOf } from '../../src/contract/tied-assumptions.ts'
import {
  AssumptionError,
  assumptionsWith,
  describeAssumptions,
  overridden,
  resolveAssumptions,
  type UnvalidatedSettings,
} from '../../src/input/resolve-assumptions.ts'
import { openPoints } from '../helpers/open-points.ts'

const limits = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')

describe('the ledger of open points', () => {
  test.each(openPoints.map((point) => [`${point.section}: ${point.point}`, point] as const))(
    '%s has an entry',
    (_, point) => {
      const { closedBy = [], fixed = [] } = point
      expect(closedBy.length + fixed.length).toBeGreaterThan(0)
      for (const id of closedBy) expect(assumptionIds).toContain(id)
      for (const row of fixed) expect(limits).toContain(`\n| ${row}`)
    },
  )

  test('every assumption closes an open point', () => {
    const closing = new Set(openPoints.flatMap(({ closedBy = [] }) => closedBy))
    expect(assumptionIds.filter((id) => !closing.has(id))).toEqual([])
  })
})

describe('the catalogue', () => {
  test('has at least the assumptions that users rely on', () => {
    const promised =
      'not_found_status unauthenticated_status unauthenticated_type forbidden_type create_status create_key_status delete_order_event_status delete_missing_order_event customers_page_size_parameter locale_parameter default_page_size customers_order link_response link_conflict_status unknown_account_type intent_required_fields payment_methods_required_filter payment_methods_unknown_customer reward_target_statuses reward_not_pending unknown_cursor unknown_body_fields missing_merchant_key_status negative_amount balance_statuses refund_reward reward_rounding pdf_url_lifetime_seconds malformed_json_shape unsupported_media_type'
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
    ['a word beside numbers', { unsupported_media_type: 'accept' }, 'unsupported_media_type', 'accept'],
  ] as const)('%s is taken', (_, settings, id, value) => {
    expect(resolveAssumptions(settings)[id]).toBe(value)
  })

  test.each([
    [
      { not_found_state: 400 },
      /^unknown assumption 'not_found_state', did you mean 'not_found_status'\? Valid ids: create_status, /,
    ],
    [
      { not_found_status: 418 },
      /^assumption 'not_found_status': unknown value '418', expected one of: 404, 400, 410$/,
    ],
    [{ default_page_size: 0 }, /^assumption 'default_page_size': '0' is not an integer from 1 to 100$/],
    [{ default_page_size: '1.5' }, /^assumption 'default_page_size': '1.5' is not an integer from 1 to 100$/],
    [{ rate_limits: 'some' }, /unknown value 'some', expected one of: none \(it has no alternatives\)$/],
    [{ constructor: 'x' }, /^unknown assumption 'constructor'/],
  ])('%o is refused', (settings, message) => {
    expect(() => resolveAssumptions(settings)).toThrow(message)
  })

  test('describing shows the value in force beside the default', () => {
    const view = describeAssumptions(resolveAssumptions({ not_found_status: 400 })).find(
      ({ id }) => id === 'not_found_status',
    )
    const { documented, ...declared } = assumptionCatalogue.not_found_status
    expect(documented).toBe(true)
    expect(view).toEqual({
      id: 'not_found_status',
      ...declared,
      evidence: 'documented',
      value: 400,
      observable: true,
      provenance: 'default',
    })
  })
})

describe('balance_statuses and refund_reward, which are tied', () => {
  const rows = ['AVAILABLE-DEDUCTED', 'AVAILABLE-PENDING_DEDUCTION-DEDUCTED']
  const one = ['AVAILABLE', 'AVAILABLE+PENDING', 'AVAILABLE+PENDING_DEDUCTION']
  const observed = { host: 'api.example.com', at: '2026-11-22T10:00:00.000Z' }
  const [byDefault, set] = [{ provenance: 'default' }, { provenance: 'set' }]
  const calibrated = { provenance: 'calibrated', calibrated: observed }
  const [followsBalance, followsRefund] = [{ follows: 'balance_statuses' }, { follows: 'refund_reward' }]

  /** The values of both, with their sources. */
  function both(settings: UnvalidatedSettings, assume?: UnvalidatedSettings): object[] {
    const { values, provenance } = assumptionsWith(settings, assume && { ...observed, assume })
    expect(resolveAssumptions(assume ? overridden(assume, settings) : settings)).toEqual(values)
    const views = describeAssumptions(values, provenance)
    return (['balance_statuses', 'refund_reward'] as const).map((id) => {
      const { value, provenance: from, calibrated: at, follows } = views.find((view) => view.id === id) ?? {}
      return { value, provenance: from, ...(at && { calibrated: at }), ...(follows && { follows }) }
    })
  }

  test('each value of one fits some of the other, seen from both', () => {
    const refunds = tieOf('refund_reward')
    expect(valuesOf('refund_reward').map((value) => refunds?.fitting(value))).toEqual([rows, one])
    const balances = tieOf('balance_statuses')
    for (const [value, fitting] of [
      ['own_row', rows],
      ['same_reward', one],
    ] as const) {
      for (const counting of fitting) expect(balances?.fitting(counting)).toEqual([value])
    }
    expect([...rows, ...one].toSorted()).toEqual(valuesOf('balance_statuses').toSorted())
    expect([refunds?.other, balances?.other]).toEqual(['balance_statuses', 'refund_reward'])
    expect(assumptionIds.filter((id) => tieOf(id))).toEqual(['balance_statuses', 'refund_reward'])
  })

  test.each<[UnvalidatedSettings, [string, object], [string, object]]>([
    [{}, ['AVAILABLE-DEDUCTED', byDefault], ['own_row', byDefault]],
    ...rows.map((value): [UnvalidatedSettings, [string, object], [string, object]] => [
      { balance_statuses: value },
      [value, set],
      ['own_row', { ...set, ...followsBalance }],
    ]),
    ...one.map((value): [UnvalidatedSettings, [string, object], [string, object]] => [
      { balance_statuses: value },
      [value, set],
      ['same_reward', { ...set, ...followsBalance }],
    ]),
    [{ refund_reward: 'own_row' }, ['AVAILABLE-DEDUCTED', { ...set, ...followsRefund }], ['own_row', set]],
    [{ refund_reward: 'same_reward' }, ['AVAILABLE', { ...set, ...followsRefund }], ['same_reward', set]],
    [
      { refund_reward: 'same_reward', balance_statuses: 'AVAILABLE+PENDING' },
      ['AVAILABLE+PENDING', set],
      ['same_reward', set],
    ],
  ])('%j gives %j and %j', (settings, [counting, from], [refund, by]) => {
    expect(both(settings)).toEqual([
      { value: counting, ...from },
      { value: refund, ...by },
    ])
  })

  test.each<[UnvalidatedSettings, UnvalidatedSettings, [string, object], [string, object]]>([
    [
      { balance_statuses: 'AVAILABLE+PENDING' },
      {},
      ['AVAILABLE+PENDING', calibrated],
      ['same_reward', { ...calibrated, ...followsBalance }],
    ],
    [
      { balance_statuses: 'AVAILABLE+PENDING' },
      { refund_reward: 'same_reward' },
      ['AVAILABLE+PENDING', calibrated],
      ['same_reward', set],
    ],
    [
      { balance_statuses: 'AVAILABLE+PENDING' },
      { refund_reward: 'own_row' },
      ['AVAILABLE-DEDUCTED', { ...set, ...followsRefund }],
      ['own_row', set],
    ],
    [
      { balance_statuses: 'AVAILABLE', refund_reward: 'same_reward' },
      { balance_statuses: 'AVAILABLE-DEDUCTED' },
      ['AVAILABLE-DEDUCTED', set],
      ['own_row', { ...set, ...followsBalance }],
    ],
  ])('observed %j, set %j: %j and %j', (assume, settings, [counting, from], [refund, by]) => {
    expect(both(settings, assume)).toEqual([
      { value: counting, ...from },
      { value: refund, ...by },
    ])
  })

  test.each([
    [
      { refund_reward: 'own_row', balance_statuses: 'AVAILABLE' },
      "assumption 'balance_statuses': 'AVAILABLE' does not fit refund_reward=own_row, as a refund would lower the balance twice, or not at all: omit one of the two, or set refund_reward to one of: same_reward",
    ],
    [
      { balance_statuses: 'AVAILABLE-DEDUCTED', refund_reward: 'same_reward' },
      "assumption 'balance_statuses': 'AVAILABLE-DEDUCTED' does not fit refund_reward=same_reward, as a refund would lower the balance twice, or not at all: omit one of the two, or set refund_reward to one of: own_row",
    ],
  ])('%j is refused', (settings, message) => {
    expect(() => resolveAssumptions(settings)).toThrow(new AssumptionError(message))
    expect(() => assumptionsWith(settings)).toThrow(new AssumptionError(message))
  })

  test('an unknown value is refused as one', () => {
    expect(() => resolveAssumptions({ refund_reward: 'new_row', balance_statuses: 'AVAILABLE' })).toThrow(
      /^assumption 'refund_reward': unknown value 'new_row', expected one of: own_row, same_reward/,
    )
  })
})

test('malformed_json_shape names the operations that always answer a malformed body in shape A', () => {
  const alwaysA = endpoints.filter(({ malformedBody }) => malformedBody === 'A').map(({ id }) => id)
  const { effect } = assumptionCatalogue.malformed_json_shape
  expect(effect).toContain(`${alwaysA.join(', ')} always answers in shape A.`)
})

test('the texts about unauthenticated calls name the type that answers with 403', () => {
  expect(assumptionCatalogue.unauthenticated_status.effect).toMatch(/`403`.*`forbidden_type`/)
  expect(assumptionCatalogue.unauthenticated_type.effect).toContain('`unauthenticated_status=403`')
})

test('docs/limits.md names each type of shape C that the contract does not show', () => {
  const ofShape = (shape: 'A' | 'B' | 'C'): string =>
    errorTypes.filter((type) => !isShownType(type) && errorRow(type).shape === shape).join(', ')
  expect(ofShape('A')).toBe('VALIDATION_ERROR')
  expect(limits).toContain(`shape B, except \`${ofShape('C')}\`, which has shape C`)
})

describe('decisions that the contract leaves to nobody', () => {
  test('case 137: rewards change their status by an update only', () => {
    const { reward_transitions: entry } = assumptionCatalogue
    expect([entry.default, entry.alternatives]).toEqual(['never', []])
  })

  test.each([
    'payment_methods_order',
    'new_key_inherits',
    'product_isolation',
    'reward_description_language',
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
    ['payment_methods_listed', ['all', 'active_only']],
  ] as const)('%s has the values %j, and the first is the default', (id, values) => {
    expect(valuesOf(id)).toEqual(values)
    expect(assumptionCatalogue[id].default).toBe(values[0])
  })

  test('version_differences is an entry without alternatives', () => {
    expect(assumptionCatalogue.version_differences.alternatives).toEqual([])
  })

  test.each([
    ['unknown_query_parameters', ['ignore', 'refuse']],
    ['null_request_fields', ['absent', 'refuse']],
    ['merchant_key_required', ['key_of_several_products', 'partnership_of_several_products']],
  ] as const)('cases 132, 133 and 135: %s has the values %j', (id, values) => {
    expect(valuesOf(id)).toEqual(values)
  })
})
