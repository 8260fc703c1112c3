import { describe, expect, it } from 'vitest'
import { alternativesTo, alternativeText } from '../../../src/cli/runs/alternatives.ts'
import { assumptionCatalogue, assumptionIds } from '../../../src/contract/assumptions.ts'
import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'

const defaults = resolveAssumptions()
const texts = (...args: Parameters<typeof alternativesTo>): string[] =>
  alternativesTo(...args).map(alternativeText)

describe('alternativesTo', () => {
  it('nothing named -> every declared alternative, in the order of the catalogue', () => {
    const declared = assumptionIds.flatMap((id) =>
      assumptionCatalogue[id].alternatives.map((value) => `${id}=${value}`),
    )
    // A value that another option describes cannot be tried alone.
    declared.splice(declared.indexOf('webhook_events=described'), 1)
    expect(texts(defaults)).toEqual(declared)
    expect(declared.length).toBeGreaterThan(40)
    expect(declared).toContain('default_page_size=25')
  })

  it.each<[string, string[], string[]]>([
    ['an id', ['create_status'], ['create_status=201']],
    [
      'two ids, in their order',
      ['not_found_status', 'create_status'],
      ['not_found_status=400', 'not_found_status=410', 'create_status=201'],
    ],
    ['one value', ['not_found_status=410'], ['not_found_status=410']],
    ['a value that a number may have', ['default_page_size=7'], ['default_page_size=7']],
    ['the same twice', ['create_status', 'create_status=201'], ['create_status=201']],
  ])('%s', (_what, only, expected) => {
    expect(texts(defaults, only)).toEqual(expected)
  })

  it('another value is in force -> the default is one of the others', () => {
    const inForce = resolveAssumptions({ not_found_status: 410, default_page_size: 7 })
    expect(texts(inForce, ['not_found_status'])).toEqual(['not_found_status=404', 'not_found_status=400'])
    const sizes = [10, ...assumptionCatalogue.default_page_size.alternatives]
    expect(texts(inForce, ['default_page_size'])).toEqual(sizes.map((size) => `default_page_size=${size}`))
  })

  it.each([
    ['create_statu', /^unknown assumption 'create_statu', did you mean 'create_status'\? Valid ids: /],
    ['', /^unknown assumption ''/],
    ['create_status=204', /^assumption 'create_status': unknown value '204', expected one of: 200, 201$/],
    ['create_status=', /^assumption 'create_status': unknown value '', expected one of: 200, 201$/],
    ['create_status=200', /^assumption 'create_status': '200' is in force, expected another one: 201$/],
    ['default_page_size=0', /^assumption 'default_page_size': '0' is not an integer from 1 to 100$/],
    ['rate_limits', /^assumption 'rate_limits' has no alternatives$/],
  ])("'%s' is refused", (word, message) => {
    expect(() => alternativesTo(defaults, [word])).toThrow(message)
  })
})
