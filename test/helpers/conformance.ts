import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as formats from 'ajv-formats'
import { assumptionIds } from '../../src/contract/assumptions.ts'
import type { OpenApiDocument } from '../../src/openapi/index.ts'
import type { Header, Responses, Response as Declared, Schema } from '../../src/openapi/document-types.ts'

/** The request: the path may have a query. */
export interface SentRequest {
  method: string
  path: string
}

/** The answer, from a Response or from a socket. */
export interface Answered {
  status: number
  headers: Headers | Record<string, string>
  body: string
}

/**
 * Checks answers against the OpenAPI document: status, body and headers, and that nothing undeclared is in them.
 *
 * @example
 * const { check } = conformance(document)
 * check({ method: 'GET', path: '/v2/customers' }, { status, headers, body })   // throws, listing every problem
 */
export function conformance(document: OpenApiDocument): {
  check(sent: SentRequest, answered: Answered): void
} {
  const bodyProblems = bodyChecker(document)
  const headerProblems = headerChecker(document)
  return {
    check(sent, { status, headers: headersOrInit, body }) {
      const call = findCall(document, sent)
      const headers = headersOrInit instanceof Headers ? headersOrInit : new Headers(headersOrInit)
      const declared = resolved(document, call.responses[status])
      const problems =
        declared === undefined
          ? [`the status is not declared, only ${Object.keys(call.responses).join(', ')} are`]
          : [
              ...headerProblems(declared, headers),
              ...bodyProblems(declared, call.isHead, headers, body),
              ...versionProblems(document, declared, call, headers, body),
              ...allowProblems(call, headers),
            ]
      if (problems.length === 0) return
      const title = `${sent.method} ${sent.path} (${call.name}) answered ${status} against its declaration`
      throw new Error([`${title}:`, ...problems.map((problem) => `- ${problem}`), shortened(body)].join('\n'))
    },
  }
}

interface Call {
  /** The operation id, or which kind of call this is that no operation is there for. */
  name: string
  responses: Responses
  isHead: boolean
  /** The methods of the path, as `Allow` lists them; none for an unknown path. */
  methods: readonly string[]
}

function findCall(document: OpenApiDocument, { method, path }: SentRequest): Call {
  const { unknownPath, wrongMethod, options } = document['x-unmatched']
  const isHead = method === 'HEAD'
  const found = findPath(document, new URL(`http://localhost${path}`).pathname)
  if (found === undefined) {
    // A browser asks before it calls, and is answered for any path.
    const preflight = method === 'OPTIONS' ? options.responses : {}
    const responses = { ...preflight, ...unknownPath.responses }
    return { name: 'no such path', responses, isHead, methods: [] }
  }
  const methods = [...Object.keys(found), ...('get' in found ? ['head'] : []), 'options']
    .map((name) => name.toUpperCase())
    .toSorted()
  if (method === 'OPTIONS') return { name: 'the methods of a path', ...options, isHead, methods }
  const operation = Object.entries(found).find(
    ([name]) => name === (isHead ? 'get' : method.toLowerCase()),
  )?.[1]
  if (!operation) return { name: 'no such method', ...wrongMethod, isHead, methods }
  return { name: operation.operationId, responses: operation.responses, isHead, methods }
}

type Path = OpenApiDocument['paths'][string]

/** A fixed path wins over one with a parameter in the same place. */
function findPath(document: OpenApiDocument, pathname: string): Path | undefined {
  const segments = pathname.split('/')
  return Object.entries(document.paths)
    .map(([template, path]) => ({ parts: template.split('/'), path }))
    .filter(({ parts }) => parts.length === segments.length)
    .filter(({ parts }) =>
      parts.every((part, place) =>
        part.startsWith('{') ? segments[place] !== '' : part === segments[place],
      ),
    )
    .toSorted((a, b) => parametersOf(a.parts) - parametersOf(b.parts))[0]?.path
}

const parametersOf = (parts: readonly string[]): number => parts.filter((part) => part.startsWith('{')).length

