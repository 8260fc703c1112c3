// The responses of an operation: its success, and its failures by status with examples.
import type { z } from 'zod'
import { errorRow, typeInForce, type ErrorField, type ErrorType } from '../contract/errors.ts'
import { customerLink } from '../contract/resources/customer-link.ts'
import { versionHeader, type Environment } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { ShownFailure } from './failures.ts'
import { headerReference, type HeaderName } from './headers.ts'
import { marks, recordReads } from './marks.ts'
import { addSchema, descriptionOf, mediaType, schemaOf, type Draft } from './schemas.ts'
import type { Example, Reference, Response, Responses, Schema } from './document-types.ts'

/** A draft, with everything that the answers of one call depend on. */
export interface ResponseDraft extends Draft {
  environment: Environment
}

/** Describes the answer of a success. */
export function successOf(draft: ResponseDraft, endpoint: Endpoint): Responses {
  const { assume, noted } = recordReads(draft.values)
  const status = typeof endpoint.status === 'number' ? endpoint.status : endpoint.status(assume)
  const result = status === 204 ? undefined : endpoint.result?.(draft.values)
  const description =
    result === undefined ? 'Done; the answer has no body.' : descriptionOf(result, draft.values)
  return {
    [status]: {
      description: description ?? endpoint.summary,
      headers: headersOf(draft, [versionHeader, 'x-sandbox-request-id'], ['x-sandbox-assumptions']),
      ...(result ? { content: { 'application/json': mediaType(draft, result, 'output') } } : {}),
      ...marks([...noted, ...endpoint.restsOn]),
    },
  }
}

/** Returns one response per status; if several failures share a status, its body is one of their shapes. */
export function failuresByStatus(
  draft: ResponseDraft,
  failures: readonly ShownFailure[],
  path: string,
): Record<string, Response> {
  const byStatus: Record<string, ShownFailure[]> = {}
  for (const failure of failures) (byStatus[failure.status] ??= []).push(failure)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, alike]) => [status, failureResponse(draft, alike, path)]),
  )
}

function failureResponse(draft: ResponseDraft, alike: readonly ShownFailure[], path: string): Response {
  const types = [...new Set(alike.map(({ type }) => type))]
  const schemas = types.map((type) => errorSchema(draft, type))
  const occasions = [...new Set(alike.map(({ on }) => on))]
  const always: HeaderName[] = ['x-sandbox-request-id']
  const sometimes: HeaderName[] = ['x-sandbox-assumptions']
  if (alike.every(({ version }) => version === 'always')) always.push(versionHeader)
  else if (!alike.every(({ version }) => version === 'never')) sometimes.push(versionHeader)
  for (const name of new Set(alike.flatMap(({ headers }) => headers))) {
    const owners = alike.every(({ headers }) => headers.includes(name)) ? always : sometimes
    owners.push(name)
  }
  return {
    description: occasions.length === 1 ? (occasions[0] ?? '') : occasions.map((on) => `- ${on}`).join('\n'),
    headers: headersOf(draft, always, sometimes),
    content: {
      'application/json': {
        schema: schemas.length === 1 && schemas[0] ? schemas[0] : { oneOf: schemas },
        examples: examplesOf(draft, alike, path),
      },
    },
    ...marks(alike.flatMap(({ restsOn }) => restsOn)),
  }
}

/** The declared headers: those that every such answer has, and those that some have. */
export function headersOf(
  { components, environment, sandbox }: ResponseDraft,
  always: readonly HeaderName[],
  sometimes: readonly HeaderName[],
): Record<string, Reference> {
  const isShown = (name: HeaderName): boolean => sandbox || !name.startsWith('x-sandbox-')
  return Object.fromEntries([
    ...always.filter(isShown).map((name) => [name, headerReference(components, name, true, environment)]),
    ...sometimes.filter(isShown).map((name) => [name, headerReference(components, name, false, environment)]),
  ]) as Record<string, Reference>
}

function examplesOf(draft: Draft, alike: readonly ShownFailure[], path: string): Record<string, Example> {
  const examples: Record<string, Example> = {}
  for (const failure of alike) {
    let name = failure.name
    for (let next = 2; name in examples; next++) name = `${failure.name}_${next}`
    examples[name] = { summary: failure.on, value: exampleBody(draft, failure, path) }
  }
  return examples
}

/** The schemas of the fields that only some errors have. */
const errorFields: Readonly<Record<ErrorField, z.ZodType>> = { existing_link: customerLink }

/** Returns the type in the body of an error. */
function textOfType({ values }: Draft, type: ErrorType): string {
  return typeInForce(type, errorRow(type).status, (id) => values[id])
}

function exampleBody(draft: Draft, failure: ShownFailure, path: string): unknown {
  const row = errorRow(failure.type)
  const { message } = failure
  const type = textOfType(draft, failure.type)
  switch (row.shape) {
    case 'A':
      return {
        path,
        details: failure.details,
        error: row.message,
        status: failure.status,
        timestamp: '2026-11-20T09:30:00.000Z',
      }
    case 'B':
      return { error: { type, message } }
    case 'C':
      return { type, message, param: row.param }
  }
}

/** The schema of one error (contract: Errors), named after it: `BAD_REQUEST_ERROR` is `BadRequestError`. */
function errorSchema(draft: Draft, type: ErrorType): Schema {
  const { shape, param, typeFrom, fields = [] } = errorRow(type)
  const words = type.toLowerCase().split('_')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  // The contract shows five types and leaves others open, so the document promises none of them.
  const inForce = { type: 'string', const: textOfType(draft, type), ...marks([typeFrom]) }
  const message = text('For people; do not match on it.')
  return addSchema(draft, name, schemaOfShape())

  function withOptional(schema: Schema, optional: readonly ErrorField[]): Schema {
    const more = optional.map((field) => [field, schemaOf(draft, errorFields[field], 'output')])
    return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(more) } }
  }

  function schemaOfShape(): Schema {
    switch (shape) {
      case 'A':
        return objectOf('Error shape A: the request breaks a rule that it declares.', {
          path: text('The path of the request, without its query.'),
          details: {
            type: 'array',
            minItems: 1,
            items: { type: 'string' },
            description: 'One sentence per violation, naming the field and the rule.',
          },
          error: text('The reason phrase of the status.'),
          status: { type: 'integer', const: 400 },
          timestamp: { type: 'string', format: 'date-time' },
        })
      case 'B':
        return objectOf('Error shape B.', {
          error: withOptional(objectOf('What is wrong.', { type: inForce, message }), fields),
        })
      case 'C':
        if (param === undefined)
          return objectOf('Error shape C without a parameter.', { type: inForce, message })
        return objectOf('Error shape C: a parameter names an object that does not exist.', {
          type: inForce,
          message,
          param: { type: 'string', const: param, description: 'The name of the offending parameter.' },
        })
    }
  }
}

const text = (description: string): Schema => ({ type: 'string', description })

function objectOf(description: string, properties: Record<string, Schema>): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties) }
}
