import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { metadata } from '../../src/contract/formats.ts'
import { unknownFields } from '../../src/endpoints/unknown-fields.ts'

const schema = z.object({
  amount: z.int(),
  note: z.string().optional(),
  address: z
    .object({ city: z.string().optional(), geo: z.object({ lat: z.number() }).optional() })
    .optional(),
  required: z.object({ known: z.string() }),
  metadata: metadata.optional(),
  tags: z.array(z.object({ name: z.string() })).optional(),
})

describe('fields that a schema does not know', () => {
  test.each<[string, string, string[][]]>([
    ['none', '{}', []],
    ['known ones only', '{"amount":1,"note":"x","required":{"known":"x"}}', []],
    ['at the top', '{"amount":1,"id":"x","status":"y"}', [['id'], ['status']]],
    ['in the order of the body', '{"z":1,"amount":1,"a":1}', [['z'], ['a']]],
    ['in an optional object', '{"address":{"city":"x","zip":"y"}}', [['address', 'zip']]],
    ['in a required object', '{"required":{"known":"x","other":1}}', [['required', 'other']]],
    ['two levels down', '{"address":{"geo":{"lat":1,"lon":2}}}', [['address', 'geo', 'lon']]],
    ['in free-form metadata, which knows every field', '{"metadata":{"anything":{"goes":1}}}', []],
    ['in a field of another type', '{"address":"x","required":[1],"metadata":null}', []],
    ['null where an object belongs', '{"address":null}', []],
    ['names every object has', '{"toString":1,"hasOwnProperty":2}', [['toString'], ['hasOwnProperty']]],
    ['__proto__ and constructor', '{"__proto__":{"a":1},"constructor":1}', [['__proto__'], ['constructor']]],
    ['the empty name', '{"":1}', [['']]],
    ['other casing', '{"Amount":1}', [['Amount']]],
  ])('%s: %s', (_, body, expected) => {
    expect(unknownFields(schema, JSON.parse(body) as Record<string, unknown>)).toEqual(expected)
  })
})