/** Returns the target of a reference; another value is returned as it is. */
function resolved<T extends object>(
  document: OpenApiDocument,
  part: T | { $ref: string } | undefined,
): T | undefined {
  if (part === undefined || !('$ref' in part) || typeof part.$ref !== 'string') return part as T | undefined
  let target: unknown = document
  for (const step of part.$ref.split('/').slice(1)) target = (target as Record<string, unknown>)[step]
  if (target === undefined) throw new Error(`the document refers to ${part.$ref}, which it does not have`)
  return target as T
}

type Problems = string[]

/** Headers that mean something to a client, and so stand only where they are declared. */
const telling = /^(x-(service|sandbox)-.*|retry-after|www-authenticate|allow|accept-encoding)$/

/** Declared headers are there and right; others that tell a client something are not. */
function headerChecker(document: OpenApiDocument): (declared: Declared, headers: Headers) => Problems {
  const { problemsOf } = validators(document)
  return (declared, headers) => {
    const names = Object.keys(declared.headers)
    const missing = names.flatMap((name) => {
      const header = resolved<Header>(document, declared.headers[name])
      const value = headers.get(name)
      if (!header) return []
      if (value === null) return header.required ? [`the header ${name} is missing`] : []
      const unknown = name === 'x-sandbox-assumptions' ? unknownAssumptions(value) : []
      const problems = problemsOf(header.schema, value).map((problem) => `the header ${name}${problem}`)
      return [...problems, ...unknown.map((id) => `the header ${name} names ${id}, which is none`)]
    })
    const extra = [...headers.keys()]
      .filter((name) => telling.test(name) && !names.includes(name))
      .map((name) => `the header ${name} is not declared for this answer`)
    return [...missing, ...extra]
  }
}

const unknownAssumptions = (value: string): string[] =>
  value.split(', ').filter((id) => !assumptionIds.some((known) => known === id))

/** A JSON body exactly where one is declared, and valid against what is declared. */
function bodyChecker(
  document: OpenApiDocument,
): (declared: Declared, isHead: boolean, headers: Headers, body: string) => Problems {
  const { problemsOf } = validators(document)
  return ({ content }, isHead, headers, body) => {
    const type = headers.get('content-type')
    if (!content) {
      return [
        ...(body === '' ? [] : ['there is a body, and none is declared']),
        ...(type === null ? [] : [`there is no body, and yet content-type is ${type}`]),
      ]
    }
    const problems = type === 'application/json' ? [] : [`content-type is ${type}, not application/json`]
    if (isHead) return body === '' ? problems : [...problems, 'HEAD is answered with a body']
    const read = readJson(body)
    if (!read) return [...problems, 'the body is not JSON']
    return [...problems, ...bestOf(content['application/json'].schema, read.value)]
  }

  /** Of several shapes, it reports the problems of the nearest one: those of the others only confuse. */
  function bestOf(schema: Schema, value: unknown): Problems {
    // A schema with a type is one shape, whatever its own alternatives are.
    const alternatives = schema.type === undefined ? schema.oneOf : undefined
    const shapes = (alternatives ?? [schema]).map((shape) => problemsOf(shape, value))
    const fitting = shapes.filter((problems) => problems.length === 0).length
    if (fitting > 1) return ['the body fits several of the declared shapes']
    const nearest = shapes.toSorted((a, b) => a.length - b.length)[0] ?? []
    return nearest.map((problem) => `the body${problem}`)
  }
}

/**
 * Whether `x-service-version` must be there (contract: Versioning 4). The document can only say that some answers of
 * a status carry it; which ones do can be told from the body.
 */
