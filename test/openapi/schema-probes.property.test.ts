import type { ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assumptionIds, settableValuesOf } from '../../src/contract/assumptions.ts'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { describeApi, type OpenApiDocument } from '../../src/openapi/index.ts'
import type { Operation, Parameter, Schema } from '../../src/openapi/document-types.ts'
import { resolveAssumptions, type UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { bound, documentValidator } from '../helpers/conformance.ts'
import { SchemaValues } from '../helpers/schema-values.ts'
import { fullKey, testNow } from '../helpers/sandbox.ts'
import { drawn, samples } from '../setup/samples.ts'

/** Rules that a schema cannot express, by the form of a probe; the reason is next to each. */
const unsaid: { why: string; isOne(input: Input, value: unknown): boolean }[] = [
  {
    why: 'which cursors name a place in a list depends on its rows',
    isOne: ({ name }, value) =>
      name === 'starting_after' || (typeof value === 'object' && value !== null && 'starting_after' in value),
  },
  {
    why: 'a schema sees the number of a query, and not that its text has zeros in front',
    isOne: ({ name }, value) => name !== 'body' && typeof value === 'string' && /^0\d/.test(value),
  },
  {
    why: 'a total must be the sum of the lines that are sent with it',
    isOne: (_, value) => typeof value === 'object' && value !== null && 'order_lines' in value,
  },
  {
    why: 'which customers there are depends on the rows',
    isOne: ({ operation }, value) =>
      operation.operationId === 'createCustomerSession' &&
      typeof value === 'object' &&
      value !== null &&
      'customer_id' in value,
  },
]

/** One input of an operation: its body, or one parameter of its query. */
interface Input {
  operation: Operation
  method: string
  path: string
  name: string
  schema: Schema
  request(value: unknown): { path: string; body?: string }
  /** The value as the schema sees it. */
  read(value: unknown): unknown
}

function documentUnder(settings: UnvalidatedSettings): OpenApiDocument {
  return describeApi({
    assumptions: resolveAssumptions(settings),
    serverUrl: 'http://127.0.0.1:4010',
    environment: 'sandbox',
    sandboxVersion: '0.1.0',
  })
}

function inputsOf(document: OpenApiDocument): Input[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Input[] => {
      const path = template
        .replace('{customer_id}', 'cus_ada')
        .replace('{account_id}', 'acct_ada')
        .replace(/\{\w+\}/, 'nobody')
      const base = { operation, method: method.toUpperCase(), path }
      const schema = operation.requestBody?.content['application/json'].schema
      const body: Input[] = schema
        ? [
            {
              ...base,
              name: 'body',
              schema,
              request: (value) => ({ path, body: JSON.stringify(value) }),
              read: (value) => value,
            },
          ]
        : []
      const query = operation.parameters
        .filter((parameter): parameter is Parameter => 'in' in parameter && parameter.in === 'query')
        .map((parameter): Input => ({
          ...base,
          name: parameter.name,
          schema: parameter.schema,
          request: (value) => {
            const others = operation.parameters.flatMap((other) =>
              'in' in other && other.in === 'query' && other.required && other !== parameter
                ? [`&${other.name}=${String(other.example)}`]
                : [],
            )
            return {
              path: `${path}?${parameter.name}=${encodeURIComponent(String(value))}${others.join('')}`,
            }
          },
          read: (value) =>
            parameter.schema.type === 'integer' && /^-?\d+(\.\d+)?$/.test(String(value))
              ? Number(value)
              : String(value),
        }))
      return [...body, ...query]
    }),
  )
}

