import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Version } from '../../src/contract/versions.ts'
import type { Rewritten } from '../../src/scenarios/consequences.ts'
import { rewriteBody, type Rewrite } from '../../src/scenarios/effects/rewrite-body.ts'

const thing = z.strictObject({
  id: z.string(),
  status: z.enum(['ON', 'OFF']),
  kind: z.enum(['A']).optional(),
  parts: z.array(z.strictObject({ name: z.string(), note: z.string().optional() })).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
const added = { added: 'in a later release' }

const small = { id: 't', status: 'ON' }
/** Few copies of it exceed 10 MiB. */
const large = { ...small, metadata: { note: 'x'.repeat(100_000) } }
const full = { ...small, kind: 'A', parts: [{ name: 'p' }], metadata: { status: 'ON', note: 'n' } }

const made = { schema: undefined, version: undefined, scopes: [], nulls: false }

describe('rewriteBody', () => {
  it.each<[string, Rewrite, unknown, Version | undefined, Rewritten]>([
    [
      'unknown_fields: in every object that has a schema, never in free-form parts',
      'unknown_fields',
      full,
      '2025-05-05',
      {
        body: {
          ...full,
          parts: [{ name: 'p', sandbox_unknown_field: added }],
          sandbox_unknown_field: added,
        },
        offContract: false,
      },
    ],
    [
      'new_enum_values: under latest, where there is an enum',
      'new_enum_values',
      full,
      'latest',
      { body: { ...full, status: 'SANDBOX_NEW_VALUE', kind: 'SANDBOX_NEW_VALUE' }, offContract: false },
    ],
    [
      'new_enum_values: an absent enum stays absent',
      'new_enum_values',
      small,
      'latest',
      { body: { id: 't', status: 'SANDBOX_NEW_VALUE' }, offContract: false },
    ],
    ...(['2025-05-05', '2026-10-13'] as const).map(
      (version): [string, Rewrite, unknown, Version, Rewritten] => [
        `new_enum_values: nothing under ${version}`,
        'new_enum_values',
        full,
        version,
        { body: full, offContract: false, skipped: 'only latest may have new values' },
      ],
    ),
    [
      'null_optionals: null where the field is absent, off contract',
      'null_optionals',
      small,
      '2026-10-13',
      { body: { ...small, kind: null, parts: null, metadata: null }, offContract: true },
    ],
    [
      'null_optionals: nested',
      'null_optionals',
      full,
      '2026-10-13',
      { body: { ...full, parts: [{ name: 'p', note: null }] }, offContract: true },
    ],
    [
      'a JSON Patch that the schema allows',
      [{ op: 'add', path: '/new', value: 1 }],
      small,
      '2026-10-13',
      { body: { ...small, new: 1 }, offContract: false },
    ],
    [
      'a JSON Patch that it does not allow',
      [{ op: 'replace', path: '/status', value: 'BROKEN' }],
      small,
      '2026-10-13',
      { body: { ...small, status: 'BROKEN' }, offContract: true },
    ],
    [
      'a JSON Patch that does not fit',
      [{ op: 'remove', path: '/none' }],
      small,
      '2026-10-13',
      { body: small, offContract: false, skipped: 'the JSON Patch does not fit the body' },
    ],
    [
      'a JSON Patch of copies without end',
      Array.from({ length: 100 }, (_, place) => ({ op: 'copy', from: '', path: `/a${place}` })),
      large,
      '2026-10-13',
      {
        body: large,
        offContract: false,
        skipped: 'the JSON Patch makes the body larger than 10 MiB; it is answered unchanged',
        isTooLarge: true,
      },
    ],
  ])('%s', (_title, rewrite, body, version, expected) => {
    const before = structuredClone(body)
    expect(rewriteBody(rewrite, body, { ...made, schema: thing, version })).toEqual(expected)
    expect(body).toEqual(before)
  })

  it('a page: its rows are rewritten, and its own fields', () => {
    const page = z.strictObject({ data: z.array(thing), has_more: z.boolean() })
    expect(
      rewriteBody('unknown_fields', { data: [small], has_more: false }, { ...made, schema: page }).body,
    ).toEqual({
      data: [{ ...small, sandbox_unknown_field: added }],
      has_more: false,
      sandbox_unknown_field: added,
    })
  })
})