function versionProblems(
  document: OpenApiDocument,
  declared: Declared,
  call: Call,
  headers: Headers,
  body: string,
): Problems {
  const header = resolved<Header>(document, declared.headers['x-service-version'])
  const error = errorOf(body)
  // Without a choice there is nothing to tell apart, and without a body nothing to tell by.
  if (!header || header.required || !error) return []
  const isThere = headers.has('x-service-version')
  const unauthorized = document.components.schemas['UnauthorizedError']
  const unauthorizedType = unauthorized?.properties?.['error']?.properties?.['type']?.const
  // With status 403 it is the same error as that of a key that lacks a scope, which has no challenge.
  const isUnauthenticated = error.type === unauthorizedType || headers.has('www-authenticate')
  if (error.message.includes('x-service-version') || isUnauthenticated) {
    return isThere ? ['x-service-version is there, though no version was chosen'] : []
  }
  const canBeEither = error.type === 'SERVICE_UNAVAILABLE_ERROR' || call.name.startsWith('no such')
  return isThere || canBeEither ? [] : ['the header x-service-version is missing']
}

/** The type and message of an error body; shape A has neither, and is recognized by its details. */
function errorOf(body: string): { type: string; message: string } | undefined {
  const value = readJson(body)?.value
  if (typeof value !== 'object' || value === null) return undefined
  const error =
    'error' in value && typeof value.error === 'object' && value.error !== null ? value.error : value
  const text = (name: string): string => String((error as Record<string, unknown>)[name] ?? '')
  return { type: text('type'), message: text('message') }
}

/** `Allow` names the methods that the document has for the path, and those that HTTP adds. */
function allowProblems({ methods, name }: Call, headers: Headers): Problems {
  const allow = headers.get('allow')
  if (allow === null || methods.length === 0) return []
  const listed = allow.split(',').map((method) => method.trim())
  if (listed.toSorted().join() === methods.join()) return []
  return [`Allow is ${allow}, and the path has ${methods.join(', ')} (${name})`]
}

function readJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function shortened(body: string): string {
  return body === ''
    ? 'The body is empty.'
    : `The body: ${body.length > 600 ? `${body.slice(0, 600)}…` : body}`
}

const made = new WeakMap<OpenApiDocument, { problemsOf(schema: Schema, value: unknown): Problems }>()

/** Validators of one document, each made when it is first needed and kept. */
function validators(document: OpenApiDocument): { problemsOf(schema: Schema, value: unknown): Problems } {
  const ready = made.get(document)
  if (ready) return ready
  // test/openapi/openapi.test.ts checks that the schemas are schemas.
  const unchecked = { meta: false, validateSchema: false } as const
  const ajv = documentValidator(strict(document.components.schemas) as Record<string, Schema>, unchecked)
  const byText = new Map<string, ValidateFunction>()
  const fresh = {
    problemsOf(schema: Schema, value: unknown): Problems {
      const text = JSON.stringify(schema)
      let validate = byText.get(text)
      if (!validate) byText.set(text, (validate = ajv.compile(bound(strict(schema)))))
      return validate(value) ? [] : (validate.errors ?? []).map(reported)
    },
  }
  made.set(document, fresh)
  return fresh
}

/** A validator that knows the schemas of a document by the references the document uses. */
export function documentValidator(schemas: Record<string, Schema>, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, ...options })
  formats.default.default(ajv)
  ajv.addVocabulary(['components', 'x-assumption', 'x-requires-scope'])
  ajv.addSchema(bound({ components: { schemas } }), 'document')
  return ajv
}

/** References of the document, made to work outside it. */
export function bound(part: unknown): Schema {
  return JSON.parse(JSON.stringify(part).replaceAll('"#/components/', '"document#/components/')) as Schema
}

/**
 * A copy in which objects have only the fields that are declared. The document itself allows more, as clients must;
 * but what the sandbox answers with is all declared. Free-form objects declare no fields and stay as they are.
 */
function strict(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(strict)
  if (typeof part !== 'object' || part === null) return part
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, strict(value)]))
  const declaresFields = copy['type'] === 'object' && 'properties' in copy
  return declaresFields && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

function reported({ instancePath, message, params }: ErrorObject): string {
  const detail = Object.values(params as Record<string, unknown>).filter((value) => value !== undefined)
  return `${instancePath} ${message}${detail.length > 0 ? ` (${detail.map(String).join(', ')})` : ''}`
}