/** Whether the server takes an input: anything but the shape that lists what it finds wrong. */
async function takes(
  sandbox: Sandbox,
  input: Input,
  value: unknown,
): Promise<{ taken: boolean; details: string }> {
  const { path, body } = input.request(value)
  const answer = await sandbox.fetch(path, {
    method: input.method,
    headers: {
      authorization: `Bearer ${fullKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  expect(answer.status).toBeLessThan(500)
  const text = await answer.text()
  const isViolation = answer.status === 400 && text.includes('"details"')
  return { taken: !isViolation, details: isViolation ? text : `${answer.status}` }
}

interface Counts {
  valid: number
  broken: number
  refused: number
  unsaid: number
}

/** Holds the verdict of the server against that of the schema, for values made of the schema. */
async function probe(
  settings: UnvalidatedSettings,
  runs: number,
  only?: (input: Input) => boolean,
): Promise<Counts> {
  const document = documentUnder(settings)
  await using sandbox = await createSandbox({ clock: testNow, frozen: true, assume: settings })
  const ajv = documentValidator(document.components.schemas)
  const values = new SchemaValues(document)
  const counts: Counts = { valid: 0, broken: 0, refused: 0, unsaid: 0 }
  const agree = async (
    input: Input,
    validate: ValidateFunction,
    how: string,
    value: unknown,
  ): Promise<void> => {
    const fits = validate(input.read(value))
    const { taken, details } = await takes(sandbox, input, value)
    if (!fits) counts.refused++
    if (taken === fits) return
    if (unsaid.some(({ isOne }) => isOne(input, value))) {
      counts.unsaid++
      return
    }
    const verdict = fits
      ? 'the schema allows and the server refuses'
      : 'the schema refuses and the server takes'
    throw new Error(
      `${input.operation.operationId} ${input.name}: ${verdict} (${how}) ${JSON.stringify(value)}: ${details}`,
    )
  }
  for (const input of inputsOf(document).filter(only ?? (() => true))) {
    const validate = ajv.compile(bound(input.schema))
    await fc.assert(
      fc.asyncProperty(values.valid(input.schema), async (value) => {
        counts.valid++
        await agree(input, validate, 'as it is', value)
        const broken = values.broken(input.schema, value)
        for (const { how, value: wrong } of broken) {
          if (input.name !== 'body' && typeof wrong === 'object') continue
          counts.broken++
          await agree(input, validate, how, wrong)
        }
      }),
      { numRuns: samples(runs), seed: 12 },
    )
  }
  return counts
}

describe('the server takes what the document allows, and nothing else', () => {
  it('under the defaults', async () => {
    const counts = await probe({}, 40)
    expect(counts.valid).toBeGreaterThan(samples(300))
    expect(counts.refused).toBeGreaterThan(samples(5_000))
  }, 120_000)

  const defaultInputs = inputsUnder({})
  /** The inputs whose schema an alternative changes, as `operation name`. */
  const changedBy = (settings: UnvalidatedSettings): Set<string> =>
    new Set(
      [...inputsUnder(settings)].filter(([key, text]) => defaultInputs.get(key) !== text).map(([key]) => key),
    )
  const alternatives = assumptionIds
    .flatMap((id) => settableValuesOf(id).map((value): UnvalidatedSettings => ({ [id]: value })))
    .filter((settings) => changedBy(settings).size > 0)

  it.each(drawn(alternatives))(
    'under %j, which changes what may be sent',
    async (settings) => {
      const changed = changedBy(settings)
      const counts = await probe(settings, 10, ({ operation, name }) =>
        changed.has(`${operation.operationId} ${name}`),
      )
      expect(counts.valid).toBeGreaterThan(0)
    },
    60_000,
  )
})

/** The schemas of all inputs, with what they refer to, under some assumptions. */
function inputsUnder(settings: UnvalidatedSettings): Map<string, string> {
  const document = documentUnder(settings)
  return new Map(
    inputsOf(document).map(({ operation, name, schema }) => [
      `${operation.operationId} ${name}`,
      JSON.stringify(whole(schema, document)),
    ]),
  )
}

function whole(schema: Schema, { components }: OpenApiDocument): unknown {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : components.schemas[name]
}
