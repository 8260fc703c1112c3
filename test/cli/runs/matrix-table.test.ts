import { describe, expect, it } from 'vitest'
import { matrixTable, type MatrixRow } from '../../../src/cli/runs/matrix-table.ts'
import { resolveAssumptions } from '../../../src/reading/resolve-assumptions.ts'

const row = (id: MatrixRow['id'], value: string | number, passed?: boolean): MatrixRow => ({
  id,
  value,
  passed,
})
const inForce = resolveAssumptions()

describe('matrixTable', () => {
  it('some fail -> which, and the question that the contract leaves open', () => {
    const rows = [
      row('create_status', 200, false),
      row('not_found_status', 400, false),
      row('not_found_status', 410, false),
      row('link_replaces', 'refuse', true),
    ]
    expect(matrixTable(rows, inForce)).toBe(
      `assumption        value   result
create_status     200     fail
not_found_status  400     fail
not_found_status  410     fail
link_replaces     refuse  pass

The suite rests on what the contract does not promise:
  create_status: Which status answers a created transaction intent?
    The contract leaves it open (Endpoints). It passes with 201 and fails with 200.
  not_found_status: Which status do the not-found errors have?
    The contract leaves it open (Errors). It passes with 404 and fails with 400 and 410.
`,
    )
  })

  it.each<[string, MatrixRow[], string[]]>([
    [
      'all pass',
      [row('create_status', 200, true), row('link_replaces', 'refuse', true)],
      [
        'The suite passes with all 2 other values: it rests on nothing here that the contract does not promise.',
      ],
    ],
    [
      'the only one passes',
      [row('create_status', 200, true)],
      [
        'The suite passes with the one other value: it rests on nothing here that the contract does not promise.',
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
      matrixTable(rows, inForce)
        .split('\n')
        .slice(rows.length + 2, -1),
    ).toEqual(lines)
  })
})
