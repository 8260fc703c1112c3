import { describe, expect, it } from 'vitest'
import { matrixHtml } from '../../../src/cli/runs/matrix-html.ts'
import { matrixJson, matrixTable, type Matrix, type MatrixRow } from '../../../src/cli/runs/matrix-table.ts'
import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'

const row = (
  id: MatrixRow['id'],
  value: string | number,
  passed?: boolean,
  ...names: string[]
): MatrixRow => ({
  id,
  value,
  passed,
  exercised: id !== 'link_replaces',
  tests: names.map((name) => ({ name, file: 'pay.test.ts' })),
})
const inForce = resolveAssumptions()
const matrixOf = (rows: readonly MatrixRow[], notExercised: readonly string[] = []): Matrix => ({
  base: true,
  calls: 1,
  rows,
  notExercised,
})

describe('matrixTable', () => {
  it('some fail -> which, and the question that the contract leaves open', () => {
    const rows = [
      row('create_status', 201, false),
      row('not_found_status', 400, false),
      row('not_found_status', 410, false),
      row('link_replaces', 'refuse', true),
    ]
    expect(matrixTable(matrixOf(rows), inForce)).toBe(
      `assumption        value   result
create_status     201     fail
not_found_status  400     fail
not_found_status  410     fail
link_replaces     refuse  pass

The suite rests on what the contract does not promise:
  create_status: Which status answers a created transaction intent?
    The contract leaves it open (Endpoints). It passes with 200 and fails with 201.
  not_found_status: Which status do the not-found errors have?
    The contract leaves it open (Errors). It passes with 404 and fails with 400 and 410.
No call rested on these, so a pass proves nothing:
  link_replaces
`,
    )
  })

  it('the tests that failed, or rest on a value, are named below the table', () => {
    const rows = [
      row('create_status', 200, false, 'creates an intent after 429', 'pays twice'),
      row('not_found_status', 410, true, 'pays'),
      row('link_replaces', 'refuse', true),
      row('negative_amount', 'accept', true, 'a'.repeat(60), 'b'.repeat(60), 'c'),
    ]
    expect(matrixTable(matrixOf(rows), inForce)).toContain(`
The tests that failed with a value, or rest on it:
  create_status=200: 2 tests: creates an intent after 429, pays twice
  not_found_status=410: 1 test: pays
  negative_amount=accept: 3 tests: ${'a'.repeat(60)}, …

The suite rests on`)
  })

  it('as a page: every test with its file', () => {
    const rows = [
      row('create_status', 200, false, 'creates <b> after 429', 'pays twice'),
      row('not_found_status', 410, true, 'pays'),
    ]
    const page = matrixHtml(matrixOf(rows, ['page_cap']), inForce)
    expect(page).toContain('creates &lt;b&gt; after 429 (pay.test.ts)\npays twice (pay.test.ts)')
    expect(page).toContain('fail, 2 tests:')
    for (const part of ['create_status=200', 'not_found_status=410', 'page_cap']) expect(page).toContain(part)
  })

  it('merchant_key_required fails -> the header that the suite has to send', () => {
    const rows = [row('merchant_key_required', 'partnership_of_several_products', false)]
    expect(matrixTable(matrixOf(rows), inForce)).toContain(
      `  merchant_key_required: Which calls must select a product?
    The contract leaves it open (Authentication 9). It passes with key_of_several_products and fails with partnership_of_several_products.
    A call of the suite sends no x-service-merchant-key: let your client name its product in every call, as in x-service-merchant-key: mk_summit.
`,
    )
  })

  it.each<[string, MatrixRow[], string[]]>([
    [
      'all pass',
      [row('create_status', 200, true), row('link_replaces', 'refuse', true)],
      [
        'The suite passes with all 2 other values. It rests on nothing that the contract leaves open in:',
        '  create_status',
        'No call rested on these, so a pass proves nothing:',
        '  link_replaces',
      ],
    ],
    [
      'the only one passes',
      [row('create_status', 200, true)],
      [
        'The suite passes with the one other value. It rests on nothing that the contract leaves open in:',
        '  create_status',
      ],
    ],
    [
      'one was not run',
      [row('create_status', 200, true), row('link_replaces', 'refuse')],
      ['The suite passes with the one other value that was run.', '1 of 2 values were not run.'],
    ],
    [
      'two were run, and one was not',
      [row('create_status', 200, true), row('not_found_status', 410, true), row('link_replaces', 'refuse')],
      ['The suite passes with the 2 other values that were run.', '1 of 3 values were not run.'],
    ],
    ['none was run', [row('create_status', 200)], ['1 of 1 values were not run.']],
  ])('%s', (_what, rows, lines) => {
    expect(
      matrixTable(matrixOf(rows), inForce)
        .split('\n')
        .slice(rows.length + 2, -1),
    ).toEqual(lines)
  })

  it('not exercised -> named, and no more is said of them', () => {
    const rows = [row('create_status', 200, true)]
    expect(
      matrixTable(matrixOf(rows, ['link_replaces', 'page_cap']), inForce)
        .split('\n')
        .slice(3),
    ).toEqual([
      'The suite passes with the one other value. It rests on nothing that the contract leaves open in:',
      '  create_status',
      'Not exercised, as no call rested on them; --all runs them, too:',
      '  link_replaces, page_cap',
      '',
    ])
  })

  it('for programs -> what was run, and what was not exercised', () => {
    const rows = [
      row('create_status', 200, false, 'pays'),
      row('not_found_status', 410, true),
      row('link_replaces', 'x'),
    ]
    expect(matrixJson(matrixOf(rows, ['page_cap']))).toEqual({
      base: 'pass',
      calls: 1,
      results: [
        { id: 'create_status', value: 200, verdict: 'fail', tests: [{ name: 'pays', file: 'pay.test.ts' }] },
        { id: 'not_found_status', value: 410, verdict: 'pass', tests: [] },
      ],
      not_exercised: ['page_cap'],
    })
  })
})
